//! Packing algorithms for one component, all on the histogram. One algorithm, one file; for several components, see
//! [`mod@tuple`].
//!
//! ```
//! use packscope::packing::{Task, go_on};
//! use packscope::{Algorithm, Depth, Histogram};
//!
//! let histogram = Histogram::from_lengths([(6, 3), (4, 5), (3, 4)])?;
//! let packed = Algorithm::Optimal.run(&histogram, &Task::new(10, Depth::Unlimited), &mut go_on)?;
//! assert_eq!(packed.listing.packs, 5);
//! assert_eq!(packed.bound.map(|bound| bound.packs), Some(5)); // no plan has fewer
//! # Ok::<(), packscope::Error>(())
//! ```

mod average_target;
mod best_fit_decreasing;
#[doc(hidden)]
pub mod bits;
pub mod differencing;
mod first_fit_decreasing;
mod greedy;
mod lpfhp;
#[doc(hidden)]
pub mod nnlshp;
mod none;
mod open;
#[doc(hidden)]
pub mod optimal;
mod sort;
mod spfhp;
pub mod tuple;
pub mod watch;

pub(crate) use open::first_bit;

use crate::bounds::{Bound, Certificate};
use crate::error::{Error, Result};
use crate::histogram::Histogram;
use crate::names::{as_text, names};
use crate::plan::{Plan, PlanListing, Strategy};
use std::ops::ControlFlow;

/// The most items that may share a pack.
///
/// Written as `3` or `unlimited` everywhere, in JSON as a string: `"3"`.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Default,
    serde::Serialize,
    serde::Deserialize,
)]
#[serde(into = "String", try_from = "String")]
pub enum Depth {
    /// At most this many; never 0.
    AtMost(u32),
    /// Bounded only by the limit of the pack.
    #[default]
    Unlimited,
}

impl Depth {
    /// Returns the limit as a number; `u32::MAX` if unlimited (no pack can hold more items of size ≥ 1).
    pub fn get(self) -> u32 {
        match self {
            Self::AtMost(d) => d,
            Self::Unlimited => u32::MAX,
        }
    }
}

impl std::fmt::Display for Depth {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::AtMost(d) => d.fmt(f),
            Self::Unlimited => f.write_str("unlimited"),
        }
    }
}

as_text! { Depth }

impl std::str::FromStr for Depth {
    type Err = Error;
    fn from_str(s: &str) -> Result<Self> {
        if s == "unlimited" {
            return Ok(Self::Unlimited);
        }
        match s.parse() {
            Ok(0) => Err(Error::ZeroDepth),
            Ok(d) => Ok(Self::AtMost(d)),
            Err(_) => Err(Error::UnknownName {
                kind: "depth",
                name: s.to_owned(),
                expected: "1, 2, 3, …, unlimited".to_owned(),
            }),
        }
    }
}

/// The packing algorithms for one component; the [front page](crate#algorithms-for-sequences) lists their guarantees.
///
/// [`Algorithm::pack`] returns a plan, [`Algorithm::run`] also bounds and certificates; [`crate::run`] returns figures.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Algorithm {
    /// One item a pack: the baseline. O(distinct).
    None,
    /// Next fit in a random order of arrival: one pack is open at a time, as where data are packed while they are read.
    /// O(items).
    Greedy,
    /// Batches of about equal lengths, each padded to its longest. No packing. O(distinct).
    Sort,
    /// First-fit decreasing: the longest first, each into the pack that was opened first of those with room.
    /// O(distinct · groups of equal packs) at worst.
    FirstFitDecreasing,
    /// Best-fit decreasing: the longest first, each into the fullest pack with room; of equals, the one opened first.
    /// O((distinct + splits of a count) · log open).
    BestFitDecreasing,
    /// Shortest-pack-first histogram packing, as published: the longest first, into the packs with the most room;
    /// items that fit nowhere open a pack each. O((distinct + turns of packs) · log open), with limits up to 16,384 a
    /// scan of limit / 64 words in place of the logarithm.
    Spfhp,
    /// Longest-pack-first histogram packing, as published: the longest first, into the fullest packs with room; of
    /// equals, the youngest. A good plan, fast, for any data. O((distinct + splits of a count) · log open), with limits up
    /// to 16,384 a scan of limit / 64 words in place of the logarithm.
    Lpfhp,
    /// Average target: the next length is the longest of about the room left, divided by the places left; the best of
    /// sixteen targets and of [`Lpfhp`](Self::Lpfhp). The best of the fast algorithms at small depths. O(distinct · depth ·
    /// log distinct) in practice.
    AverageTarget,
    /// Non-negative least squares over all strategies of at most three items, as published, with a repair that covers
    /// every item exactly. Limits up to 1,024. O(limit³) in practice.
    Nnlshp,
    /// The best plan that column generation finds, with a bound that often proves it: [`PackingResult::bound`] and
    /// [`PackingResult::certificate`]. Its search takes at most [`Task::steps`], after some fast algorithms.
    Optimal,
}

