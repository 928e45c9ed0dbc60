//! Requests of every kind behind one door: for lessons, which ask a little of everything.

use super::{batch, tuple};
use crate::cost::waiting;
use crate::error::Result;
use crate::histogram::{Histogram, Size};
use crate::packing::Progress;
use crate::sweep::Point;
use serde::{Deserialize, Serialize};

/// A question, with the data it is about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Request {
    /// Packs of sequences.
    Sequences(super::Request),
    /// Packs of graphs.
    Graphs(tuple::Request),
    /// Batches of sequences.
    Batches(batch::Request),
    /// Packs of graphs at each of these limits; the settings' own stand aside.
    Sweep {
        /// (nodes and edges, number of items).
        counts: Vec<(Size<2>, u64)>,
        /// How they are to be packed.
        settings: tuple::Settings,
        /// The limits to try.
        limits: Vec<Size<2>>,
    },
    /// How long accelerators wait.
    Waiting(waiting::Question),
}

/// The answer to a [`Request`] of the same name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Report {
    /// Packs of sequences.
    Sequences(super::Report),
    /// Packs of graphs.
    Graphs(tuple::Report),
    /// Batches of sequences.
    Batches(batch::Report),
    /// A point for each of the limits, in their order; those that are refused are left out.
    Sweep(Vec<Tried>),
    /// A factor for each number of accelerators.
    Waiting(Vec<waiting::Point>),
}

/// A point of a sweep.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tried {
    /// The limits.
    pub limits: Size<2>,
    /// Packs.
    pub packs: u64,
    /// Real tokens / slots, per component.
    pub efficiency: [f64; 2],
    /// Harmonic mean of the two.
    pub harmonic: f64,
}

impl From<Point<2>> for Tried {
    fn from(point: Point<2>) -> Self {
        let Point { limits, packs, efficiency, harmonic, .. } = point;
        Self { limits, packs, efficiency, harmonic }
    }
}

/// Answers a request. Deterministic: the same request gives the same report on every machine.
///
/// # Errors
/// What the engine refuses: see [`super::run`], [`tuple::run_pairs`], [`batch::run`], [`waiting::waiting`].
pub fn run(request: &Request, progress: &mut Progress) -> Result<Report> {
    Ok(match request {
        Request::Sequences(request) => Report::Sequences(super::run(request, progress)?),
        Request::Graphs(request) => Report::Graphs(tuple::run_pairs(request, progress)?),
        Request::Batches(request) => Report::Batches(batch::run(request, progress)?),
        Request::Sweep { counts, settings, limits } => {
            let data = Histogram::from_counts(counts.iter().copied())?;
            let point = |limits: &Size<2>| tuple::evaluate(&data, settings, *limits).ok();
            Report::Sweep(limits.iter().filter_map(point).map(Tried::from).collect())
        }
        Request::Waiting(question) => Report::Waiting(waiting::waiting(question)?),
    })
}
