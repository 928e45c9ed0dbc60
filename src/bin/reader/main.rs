//! Web Worker that reads files, counts tokens, and assigns items to packs. No arithmetic of its own; the page ends it to
//! cancel. The readers of Parquet and the like, and the tokenizer, are parts that are loaded when a file needs them.

mod tokens;

use packscope::error::Result;
use packscope::ingest::{self, Opened};
use packscope::part;
use packscope::wire::{Ask, Reply};
use packscope::worker::{BlobSource, Failed, assign, files, serve, ticks};

/// An answer of a part.
type Answer = std::result::Result<Reply, Failed>;

fn main() {
    serve(answer);
}

async fn answer(ask: Ask, sources: Vec<BlobSource>) -> Result<Reply> {
    let answer = match &ask {
        Ask::Read { .. } | Ask::Assign { .. } => match plain(&ask, &sources)? {
            Some(reply) => return Ok(reply),
            None => columns(ask, sources).await,
        },
        _ => texts(ask, sources).await,
    };
    Failed::told(answer)
}

/// Reads files, or reads them once more to assign their items; `None` where a part has to.
fn plain(ask: &Ask, sources: &[BlobSource]) -> Result<Option<Reply>> {
    let Ask::Read { options, pairs, names } = ask else {
        return assign(ask, sources, |files, options, pairs, each| {
            let opened = ingest::open_telling(files, options, pairs, &mut ticks(), each)?;
            Ok(matches!(opened, Opened::Read(_)))
        });
    };
    Ok(match ingest::open(&files(names, sources), options, *pairs, &mut ticks())? {
        Opened::Read(read) => Some((*read).into()),
        Opened::Needs => None,
    })
}

part! { columns:
    /// Does the same for Parquet, what else lies in columns or is packed by zstd, and other files opened together with it.
    fn columns(ask: Ask, sources: Vec<BlobSource>) -> Answer {
        let Ask::Read { options, pairs, names } = &ask else {
            let assigned = assign(&ask, &sources, |files, options, pairs, each| {
                let mut each = |size: &[u32], count| each(size, count);
                ingest::parquet::open_telling(files, options, pairs, &mut ticks(), &mut each).map(|_| true)
            })?;
            return assigned.ok_or(Failed::Missing);
        };
        Ok((*ingest::parquet::open(&files(names, &sources), options, *pairs, &mut ticks())?).into())
    }
}

part! { texts:
    /// Answers questions that need a tokenizer.
    fn texts(ask: Ask, sources: Vec<BlobSource>) -> Answer {
        Ok(tokens::answer(&ask, &sources)?)
    }
}
