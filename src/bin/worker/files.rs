//! Reads files, counts tokens, and assigns items to packs: parts of the worker that are loaded when needed.

use crate::{supervision, tokens};
use packscope::error::Error;
use packscope::ingest::{self, OpenResult, Options, Read};
use packscope::supervision::Truncation;
use packscope::tokens::{Chat, CountOptions, RecordWriter, SpecialTokens};
use packscope_page::part;
use packscope_page::state::prompts;
use packscope_page::wire::{
    FileRequest, SupervisionRequest, TokenizerPart, TokenizerRequest, TrainedTurns, WorkerResponse,
};
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
    match (asked, part.chat.is_some()) {
        // Prompts and completions have no template; they are counted by the same code.
        (TokenizerRequest::Supervise(options, truncation, turns), _) => {
            supervise_texts(part, options, (truncation, turns), sources).await
        }
        (asked, true) => count_conversations(part, asked, sources).await,
        (asked, false) => count_tokens(part, asked, sources).await,
    }
}

/// Finds out which tokens of files bear loss.
pub async fn supervision(asked: SupervisionRequest, sources: Vec<BlobSource>) -> PartReply {
    match supervise(asked.clone(), sources.clone()).await? {
        Some(reply) => Ok(reply),
        None => supervise_columns(asked, sources).await,
    }
}

async fn read_files(asked: FileRequest, sources: Vec<BlobSource>) -> PartReply {
    if asked.estimate {
        return estimate_tokens(asked, sources).await;
    }
    match reader(asked.clone(), sources.clone()).await? {
        // The reader of text comes first, although it may find nothing it can read: most files need
        // no more, and the part for columns is larger.
        Some(reply) => Ok(reply),
        None => columns(asked, sources).await,
    }
}

/// Returns a prompt and its response read as one sequence, by `again`, where nobody has said how they
/// are meant; anything else as it was read.
fn guessed(
    read: Box<Read>,
    asked: &FileRequest,
    again: impl FnOnce(&Options) -> Option<Box<Read>>,
) -> Box<Read> {
    let guess = if asked.pairs {
        None
    } else {
        prompts::guess(&read, &asked.options)
    };
    guess.and_then(|options| again(&options)).unwrap_or(read)
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
        let files = files(names, &sources);
        Ok(match ingest::open(&files, options, *pairs, &mut ticks())? {
            OpenResult::Read(read) => {
                let read = guessed(read, &asked, |options| {
                    match ingest::open(&files, options, false, &mut ticks()) {
                        Ok(OpenResult::Read(read)) => Some(read),
                        _ => None,
                    }
                });
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
        let files = files(names, &sources);
        let read = ingest::parquet::open(&files, options, *pairs, &mut ticks())?;
        let read = guessed(read, &asked, |options| {
            ingest::parquet::open(&files, options, false, &mut ticks()).ok()
        });
        read.description.judge(options)?;
        Ok(WorkerResponse::Read(read))
    }
}

part! { texts:
    /// Estimates the lengths of texts, with the code that counts them.
    fn estimate_tokens(asked: FileRequest, sources: Vec<BlobSource>) -> PartReply {
        Ok(tokens::estimate(&asked, &sources)?)
    }
}

part! { texts:
    fn count_tokens(part: TokenizerPart, asked: TokenizerRequest, sources: Vec<BlobSource>) -> PartReply {
        Ok(tokens::answer(&part, &asked, &sources, None)?)
    }
}

part! { chat:
    /// Counts conversations as the chat template of their model writes them.
    fn count_conversations(part: TokenizerPart, asked: TokenizerRequest, sources: Vec<BlobSource>) -> PartReply {
        let chat = chat_of(&part)?;
        let words = chat.as_ref().map_or_else(String::new, |chat| format!("conversations, as {} writes them", chat.name()));
        let write = |record: &[u8]| match &chat {
            Some(chat) => chat.render(record),
            None => Err("its files have no chat template".to_owned()),
        };
        let writer = RecordWriter { words: &words, specials: SpecialTokens::Written, write: &write };
        Ok(tokens::answer(&part, &asked, &sources, Some(&writer))?)
    }
}

/// Loads the chat template of a model, if its files have one.
fn chat_of(part: &TokenizerPart) -> packscope::error::Result<Option<Chat>> {
    let files = part.chat.as_deref().cloned().unwrap_or_default();
    let template = files.template.as_ref();
    let template = template.map(|(name, text)| (name.as_str(), text.as_str()));
    Chat::load(files.config.as_deref().map(str::as_bytes), template)
}

part! { supervision:
    /// Finds out which tokens of files bear loss; `None` if it needs [`supervise_columns`].
    fn supervise(asked: SupervisionRequest, sources: Vec<BlobSource>) -> std::result::Result<Option<WorkerResponse>, PartError> {
        Ok(supervision::of_files(&asked, &sources)?)
    }
}

part! { columns:
    /// Finds out which tokens of Parquet or Arrow bear loss.
    fn supervise_columns(asked: SupervisionRequest, sources: Vec<BlobSource>) -> PartReply {
        Ok(supervision::of_columns(&asked, &sources)?)
    }
}

part! { chat:
    /// Finds out which tokens of texts bear loss, as the tokenizer counts them.
    fn supervise_texts(
        part: TokenizerPart,
        options: CountOptions,
        asked: (Truncation, TrainedTurns),
        sources: Vec<BlobSource>
    ) -> PartReply {
        let chat = chat_of(&part)?;
        Ok(tokens::supervise(&part, &options, asked, &sources, chat.as_ref())?)
    }
}
