//! Requests of every kind as one type, for lessons, which use several kinds.

use super::trainer::{self, LessonOutcome};
use super::tuple;
use super::{Query, batch, ranks};
use crate::cost::waiting;
use crate::error::{Error, Result};
use crate::histogram::{Histogram, Size};
use crate::packing::Progress;
use crate::sweep::SweepPoint;
use serde::{Deserialize, Serialize};

/// A request of any kind, with its data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum SelfContained {
    /// Packs of sequences.
    Sequences(super::Request),
    /// Packs of graphs.
    Graphs(tuple::TupleRequest),
    /// Batches of sequences.
    Batches(batch::BatchRequest),
    /// A point of a sweep at each of `limits`, which replace the limits of the settings.
    Sweep {
        /// (nodes and edges, number of items).
        counts: Vec<(Size<2>, u64)>,
        /// The packing settings, with limits of their own that are ignored.
        settings: tuple::Settings,
        /// The limits to try; the limits of the settings are ignored.
        limits: Vec<Size<2>>,
    },
    /// Waiting factors of accelerators.
    Waiting(waiting::WaitingQuestion),
    /// Training libraries.
    Trainers(trainer::Several),
    /// Rows that training libraries make of a few sequences.
    Rows(trainer::RowsQuery),
    /// Ranks that wait for each other.
    Ranks(ranks::RanksRequest),
}

/// The answer to a [`SelfContained`]: the variant of the same name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Report {
    /// Packs of sequences.
    Sequences(super::Report),
    /// Packs of graphs.
    Graphs(tuple::Report),
    /// Batches of sequences, without estimates.
    Batches(batch::Report),
    /// A point for each of the limits, in their order; limits that the engine refuses are left out.
    Sweep(Vec<SweepPoint<2>>),
    /// A waiting factor for each number of accelerators.
    Waiting(Vec<waiting::WaitingPoint>),
    /// The displayed name of each library, with its result.
    Trainers(Vec<(String, LessonOutcome)>),
    /// The rows of each library, as the lengths in them.
    Rows(Vec<Vec<Vec<u32>>>),
    /// The figures of ranks that wait for each other.
    Ranks(ranks::Figures),
}

impl Query for SelfContained {
    type Report = Report;

    fn run(&self, progress: &mut Progress) -> Result<Report> {
        match self {
            Self::Ranks(request) => Ok(Report::Ranks(request.run(progress)?.figures())),
            // Three functions, since the page links each into a part of its own.
            _ if self.is_about_trainers() => self.trained(progress),
            _ => self.run_without_ranks(progress),
        }
    }
}

impl SelfContained {
    /// Whether the request is about training libraries.
    pub fn is_about_trainers(&self) -> bool {
        matches!(self, Self::Trainers(_) | Self::Rows(_))
    }

    /// Answers a request about training libraries. A program that answers only these links no other code.
    ///
    /// # Errors
    /// [`Error::Empty`] for a request of another kind, and the errors of the engine.
    pub fn trained(&self, progress: &mut Progress) -> Result<Report> {
        match self {
            Self::Trainers(several) => Ok(Report::Trainers(several.run(progress)?)),
            Self::Rows(listing) => Ok(Report::Rows(listing.run(progress)?)),
            _ => Err(Error::Empty),
        }
    }

    /// Answers every other request, but for ranks. A program that answers only these contains no code of training
    /// libraries and of ranks.
    ///
    /// # Errors
    /// [`Error::Empty`] for a request about training libraries or ranks, and the errors of the engine.
    pub fn run_without_ranks(&self, progress: &mut Progress) -> Result<Report> {
        Ok(match self {
            Self::Sequences(request) => Report::Sequences(request.run(progress)?),
            // Code for one and three components stays out of a program that only packs pairs.
            Self::Graphs(request) => Report::Graphs(tuple::run_pairs(request, progress)?),
            // Code of estimates stays out of a program that shows no estimates of batches.
            Self::Batches(request) => Report::Batches(request.batched(progress)?.1),
            Self::Sweep {
                counts,
                settings,
                limits,
            } => {
                let data = Histogram::from_counts(counts.iter().copied())?;
                // A limit below every size leaves nothing: no point, and no error for the others.
                let point = |limits: &Size<2>| tuple::evaluate(&data, settings, *limits).ok();
                Report::Sweep(limits.iter().filter_map(point).collect())
            }
            Self::Waiting(question) => Report::Waiting(question.run(progress)?),
            Self::Trainers(_) | Self::Rows(_) | Self::Ranks(_) => return Err(Error::Empty),
        })
    }
}

impl Query for waiting::WaitingQuestion {
    type Report = Vec<waiting::WaitingPoint>;

    fn run(&self, _: &mut Progress) -> Result<Self::Report> {
        waiting::waiting(self)
    }
}
