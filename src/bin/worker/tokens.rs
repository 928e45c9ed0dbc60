//! Counts tokens, and assigns texts to packs. The page keeps the counts received so far.

use crate::supervision;
use packscope::error::{Error, Result};
use packscope::export;
use packscope::histogram::Sizes;
use packscope::ingest::{File, Ingested, Read, RecordVisitor, Source};
use packscope::supervision::Truncation;
use packscope::tokens::supervised::{self, CountText, Labels, ReadOptions, count_text};
use packscope::tokens::{self, Chat, CountOptions, Counter, RecordWriter, Roles, Tokenizer};
use packscope_page::wire::{
    Assign, FileRequest, Supervised, TokenizerPart, TokenizerRequest, TokensCounted, TrainedTurns,
    WorkerResponse,
};
use packscope_page::worker::{BlobSource, milliseconds, send, ticks};
use std::cell::RefCell;
use std::hint::black_box;
use std::ops::ControlFlow;
use std::rc::Rc;

thread_local! {
    /// The tokenizer of the last question, with its version: loading it takes longer than previewing most files.
    static TOKENIZER: RefCell<Option<(u64, Tokenizer)>> = const { RefCell::new(None) };
}

/// Milliseconds between two reports of progress, each with all lengths so far.
const TICK: f64 = 100.0;

/// Answers a question about a tokenizer, or about the texts that follow it in the same blob, which `writer` writes if there is
/// one.
pub fn answer(
    part: &TokenizerPart,
    asked: &TokenizerRequest,
    sources: &[BlobSource],
    writer: Option<&RecordWriter>,
) -> Result<WorkerResponse> {
    let blob = sources.first().ok_or(Error::Empty)?;
    let texts = Texts::behind(part, blob);
    with(part, blob, |tokenizer| match asked {
        TokenizerRequest::About => Ok(WorkerResponse::Tokenizer(tokenizer.about().clone())),
        TokenizerRequest::Look(options) => Ok(WorkerResponse::TokensLooked(Box::new(
            tokens::look(&texts, tokenizer, (options, writer))?,
        ))),
        // Answered by `supervise`, which needs the code of templates.
        TokenizerRequest::Supervise(..) => Ok(WorkerResponse::Supervised(None)),
        TokenizerRequest::Count(options) => count(part, &texts, tokenizer, (options, writer)),
        TokenizerRequest::Assign(options, Assign { plan, form, items }) => {
            let mut read = |each: &mut RecordVisitor<'_>| {
                tokens::for_each_record(&texts, tokenizer, (options, writer), &mut ticks(), each)
            };
            let piece = |piece: &[u8]| send(&WorkerResponse::Piece(piece.to_vec()));
            Ok(WorkerResponse::Assigned(export::assign(
                plan,
                (*form, None, *items),
                &mut read,
                piece,
            )?))
        }
    })
}

/// The roles of messages.
const EVERYONE: [&str; 5] = ["system", "developer", "user", "assistant", "tool"];

/// Finds out which tokens of the texts that follow the tokenizer in the same blob bear loss.
pub fn supervise(
    part: &TokenizerPart,
    options: &CountOptions,
    (truncation, turns): (Truncation, TrainedTurns),
    sources: &[BlobSource],
    chat: Option<&Chat>,
) -> Result<WorkerResponse> {
    let blob = sources.first().ok_or(Error::Empty)?;
    let texts = Texts::behind(part, blob);
    let options = ReadOptions {
        format: options.format,
        delimiter: options.delimiter,
        header: options.header,
        source: None,
        sample: None,
    };
    // Masks and lengths in a file of texts are of another tokenizer than the one that counts.
    if supervised::found(&texts, &options)? != Some(Labels::Texts) {
        return Ok(WorkerResponse::Supervised(None));
    }
    let mut roles = Roles::default();
    match turns {
        TrainedTurns::Assistant => {}
        TrainedTurns::LastAssistant => roles.last = true,
        TrainedTurns::All => roles.names = EVERYONE.map(str::to_owned).to_vec(),
    }
    let words = match chat {
        None => "completions after their prompts".to_owned(),
        Some(chat) => format!("{}, as {} writes them", turns.name(), chat.name()),
    };
    with(part, blob, |tokenizer| {
        let count: &CountText<'_> = &|record| count_text(tokenizer, chat, &roles, record);
        // The optimiser sees that no other function is ever passed, and would name it where it is called: the part that
        // reads numbers would load tokenizers and templates with it.
        let count = black_box(count);
        let way = (&options, &Labels::Texts, words);
        // The options have what its name says, and the page names it.
        let texts = [File {
            name: "",
            source: &texts,
        }];
        let told = supervision::read_items(&texts, way, Some(count), truncation)?;
        let told = Supervised {
            turns: chat.map(|_| turns),
            ..told
        };
        Ok(WorkerResponse::Supervised(Some(Box::new(told))))
    })
}

