//! Requests of every kind behind one door: for lessons, which ask a little of everything.

use super::tuple::{self, Tried};
use super::{Query, batch};
use crate::cost::waiting;
use crate::error::Result;
use crate::histogram::{Histogram, Size};
use crate::packing::Progress;
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

impl Query for Request {
    type Report = Report;

    fn run(&self, progress: &mut Progress) -> Result<Report> {
        Ok(match self {
            Self::Sequences(request) => Report::Sequences(request.run(progress)?),
            // What packs one component, and three, is not part of a program that asks for two.
            Self::Graphs(request) => Report::Graphs(tuple::run_pairs(request, progress)?),
            Self::Batches(request) => Report::Batches(request.run(progress)?),
            Self::Sweep { counts, settings, limits } => {
                let data = Histogram::from_counts(counts.iter().copied())?;
                let point = |limits: &Size<2>| tuple::evaluate(&data, settings, *limits).ok();
                Report::Sweep(limits.iter().filter_map(point).map(Tried::from).collect())
            }
            Self::Waiting(question) => Report::Waiting(question.run(progress)?),
        })
    }
}

impl Query for waiting::Question {
    type Report = Vec<waiting::Point>;

    fn run(&self, _: &mut Progress) -> Result<Self::Report> {
        waiting::waiting(self)
    }
}
