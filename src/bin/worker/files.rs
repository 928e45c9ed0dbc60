//! Reads files, counts tokens, and assigns items to packs: parts of the worker that are loaded when needed.

use crate::parts::PartReply;
use crate::tokens;
use packscope::error::{Error, Result};
use packscope::ingest::{self, OpenResult};
use packscope_page::part;
use packscope_page::wire::{Encoded, EncodedRequest, FileRequest, WorkerResponse, encode_value};
use packscope_page::worker::{BlobSource, PartError, PostedReply, assign, decoded, files, ticks};
use std::sync::Arc;

pub async fn answer(message: EncodedRequest, sources: Vec<BlobSource>) -> Result<PostedReply> {
    let (is_reading, told) = match message {
        EncodedRequest::Files(is_reading, asked) => (is_reading, read_files(asked, sources).await),
        EncodedRequest::Tokens(asked) => (false, texts(asked, sources).await),
        _ => return Err(Error::Empty),
    };
    // Only reading is refused with choices: the same files were read before their items are
    // assigned.
    match PartError::reply_of(told) {
        Err(error) if is_reading => {
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

async fn read_files(asked: Encoded, sources: Vec<BlobSource>) -> PartReply {
    match reader(asked.clone(), sources.clone()).await? {
        // The reader of text comes first, although it may find nothing it can read: most files need
        // no more, and the part for columns is larger.
        Some(reply) => Ok(reply),
        None => columns(asked, sources).await,
    }
}

part! { reader:
    /// Reads files, or reads them again to assign their items; `None` if they need [`columns`].
    fn reader(asked: Encoded, sources: Vec<BlobSource>) -> std::result::Result<Option<PostedReply>, PartError> {
        let asked: FileRequest = decoded(&asked)?;
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
                Some(WorkerResponse::Further(encode_value(&read)))
            }
            OpenResult::Needs => None,
        })
    }
}

part! { columns:
    /// Reads Parquet, other columnar files and files compressed by zstd, and all files opened together with them.
    fn columns(asked: Encoded, sources: Vec<BlobSource>) -> PartReply {
        let asked: FileRequest = decoded(&asked)?;
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
        Ok(WorkerResponse::Further(encode_value(&read)))
    }
}

part! { texts:
    /// Answers questions that need a tokenizer.
    fn texts(asked: Encoded, sources: Vec<BlobSource>) -> PartReply {
        let (part, asked) = decoded(&asked)?;
        Ok(tokens::answer(&part, &asked, &sources)?)
    }
}
