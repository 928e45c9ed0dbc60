//! Parts of the worker that are loaded when first needed; the build splits them off.

use crate::{DATA, HeldData, batches, milliseconds, send, solve, ticks};
use packscope::api::queries::TimedAnswer;
use packscope::api::ranks::AnswerPart;
use packscope::api::trainer::{LibraryKind, LibraryQuery};
use packscope::api::{
    self, Finding, Query, Question, Sequences, Settings, TupleItems, self_contained, shapes,
    speedup, tuple,
};
use packscope::error::{Error, Result};
use packscope::export::{certificate, libraries};
use packscope::histogram::{Histogram, Size};
use packscope::packing::{Step, go_on};
use packscope::sweep::SweepPoint;
use packscope::trainer;
use packscope_page::part;
use packscope_page::wire::{
    Encoded, EncodedRequest, RequestKind, Responses, WorkerResponse, encode_value,
};
use packscope_page::worker::{PartError, PostedReply, decoded};
use serde::{Serialize, de::DeserializeOwned};
use std::ops::ControlFlow;

/// Milliseconds after which the points of a sweep so far are sent.
const PART: f64 = 40.0;

pub type PartReply = std::result::Result<PostedReply, PartError>;

/// Answers a question with the part of the worker that handles it.
pub async fn answer(message: EncodedRequest) -> Result<PostedReply> {
    PartError::reply_of(match message {
        EncodedRequest::Lengths(question) => solvers(question).await,
        EncodedRequest::Graphs(question) => graphs(question).await,
        EncodedRequest::Each(requests) => answer_each(requests).await,
        // The other questions come with files.
        _ => Err(Error::Empty.into()),
    })
}

type EncodedResult = std::result::Result<TimedAnswer<Encoded>, PartError>;

async fn answer_each(requests: Vec<(RequestKind, Encoded)>) -> PartReply {
    let (mut answers, mut first, all) = (Vec::new(), 0, requests.len());
    for (at, (kind, request)) in requests.into_iter().enumerate() {
        // Batches are shown one by one, as soon as they are computed; other answers together, in one rendering.
        let shown = kind == RequestKind::Batches && at + 1 < all;
        answers.push(answer_one(kind, request).await?);
        if shown {
            send(&encode_reply(first, std::mem::take(&mut answers), true));
            first = at + 1;
        }
    }
    Ok(encode_reply(first, answers, false))
}

fn encode_reply(first: usize, answers: Vec<TimedAnswer<Encoded>>, more: bool) -> PostedReply {
    WorkerResponse::Further(encode_value(&Responses {
        first,
        answers,
        more,
    }))
}

/// Answers a request with the part of the worker that handles it.
async fn answer_one(kind: RequestKind, request: Encoded) -> EncodedResult {
    match kind {
        RequestKind::Limit => limit(request).await,
        RequestKind::SelfContained => answer_with_data(request).await,
        RequestKind::Sweep => sweeps(request).await,
        RequestKind::Batches => epochs(request).await,
        RequestKind::Waiting => waiting(request).await,
        RequestKind::Packer => packers(request).await,
        RequestKind::SelfContainedTrainers => any_trainers(request).await,
        RequestKind::Sampler => libraries(request).await,
        RequestKind::Ranks => ranks(request).await,
        RequestKind::SelfContainedRanks => any_ranks(request).await,
        RequestKind::Shapes => few_shapes(request).await,
        RequestKind::CertifyLengths => certify_lengths(request).await,
        RequestKind::CertifyGraphs => certify_graphs(request).await,
    }
}

fn lengths(data: &HeldData) -> Result<&Histogram<1>> {
    data.lengths.as_deref().ok_or(Error::Empty)
}

fn pairs(data: &HeldData) -> Result<&Histogram<2>> {
    data.graphs.as_deref().ok_or(Error::Empty)
}

part! { solvers:
    /// Answers questions that need the solvers: the optimum with its proof, or least squares.
    fn solvers(question: Question<Settings>) -> PartReply {
        Ok(DATA.with_borrow(|data| solve::answer::<Sequences>(&question, lengths(data)?, WorkerResponse::Lengths))?)
    }
}

// Few visitors need certificates, and nothing else here writes JSON.
part! { certificates:
    /// Answers requests for the certificate of the optimum of sequences.
    fn certify_lengths(request: Encoded) -> EncodedResult {
        answered(&request, |data, settings| {
            solve::certify::<Sequences>(&settings, lengths(data)?, certificate::of_sequences)
        })
    }
}

part! { certificates:
    /// Answers requests for the certificate of the optimum of graphs.
    fn certify_graphs(request: Encoded) -> EncodedResult {
        answered(&request, |data, settings| {
            solve::certify::<TupleItems<2>>(&settings, pairs(data)?, certificate::of_graphs)
        })
    }
}

part! { graphs:
    /// Answers questions about packs of graphs.
    fn graphs(question: Encoded) -> PartReply {
        let question: Question<tuple::Settings> = decoded(&question)?;
        let say = |finding: Finding<tuple::Settings>| WorkerResponse::Further(encode_value(&finding));
        Ok(DATA.with_borrow(|data| solve::answer::<TupleItems<2>>(&question, pairs(data)?, say))?)
    }
}

