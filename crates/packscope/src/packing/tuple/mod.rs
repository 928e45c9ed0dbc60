//! Packing under several limits at once: packs of graphs that are full of nodes and of edges.
//!
//! Source: Krell, Lopez, Anand, Helal, Fitzgibbon 2022, *Tuple Packing: Efficient Batching of Small Graphs in
//! Graph Neural Networks* (arXiv 2209.06354). All of it is written for K components.
//!
//! ```
//! use packscope::packing::go_on;
//! use packscope::packing::tuple::{TupleAlgorithm, Heuristic, TupleTask};
//! use packscope::{Depth, Histogram};
//!
//! // (nodes, edges) and the number of graphs.
//! let histogram = Histogram::from_counts([([8, 14], 6), ([5, 12], 6), ([3, 4], 6)])?;
//! let task = TupleTask::new([16, 30], Depth::Unlimited, Heuristic::Product);
//! let packed = TupleAlgorithm::Optimal.run(&histogram, &task, &mut go_on)?;
//! assert_eq!(packed.plan.packs(), 6);
//! assert_eq!(packed.plan.strategies()[0].runs, [([8, 14], 1), ([5, 12], 1), ([3, 4], 1)]);
//! # Ok::<(), packscope::Error>(())
//! ```

mod average_target;
mod best_fit;
mod first_fit;
mod heuristic;
mod items;
mod measure;
mod open;
mod optimal;
mod published;
mod rows;
mod search;
mod stock;
mod weightless;

pub use heuristic::{Heuristic, MAX_COMPONENTS};

use super::{Depth, Progress, STEPS};
use crate::bounds::{Bound, Certificate};
use crate::error::{Error, Result};
use crate::histogram::{FREE, Histogram, Size};
use crate::names::names;
use crate::plan::{Plan, Strategy};
use serde::{Deserialize, Serialize};

/// The packing algorithms for several components; the [front page](crate#algorithms-for-graphs) lists their guarantees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TupleAlgorithm {
    /// The best plan found, with a bound that proves it where the state space allows.
    Optimal,
    /// Best fit with several heuristics and packs filled near the average with many targets; keeps the best plan.
    Search,
    /// Best fit: repeats added at once, closed packs, every pack within the given limits.
    BestFit,
    /// First fit, as the paper calls it: the loosest pack that fits, and otherwise as best fit.
    FirstFit,
    /// Best fit as published (dLPFHP).
    BestFitPublished,
    /// Best fit by the first component alone, the others free ("node base").
    NodesOnly,
    /// Best fit by the second component alone, the others free ("edge base").
    EdgesOnly,
    /// One item a pack: the baseline.
    None,
}

/// The parameters of an algorithm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TupleTask<const K: usize> {
    /// Slots of a pack per component; [`FREE`] for a component without a limit.
    pub limits: Size<K>,
    /// The most items in a pack.
    pub depth: Depth,
    /// The heuristic for priorities; ignored by algorithms that try many or need none.
    pub heuristic: Heuristic,
    /// Steps that each search of [`TupleAlgorithm::Optimal`] may take, about a nanosecond each; heuristics and the last search
    /// of small data come on top. Its result depends on them.
    pub steps: u64,
}

impl<const K: usize> TupleTask<K> {
    /// Creates a task with [`STEPS`].
    pub fn new(limits: Size<K>, depth: Depth, heuristic: Heuristic) -> Self {
        Self {
            limits,
            depth,
            heuristic,
            steps: STEPS,
        }
    }
}

/// The result of an algorithm: the packs, recounted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TuplePackingResult<const K: usize> {
    /// The packs; the plan's limits are those the algorithm kept to, [`FREE`] where it ignored one.
    pub plan: Plan<K>,
    /// Slots of all packs together, under these limits: see [`Plan::slots`].
    pub slots: [u64; K],
    /// A bound found by [`TupleAlgorithm::Optimal`].
    pub bound: Option<Bound>,
    /// The proof of that bound, if its kind has one.
    pub certificate: Option<Certificate<K>>,
}

impl TupleAlgorithm {
    /// Whether the heuristic makes a difference.
    pub fn has_heuristic(self) -> bool {
        !self.heuristics().is_empty()
    }

