//! Web Worker that reads files, assigns their items, and counts tokens. What needs a large library is a part of its own,
//! loaded with the first file that wants it.

mod tokens;

use packscope::error::{Error, Result};
use packscope::ingest::{self, Opened};
use packscope::part;
use packscope::wire::{Ask, Reply};
use packscope::worker::{Answer, Sources, assign, files, serve, ticks};

fn main() {
    serve(answer);
}

async fn answer(ask: Ask, sources: Sources) -> Answer {
    if !matches!(ask, Ask::Read { .. } | Ask::Assign { .. }) {
        return counted(ask, sources).await;
    }
    match plain(&ask, &sources)? {
        Some(reply) => Ok(reply),
        None => parquet(ask, sources).await,
    }
}

/// Reads files without a large library; `None` where that cannot be done.
fn plain(ask: &Ask, sources: &Sources) -> Result<Option<Reply>> {
    let Ask::Read { options, pairs, names } = ask else {
        return assign(ask, sources, |files, options, pairs, each| {
            let opened = ingest::open_telling(files, options, pairs, &mut ticks(), each)?;
            Ok(matches!(opened, Opened::Read(_)))
        });
    };
    Ok(match ingest::open(&files(names, sources), options, *pairs, &mut ticks())? {
        Opened::Read(read) => Some((*read).into()),
        Opened::Needs(_) => None,
    })
}

part! { tokens:
    /// Counts texts in tokens.
    fn counted(ask: Ask, sources: Sources) -> Answer {
        Ok(tokens::answer(&ask, sources.first().ok_or(Error::Empty)?)?)
    }
}

part! { parquet:
    /// Reads Parquet, Arrow, indices and zstd, and other files opened together with them.
    fn parquet(ask: Ask, sources: Sources) -> Answer {
        let Ask::Read { options, pairs, names } = &ask else {
            let assigned = assign(&ask, &sources, |files, options, pairs, each| {
                let mut each = |size: &[u32], count| each(size, count);
                ingest::parquet::open_telling(files, options, pairs, &mut ticks(), &mut each).map(|_| true)
            })?;
            return Ok(assigned.ok_or(Error::Empty)?);
        };
        let read = ingest::parquet::open(&files(names, &sources), options, *pairs, &mut ticks())?;
        Ok((*read).into())
    }
}
