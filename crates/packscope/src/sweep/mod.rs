//! The choice of limits to try in a sweep, one after another or many at once. A sweep proposes limits and receives
//! results; it never packs, so points can be packed anywhere.
//!
//! Source: Krell et al. 2022, *Tuple Packing* (arXiv 2209.06354), §2.5, which proposes all combinations, limits in
//! proportion, free components, and "any derivative free parameter optimization".
//!
//! ```
//! use packscope::api::tuple::{Settings, evaluate};
//! use packscope::packing::tuple::TupleAlgorithm;
//! use packscope::sweep::{SweepMethod, Sweep, best};
//! use packscope::{Histogram, Overlong};
//!
//! let data = Histogram::from_counts([([3, 5], 8), ([4, 4], 8)])?;
//! let settings =
//!     Settings { algorithm: TupleAlgorithm::BestFit, overlong: Overlong::Reject, ..Settings::default() };
//! let mut sweep = Sweep::new(SweepMethod::Grid, ["4:12".parse()?, "5:15:2".parse()?]);
//! while let Some(limits) = sweep.ask() {
//!     match evaluate(&data, &settings, limits) {
//!         Ok(point) => sweep.tell(point),
//!         Err(_) => sweep.refuse(limits),
//!     }
//! }
//! assert!(sweep.is_done());
//! assert_eq!(best(sweep.points()).map(|p| p.limits), Some([7, 9]));
//! # Ok::<(), packscope::Error>(())
//! ```

mod free;
mod grid;
mod proportional;
mod range;
mod search;
mod select;

pub use grid::spacing;
pub use range::{MOST_VALUES, Range};
pub use select::{best, best_by, decisive, front, smallest};

use crate::histogram::{FREE, Size};
use crate::names::names;
use crate::order::{Map, Set};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// A method to choose the limits to try.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SweepMethod {
    /// Every combination.
    Grid,
    /// All limits in proportion until one component is efficient; then the others are refined.
    Proportional,
    /// One component limited and the others free; then these are fixed at the sizes that they needed.
    Free,
    /// Derivative-free search.
    Search,
}

names! { SweepMethod, "sweep method";
    Grid: "grid", "Grid", "every combination of the limits, first a coarse picture, then a fine one";
    Proportional: "proportional", "Proportional", "all limits in proportion until one component is efficient, then the others one by one";
    Free: "free", "Free", "a limit for one component, the others fixed at what its packs need";
    Search: "search", "Search", "a search that looks closer where efficiency is high";
}

/// The result at one point.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(bound(
    serialize = "Size<K>: Serialize, [f64; K]: Serialize",
    deserialize = "Size<K>: Deserialize<'de>, [f64; K]: Deserialize<'de>"
))]
pub struct SweepPoint<const K: usize> {
    /// The limits; [`FREE`] for a component without a limit.
    pub limits: Size<K>,
    /// The largest sums in the packs, which are the lowest limits for the same packs.
    pub needed: Size<K>,
    /// Packs at these limits.
    pub packs: u64,
    /// Real tokens / slots per component, at these limits; at `needed` for a free component.
    pub efficiency: [f64; K],
    /// Harmonic mean of the efficiencies.
    pub harmonic: f64,
}

impl<const K: usize> SweepPoint<K> {
    /// Whether every component has a limit: a point with a free component is an intermediate step, not a result.
    pub fn is_limited(&self) -> bool {
        K == 1 || self.limits.iter().all(|limit| *limit != FREE)
    }

    /// Returns the product of the limits.
    pub fn area(&self) -> f64 {
        self.limits.iter().map(|limit| f64::from(*limit)).product()
    }
}

/// A sweep in progress: [`ask`](Self::ask) for limits, pack, [`tell`](Self::tell).
///
/// Several limits may be asked for before the first result is reported. The limits depend on the results, but not on
/// their order, nor on the number of points in progress: methods proceed in stages, and a stage is only evaluated once
/// all of its results are in.
#[derive(Debug, Clone, PartialEq)]
pub struct Sweep<const K: usize> {
    method: SweepMethod,
    ranges: [Range; K],
    course: Course<K>,
    /// All limits proposed so far, so that none is tried twice.
    known: Set<Size<K>>,
    queue: VecDeque<Size<K>>,
    flying: Set<Size<K>>,
    evaluated: SweepResults<K>,
}

#[derive(Debug, Clone, PartialEq)]
struct SweepResults<const K: usize> {
    points: Vec<SweepPoint<K>>,
    by_limits: Map<Size<K>, usize>,
}

impl<const K: usize> SweepResults<K> {
    /// Returns the point at these limits, unless it was refused.
    fn at(&self, limits: &Size<K>) -> Option<&SweepPoint<K>> {
        self.by_limits.get(limits).and_then(|i| self.points.get(*i))
    }

