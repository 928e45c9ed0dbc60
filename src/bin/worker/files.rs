//! Reads files, counts tokens, and assigns items to packs: parts of the worker that are loaded when needed.

use crate::parts::Said;
use crate::tokens;
use packscope::error::{Error, Result};
use packscope::ingest::{self, Opened};
use packscope::part;
use packscope::wire::{Ask, Reply};
use packscope::worker::{BlobSource, Failed, assign, files, ticks};
use std::sync::Arc;

/// Answers a question that comes with files.
pub async fn answer(ask: Ask, sources: Vec<BlobSource>) -> Result<Reply> {
    let is_reading = matches!(ask, Ask::Files { assign: None, .. });
    let told = Failed::told(match &ask {
        Ask::Files { .. } => match reader(ask.clone(), sources.clone()).await {
            Ok(None) => columns(ask, sources).await,
            read => read.and_then(|reply| reply.ok_or(Failed::Missing)),
        },
        _ => texts(ask, sources).await,
    });
    match told {
        Err(error) if is_reading => {
            let words = error.to_string();
            let asked = if let Error::Unclear { asked, .. } = error { asked } else { Arc::default() };
            Ok(Reply::Unread(words, Arc::unwrap_or_clone(asked)))
        }
        told => told,
    }
}

part! { reader:
    /// Reads files, or reads them again to assign their items; `None` if they need [`columns`].
    fn reader(ask: Ask, sources: Vec<BlobSource>) -> std::result::Result<Option<Reply>, Failed> {
        let Ask::Files { options, pairs, names, assign: None } = &ask else {
            return Ok(assign(&ask, &sources, |files, options, pairs, each| {
                let opened = ingest::open_telling(files, options, pairs, &mut ticks(), each)?;
                Ok(matches!(opened, Opened::Read(_)))
            })?);
        };
        Ok(match ingest::open(&files(names, &sources), options, *pairs, &mut ticks())? {
            Opened::Read(read) => {
                read.description.judge(options)?;
                Some((*read).into())
            }
            Opened::Needs => None,
        })
    }
}

part! { columns:
    /// Reads Parquet, other columnar files and files compressed by zstd, and all files opened together with them.
    fn columns(ask: Ask, sources: Vec<BlobSource>) -> Said {
        let Ask::Files { options, pairs, names, assign: None } = &ask else {
            let assigned = assign(&ask, &sources, |files, options, pairs, each| {
                let mut each = |size: &[u32], count| each(size, count);
                ingest::parquet::open_telling(files, options, pairs, &mut ticks(), &mut each).map(|_| true)
            })?;
            return assigned.ok_or(Failed::Missing);
        };
        let read = ingest::parquet::open(&files(names, &sources), options, *pairs, &mut ticks())?;
        read.description.judge(options)?;
        Ok((*read).into())
    }
}

part! { texts:
    /// Answers questions that need a tokenizer.
    fn texts(ask: Ask, sources: Vec<BlobSource>) -> Said {
        Ok(tokens::answer(&ask, &sources)?)
    }
}
