//! The entry point of the engine: [`run`] turns a request into a report. Both are plain data, shared by page, command
//! line and tests.
//!
//! To pack the same data under many settings, call [`Problem::prepare`] once, then [`Problem::pack`] and
//! [`Problem::report`] for each.

mod bands;
pub mod batch;
pub mod fields;
pub mod limits;
mod problem;
pub mod ranks;
mod rounding;
mod sequences;
#[doc(hidden)]
pub mod shapes;
pub mod speedup;
pub mod trainer;
pub mod tuple;

pub use bands::Bands;
pub use problem::{PackShape, PackingSettings, Problem, Report, ReportOf, Request, SizeOf};
pub use rounding::{OF_PACKS, OF_SEQUENCES, RoundingCost, rounding};
pub use sequences::{AlgorithmRow, Sequences, Settings, run_on};
pub use tuple::TupleItems;

#[doc(hidden)]
pub use sequences::SimpleSequences;
#[doc(hidden)]
pub use tuple::SimpleGraphs;

use crate::error::Result;
use crate::packing::Progress;
use serde::Serialize;
use std::hash::Hasher;

/// A request that the engine answers: packs of [sequences](Request) or [graphs](tuple::TupleRequest),
/// [batches](batch::BatchRequest), [estimates](speedup::SpeedupRequest), or [training libraries](trainer::LibrariesRequest).
pub trait Query {
    /// The report that answers the request.
    type Report;

    /// Answers the request: see [`run`].
    ///
    /// # Errors
    /// Any error of the engine: invalid data or settings, or too much work.
    fn run(&self, progress: &mut Progress) -> Result<Self::Report>;
}

/// Answers a request. Deterministic: the same request gives the same report on every machine (except the last digit of
/// the optimiser's decays in estimates).
///
/// `progress` is called now and then with the progress so far, and returns whether to continue: [`go_on`](crate::go_on)
/// always does. A search that is stopped returns its best plan and a valid bound; algorithms that go item by item
/// return [`Error::Cancelled`](crate::Error::Cancelled), and fast algorithms never call it. A search ends by itself
/// after [`STEPS`](crate::packing::STEPS); [`Problem::pack`] can allow more.
///
/// # Errors
/// Any error of the engine: invalid data or settings, or too much work.
pub fn run<Q: Query>(request: &Q, progress: &mut Progress) -> Result<Q::Report> {
    request.run(progress)
}

/// Returns the 64-bit FNV-1a hash of the report's JSON.
fn digest(report: &impl Serialize) -> u64 {
    // FNV, as the standard hasher promises no equal values between versions.
    let mut hasher = fnv::FnvHasher::default();
    hasher.write(&serde_json::to_vec(report).unwrap_or_default());
    hasher.finish()
}
