//! The front door of the engine: [`run`] turns a request into a report. Requests and reports are data, the only types
//! that cross a shell (page, command line, tests).
//!
//! Who packs the same data under many settings takes the door apart: [`Problem::prepare`] once, then
//! [`Problem::pack`] and [`Problem::report`] for each.

pub mod any;
pub mod batch;
pub mod fields;
mod problem;
mod question;
mod sequences;
pub mod speedup;
pub mod tuple;

pub use problem::{Packing, Problem, Report, ReportOf, Request, Shape, SizeOf};
pub use question::{Compared, Finding, Question};
pub use sequences::{Row, Sequences, Settings, SimpleSequences, run_on};
pub use tuple::Graphs;

use crate::error::Result;
use crate::packing::Progress;
use serde::Serialize;
use std::hash::Hasher;

/// A request that the engine answers: packs of [sequences](Request) or [graphs](tuple::Request),
/// [batches](batch::Request), [estimates](speedup::Request), or [any of them](any::Request).
pub trait Query {
    /// The answer.
    type Report;

    /// Answers it: see [`run`].
    ///
    /// # Errors
    /// What the engine refuses: data, settings, or work that is too much.
    fn run(&self, progress: &mut Progress) -> Result<Self::Report>;
}

/// Answers a request. Deterministic: the same request gives the same report on every machine (but for the last digit of
/// the optimiser's decays in estimates).
///
/// `progress` hears now and then how far it is, and says whether to go on:
/// [`go_on`](crate::packing::go_on) always does.
///
/// # Errors
/// What the engine refuses: data, settings, or work that is too much.
pub fn run<Q: Query>(request: &Q, progress: &mut Progress) -> Result<Q::Report> {
    request.run(progress)
}

/// 64-bit FNV-1a of the JSON.
fn digest(report: &impl Serialize) -> u64 {
    let mut hasher = fnv::FnvHasher::default();
    hasher.write(&serde_json::to_vec(report).unwrap_or_default());
    hasher.finish()
}
