//! One interface for packing all kinds of items: data are prepared once, then packed, reported and compared under many
//! settings. Implemented by [`Sequences`](super::Sequences) and [`TupleItems`](super::TupleItems).

use crate::cost::Overhead;
use crate::error::Result;
use crate::histogram::Size;
use crate::metrics::Figures;
use crate::packing::{Depth, Progress, STEPS};
use crate::plan::{Plan, Strategy};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt::Debug;

/// Data and settings: all inputs of a report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Request<S = super::Settings, Z = u32> {
    /// (size, number of items), in any order. Equal sizes are added up, so a list of lengths with a count of 1 each is
    /// valid. A size is one number for a length, and one number per limit for a graph.
    pub counts: Vec<(Z, u64)>,
    /// Limits, depth, algorithm and policies.
    pub settings: S,
    /// The maximum number of distinct strategies in the report: `u32::MAX` for all of them, which a
    /// [`Document`](crate::export::Document) needs, and 0 for figures only.
    pub listed: u32,
}

/// The answer to a [`Request`]: the figures of a plan, and its most frequent strategies.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report<S = super::Settings, Z = u32> {
    /// The settings of the request, as they were given.
    pub settings: S,
    /// Items above a limit, before the policy for them was applied.
    pub overlong_items: u64,
    /// Packs, slots, padding, waste and bounds of the whole plan, whatever is listed.
    pub figures: Figures,
    /// The strategies, most packs first.
    pub strategies: Vec<PackShape<Z>>,
    /// Packs whose strategy is not in the list.
    pub unlisted_packs: u64,
    /// (items in a pack, packs with that many), ascending; includes packs that are not listed.
    pub packs_by_depth: Vec<(u64, u64)>,
}

impl<S: Serialize, Z: Serialize> Report<S, Z> {
    /// Returns the 64-bit FNV-1a hash of the report's JSON: the same natively and in the browser.
    pub fn digest(&self) -> u64 {
        super::digest(self)
    }
}

/// A strategy: the sizes in a pack with their multiplicities, largest first, and the number of packs that follow it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PackShape<Z = u32> {
    /// (size, times in one pack), largest first.
    pub runs: Vec<(Z, u32)>,
    /// Packs of this shape.
    pub count: u64,
}

impl<Z> PackShape<Z> {
    /// Returns the items in one pack.
    pub fn depth(&self) -> u64 {
        self.runs.iter().map(|(_, n)| u64::from(*n)).sum()
    }
}

impl PackShape {
    /// Returns the tokens in one pack.
    pub fn used(&self) -> u64 {
        self.runs
            .iter()
            .map(|(l, n)| u64::from(*l) * u64::from(*n))
            .sum()
    }
}

/// Settings of a packing: limits, depth, algorithm and policies.
pub trait PackingSettings:
    Clone + PartialEq + Debug + Default + Serialize + DeserializeOwned
{
    /// A size in a report: a length, or a number for each component.
    type Size: Clone + PartialEq + Debug + Serialize + DeserializeOwned;
    /// A row of a comparison: the algorithm, with any other settings that differ between rows.
    type Row: Copy + PartialEq + Debug + Serialize + DeserializeOwned;

    /// Returns the row that these settings choose.
    fn row(&self) -> Self::Row;
    /// Returns the settings with another row.
    fn with_row(&self, row: Self::Row) -> Self;
    /// Returns the maximum number of items in a pack.
    fn depth(&self) -> Depth;
    /// Returns the cost of keeping packed items apart.
    fn overhead(&self) -> Overhead;
    /// Sets the overhead, which only prices packs.
    fn set_overhead(&mut self, overhead: Overhead);
    /// Returns the settings with the algorithm replaced by the optimum.
    fn optimal(&self) -> Self;
    /// Whether the algorithm is the optimum.
    fn is_optimal(&self) -> bool;
    /// Whether the algorithm takes longer than a frame on data of typical size.
    fn takes_long(&self) -> bool;
    /// Returns the settings with a fast algorithm, whose plan is shown until a search has found one; `None` if the
    /// algorithm is no search.
    fn stand_in(&self) -> Option<Self>;
    /// Returns the settings with the default overhead.
    fn unpriced(&self) -> Self {
        let mut unpriced = self.clone();
        unpriced.set_overhead(Overhead::default());
        unpriced
    }

    /// Returns the settings that decide the packs; overhead, and settings that the algorithm does not read, are at
    /// their defaults.
    fn deciding(&self) -> Self;
    /// Returns the settings that all rows of a comparison share.
    fn shared(&self) -> Self;
    /// Whether a row's packs keep to all limits, so that lower bounds hold for them.
    fn keeps_limits(row: Self::Row) -> bool;

    /// Returns the settings on which the optimum depends: if these are equal, so is the optimum.
    fn problem(&self) -> Self {
        // Neither algorithm nor overhead matter to the optimum: such questions share one answer.
        self.optimal().deciding()
    }
}

