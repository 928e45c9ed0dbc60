//! Parts of the worker that are loaded when first needed; the build splits them off.

use crate::{DATA, Data, batches, now, send, solve, ticks};
use packscope::api::held::Answered;
use packscope::api::ranks::Part;
use packscope::api::trainer::{Asked, Given};
use packscope::api::{
    self, Finding, Graphs, Query, Question, Sequences, Settings, any, shapes, speedup, tuple,
};
use packscope::error::{Error, Result};
use packscope::export::{certificate, libraries};
use packscope::histogram::{Histogram, Size};
use packscope::packing::{Step, go_on};
use packscope::sweep::Point;
use packscope::trainer;
use packscope_page::part;
use packscope_page::wire::{Each, Kind, Message, Reply, Sealed, seal};
use packscope_page::worker::{Failed, Sent, opened};
use serde::{Serialize, de::DeserializeOwned};
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
async fn each(requests: Vec<(Kind, Sealed)>) -> Said {
    let (mut answers, mut first, all) = (Vec::new(), 0, requests.len());
    for (at, (kind, request)) in requests.into_iter().enumerate() {
        // Batches are shown one by one, as soon as they are computed; other answers together, in one rendering.
        let shown = kind == Kind::Batches && at + 1 < all;
        answers.push(one(kind, request).await?);
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
async fn one(kind: Kind, request: Sealed) -> Told {
    match kind {
        Kind::Limit => limit(request).await,
        Kind::Any => any(request).await,
        Kind::Sweep => sweeps(request).await,
        Kind::Batches => epochs(request).await,
        Kind::Waiting => waiting(request).await,
        Kind::Packer => packers(request).await,
        Kind::AnyTrainers => any_trainers(request).await,
        Kind::Sampler => libraries(request).await,
        Kind::Ranks => ranks(request).await,
        Kind::AnyRanks => any_ranks(request).await,
        Kind::Shapes => few_shapes(request).await,
        Kind::CertifyLengths => certify_lengths(request).await,
        Kind::CertifyGraphs => certify_graphs(request).await,
    }
}

fn lengths(data: &Data) -> Result<&Histogram<1>> {
    data.lengths.as_deref().ok_or(Error::Empty)
}

fn pairs(data: &Data) -> Result<&Histogram<2>> {
    data.graphs.as_deref().ok_or(Error::Empty)
}

part! { solvers:
    /// Answers questions that need the solvers: the optimum with its proof, or least squares.
    fn solvers(question: Question<Settings>) -> Said {
        Ok(DATA.with_borrow(|data| solve::answer::<Sequences>(&question, lengths(data)?, Reply::Lengths))?)
    }
}

// Few visitors need certificates, and nothing else here writes JSON.
part! { certificates:
    /// Answers requests for the certificate of the optimum of sequences.
    fn certify_lengths(request: Sealed) -> Told {
        answered(&request, |data, settings| {
            solve::certify::<Sequences>(&settings, lengths(data)?, certificate::of_sequences)
        })
    }
}

part! { certificates:
    /// Answers requests for the certificate of the optimum of graphs.
    fn certify_graphs(request: Sealed) -> Told {
        answered(&request, |data, settings| {
            solve::certify::<Graphs<2>>(&settings, pairs(data)?, certificate::of_graphs)
        })
    }
}

part! { graphs:
    /// Answers questions about packs of graphs.
    fn graphs(question: Sealed) -> Said {
        let question: Question<tuple::Settings> = opened(&question)?;
        let say = |finding: Finding<tuple::Settings>| Reply::Further(seal(&finding));
        Ok(DATA.with_borrow(|data| solve::answer::<Graphs<2>>(&question, pairs(data)?, say))?)
    }
}

part! { graphs:
    /// Answers requests for packs of graphs at many limits.
    fn sweeps(request: Sealed) -> Told {
        answered(&request, |data, (settings, limits, thorough): (tuple::Settings, Vec<_>, bool)| {
            let graphs = pairs(data)?;
            let fast = settings.algorithm.takes_long() && !thorough;
            let pack = if fast { tuple::evaluate_fast } else { tuple::evaluate };
            Ok(sweep(&limits, |limits| pack(graphs, &settings, limits)))
        })
    }
}

part! { epochs:
    /// Answers requests about batches.
    fn epochs(request: Sealed) -> Told {
        let (settings, drawn) = opened(&request)?;
        Ok(DATA.with_borrow(|data| batches::answer(data, &settings, drawn))?)
    }
}

part! { epochs:
    /// Answers requests about accelerators that wait for each other.
    fn waiting(request: Sealed) -> Told {
        answered(&request, |_, questions: Vec<_>| speedup::curves(&questions))
    }
}

part! { shapes:
    /// Answers requests for few static shapes.
    fn few_shapes(request: Sealed) -> Told {
        answered(&request, |data, asked| shapes::answer(lengths(data)?, &asked))
    }
}

part! { anything:
    /// Answers requests about one limit.
    fn limit(request: Sealed) -> Told {
        answered(&request, |data, (settings, limit)| api::limits::at(lengths(data)?, &settings, limit))
    }
}

part! { anything:
    /// Answers requests that contain their own data, except those about trainers and ranks.
    fn any(request: Sealed) -> Told {
        answered(&request, |_, request: any::Request| request.packed(&mut go_on))
    }
}

part! { trainers:
    /// Answers requests about libraries that pack.
    fn packers(request: Sealed) -> Told {
        answered(&request, |data, asked: Asked| match asked.given {
            Given::Sequences(room) => {
                libraries::asked::<trainer::Sequences>(&asked, room, lengths(data)?, &mut telling())
            }
            _ => Err(Error::Empty),
        })
    }
}

part! { trainers:
    /// Answers requests about trainers that contain their own data.
    fn any_trainers(request: Sealed) -> Told {
        answered(&request, |_, request: any::Request| request.trained(&mut telling()))
    }
}

part! { libraries:
    /// Answers requests about samplers and loaders.
    fn libraries(request: Sealed) -> Told {
        answered(&request, |data, asked: Asked| match asked.given {
            Given::Batches(room) => libraries::asked::<trainer::batches::Batches>(&asked, room, lengths(data)?, &mut telling()),
            Given::Graphs(limits) => libraries::asked::<trainer::graphs::Graphs>(&asked, limits, pairs(data)?, &mut telling()),
            Given::Sequences(_) => Err(Error::Empty),
        })
    }
}

part! { ranks:
    /// Answers requests about ranks that wait for each other.
    fn ranks(request: Sealed) -> Told {
        answered(&request, |data, (settings, part)| {
            let lengths = lengths(data)?;
            Ok(match part {
                Part::Report => {
                    let report = api::ranks::run(lengths, &settings)?;
                    (Some(report.figures()), seal(&report))
                }
                Part::Table => (None, seal(&api::ranks::table(lengths, &settings)?)),
            })
        })
    }
}

part! { ranks:
    /// Answers requests about ranks that contain their own data.
    fn any_ranks(request: Sealed) -> Told {
        answered(&request, |_, asked: api::ranks::Request| {
            Ok(any::Report::Ranks(asked.run(&mut go_on)?.figures()))
        })
    }
}

/// Opens a request, answers it, seals the answer, and measures the time that it took.
fn answered<A: DeserializeOwned, T: Serialize>(
    request: &Sealed,
    answer: impl FnOnce(&Data, A) -> Result<T>,
) -> Told {
    let asked = opened(request)?;
    let start = now();
    let outcome = DATA.with_borrow(|data| answer(data, asked));
    let seconds = (now() - start) / 1000.0;
    let outcome = outcome.map(|answer| seal(&answer)).map_err(|error| error.to_string());
    Ok(Answered { outcome, seconds })
}

/// Returns a callback that sends progress to the page and never stops the work.
fn telling() -> impl FnMut(Step) -> ControlFlow<()> {
    let mut tick = ticks();
    move |step| {
        tick(step);
        ControlFlow::Continue(())
    }
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
