//! Parts of the worker that are loaded when first needed; the build splits them off.

use crate::{DATA, Data, batches, now, solve, ticks};
use packscope::api::trainer::{Asked, Given};
use packscope::api::tuple;
use packscope::api::{self, Graphs, Sequences, any, speedup};
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

/// Milliseconds after which points of a sweep are sent and the next are requested.
const PART: f64 = 40.0;

/// An answer of a part.
pub type Answer = std::result::Result<Reply, Failed>;

/// Answers with the part of the worker that handles the question.
pub async fn answer(ask: Ask) -> Result<Reply> {
    let answer = match ask {
        Ask::Lengths(_) => solvers(ask).await,
        Ask::Graphs(_) | Ask::Sweep { .. } => graphs(ask).await,
        Ask::CertifyLengths(_) | Ask::CertifyGraphs(_) => certificates(ask).await,
        Ask::Batches(_) | Ask::Waiting(_) => epochs(ask).await,
        Ask::Any(requests) => each(requests).await,
        Ask::Limits(settings, limits) => at_limits(settings, limits).await,
        Ask::Trainer(asked) if matches!(asked.given, Given::Sequences(_)) => trainers(asked).await,
        Ask::Trainer(asked) => libraries(asked).await,
        // Questions for readers.
        _ => Err(Error::Empty.into()),
    };
    Failed::told(answer)
}

fn with<T>(work: impl FnOnce(&Data) -> Result<T>) -> std::result::Result<T, Failed> {
    Ok(DATA.with_borrow(work)?)
}

fn lengths(data: &Data) -> Result<&Histogram<1>> {
    data.lengths.as_ref().ok_or(Error::Empty)
}

part! { solvers:
    /// Answers questions that need the optimum with its proof, or least squares.
    fn solvers(ask: Ask) -> Answer {
        with(|data| match ask {
            Ask::Lengths(question) => solve::answer::<Sequences>(&question, lengths(data)?, Reply::Lengths),
            _ => Err(Error::Empty),
        })
    }
}

part! { certificates:
    /// Answers questions for certificates, which are JSON: few want them, and nothing else here writes it.
    fn certificates(ask: Ask) -> Answer {
        with(|data| match ask {
            Ask::CertifyLengths(settings) => {
                solve::certify::<Sequences>(&settings, lengths(data)?, certificate::of_sequences)
            }
            Ask::CertifyGraphs(settings) => {
                let graphs = data.graphs.as_ref().ok_or(Error::Empty)?;
                solve::certify::<Graphs<2>>(&settings, graphs, certificate::of_graphs)
            }
            _ => Err(Error::Empty),
        })
    }
}

part! { graphs:
    /// Answers questions about packs of graphs.
    fn graphs(ask: Ask) -> Answer {
        with(|data| {
            let graphs = data.graphs.as_ref().ok_or(Error::Empty)?;
            match ask {
                Ask::Graphs(question) => solve::answer::<Graphs<2>>(&question, graphs, Reply::Graphs),
                Ask::Sweep { settings, limits, thorough } => {
                    let fast = settings.algorithm.takes_long() && !thorough;
                    let pack = if fast { tuple::evaluate_fast } else { tuple::evaluate };
                    Ok(Reply::Swept(sweep(&limits, |limits| pack(graphs, &settings, limits))))
                }
                _ => Err(Error::Empty),
            }
        })
    }
}

part! { epochs:
    /// Answers questions about batches, and about accelerators that wait for each other.
    fn epochs(ask: Ask) -> Answer {
        with(|data| match ask {
            Ask::Batches(all) => batches::answer(data.texts.as_ref(), lengths(data)?, all),
            Ask::Waiting(questions) => Ok(Reply::Waited(speedup::curves(&questions)?)),
            _ => Err(Error::Empty),
        })
    }
}

/// The outcome of a request, or the reason why there is none, and the seconds taken.
type Timed = (std::result::Result<any::Report, String>, f64);

/// Answers each request with the part of the worker that handles it.
async fn each(requests: Vec<(String, any::Request)>) -> Answer {
    let mut answers = Vec::with_capacity(requests.len());
    for (_, request) in requests {
        let answer =
            if request.is_about_trainers() { of_trainers(request).await } else { anything(request).await };
        answers.push(answer?);
    }
    Ok(Reply::Any(answers))
}

part! { anything:
    /// Answers a request of any kind but about trainers, which brings its own data.
    fn anything(request: any::Request) -> std::result::Result<Timed, Failed> {
        Ok(timed(|| request.packed(&mut go_on)))
    }
}

part! { anything:
    /// Answers a question about many limits.
    fn at_limits(settings: api::Settings, limits: Vec<u32>) -> Answer {
        with(|data| {
            let lengths = lengths(data)?;
            let at = |limit: &u32| api::limits::at(lengths, &settings, *limit).ok();
            Ok(Reply::AtLimits(limits.iter().filter_map(at).collect()))
        })
    }
}

part! { trainers:
    /// Answers questions about libraries that pack.
    fn trainers(asked: Asked) -> Answer {
        with(|data| match asked.given {
            Given::Sequences(room) => sealed::<trainer::Sequences>(&asked, room, lengths(data)?),
            _ => Err(Error::Empty),
        })
    }
}

part! { libraries:
    /// Answers questions about samplers and loaders.
    fn libraries(asked: Asked) -> Answer {
        with(|data| match asked.given {
            Given::Batches(room) => sealed::<trainer::batches::Batches>(&asked, room, lengths(data)?),
            Given::Graphs(limits) => {
                let graphs = data.graphs.as_ref().ok_or(Error::Empty)?;
                sealed::<trainer::graphs::Graphs>(&asked, limits, graphs)
            }
            Given::Sequences(_) => Err(Error::Empty),
        })
    }
}

fn sealed<K: libraries::Told>(asked: &Asked, given: K::Given, data: &K::Data) -> Result<Reply> {
    let sheets = libraries::asked::<K>(asked, given, data, &mut telling())?;
    // What cannot be written would be a bug; the page goes without.
    Ok(Reply::Trainer(encode(&sheets).unwrap_or_default()))
}

part! { trainers:
    /// Answers a request about libraries that train, which brings its own data.
    fn of_trainers(request: any::Request) -> std::result::Result<Timed, Failed> {
        Ok(timed(|| request.trained(&mut telling())))
    }
}

/// Reports the progress to the page.
fn telling() -> impl FnMut(Step) -> ControlFlow<()> {
    let mut tick = ticks();
    move |step| {
        tick(step);
        ControlFlow::Continue(())
    }
}

/// Runs a request, and takes the time.
fn timed(run: impl FnOnce() -> Result<any::Report>) -> Timed {
    let start = now();
    let outcome = run().map_err(|error| error.to_string());
    (outcome, (now() - start) / 1000.0)
}

/// Packs at these limits for as long as the page may wait, at least at one.
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
