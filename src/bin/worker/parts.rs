//! Parts of the worker that are loaded when first needed; the build splits them off.

use crate::{DATA, Data, batches, now, send, solve, ticks};
use packscope::api::any::{self, Request as Any};
use packscope::api::held::{Answered, Request};
use packscope::api::ranks::Part as Ranked;
use packscope::api::trainer::{Asked, Given};
use packscope::api::{self, Finding, Graphs, Query, Question, Sequences, Settings, shapes, speedup, tuple};
use packscope::error::{Error, Result};
use packscope::export::{certificate, libraries};
use packscope::histogram::{Histogram, Size};
use packscope::packing::{Step, go_on};
use packscope::part;
use packscope::sweep::Point;
use packscope::trainer;
use packscope::wire::{Each, Message, Part, Reply, Sealed, seal};
use packscope::worker::{Failed, Sent, opened};
use std::ops::ControlFlow;

/// Milliseconds after which the points of a sweep so far are sent.
const PART: f64 = 40.0;

/// The reply of a part.
pub type Said = std::result::Result<Sent, Failed>;

/// Answers a question with the part of the worker that handles it.
pub async fn answer(message: Message) -> Result<Sent> {
    Failed::told(match message {
        Message::Lengths(question) => solvers(question).await,
        Message::Graphs(question) => graphs(question).await,
        Message::Each(requests) => each(requests).await,
        // The other questions come with files.
        _ => Err(Error::Empty.into()),
    })
}

/// The answer to a request.
type Told = std::result::Result<Answered<Sealed>, Failed>;

/// Answers requests one after another.
async fn each(requests: Vec<(Part, Sealed)>) -> Said {
    let (mut answers, mut first, all) = (Vec::new(), 0, requests.len());
    for (at, (part, request)) in requests.into_iter().enumerate() {
        // Batches are shown one by one, as soon as they are computed; other answers together, in one rendering.
        let shown = part == Part::Epochs && at + 1 < all;
        answers.push(one(part, request).await?);
        if shown {
            send(&told(first, std::mem::take(&mut answers), true));
            first = at + 1;
        }
    }
    Ok(told(first, answers, false))
}

fn told(first: usize, answers: Vec<Answered<Sealed>>, more: bool) -> Sent {
    Reply::Further(seal(&Each { first, answers, more }))
}

/// Answers a request with the part of the worker that handles it.
async fn one(part: Part, request: Sealed) -> Told {
    match part {
        Part::Anything => anything(request).await,
        Part::Sweeps => sweeps(request).await,
        Part::Epochs => epochs(request).await,
        Part::Libraries => libraries(request).await,
        Part::Trainers => trainers(request).await,
        Part::Ranks => ranks(request).await,
        Part::Shapes => few_shapes(request).await,
        Part::Certificates => certificates(request).await,
    }
}

fn with<T>(work: impl FnOnce(&Data) -> Result<T>) -> std::result::Result<T, Failed> {
    Ok(DATA.with_borrow(work)?)
}

fn lengths(data: &Data) -> Result<&Histogram<1>> {
    data.lengths.as_ref().ok_or(Error::Empty)
}

part! { solvers:
    /// Answers questions that need the solvers: the optimum with its proof, or least squares.
    fn solvers(question: Question<Settings>) -> Said {
        with(|data| solve::answer::<Sequences>(&question, lengths(data)?, Reply::Lengths))
    }
}

part! { certificates:
    /// Answers requests for certificates: few visitors need them, and nothing else here writes JSON.
    fn certificates(request: Sealed) -> Told {
        let request: Request = opened(&request)?;
        with(|data| timed(|| Ok(seal(&match request {
            Request::CertifyLengths(settings) => {
                solve::certify::<Sequences>(&settings, lengths(data)?, certificate::of_sequences)?
            }
            Request::CertifyGraphs(settings) => {
                let graphs = data.graphs.as_ref().ok_or(Error::Empty)?;
                solve::certify::<Graphs<2>>(&settings, graphs, certificate::of_graphs)?
            }
            _ => return Err(Error::Empty),
        }))))
    }
}

part! { graphs:
    /// Answers questions about packs of graphs.
    fn graphs(question: Sealed) -> Said {
        let question: Question<tuple::Settings> = opened(&question)?;
        let say = |finding: Finding<tuple::Settings>| Reply::Further(seal(&finding));
        with(|data| solve::answer::<Graphs<2>>(&question, data.graphs.as_ref().ok_or(Error::Empty)?, say))
    }
}

part! { graphs:
    /// Answers requests for packs of graphs at many limits.
    fn sweeps(request: Sealed) -> Told {
        let request: Request = opened(&request)?;
        with(|data| timed(|| match request {
            Request::Sweep { settings, limits, thorough } => {
                let graphs = data.graphs.as_ref().ok_or(Error::Empty)?;
                let fast = settings.algorithm.takes_long() && !thorough;
                let pack = if fast { tuple::evaluate_fast } else { tuple::evaluate };
                Ok(seal(&sweep(&limits, |limits| pack(graphs, &settings, limits))))
            }
            _ => Err(Error::Empty),
        }))
    }
}

