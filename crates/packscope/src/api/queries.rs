//! Requests about data that a worker already holds. Each has one answer, unlike a [`Question`](super::Question).

use super::limits::AtLimit;
use super::speedup::WaitingCurve;
use super::tuple;
use super::{Settings, batch, ranks, self_contained, shapes, trainer};
use crate::cost::{Method, waiting};
use crate::histogram::Size;
use crate::sweep::SweepPoint;
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// A request. Equal requests about the same data have equal answers.
#[derive(Debug, Clone, PartialEq)]
pub enum HeldRequest {
    /// The sequences at this limit, which replaces the limit of the settings.
    Limit(Settings, u32),
    /// Batches of sequences, and whether to include some batches for drawing.
    Batches(Box<batch::Settings>, bool),
    /// A training library.
    Trainer(trainer::LibraryQuery),
    /// A few static shapes of sequences.
    Shapes(shapes::ShapesQuery),
    /// The waiting of accelerators, by method. It needs no data.
    Waiting(Rc<Vec<(Method, waiting::WaitingQuestion)>>),
    /// Packs of graphs at other limits.
    Sweep {
        /// The packing settings; their own limits are ignored.
        settings: tuple::Settings,
        /// The limits to try.
        limits: Vec<Size<2>>,
        /// Whether to pack with the algorithm of the settings even if it is slow; otherwise the best of the fast
        /// heuristics replaces it.
        thorough: bool,
    },
    /// Ranks that wait for each other: the report, or the table of all ways.
    Ranks(Box<ranks::Settings>, ranks::AnswerPart),
    /// The proof of the optimum of sequences.
    CertifyLengths(Settings),
    /// The proof of the optimum of graphs.
    CertifyGraphs(tuple::Settings),
    /// A request that includes its data, under a name for the page.
    SelfContained(String, self_contained::SelfContained),
}

/// The answer to a [`HeldRequest`]: the variant of the same name.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// The sequences at a limit.
    Limit(AtLimit),
    /// Batches of sequences.
    Batches(Rc<batch::Report>),
    /// Reports on libraries as postcard bytes, since only one part of the page decodes them.
    Trainer(Rc<[u8]>),
    /// A [`shapes::Report`] as postcard bytes, for the same reason.
    Shapes(Rc<[u8]>),
    /// The waiting of accelerators, in the order of the request.
    Waiting(Vec<WaitingCurve>),
    /// Results of the first limits, up to the end of the time: a point, or the reason why it failed.
    Sweep(Vec<(Size<2>, Result<SweepPoint<2>, String>)>),
    /// The figures of a [`ranks::Report`], and this or a [`ranks::DealingTable`] as postcard bytes, since only one part of the
    /// page decodes them.
    Ranks(Option<ranks::Figures>, Rc<[u8]>),
    /// A proof as JSON.
    Certificate(String),
    /// A report on the data of the request.
    SelfContained(Box<self_contained::Report>),
}

/// An answer, or the engine's error in words for the visitor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TimedAnswer<A = Answer> {
    /// The answer, or the reason why there is none.
    pub outcome: Result<A, String>,
    /// Time that the worker took, seconds.
    pub seconds: f64,
}