part! { graphs:
    /// Answers requests for packs of graphs at many limits.
    fn sweeps(request: Encoded) -> EncodedResult {
        answered(&request, |data, (settings, limits, thorough): (tuple::Settings, Vec<_>, bool)| {
            let graphs = pairs(data)?;
            // The first pass over the limits leaves out slow heuristics; points where these may
            // matter are checked afterwards.
            let fast = settings.algorithm.takes_long() && !thorough;
            let pack = if fast { tuple::evaluate_fast } else { tuple::evaluate };
            Ok(sweep(&limits, |limits| pack(graphs, &settings, limits)))
        })
    }
}

part! { epochs:
    /// Answers requests about batches.
    fn epochs(request: Encoded) -> EncodedResult {
        let (settings, drawn) = decoded(&request)?;
        Ok(DATA.with_borrow(|data| batches::answer(data, &settings, drawn))?)
    }
}

part! { epochs:
    /// Answers requests about accelerators that wait for each other.
    fn waiting(request: Encoded) -> EncodedResult {
        answered(&request, |_, questions: Vec<_>| speedup::curves(&questions))
    }
}

part! { shapes:
    /// Answers requests for few static shapes.
    fn few_shapes(request: Encoded) -> EncodedResult {
        answered(&request, |data, asked| shapes::answer(lengths(data)?, &asked))
    }
}

part! { anything:
    /// Answers requests about one limit.
    fn limit(request: Encoded) -> EncodedResult {
        answered(&request, |data, (settings, limit)| api::limits::at_limit(lengths(data)?, &settings, limit))
    }
}

part! { anything:
    /// Answers requests that contain their own data, except those about trainers and ranks.
    fn answer_with_data(request: Encoded) -> EncodedResult {
        answered(&request, |_, request: self_contained::SelfContained| request.run_without_ranks(&mut go_on))
    }
}

part! { trainers:
    /// Answers requests about libraries that pack.
    fn packers(request: Encoded) -> EncodedResult {
        answered(&request, |data, asked: LibraryQuery| match asked.given {
            LibraryKind::Sequences(room) => {
                libraries::answer_query::<trainer::PackingLibraries>(&asked, room, lengths(data)?, &mut telling())
            }
            _ => Err(Error::Empty),
        })
    }
}

part! { trainers:
    /// Answers requests about trainers that contain their own data.
    fn any_trainers(request: Encoded) -> EncodedResult {
        answered(&request, |_, request: self_contained::SelfContained| request.trained(&mut telling()))
    }
}

part! { libraries:
    /// Answers requests about samplers and loaders.
    fn libraries(request: Encoded) -> EncodedResult {
        answered(&request, |data, asked: LibraryQuery| match asked.given {
            LibraryKind::Batches(room) => libraries::answer_query::<trainer::batches::SamplerLibraries>(&asked, room, lengths(data)?, &mut telling()),
            LibraryKind::Graphs(limits) => libraries::answer_query::<trainer::graphs::GraphLibraries>(&asked, limits, pairs(data)?, &mut telling()),
            LibraryKind::Sequences(_) => Err(Error::Empty),
        })
    }
}

part! { ranks:
    /// Answers requests about ranks that wait for each other.
    fn ranks(request: Encoded) -> EncodedResult {
        answered(&request, |data, (settings, part)| {
            let lengths = lengths(data)?;
            // Encoded twice, here and within the answer: the state decodes the figures alone, and leaves the report or the
            // table to the part of the page that shows it.
            Ok(match part {
                AnswerPart::Report => {
                    let report = api::ranks::run(lengths, &settings)?;
                    (Some(report.figures()), encode_value(&report))
                }
                AnswerPart::Table => (None, encode_value(&api::ranks::table(lengths, &settings)?)),
            })
        })
    }
}

part! { ranks:
    /// Answers requests about ranks that contain their own data.
    fn any_ranks(request: Encoded) -> EncodedResult {
        answered(&request, |_, asked: api::ranks::RanksRequest| {
            Ok(self_contained::Report::Ranks(asked.run(&mut go_on)?.figures()))
        })
    }
}

/// Decodes a request, answers it, encodes the answer, and measures the time that it took.
fn answered<A: DeserializeOwned, T: Serialize>(
    request: &Encoded,
    answer: impl FnOnce(&HeldData, A) -> Result<T>,
) -> EncodedResult {
    let asked = decoded(request)?;
    let start = milliseconds();
    let outcome = DATA.with_borrow(|data| answer(data, asked));
    let seconds = (milliseconds() - start) / 1000.0;
    let outcome = outcome
        .map(|answer| encode_value(&answer))
        .map_err(|error| error.to_string());
    Ok(TimedAnswer { outcome, seconds })
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
    pack: impl Fn(Size<2>) -> Result<SweepPoint<2>>,
) -> Vec<(Size<2>, std::result::Result<SweepPoint<2>, String>)> {
    let start = milliseconds();
    let mut tried = Vec::new();
    for &limits in limits {
        tried.push((limits, pack(limits).map_err(|error| error.to_string())));
        // After at least one limit: however slow a pack is, a sweep goes on.
        if milliseconds() - start > PART {
            break;
        }
    }
    tried
}