part! { epochs:
    /// Answers requests about batches, and about accelerators that wait for each other.
    fn epochs(request: Sealed) -> Told {
        let request: Request = opened(&request)?;
        with(|data| match request {
            Request::Batches(settings, drawn) => batches::answer(data, &settings, drawn),
            Request::Waiting(questions) => timed(|| Ok(seal(&speedup::curves(&questions)?))),
            _ => Err(Error::Empty),
        })
    }
}

part! { shapes:
    /// Answers requests for few static shapes.
    fn few_shapes(request: Sealed) -> Told {
        let request: Request = opened(&request)?;
        with(|data| timed(|| match request {
            Request::Shapes(asked) => Ok(seal(&shapes::answer(lengths(data)?, &asked)?)),
            _ => Err(Error::Empty),
        }))
    }
}

part! { anything:
    /// Answers requests about one limit, and requests that contain their own data, except those about trainers and ranks.
    fn anything(request: Sealed) -> Told {
        let request: Request = opened(&request)?;
        with(|data| timed(|| match request {
            Request::Limit(settings, limit) => Ok(seal(&api::limits::at(lengths(data)?, &settings, limit)?)),
            Request::Any(_, request) => Ok(seal(&request.packed(&mut go_on)?)),
            _ => Err(Error::Empty),
        }))
    }
}

part! { trainers:
    /// Answers requests about libraries that pack, and requests about trainers that contain their own data.
    fn trainers(request: Sealed) -> Told {
        let request: Request = opened(&request)?;
        with(|data| timed(|| match request {
            Request::Any(_, request) => Ok(seal(&request.trained(&mut telling())?)),
            Request::Trainer(asked) => match asked.given {
                Given::Sequences(room) => sealed::<trainer::Sequences>(&asked, room, lengths(data)?),
                _ => Err(Error::Empty),
            },
            _ => Err(Error::Empty),
        }))
    }
}

part! { libraries:
    /// Answers requests about samplers and loaders.
    fn libraries(request: Sealed) -> Told {
        let request: Request = opened(&request)?;
        with(|data| timed(|| match request {
            Request::Trainer(asked) => match asked.given {
                Given::Batches(room) => sealed::<trainer::batches::Batches>(&asked, room, lengths(data)?),
                Given::Graphs(limits) => {
                    let graphs = data.graphs.as_ref().ok_or(Error::Empty)?;
                    sealed::<trainer::graphs::Graphs>(&asked, limits, graphs)
                }
                Given::Sequences(_) => Err(Error::Empty),
            },
            _ => Err(Error::Empty),
        }))
    }
}

part! { ranks:
    /// Answers requests about ranks that wait for each other.
    fn ranks(request: Sealed) -> Told {
        let request: Request = opened(&request)?;
        with(|data| timed(|| match request {
            Request::Ranks(settings, part) => {
                let lengths = lengths(data)?;
                Ok(seal(&match part {
                    Ranked::Report => {
                        let report = api::ranks::run(lengths, &settings)?;
                        (Some(report.figures()), seal(&report))
                    }
                    Ranked::Table => (None, seal(&api::ranks::table(lengths, &settings)?)),
                }))
            }
            Request::Any(_, Any::Ranks(asked)) => {
                Ok(seal(&any::Report::Ranks(asked.run(&mut go_on)?.figures())))
            }
            _ => Err(Error::Empty),
        }))
    }
}

fn sealed<K: libraries::Told>(asked: &Asked, given: K::Given, data: &K::Data) -> Result<Sealed> {
    Ok(seal(&libraries::asked::<K>(asked, given, data, &mut telling())?))
}

/// Returns a callback that sends progress to the page and never stops the work.
fn telling() -> impl FnMut(Step) -> ControlFlow<()> {
    let mut tick = ticks();
    move |step| {
        tick(step);
        ControlFlow::Continue(())
    }
}

/// Runs a request, and measures its time.
fn timed(run: impl FnOnce() -> Result<Sealed>) -> Result<Answered<Sealed>> {
    let start = now();
    let outcome = run().map_err(|error| error.to_string());
    Ok(Answered { outcome, seconds: (now() - start) / 1000.0 })
}

/// Packs at these limits until [`PART`] has passed, at least at one of them.
fn sweep(
    limits: &[Size<2>],
    pack: impl Fn(Size<2>) -> Result<Point<2>>,
) -> Vec<(Size<2>, std::result::Result<Point<2>, String>)> {
    let start = now();
    let mut tried = Vec::new();
    for &limits in limits {
        tried.push((limits, pack(limits).map_err(|error| error.to_string())));
        if now() - start > PART {
            break;
        }
    }
    tried
}