/// Implements the methods of [`PackingSettings`] that only use the fields `depth`, `overhead` and
/// `algorithm`.
macro_rules! common {
    ($algorithm:ident) => {
        fn depth(&self) -> Depth {
            self.depth
        }

        fn overhead(&self) -> Overhead {
            self.overhead
        }

        fn set_overhead(&mut self, overhead: Overhead) {
            self.overhead = overhead;
        }

        fn optimal(&self) -> Self {
            Self {
                algorithm: $algorithm::Optimal,
                ..self.clone()
            }
        }

        fn is_optimal(&self) -> bool {
            self.algorithm == $algorithm::Optimal
        }

        fn takes_long(&self) -> bool {
            self.algorithm.takes_long()
        }
    };
}
pub(super) use common;

/// Data that fit their limits, ready to be packed under many settings. Later settings may differ from those of
/// [`prepare`](Self::prepare) only in algorithm, depth, heuristic, seed, batch and overhead.
pub trait Problem: Sized {
    /// The settings that these items are packed under.
    type Settings: PackingSettings;
    /// The counts of the items by size, before limits apply.
    type Histogram;
    /// The outcome of an algorithm: a plan with its bound.
    type Packed;

    /// Applies the policies for items above a limit, and alignment.
    ///
    /// # Errors
    /// [`Error::Components`](crate::error::Error::Components) unless there is one limit for each component; as
    /// [`Histogram::fit`](crate::histogram::Histogram::fit) otherwise.
    fn prepare(histogram: &Self::Histogram, settings: &Self::Settings) -> Result<Self>;

    /// Packs. Algorithms that go item by item keep at most `listed` strategies; `steps` bounds a search (see
    /// [`crate::packing::Task::steps`]); `progress` may end a search early with its best plan.
    ///
    /// # Errors
    /// Errors of the algorithm: an invalid limit or depth, too much work, or cancellation.
    fn pack(
        &self,
        settings: &Self::Settings,
        listed: u32,
        steps: u64,
        progress: &mut Progress,
    ) -> Result<Self::Packed>;

    /// Returns the figures of a packing, with the best known lower bound for these data, limits and depth.
    fn figures(&self, settings: &Self::Settings, packed: &Self::Packed) -> Figures;

    /// Returns the number of packs and the lower bound found while packing; 0 without one.
    fn packs_and_bound(packed: &Self::Packed) -> (u64, u64);

    /// Returns the items above a limit, before the policy for them was applied.
    fn overlong_items(&self) -> u64;

    /// Returns the strategies with the most packs, at most `listed`.
    fn strategies(packed: &Self::Packed, listed: u32) -> Vec<PackShape<SizeOf<Self>>>;

    /// Returns (items in a pack, packs with that many), ascending.
    fn packs_by_depth(packed: Self::Packed) -> Vec<(u64, u64)>;

    /// Returns the report of a packing, with at most `listed` strategies.
    fn report(
        &self,
        settings: &Self::Settings,
        packed: Self::Packed,
        listed: u32,
    ) -> ReportOf<Self> {
        let figures = self.figures(settings, &packed);
        let strategies = Self::strategies(&packed, listed);
        Report {
            settings: settings.clone(),
            overlong_items: self.overlong_items(),
            unlisted_packs: figures.packs - strategies.iter().map(|s| s.count).sum::<u64>(),
            figures,
            strategies,
            packs_by_depth: Self::packs_by_depth(packed),
        }
    }
}

/// The size in the reports of a problem.
pub type SizeOf<P> = <<P as Problem>::Settings as PackingSettings>::Size;

/// The report type that belongs to a problem.
pub type ReportOf<P> = Report<<P as Problem>::Settings, SizeOf<P>>;

/// Prepares and packs a histogram, and returns the report.
pub(super) fn report<P: Problem>(
    histogram: &P::Histogram,
    settings: &P::Settings,
    listed: u32,
    progress: &mut Progress,
) -> Result<ReportOf<P>> {
    let prepared = P::prepare(histogram, settings)?;
    // Steps, not seconds: the same request has the same answer on every machine.
    let packed = prepared.pack(settings, listed, STEPS, progress)?;
    Ok(prepared.report(settings, packed, listed))
}

/// Returns the strategies of a plan, most packs first; ties by the largest sizes.
pub(super) fn shapes<Z, const K: usize>(
    plan: &Plan<K>,
    listed: u32,
    size: impl Fn(&Size<K>) -> Z,
) -> Vec<PackShape<Z>> {
    let shape = |s: &Strategy<K>| PackShape {
        runs: s.runs.iter().map(|(z, n)| (size(z), *n)).collect(),
        count: s.count,
    };
    plan.by_count(listed as usize)
        .into_iter()
        .map(shape)
        .collect()
}
