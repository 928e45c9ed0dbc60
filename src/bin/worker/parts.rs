//! Parts of the worker that are loaded when first needed; the build splits them off.

use crate::{DATA, Data, batches, now, send, solve, ticks};
use packscope::api::any::{self, Request as Any};
use packscope::api::held::{Answer, Answered, Request};
use packscope::api::ranks::Part;
use packscope::api::trainer::{Asked, Given};
use packscope::api::tuple;
use packscope::api::{self, Graphs, Query, Sequences, shapes, speedup};
use packscope::error::{Error, Result};
use packscope::export::{certificate, libraries};
use packscope::histogram::{Histogram, Size};
use packscope::packing::{Step, go_on};
use packscope::part;
use packscope::sweep::Point;
use packscope::trainer;
use packscope::wire::{Ask, Reply, encode};
use packscope::worker::Failed;
use std::ops::ControlFlow;

/// Milliseconds after which the points of a sweep so far are sent.
const PART: f64 = 40.0;

/// The reply of a part.
pub type Said = std::result::Result<Reply, Failed>;

/// Answers a question with the part of the worker that handles it.
pub async fn answer(ask: Ask) -> Result<Reply> {
    let answer = match ask {
        Ask::Lengths(_) => solvers(ask).await,
        Ask::Graphs(_) => graphs(ask).await,
        Ask::Each(requests) => each(requests).await,
        // The other questions come with files.
        _ => Err(Error::Empty.into()),
    };
    Failed::told(answer)
}

/// The answer to a request.
type Told = std::result::Result<Answered, Failed>;

/// Answers requests one after another.
async fn each(requests: Vec<Request>) -> Said {
    let (mut answers, mut first, all) = (Vec::new(), 0, requests.len());
    for (at, request) in requests.into_iter().enumerate() {
        // Batches are shown one by one, as soon as they are computed; other answers together, in one rendering.
        let shown = matches!(request, Request::Batches(..)) && at + 1 < all;
        answers.push(one(request).await?);
        if shown {
            send(&Reply::Each { first, answers: std::mem::take(&mut answers), more: true });
            first = at + 1;
        }
    }
    Ok(Reply::Each { first, answers, more: false })
}

/// Answers a request with the part of the worker that handles it.
async fn one(request: Request) -> Told {
    match &request {
        Request::Limit(..) => anything(request).await,
        Request::Sweep { .. } => sweeps(request).await,
        Request::Batches(..) | Request::Waiting(_) => epochs(request).await,
        Request::Trainer(asked) if !matches!(asked.given, Given::Sequences(_)) => libraries(request).await,
        Request::Trainer(_) => trainers(request).await,
        Request::Ranks(..) | Request::Any(_, Any::Ranks(_)) => ranks(request).await,
        Request::Shapes(_) => few_shapes(request).await,
        Request::CertifyLengths(_) | Request::CertifyGraphs(_) => certificates(request).await,
        Request::Any(_, any) if any.is_about_trainers() => trainers(request).await,
        Request::Any(..) => anything(request).await,
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
    fn solvers(ask: Ask) -> Said {
        with(|data| match ask {
            Ask::Lengths(question) => solve::answer::<Sequences>(&question, lengths(data)?, Reply::Lengths),
            _ => Err(Error::Empty),
        })
    }
}

part! { certificates:
    /// Answers requests for certificates: few visitors need them, and nothing else here writes JSON.
    fn certificates(request: Request) -> Told {
        with(|data| timed(|| Ok(Answer::Certificate(match request {
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
    fn graphs(ask: Ask) -> Said {
        with(|data| match ask {
            Ask::Graphs(question) => {
                let graphs = data.graphs.as_ref().ok_or(Error::Empty)?;
                solve::answer::<Graphs<2>>(&question, graphs, Reply::Graphs)
            }
            _ => Err(Error::Empty),
        })
    }
}

part! { graphs:
    /// Answers requests for packs of graphs at many limits.
    fn sweeps(request: Request) -> Told {
        with(|data| timed(|| match request {
            Request::Sweep { settings, limits, thorough } => {
                let graphs = data.graphs.as_ref().ok_or(Error::Empty)?;
                let fast = settings.algorithm.takes_long() && !thorough;
                let pack = if fast { tuple::evaluate_fast } else { tuple::evaluate };
                Ok(Answer::Sweep(sweep(&limits, |limits| pack(graphs, &settings, limits))))
            }
            _ => Err(Error::Empty),
        }))
    }
}

part! { epochs:
    /// Answers requests about batches, and about accelerators that wait for each other.
    fn epochs(request: Request) -> Told {
        with(|data| match request {
            Request::Batches(settings, drawn) => batches::answer(data, &settings, drawn),
            Request::Waiting(questions) => timed(|| Ok(Answer::Waiting(speedup::curves(&questions)?))),
            _ => Err(Error::Empty),
        })
    }
}

part! { shapes:
    /// Answers requests for few static shapes.
    fn few_shapes(request: Request) -> Told {
        with(|data| timed(|| match request {
            Request::Shapes(asked) => {
                let report = shapes::answer(lengths(data)?, &asked)?;
                // A failure to encode would be a bug; the page then shows no shapes.
                Ok(Answer::Shapes(encode(&report).unwrap_or_default().into()))
            }
            _ => Err(Error::Empty),
        }))
    }
}

part! { anything:
    /// Answers requests about one limit, and requests that contain their own data, except those about trainers and ranks.
    fn anything(request: Request) -> Told {
        with(|data| timed(|| match request {
            Request::Limit(settings, limit) => {
                Ok(Answer::Limit(api::limits::at(lengths(data)?, &settings, limit)?))
            }
            Request::Any(_, request) => Ok(Answer::Any(Box::new(request.packed(&mut go_on)?))),
            _ => Err(Error::Empty),
        }))
    }
}

part! { trainers:
    /// Answers requests about libraries that pack, and requests about trainers that contain their own data.
    fn trainers(request: Request) -> Told {
        with(|data| timed(|| match request {
            Request::Any(_, request) => Ok(Answer::Any(Box::new(request.trained(&mut telling())?))),
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
    fn libraries(request: Request) -> Told {
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
    fn ranks(request: Request) -> Told {
        with(|data| timed(|| match request {
            Request::Ranks(settings, part) => {
                let lengths = lengths(data)?;
                let (figures, bytes) = match part {
                    Part::Report => {
                        let report = api::ranks::run(lengths, &settings)?;
                        (Some(report.figures()), encode(&report))
                    }
                    Part::Table => (None, encode(&api::ranks::table(lengths, &settings)?)),
                };
                Ok(Answer::Ranks(figures, bytes.unwrap_or_default().into()))
            }
            Request::Any(_, Any::Ranks(asked)) => {
                let figures = asked.run(&mut go_on)?.figures();
                Ok(Answer::Any(Box::new(any::Report::Ranks(figures))))
            }
            _ => Err(Error::Empty),
        }))
    }
}

fn sealed<K: libraries::Told>(asked: &Asked, given: K::Given, data: &K::Data) -> Result<Answer> {
    let sheets = libraries::asked::<K>(asked, given, data, &mut telling())?;
    // A failure to encode would be a bug; the page then shows no trainers.
    Ok(Answer::Trainer(encode(&sheets).unwrap_or_default().into()))
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
fn timed(run: impl FnOnce() -> Result<Answer>) -> Result<Answered> {
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