    /// Returns the best of these limits, as [`best`] does.
    fn best_of(&self, limits: &[Size<K>]) -> Option<&SweepPoint<K>> {
        best(limits.iter().filter_map(|l| self.at(l)))
    }
}

#[derive(Debug, Clone, PartialEq)]
enum Course<const K: usize> {
    Grid(grid::GridSweep<K>),
    Proportional(proportional::Proportional<K>),
    Free(free::Free),
    Search(search::SweepSearch<K>),
}

impl<const K: usize> Course<K> {
    fn new(method: SweepMethod) -> Self {
        match method {
            SweepMethod::Grid => Self::Grid(grid::GridSweep::default()),
            SweepMethod::Proportional => Self::Proportional(proportional::Proportional::default()),
            SweepMethod::Free => Self::Free(free::Free::default()),
            SweepMethod::Search => Self::Search(search::SweepSearch::default()),
        }
    }

    /// Whether the next stage depends on the results of this one.
    fn waits(&self) -> bool {
        !matches!(self, Self::Grid(_))
    }

    /// Returns the limits of the next stage; `None` after the last.
    fn next(&mut self, ranges: &[Range; K], evaluated: &SweepResults<K>) -> Option<Vec<Size<K>>> {
        match self {
            Self::Grid(grid) => grid.next(ranges),
            Self::Proportional(proportional) => proportional.next(ranges, evaluated),
            Self::Free(free) => free.next(ranges, evaluated),
            Self::Search(search) => search.next(ranges, evaluated),
        }
    }
}

impl<const K: usize> Sweep<K> {
    /// Creates a sweep.
    pub fn new(method: SweepMethod, ranges: [Range; K]) -> Self {
        let mut sweep = Self {
            method,
            ranges,
            course: Course::new(method),
            known: Set::new(),
            queue: VecDeque::new(),
            flying: Set::new(),
            evaluated: SweepResults {
                points: Vec::new(),
                by_limits: Map::new(),
            },
        };
        sweep.advance();
        sweep
    }

    /// Returns the next limits to try; `None` when it is done, or needs more results first.
    pub fn ask(&mut self) -> Option<Size<K>> {
        let limits = self.queue.pop_front()?;
        // A grid waits for no results: its queue is filled again at once.
        self.flying.insert(limits, ());
        self.advance();
        Some(limits)
    }

    /// Adds a result, in any order. Limits that were not asked for, or already have a result, are ignored; a harmonic
    /// mean that is not a number counts as refused.
    pub fn tell(&mut self, point: SweepPoint<K>) {
        if self.flying.remove(&point.limits).is_none() {
            return;
        }
        if point.harmonic.is_finite() {
            self.evaluated
                .by_limits
                .insert(point.limits, self.evaluated.points.len());
            self.evaluated.points.push(point);
        }
        self.advance();
    }

    /// Records that nothing can be packed at these limits, as when every item is above them.
    pub fn refuse(&mut self, limits: Size<K>) {
        if self.flying.remove(&limits).is_some() {
            self.advance();
        }
    }

    /// Whether all limits have been tried.
    pub fn is_done(&self) -> bool {
        self.queue.is_empty() && self.flying.is_empty()
    }

    /// Returns the number of points of the whole sweep, including refused ones, if it is known in advance.
    pub fn expected(&self) -> Option<u64> {
        (self.method == SweepMethod::Grid).then(|| self.at_most())
    }

    /// Returns the most points that the whole sweep can have.
    pub fn at_most(&self) -> u64 {
        let lens = self.ranges.map(|range| u64::from(range.len()));
        let (sum, most) = (
            lens.iter().sum::<u64>(),
            lens.iter().max().copied().unwrap_or(0),
        );
        let all = lens.into_iter().fold(1, u64::saturating_mul);
        match self.method {
            SweepMethod::Grid => all,
            // The diagonal has as many points as the longest range; each range is then refined once
            // at most.
            SweepMethod::Proportional => (sum + most).min(all),
            // Every limit with the others free, and again with the others fixed.
            SweepMethod::Free => 2 * sum,
            SweepMethod::Search => all.min(search::MOST as u64),
        }
    }

    /// Returns every point, in the order of the reports, without refused ones.
    pub fn points(&self) -> &[SweepPoint<K>] {
        &self.evaluated.points
    }

    /// Fills the queue when it is empty, if the next stage needs no more results.
    fn advance(&mut self) {
        // All limits of a stage may have been tried before: then the next stage is due at once.
        while self.queue.is_empty() && (self.flying.is_empty() || !self.course.waits()) {
            let Some(stage) = self.course.next(&self.ranges, &self.evaluated) else {
                return;
            };
            self.queue.extend(
                stage
                    .into_iter()
                    .filter(|limits| self.known.insert(*limits, ()).is_none()),
            );
        }
    }
}
