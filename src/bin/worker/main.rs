//! The web worker: decodes questions, runs the engine, sends answers. The page ends it to cancel.

mod batches;
mod files;
mod parts;
mod solve;
mod tokens;

use packscope::api::{Question, Settings, SimpleSequences};
use packscope::error::{Error, Result};
use packscope::histogram::{Histogram, Sizes};
use packscope::packing::Step;
use packscope_page::wire::{EncodedRequest, WorkerResponse};
use packscope_page::worker::{BlobSource, PostedReply, milliseconds, send, serve};
use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

#[derive(Default)]
struct HeldData {
    lengths: Option<Rc<Histogram<1>>>,
    /// Lengths with their numbers of stopwords, if these were counted.
    texts: Option<Rc<Histogram<2>>>,
    /// Lengths with 0 stopwords, if none were counted.
    plain: OnceCell<Histogram<2>>,
    graphs: Option<Rc<Histogram<2>>>,
}

thread_local! {
    static DATA: RefCell<HeldData> = RefCell::default();
}

const TICK: f64 = 50.0;

fn main() {
    serve(load, answer);
}

/// Replaces the data if the message contains data; else returns it, as it is a question.
fn load(message: EncodedRequest) -> Option<EncodedRequest> {
    let EncodedRequest::Data(sizes) = message else {
        return Some(message);
    };
    let lengths = sizes.lengths();
    // One set at a time, whatever its kind: a worker serves one lane, whose page sends the data
    // again when they change.
    DATA.set(match sizes {
        Sizes::Lengths(_) => HeldData {
            lengths,
            ..HeldData::default()
        },
        Sizes::Texts(texts) => HeldData {
            lengths,
            texts: Some(texts),
            ..HeldData::default()
        },
        Sizes::Graphs(graphs) => HeldData {
            graphs: Some(graphs),
            ..HeldData::default()
        },
    });
    None
}

/// Answers simple questions directly, and others with further parts of the worker.
async fn answer(message: EncodedRequest, sources: Vec<BlobSource>) -> Result<PostedReply> {
    match message {
        // What the first view asks: its code is in the worker's own file, so that the first answer
        // waits for no further one.
        EncodedRequest::Lengths(question) if is_simple(&question) => DATA.with_borrow(|data| {
            let lengths = data.lengths.as_ref().ok_or(Error::Empty)?;
            solve::answer::<SimpleSequences>(&question, lengths, WorkerResponse::Lengths)
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
    let mut last = milliseconds();
    move |step| {
        if milliseconds() - last > TICK {
            last = milliseconds();
            send(&WorkerResponse::Progress(step));
        }
    }
}
