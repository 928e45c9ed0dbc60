//! The web worker: decodes questions, runs the engine, sends answers. The page ends it to cancel.

mod batches;
mod files;
mod parts;
mod solve;
mod supervision;
mod tokens;

use packscope::advice::SharedCurves;
use packscope::api::{Settings, SimpleSequences};
use packscope::error::{Error, Result};
use packscope::histogram::{Histogram, Sizes};
use packscope::packing::Step;
use packscope_page::query::{Answer, Query, QueryData, Question, Request, TimedAnswer};
use packscope_page::wire::{Answers, WorkerRequest, WorkerResponse};
use packscope_page::worker::{BlobSource, PartError, milliseconds, send, serve};
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
    /// Which tokens of the data bear loss, where the page has found it out.
    static CURVES: RefCell<Option<SharedCurves>> = const { RefCell::new(None) };
}

const TICK: f64 = 50.0;

fn main() {
    serve(load, answer);
}

/// Replaces what is held if the message brings it; else returns the message, as it is a question.
fn load(message: WorkerRequest) -> Option<WorkerRequest> {
    match message {
        // One set at a time, whatever its kind: a worker serves one lane, whose page sends the data
        // again when they change.
        WorkerRequest::Data(sizes) => {
            DATA.set(HeldData::new(sizes));
            CURVES.set(None);
        }
        WorkerRequest::Curves(curves) => CURVES.set(Some(curves)),
        question => return Some(question),
    }
    None
}

impl HeldData {
    fn new(sizes: Sizes) -> Self {
        let lengths = sizes.lengths();
        let (texts, graphs) = match sizes {
            Sizes::Lengths(_) => (None, None),
            Sizes::Texts(texts) => (Some(texts), None),
            Sizes::Graphs(graphs) => (None, Some(graphs)),
        };
        Self {
            lengths,
            texts,
            graphs,
            ..Self::default()
        }
    }

    fn lengths(&self) -> Result<&Histogram<1>> {
        self.lengths.as_deref().ok_or(Error::Empty)
    }

    fn graphs(&self) -> Result<&Histogram<2>> {
        self.graphs.as_deref().ok_or(Error::Empty)
    }
}

/// Calls a function with the data of a question.
fn with_data<T>(data: QueryData, act: impl FnOnce(&HeldData) -> Result<T>) -> Result<T> {
    let sizes = match data {
        QueryData::Held => return DATA.with_borrow(act),
        QueryData::Lengths(counts) => Sizes::Lengths(Rc::new(Histogram::from_lengths(counts)?)),
        QueryData::Graphs(counts) => Sizes::Graphs(Rc::new(Histogram::from_counts(counts)?)),
    };
    act(&HeldData::new(sizes))
}

async fn answer(
    message: WorkerRequest,
    sources: Vec<BlobSource>,
) -> std::result::Result<WorkerResponse, PartError> {
    match message {
        WorkerRequest::Data(_) | WorkerRequest::Curves(_) => Err(Error::Empty.into()),
        WorkerRequest::Queries(requests) => answer_each(requests).await,
        WorkerRequest::Files(asked) => files::answer(asked, sources).await,
        WorkerRequest::Tokens(part, asked) => files::texts(part, asked, sources).await,
        WorkerRequest::Supervision(asked) => files::supervision(asked, sources).await,
    }
}

async fn answer_each(requests: Vec<Request>) -> std::result::Result<WorkerResponse, PartError> {
    let (mut answers, mut first, all) = (Vec::new(), 0, requests.len());
    for (at, Request { data, query }) in requests.into_iter().enumerate() {
        // Batches are shown one by one, as soon as they are computed; other answers together, in one rendering.
        let shown = matches!(query, Query::Batches(..)) && at + 1 < all;
        answers.push(match query {
            // What the first view asks: its code is in the worker's own file, so that the first answer waits for no
            // further one.
            Query::Sequences(question) if is_simple(&question) => {
                let packer = solve::Packer::<SimpleSequences>::new(at, Answer::Sequences);
                answered(with_data(data, |data| {
                    packer.answer(&question, data.lengths()?)
                }))
            }
            query => parts::answer(data, query, at).await?,
        });
        if shown {
            send(&WorkerResponse::Answers(Answers {
                first,
                answers: std::mem::take(&mut answers),
                more: true,
            }));
            first = at + 1;
        }
    }
    Ok(WorkerResponse::Answers(Answers {
        first,
        answers,
        more: false,
    }))
}

/// Answers a question about these data, and measures the time that it takes.
fn timed(data: QueryData, act: impl FnOnce(&HeldData) -> Result<Answer>) -> TimedAnswer {
    let start = milliseconds();
    let outcome = with_data(data, act);
    answered(outcome.map(|answer| (answer, (milliseconds() - start) / 1e3)))
}

/// Returns an answer with its seconds, or an error in words.
fn answered(outcome: Result<(Answer, f64)>) -> TimedAnswer {
    match outcome {
        Ok((answer, seconds)) => TimedAnswer {
            outcome: Ok(answer),
            seconds,
        },
        Err(error) => TimedAnswer {
            outcome: Err(error.to_string()),
            seconds: 0.0,
        },
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
