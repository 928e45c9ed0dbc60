//! Reads files, counts tokens, and assigns items to packs: parts of the worker that are loaded when needed.

use crate::tokens;
use packscope::error::Error;
use packscope::ingest::{self, OpenResult};
use packscope_page::part;
use packscope_page::wire::{FileRequest, TokenizerPart, TokenizerRequest, WorkerResponse};
use packscope_page::worker::{BlobSource, PartError, assign, files, ticks};
use std::sync::Arc;

type PartReply = std::result::Result<WorkerResponse, PartError>;

/// Reads files, or reads them again to assign their items.
pub async fn answer(asked: FileRequest, sources: Vec<BlobSource>) -> PartReply {
    let is_reading = asked.assign.is_none();
    // Only reading is refused with choices: the same files were read before their items are
    // assigned.
    match read_files(asked, sources).await {
        Err(PartError::Refused(error)) if is_reading => {
            let words = error.to_string();
            let asked = if let Error::Unclear { asked, .. } = error {
                asked
            } else {
                Arc::default()
            };
            Ok(WorkerResponse::Unread(words, Arc::unwrap_or_clone(asked)))
        }
        told => told,
    }
}

/// Answers questions about a tokenizer and texts.
pub async fn texts(
    part: TokenizerPart,
    asked: TokenizerRequest,
    sources: Vec<BlobSource>,
) -> PartReply {
    count_tokens(part, asked, sources).await
}

async fn read_files(asked: FileRequest, sources: Vec<BlobSource>) -> PartReply {
    match reader(asked.clone(), sources.clone()).await? {
        // The reader of text comes first, although it may find nothing it can read: most files need
        // no more, and the part for columns is larger.
        Some(reply) => Ok(reply),
        None => columns(asked, sources).await,
    }
}

part! { reader:
    /// Reads files, or reads them again to assign their items; `None` if they need [`columns`].
    fn reader(asked: FileRequest, sources: Vec<BlobSource>) -> std::result::Result<Option<WorkerResponse>, PartError> {
        if asked.assign.is_some() {
            return Ok(assign(&asked, &sources, |files, options, pairs, each| {
                let opened = ingest::open_telling(files, options, pairs, &mut ticks(), each)?;
                Ok(matches!(opened, OpenResult::Read(_)))
            })?);
        }
        let FileRequest { options, pairs, names, .. } = &asked;
        Ok(match ingest::open(&files(names, &sources), options, *pairs, &mut ticks())? {
            OpenResult::Read(read) => {
                // Unless the visitor has allowed it, data with an objection are refused here, with
                // the choices that there are.
                read.description.judge(options)?;
                Some(WorkerResponse::Read(read))
            }
            OpenResult::Needs => None,
        })
    }
}

part! { columns:
    /// Reads Parquet, other columnar files and files compressed by zstd, and all files opened together with them.
    fn columns(asked: FileRequest, sources: Vec<BlobSource>) -> PartReply {
        if asked.assign.is_some() {
            let assigned = assign(&asked, &sources, |files, options, pairs, each| {
                let mut each = |size: &[u32], count| each(size, count);
                ingest::parquet::open_telling(files, options, pairs, &mut ticks(), &mut each).map(|_| true)
            })?;
            return assigned.ok_or(PartError::Missing);
        }
        let FileRequest { options, pairs, names, .. } = &asked;
        let read = ingest::parquet::open(&files(names, &sources), options, *pairs, &mut ticks())?;
        read.description.judge(options)?;
        Ok(WorkerResponse::Read(read))
    }
}

part! { texts:
    fn count_tokens(part: TokenizerPart, asked: TokenizerRequest, sources: Vec<BlobSource>) -> PartReply {
        Ok(tokens::answer(&part, &asked, &sources)?)
    }
}
