//! Reads files, counts tokens, and assigns items to packs: parts of the worker that are loaded when needed.

use crate::parts::Said;
use crate::tokens;
use packscope::error::{Error, Result};
use packscope::ingest::{self, Opened};
use packscope_page::part;
use packscope_page::wire::{Files, Message, Reply, Sealed, seal};
use packscope_page::worker::{BlobSource, Failed, Sent, assign, files, opened, ticks};
use std::sync::Arc;

/// Answers a question that comes with files.
pub async fn answer(message: Message, sources: Vec<BlobSource>) -> Result<Sent> {
    let (is_reading, told) = match message {
        Message::Files(is_reading, asked) => (is_reading, read(asked, sources).await),
        Message::Tokens(asked) => (false, texts(asked, sources).await),
        _ => return Err(Error::Empty),
    };
    match Failed::told(told) {
        Err(error) if is_reading => {
            let words = error.to_string();
            let asked = if let Error::Unclear { asked, .. } = error { asked } else { Arc::default() };
            Ok(Reply::Unread(words, Arc::unwrap_or_clone(asked)))
        }
        told => told,
    }
}

async fn read(asked: Sealed, sources: Vec<BlobSource>) -> Said {
    match reader(asked.clone(), sources.clone()).await? {
        Some(reply) => Ok(reply),
        None => columns(asked, sources).await,
    }
}

part! { reader:
    /// Reads files, or reads them again to assign their items; `None` if they need [`columns`].
    fn reader(asked: Sealed, sources: Vec<BlobSource>) -> std::result::Result<Option<Sent>, Failed> {
        let asked: Files = opened(&asked)?;
        if asked.assign.is_some() {
            return Ok(assign(&asked, &sources, |files, options, pairs, each| {
                let opened = ingest::open_telling(files, options, pairs, &mut ticks(), each)?;
                Ok(matches!(opened, Opened::Read(_)))
            })?);
        }
        let Files { options, pairs, names, .. } = &asked;
        Ok(match ingest::open(&files(names, &sources), options, *pairs, &mut ticks())? {
            Opened::Read(read) => {
                read.description.judge(options)?;
                Some(Reply::Further(seal(&read)))
            }
            Opened::Needs => None,
        })
    }
}

part! { columns:
    /// Reads Parquet, other columnar files and files compressed by zstd, and all files opened together with them.
    fn columns(asked: Sealed, sources: Vec<BlobSource>) -> Said {
        let asked: Files = opened(&asked)?;
        if asked.assign.is_some() {
            let assigned = assign(&asked, &sources, |files, options, pairs, each| {
                let mut each = |size: &[u32], count| each(size, count);
                ingest::parquet::open_telling(files, options, pairs, &mut ticks(), &mut each).map(|_| true)
            })?;
            return assigned.ok_or(Failed::Missing);
        }
        let Files { options, pairs, names, .. } = &asked;
        let read = ingest::parquet::open(&files(names, &sources), options, *pairs, &mut ticks())?;
        read.description.judge(options)?;
        Ok(Reply::Further(seal(&read)))
    }
}

part! { texts:
    /// Answers questions that need a tokenizer.
    fn texts(asked: Sealed, sources: Vec<BlobSource>) -> Said {
        let (part, asked) = opened(&asked)?;
        Ok(tokens::answer(&part, &asked, &sources)?)
    }
}
