//! The web worker: decodes questions, runs the engine, sends answers. The page ends it to cancel.

mod batches;
mod files;
mod parts;
mod solve;
mod tokens;

use packscope::api::{Question, Settings, SimpleSequences};
use packscope::error::{Error, Result};
use packscope::histogram::Histogram;
use packscope::packing::Step;
use packscope::wire::{Counts, Message, Reply};
use packscope::worker::{BlobSource, Sent, now, send, serve};
use std::cell::{OnceCell, RefCell};

#[derive(Default)]
struct Data {
    lengths: Option<Histogram<1>>,
    /// Lengths with their numbers of stopwords, if these were counted.
    texts: Option<Histogram<2>>,
    /// Lengths with 0 stopwords, if none were counted.
    plain: OnceCell<Histogram<2>>,
    graphs: Option<Histogram<2>>,
}

thread_local! {
    static DATA: RefCell<Data> = RefCell::default();
}

/// Milliseconds between two reports of progress.
const TICK: f64 = 50.0;

fn main() {
    serve(load, answer);
}

/// Replaces the data if the message contains data; else returns it, as it is a question.
fn load(message: Message) -> Option<Message> {
    let Message::Data(counts) = message else { return Some(message) };
    DATA.set(match counts {
        Counts::Lengths(counts) => Data { lengths: Histogram::from_lengths(counts).ok(), ..Data::default() },
        Counts::Texts(counts) => {
            let texts = Histogram::from_counts(counts).ok();
            Data { lengths: texts.as_ref().and_then(|t| t.marginal(0)), texts, ..Data::default() }
        }
        Counts::Graphs(counts) => Data { graphs: Histogram::from_counts(counts).ok(), ..Data::default() },
    });
    None
}

/// Answers simple questions directly, and others with further parts of the worker.
async fn answer(message: Message, sources: Vec<BlobSource>) -> Result<Sent> {
    match message {
        Message::Lengths(question) if is_simple(&question) => DATA.with_borrow(|data| {
            let lengths = data.lengths.as_ref().ok_or(Error::Empty)?;
            solve::answer::<SimpleSequences>(&question, lengths, Reply::Lengths)
        }),
        message if sources.is_empty() => parts::answer(message).await,
        message => files::answer(message, sources).await,
    }
}

/// Whether no algorithm of the question takes long.
fn is_simple(question: &Question<Settings>) -> bool {
    match question {
        Question::Report { settings, .. } => !settings.algorithm.takes_long(),
        Question::Compare { rows, .. } => rows.iter().all(|(algorithm, _)| !algorithm.takes_long()),
        Question::Prove { .. } => false,
    }
}

/// Returns a callback that sends progress to the page every [`TICK`].
fn ticks() -> impl FnMut(Step) {
    let mut last = now();
    move |step| {
        if now() - last > TICK {
            last = now();
            send(&Reply::Progress(step));
        }
    }
}