/// Calls a function with the tokenizer at the start of a blob.
fn with(
    part: &TokenizerPart,
    blob: &BlobSource,
    act: impl FnOnce(&Tokenizer) -> Result<WorkerResponse>,
) -> Result<WorkerResponse> {
    TOKENIZER.with_borrow_mut(|kept| {
        // Texts with the same tokenizer are counted again after a change of options: the version
        // spares loading it anew.
        if kept
            .as_ref()
            .is_none_or(|(version, _)| *version != part.version)
        {
            let bytes = blob.read(0, usize::try_from(part.size).unwrap_or(usize::MAX))?;
            *kept = Some((part.version, Tokenizer::load(&bytes)?));
        }
        kept.as_ref()
            .map_or(Err(Error::Empty), |(_, tokenizer)| act(tokenizer))
    })
}

fn count(
    part: &TokenizerPart,
    texts: &Texts<'_>,
    tokenizer: &Tokenizer,
    (options, writer): (&CountOptions, Option<&RecordWriter>),
) -> Result<WorkerResponse> {
    let counter = Counter::new(tokenizer, &part.name, options).writing(writer);
    let (mut last, mut tokens, mut far) = (milliseconds(), 0, (0, texts.size()));
    let read = tokens::count(texts, counter, &mut |done, of, counter| {
        // Kept outside the condition, since the last report is needed for the final reply as well.
        (tokens, far) = (counter.counted().1, (done, of));
        if milliseconds() - last > TICK
            && let Ok(so_far) = counter.so_far(done, of)
        {
            last = milliseconds();
            send(&counted_reply(so_far, far, tokens, true));
        }
        ControlFlow::Continue(())
    })?;
    let [tokens] = read.histogram.total();
    Ok(counted_reply(read, far, tokens, false))
}

fn counted_reply(
    read: Ingested,
    (done, of): (u64, u64),
    tokens: u64,
    more: bool,
) -> WorkerResponse {
    let Ingested {
        histogram: lengths,
        description,
        ..
    } = read;
    WorkerResponse::TokensCounted(Box::new(TokensCounted {
        done,
        of,
        tokens,
        lengths,
        description,
        more,
    }))
}

/// Estimates the lengths of the texts in a file from their characters.
pub fn estimate(asked: &FileRequest, sources: &[BlobSource]) -> Result<WorkerResponse> {
    let (Some(name), Some(texts)) = (asked.names.first(), sources.first()) else {
        return Err(Error::Empty);
    };
    let mut tick = ticks();
    let Ingested {
        histogram,
        description,
        ..
    } = tokens::estimate(
        texts,
        &CountOptions::from_name(name),
        &mut |done, of, _| tick(done, of),
        &mut |_| {},
    )?;
    description.judge(&asked.options)?;
    Ok(WorkerResponse::Read(Box::new(Read {
        counted: Sizes::Lengths(Rc::new(histogram)),
        description,
        each: Vec::new(),
    })))
}

/// The file of texts that follows the tokenizer in a blob.
struct Texts<'b> {
    blob: &'b BlobSource,
    from: u64,
}

impl<'b> Texts<'b> {
    fn behind(part: &TokenizerPart, blob: &'b BlobSource) -> Self {
        Self {
            blob,
            from: part.size,
        }
    }
}

impl Source for Texts<'_> {
    fn size(&self) -> u64 {
        self.blob.size().saturating_sub(self.from)
    }

    fn read(&self, at: u64, length: usize) -> Result<Vec<u8>> {
        self.blob.read(self.from.saturating_add(at), length)
    }
}