/// The parameters of an algorithm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Task {
    /// Slots in a row.
    pub limit: u32,
    /// The most items in a row.
    pub depth: Depth,
    /// Order of arrival, for [`Algorithm::Greedy`].
    pub seed: u64,
    /// Rows in a batch, for [`Algorithm::Sort`].
    pub batch: u32,
    /// The most distinct strategies that [`Algorithm::Greedy`], which goes item by item, keeps; the others keep all of
    /// theirs.
    pub listed: usize,
    /// Steps that the search of [`Algorithm::Optimal`] may take, about a nanosecond each; its result depends on them.
    pub steps: u64,
}

/// Default steps of [`Algorithm::Optimal`]: two seconds as [`steps`] counts them, which take about
/// one second in an optimised build and twenty in one without optimisation.
pub const STEPS: u64 = 1 << 30;

/// Steps that every machine of today makes in a second: a step takes at most two nanoseconds.
const STEPS_OF_A_SECOND: f64 = (1u64 << 29) as f64;

/// How much longer than its seconds a search may take on a machine that is slower than [`steps`] assumes.
pub const PATIENCE: f64 = 1.05;

/// Returns the steps that stand for a search of this many seconds. Steps are counted and no clock
/// is read, so that the result is the same on every machine. A caller with a clock ends a search
/// that has not made its steps after [`PATIENCE`] times these seconds. Infinitely many seconds are
/// [`u64::MAX`] steps.
pub fn steps(seconds: f64) -> u64 {
    // `as` saturates: infinity becomes `u64::MAX`, and NaN and negative seconds become 0.
    (seconds * STEPS_OF_A_SECOND) as u64
}

impl Task {
    /// Creates a task with seed 0, batches of 64, every strategy kept and [`STEPS`].
    pub fn new(limit: u32, depth: Depth) -> Self {
        Self {
            limit,
            depth,
            seed: 0,
            batch: 64,
            listed: usize::MAX,
            steps: STEPS,
        }
    }
}

/// The result of an algorithm: the packs, recounted, and the slots they take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackingResult {
    /// The packs.
    pub listing: PlanListing<1>,
    /// Slots of all rows together; rows of [`Algorithm::Sort`] are shorter than the limit.
    pub slots: u64,
    /// A bound found by [`Algorithm::Optimal`].
    pub bound: Option<Bound>,
    /// The proof of that bound, if its kind has one.
    pub certificate: Option<Certificate<1>>,
    /// Packs as the published repair of [`Algorithm::Nnlshp`] counts them, including items that do not exist.
    pub published_packs: Option<u64>,
    /// Strategies that the least squares of [`Algorithm::Nnlshp`] use, before they are rounded and repaired.
    pub least_squares: Option<u64>,
}

impl PackingResult {
    fn new(listing: PlanListing<1>, slots: u64) -> Self {
        Self {
            listing,
            slots,
            bound: None,
            certificate: None,
            published_packs: None,
            least_squares: None,
        }
    }
}

/// Progress of a computation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Step {
    /// The part that is done.
    Done {
        /// Units done so far.
        done: u64,
        /// Units in total.
        of: u64,
    },
    /// [`Algorithm::Optimal`]: the best results so far.
    Found {
        /// Packs of the best plan.
        packs: u64,
        /// The best lower bound.
        bound: u64,
    },
}

/// A callback that receives the progress of a computation now and then, and decides whether to go on.
pub type Progress<'a> = dyn FnMut(Step) -> ControlFlow<()> + 'a;