    /// Returns the heuristics without parameters that it is compared under; empty if it takes none.
    pub fn heuristics(self) -> &'static [Heuristic] {
        match self {
            Self::BestFit | Self::FirstFit => &Heuristic::ALL,
            Self::BestFitPublished => &Heuristic::PUBLISHED,
            _ => &[],
        }
    }

    /// Whether the algorithm can take longer than a moment.
    pub fn takes_long(self) -> bool {
        matches!(self, Self::Optimal | Self::Search)
    }

    /// Returns the only component whose limit the algorithm keeps to; `None` if it keeps to all limits.
    pub fn only(self) -> Option<usize> {
        match self {
            Self::NodesOnly => Some(0),
            Self::EdgesOnly => Some(1),
            _ => None,
        }
    }

    /// Returns the limits that the algorithm keeps to: the baselines for one component leave the others free.
    pub fn limits<const K: usize>(self, asked: Size<K>) -> Size<K> {
        let Some(only) = self.only() else {
            return asked;
        };
        // With a single component both baselines keep to it.
        let mut limits = [FREE; K];
        limits[only.min(K - 1)] = asked[only.min(K - 1)];
        limits
    }

    /// Packs the histogram. Every plan is recounted before it is returned.
    ///
    /// # Errors
    /// [`Error::ZeroLimit`] when the first limit is 0; others may be where no item has anything. [`Error::ZeroDepth`], and
    /// [`Error::Overlong`] when an item exceeds a limit: apply [`Histogram::fit`] first. [`Error::TooLarge`] when the
    /// slots overflow 64 bits. [`Error::Cancelled`] when `progress`
    /// says so; [`TupleAlgorithm::Optimal`] then answers with the best it has.
    pub fn run<const K: usize>(
        self,
        histogram: &Histogram<K>,
        task: &TupleTask<K>,
        progress: &mut Progress,
    ) -> Result<TuplePackingResult<K>> {
        check(histogram, task)?;
        match self {
            Self::Optimal => {
                let best = optimal::pack(histogram, task, progress);
                let (bound, certificate) = (Some(best.bound), best.certificate);
                Ok(TuplePackingResult {
                    bound,
                    certificate,
                    ..whole(histogram, task.limits, task, best.strategies)?
                })
            }
            Self::Search => {
                let strategies = search::pack(histogram, &task.limits, task.depth.get(), progress)?;
                whole(histogram, task.limits, task, strategies)
            }
            _ => self.run_simple(histogram, task),
        }
    }

    /// Runs an algorithm that never [takes long](Self::takes_long), as [`Self::run`] does: the page
    /// loads the others on demand.
    ///
    /// # Errors
    /// As [`Self::run`], and [`Error::UnknownName`] for any other algorithm.
    #[doc(hidden)]
    pub fn run_simple<const K: usize>(
        self,
        histogram: &Histogram<K>,
        task: &TupleTask<K>,
    ) -> Result<TuplePackingResult<K>> {
        check(histogram, task)?;
        let (limits, depth) = (self.limits(task.limits), task.depth.get());
        let strategies = match self {
            Self::BestFit => best_fit::pack(histogram, &limits, depth, task.heuristic),
            Self::FirstFit => first_fit::pack(histogram, &limits, depth, task.heuristic),
            Self::BestFitPublished => published::pack(histogram, &limits, depth, task.heuristic),
            // The paper's baselines: its algorithm by one component, with the limits of the others
            // free.
            Self::NodesOnly => published::pack(histogram, &limits, depth, Heuristic::Component(0)),
            Self::EdgesOnly => published::pack(histogram, &limits, depth, Heuristic::Component(1)),
            Self::None => singles(histogram),
            Self::Optimal | Self::Search => {
                return Err(Error::UnknownName {
                    kind: "algorithm without a search",
                    name: self.name().to_owned(),
                    expected: "another algorithm".to_owned(),
                });
            }
        };
        whole(histogram, limits, task, strategies)
    }
}

/// Recounts a plan within these limits.
fn whole<const K: usize>(
    histogram: &Histogram<K>,
    limits: Size<K>,
    task: &TupleTask<K>,
    strategies: Vec<Strategy<K>>,
) -> Result<TuplePackingResult<K>> {
    let plan = Plan::new(limits, strategies);
    plan.validate(histogram, Some(u64::from(task.depth.get())))?;
    Ok(TuplePackingResult {
        slots: plan.slots()?,
        plan,
        bound: None,
        certificate: None,
    })
}

fn singles<const K: usize>(histogram: &Histogram<K>) -> Vec<Strategy<K>> {
    histogram
        .entries()
        .iter()
        .map(|&(size, count)| Strategy {
            runs: vec![(size, 1)],
            count,
        })
        .collect()
}

fn check<const K: usize>(histogram: &Histogram<K>, task: &TupleTask<K>) -> Result<()> {
    if task.limits[0] == 0 {
        return Err(Error::ZeroLimit);
    }
    if task.depth == Depth::AtMost(0) {
        return Err(Error::ZeroDepth);
    }
    histogram.check_fits(&task.limits)
}

names! { TupleAlgorithm, "algorithm for several limits";
    Optimal: "optimal", "optimal", "Optimal", "The best plan found, and a bound", "Gilmore and Gomory 1965";
    Search: "search", "search", "Search", "Many heuristics, and average-target", "ours; weighted heuristics are proposed in Krell et al. 2022, Tuple Packing, §2.3";
    BestFit: "best-fit", "best fit", "Best fit", "Largest first, into the tightest pack", "Krell et al. 2022, Tuple Packing, §2.4, with repeats added at once";
    FirstFit: "first-fit", "first fit", "First fit", "Largest first, into the loosest pack", "Krell et al. 2022, Tuple Packing, §2.4, with repeats added at once";
    BestFitPublished: "best-fit-published", "published", "Best fit, as published", "Tuple packing, Krell et al. 2022", "Krell et al. 2022, Tuple Packing, §2.4 and Listing 2";
    NodesOnly: "nodes-only", "{first} only", "{First} only", "{Edges} have no limit", "Krell et al. 2022, Tuple Packing, Table 2";
    EdgesOnly: "edges-only", "{second} only", "{Second} only", "{Nodes} have no limit", "Krell et al. 2022, Tuple Packing, Table 2";
    None: "none", "none", "None", "One {item} per row", "the baseline";
}