/// Always continues: a [`Progress`] for callers that need none.
pub fn go_on(_: Step) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

impl Algorithm {
    /// Algorithms that pack: fast ones, then slow ones, each group from the simplest. Of equally good ones, the first is
    /// recommended.
    pub const PREFERRED: [&[Self]; 2] = [
        &[
            Self::Lpfhp,
            Self::AverageTarget,
            Self::BestFitDecreasing,
            Self::FirstFitDecreasing,
            Self::Spfhp,
        ],
        &[Self::Greedy, Self::Nnlshp, Self::Optimal],
    ];

    /// Whether the algorithm fills rows of the limit, so that packs can be compared with a bound.
    /// [`Algorithm::Sort`] shortens rows instead.
    pub fn fills_rows(self) -> bool {
        self != Self::Sort
    }

    /// Returns the most items of a row that the algorithm makes at a depth limit: rows of one item where it packs
    /// nothing, of three for [`Algorithm::Nnlshp`].
    pub fn depth(self, limit: Depth) -> Depth {
        let own = match self {
            Self::None | Self::Sort => 1,
            Self::Nnlshp => nnlshp::DEEPEST,
            _ => return limit,
        };
        Depth::AtMost(limit.get().min(own))
    }

    /// Whether the algorithm can take longer than a moment: its time grows with the items or the limit.
    pub fn takes_long(self) -> bool {
        matches!(self, Self::Greedy | Self::Nnlshp | Self::Optimal)
    }

    /// Whether the algorithm refuses this limit, because it would have to list too many strategies.
    pub fn refuses(self, limit: u32) -> bool {
        self == Self::Nnlshp && limit > nnlshp::LARGEST
    }

    /// Packs the histogram into rows of `limit` slots with at most `depth` items each: the plan alone,
    /// with the defaults of [`Task::new`].
    ///
    /// # Errors
    /// As [`Algorithm::run`].
    pub fn pack(self, histogram: &Histogram<1>, limit: u32, depth: Depth) -> Result<Plan<1>> {
        Ok(self
            .run(histogram, &Task::new(limit, depth), &mut go_on)?
            .listing
            .plan)
    }

    /// Packs the histogram. Every plan is recounted before it is returned.
    ///
    /// # Errors
    /// [`Error::ZeroLimit`], [`Error::ZeroDepth`], and [`Error::Overlong`] when an item is longer than
    /// the limit: apply [`Histogram::fit`] first. [`Error::TooLarge`] when the slots overflow 64 bits.
    /// [`Error::Cancelled`] when `progress` says so; only [`Algorithm::Optimal`] then answers with the best it
    /// has, and a bound that is valid all the same. [`Error::ZeroBatch`] from [`Algorithm::Sort`];
    /// [`Error::TooManyItems`] from [`Algorithm::Greedy`] above 10⁸ items; [`Error::TooManyStrategies`] from
    /// [`Algorithm::Nnlshp`] for limits above 1,024.
    pub fn run(
        self,
        histogram: &Histogram<1>,
        task: &Task,
        progress: &mut Progress,
    ) -> Result<PackingResult> {
        match self {
            Self::Nnlshp => {
                // First: `nnlshp` indexes vectors by length, up to the limit.
                check(histogram, task)?;
                let nnls = nnlshp::pack(histogram, task.limit, task.depth.get(), progress)?;
                let (published_packs, least_squares) = (Some(nnls.published), Some(nnls.used));
                Ok(PackingResult {
                    published_packs,
                    least_squares,
                    ..whole(histogram, task, nnls.strategies)?
                })
            }
            Self::Optimal => {
                check(histogram, task)?;
                let best = optimal::pack(histogram, task, progress);
                let (bound, certificate) = (Some(best.bound), best.certificate);
                Ok(PackingResult {
                    bound,
                    certificate,
                    ..whole(histogram, task, best.strategies)?
                })
            }
            Self::Greedy => greedy(histogram, task, progress),
            _ => self.run_simple(histogram, task),
        }
    }

    /// Runs an algorithm that never [takes long](Algorithm::takes_long), as [`Algorithm::run`] does: the page loads the
    /// others on demand, as a part of their own.
    ///
    /// # Errors
    /// As [`Algorithm::run`], and [`Error::UnknownName`] for any other algorithm.
    #[doc(hidden)]
    pub fn run_simple(self, histogram: &Histogram<1>, task: &Task) -> Result<PackingResult> {
        check(histogram, task)?;
        let (limit, depth) = (task.limit, task.depth.get());
        let whole = |strategies| whole(histogram, task, strategies);
        match self {
            Self::Sort => {
                // A batch is as wide as its longest item, so that slots are not packs times limit.
                let slots = sort::slots(histogram, task.batch)?;
                Ok(PackingResult {
                    slots,
                    ..whole(none::pack(histogram))?
                })
            }
            Self::None => whole(none::pack(histogram)),
            Self::FirstFitDecreasing => whole(first_fit_decreasing::pack(histogram, limit, depth)),
            Self::BestFitDecreasing => whole(best_fit_decreasing::pack(histogram, limit, depth)),
            Self::Spfhp => whole(spfhp::pack(histogram, limit, depth)),
            Self::Lpfhp => whole(lpfhp::pack(histogram, limit, depth)),
            Self::AverageTarget => whole(average_target::pack(histogram, limit, depth)),
            Self::Greedy | Self::Nnlshp | Self::Optimal => Err(Error::UnknownName {
                kind: "fast algorithm",
                name: self.name().to_owned(),
                expected: "another algorithm".to_owned(),
            }),
        }
    }
}

/// Packs item by item, as [`Algorithm::Greedy`] does: for programs without solvers.
pub(crate) fn greedy(
    histogram: &Histogram<1>,
    task: &Task,
    progress: &mut Progress,
) -> Result<PackingResult> {
    check(histogram, task)?;
    let listing = greedy::pack(histogram, task, progress)?;
    let slots = full_rows(listing.packs, task.limit)?;
    Ok(PackingResult::new(listing, slots))
}

/// Recounts a plan that was kept whole.
fn whole(
    histogram: &Histogram<1>,
    task: &Task,
    strategies: Vec<Strategy<1>>,
) -> Result<PackingResult> {
    let plan = Plan::new([task.limit], strategies);
    plan.validate(histogram, Some(u64::from(task.depth.get())))?;
    let slots = full_rows(plan.packs(), task.limit)?;
    Ok(PackingResult::new(PlanListing::whole(plan), slots))
}

fn check(histogram: &Histogram<1>, task: &Task) -> Result<()> {
    if task.limit == 0 {
        return Err(Error::ZeroLimit);
    }
    if task.depth == Depth::AtMost(0) {
        return Err(Error::ZeroDepth);
    }
    histogram.check_fits(&[task.limit])
}

fn full_rows(packs: u64, limit: u32) -> Result<u64> {
    packs.checked_mul(u64::from(limit)).ok_or(Error::TooLarge {
        what: "the number of slots",
    })
}

names! { Algorithm, "algorithm";
    Optimal: "optimal", "optimal", "Optimal", "Column generation, with a bound", "Gilmore and Gomory 1961; Belov and Scheithauer 2002";
    Nnlshp: "nnlshp", "NNLSHP", "NNLSHP", "Least squares; three in a row at most, whatever the depth; our repair is exact", "Krell et al. 2022, §3.1.2; the repair is ours";
    AverageTarget: "average-target", "average-target", "Average-target", "Next length near the average that is left", "ours; related to Fleszar and Hindi 2002";
    Lpfhp: "lpfhp", "LPFHP", "LPFHP", "Longest pack first; splits counts", "Krell et al. 2022, appendix";
    BestFitDecreasing: "best-fit-decreasing", "best-fit", "Best-fit decreasing", "Longest first, into the tightest row", "Johnson 1973";
    FirstFitDecreasing: "first-fit-decreasing", "first-fit", "First-fit decreasing", "Longest first, into the first row with room", "Johnson 1973";
    Spfhp: "spfhp", "SPFHP", "SPFHP", "Shortest pack first, as published", "Krell et al. 2022, §3.1";
    Greedy: "greedy", "greedy", "Greedy", "Next fit in order of arrival, as in T5", "Johnson 1973; Krell et al. 2022, Table 1";
    None: "none", "none", "None", "One sequence per row", "the baseline";
    Sort: "sort", "sorted", "Sorted batches", "No packing: batches of like lengths", "Krell et al. 2022, Table 1";
}
