//! Packing of items with several components, and points of a sweep over their limits.

use super::Query;
use super::problem::{self, PackingSettings, Problem, common};
use crate::bounds::{self, Bound};
use crate::cost::{self, Overhead};
use crate::error::{Error, Result};
use crate::histogram::{ClippedHistogram, FREE, Histogram, Overlong, Size, is_free};
use crate::metrics::{Figures, PlanCounts, harmonic_mean};
use crate::order::Map;
use crate::packing::tuple::{Heuristic, TupleAlgorithm, TuplePackingResult, TupleTask};
use crate::packing::{Depth, Progress, go_on};
use crate::sweep::SweepPoint;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;

/// Settings of packing items of several components, such as graphs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
// The page always receives every field, and defaults would add 4 KB to it.
#[cfg_attr(not(target_arch = "wasm32"), serde(default))]
pub struct Settings {
    /// Slots of a pack per component (nodes, edges); [`FREE`] for a component without a limit.
    pub limits: Vec<u32>,
    /// Maximum number of items in a pack.
    pub depth: Depth,
    /// The packing algorithm.
    pub algorithm: TupleAlgorithm,
    /// The map from a size to one number, for priority.
    pub heuristic: Heuristic,
    /// The policy for items above a limit.
    pub overlong: Overlong,
    /// The cost of keeping packed items apart.
    pub overhead: Overhead,
}

impl Default for Settings {
    /// Returns limits and depth of Krell et al. 2022, *Tuple Packing*, §3.1, for ogbg-molhiv, packed by `Optimal`.
    fn default() -> Self {
        Self {
            limits: vec![222, 502],
            depth: Depth::AtMost(256),
            algorithm: TupleAlgorithm::Optimal,
            heuristic: Heuristic::Component(0),
            overlong: Overlong::Drop,
            overhead: Overhead::Free,
        }
    }
}

/// A row of a comparison: the algorithm, and the heuristic where it has one.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct TupleRow {
    /// The algorithm.
    pub algorithm: TupleAlgorithm,
    /// The heuristic; `None` if the algorithm has none.
    pub heuristic: Option<Heuristic>,
}

impl TupleRow {
    /// Returns the row of an algorithm with a heuristic.
    pub fn new(algorithm: TupleAlgorithm, heuristic: Heuristic) -> Self {
        Self {
            algorithm,
            heuristic: algorithm.has_heuristic().then_some(heuristic),
        }
    }

    /// Whether packs keep to all limits; baselines for one component do not, so lower bounds do not apply to them.
    pub fn keeps_all_limits(self) -> bool {
        self.algorithm.only().is_none()
    }
}

impl Settings {
    /// Returns the limits that the algorithm keeps to, [`FREE`] where it ignores one.
    pub fn kept_limits(&self) -> Vec<u32> {
        let mut limits = self.limits.clone();
        if let Some(only) = self.algorithm.only() {
            // As `TupleAlgorithm::limits` has it: of a single component, that one.
            let only = only.min(limits.len().saturating_sub(1));
            limits
                .iter_mut()
                .enumerate()
                .filter(|(k, _)| *k != only)
                .for_each(|(_, limit)| *limit = FREE);
        }
        limits
    }

    /// Whether the algorithm ignores one of these limits: bounds and plans under all of them say nothing about its packs.
    pub fn ignores_a_limit(&self) -> bool {
        self.kept_limits() != self.limits
    }
}

impl PackingSettings for Settings {
    type Size = Vec<u32>;
    type Row = TupleRow;

    fn row(&self) -> TupleRow {
        TupleRow::new(self.algorithm, self.heuristic)
    }

    fn with_row(&self, row: TupleRow) -> Self {
        let heuristic = row.heuristic.unwrap_or(self.heuristic);
        Self {
            algorithm: row.algorithm,
            heuristic,
            ..self.clone()
        }
    }

    common!(TupleAlgorithm);

    fn stand_in(&self) -> Option<Self> {
        self.takes_long().then(|| Self {
            algorithm: TupleAlgorithm::BestFit,
            ..self.clone()
        })
    }

    /// Resets the overhead, and the heuristic if the algorithm has none.
    fn deciding(&self) -> Self {
        let mut deciding = self.unpriced();
        if !self.algorithm.has_heuristic() {
            deciding.heuristic = Self::default().heuristic;
        }
        deciding
    }

    fn shared(&self) -> Self {
        self.problem()
    }

    fn keeps_limits(row: TupleRow) -> bool {
        row.keeps_all_limits()
    }
}

/// Data and settings: every size has as many components as there are limits.
pub type TupleRequest = super::Request<Settings, Vec<u32>>;

/// The answer to a [`TupleRequest`].
pub type Report = super::Report<Settings, Vec<u32>>;

/// A strategy: sizes with their multiplicities in a pack.
pub type TupleShape = super::PackShape<Vec<u32>>;

impl Query for TupleRequest {
    type Report = Report;

    /// Answers a request of 1, 2 or 3 components; [`Error::TooManyComponents`] for other numbers of limits,
    /// [`Error::Components`] if sizes and limits disagree.
    fn run(&self, progress: &mut Progress) -> Result<Report> {
        match self.settings.limits.len() {
            1 => run_counted::<1>(self, progress),
            2 => run_counted::<2>(self, progress),
            3 => run_counted::<3>(self, progress),
            limits => Err(Error::TooManyComponents { limits, at_most: 3 }),
        }
    }
}

fn run_counted<const K: usize>(request: &TupleRequest, progress: &mut Progress) -> Result<Report> {
    let count = |(size, count): &(Vec<u32>, u64)| Ok((sized(size, K)?, *count));
    let counts: Vec<_> = request.counts.iter().map(count).collect::<Result<_>>()?;
    run_on::<K>(
        &Histogram::from_counts(counts)?,
        &request.settings,
        request.listed,
        progress,
    )
}

/// Returns the report on a histogram: [`super::run`] for data that are already counted.
///
/// # Errors
/// As [`super::run`].
pub fn run_on<const K: usize>(
    histogram: &Histogram<K>,
    settings: &Settings,
    listed: u32,
    progress: &mut Progress,
) -> Result<Report> {
    problem::report::<TupleItems<K>>(histogram, settings, listed, progress)
}

/// Converts a size to `K` numbers; an error names `limits` as the number of limits.
fn sized<const K: usize>(numbers: &[u32], limits: usize) -> Result<Size<K>> {
    numbers.try_into().map_err(|_| Error::Components {
        limits,
        components: numbers.len(),
    })
}

/// Graphs, or other items of `K` components, for all algorithms.
pub type TupleItems<const K: usize> = PreparedItems<K, true>;

/// Graphs for the algorithms that never take long ([`Algorithm::takes_long`]). A program that only uses these does not
/// contain the others.
#[doc(hidden)]
pub type SimpleGraphs = PreparedItems<2, false>;

/// Items of `K` components that fit their limits, ready to be packed under many settings.
#[derive(Debug)]
pub struct PreparedItems<const K: usize, const SOLVERS: bool> {
    fitted: ClippedHistogram<K>,
    limits: Size<K>,
    /// Lower bounds by the plan's limits and depth, computed outside the time of packing.
    bounds: RefCell<Map<(Size<K>, Depth), Bound>>,
}

impl<const K: usize, const SOLVERS: bool> Problem for PreparedItems<K, SOLVERS> {
    type Settings = Settings;
    type Histogram = Histogram<K>;
    type Packed = TuplePackingResult<K>;

    fn prepare(histogram: &Histogram<K>, settings: &Settings) -> Result<Self> {
        let given = settings.limits.as_slice();
        let wrong = Error::Components {
            limits: given.len(),
            components: K,
        };
        let limits = given.try_into().map_err(|_| wrong)?;
        Ok(Self {
            fitted: histogram.fit(limits, settings.overlong)?,
            limits,
            bounds: RefCell::default(),
        })
    }

    fn pack(
        &self,
        settings: &Settings,
        _: u32,
        steps: u64,
        progress: &mut Progress,
    ) -> Result<TuplePackingResult<K>> {
        let (depth, heuristic) = (settings.depth, settings.heuristic);
        let task = TupleTask {
            limits: self.limits,
            depth,
            heuristic,
            steps,
        };
        if SOLVERS {
            settings
                .algorithm
                .run(&self.fitted.histogram, &task, progress)
        } else {
            settings.algorithm.run_simple(&self.fitted.histogram, &task)
        }
    }

    /// Returns the figures of a packing. The efficiency of a component without a limit is relative to the largest sum
    /// in a pack.
    fn figures(&self, settings: &Settings, packed: &TuplePackingResult<K>) -> Figures {
        let histogram = &self.fitted.histogram;
        let items = histogram.items();
        let plan = &packed.plan;
        // The baseline pads every item to the limit, or without one to the largest item.
        let single: Size<K> = std::array::from_fn(|k| match self.limits[k] {
            limit if is_free::<K>(limit) => histogram.max()[k],
            limit => limit,
        });
        let counts = PlanCounts {
            items,
            packs: plan.packs(),
            strategies: Some(plan.strategies().len() as u64),
            max_depth: plan.max_depth(),
            real_tokens: histogram.total(),
            slots: packed.slots,
            waste_tokens: self.fitted.waste_tokens,
            baseline_slots: single.map(|limit| u128::from(items) * u128::from(limit)),
        };
        let mut figures = Figures::new(&counts, Some(self.bound(settings, packed)));
        cost::price(&mut figures, settings.overhead);
        figures
    }

    fn packs_and_bound(packed: &TuplePackingResult<K>) -> (u64, u64) {
        (packed.plan.packs(), packed.bound.map_or(0, |b| b.packs))
    }

    fn overlong_items(&self) -> u64 {
        self.fitted.overlong_items
    }

    fn strategies(packed: &TuplePackingResult<K>, listed: u32) -> Vec<TupleShape> {
        problem::shapes(&packed.plan, listed, |size| size.to_vec())
    }

    fn packs_by_depth(packed: TuplePackingResult<K>) -> Vec<(u64, u64)> {
        packed.plan.packs_by_depth().into_iter().collect()
    }
}

impl<const K: usize, const SOLVERS: bool> PreparedItems<K, SOLVERS> {
    fn bound(&self, settings: &Settings, packed: &TuplePackingResult<K>) -> Bound {
        let mut bounds = self.bounds.borrow_mut();
        // Of the plan, not of the settings: baselines for one component leave the others free.
        let limits = packed.plan.limits();
        let known = bounds.entry((limits, settings.depth)).or_insert_with(|| {
            bounds::tuple::best(&self.fitted.histogram, &limits, settings.depth.get())
        });
        // A bound from a search holds for every algorithm under these limits and this depth.
        if let Some(bound) = packed.bound.filter(|b| b.packs > known.packs) {
            *known = bound;
        }
        *known
    }
}

/// Packs a histogram at other limits than those of the settings: one point of a sweep. The policy of the settings
/// applies to items above these limits.
///
/// # Errors
/// As [`Problem::prepare`] and [`TupleAlgorithm::run`].
pub fn evaluate<const K: usize>(
    histogram: &Histogram<K>,
    settings: &Settings,
    limits: Size<K>,
) -> Result<SweepPoint<K>> {
    let fitted = histogram.fit(limits, settings.overlong)?;
    // Without a `Problem`: a point of a sweep needs no bound.
    let task = TupleTask::new(limits, settings.depth, settings.heuristic);
    let packed = settings
        .algorithm
        .run(&fitted.histogram, &task, &mut go_on)?;
    let (packs, slots) = (packed.plan.packs(), packed.slots);
    let real = fitted.histogram.total();
    // As in a report, a component that needs no slots has no padding.
    let efficiency = std::array::from_fn(|k| {
        if slots[k] == 0 {
            1.0
        } else {
            real[k] as f64 / slots[k] as f64
        }
    });
    // A sum above 32 bits counts as free.
    let needed = packed
        .plan
        .largest()
        .map(|sum| u32::try_from(sum).unwrap_or(FREE));
    Ok(SweepPoint {
        limits,
        needed,
        packs,
        efficiency,
        harmonic: harmonic_mean(&efficiency),
    })
}

/// Packs a histogram at other limits with best fit and a few complementary heuristics, and returns the point with the
/// fewest packs, the first of equals. Algorithm and heuristic of the settings are ignored.
///
/// The heuristics are every single component, the sum of the shares of the limits, and the sum of their squares. Over
/// grids of limits of seven data sets they give the fewest packs of all nine heuristics at most points, and on average
/// 0.01 % more at the others.
///
/// # Errors
/// As [`evaluate`].
pub fn evaluate_fast<const K: usize>(
    histogram: &Histogram<K>,
    settings: &Settings,
    limits: Size<K>,
) -> Result<SweepPoint<K>> {
    let mut settings = Settings {
        algorithm: TupleAlgorithm::BestFit,
        heuristic: Heuristic::Shares,
        ..settings.clone()
    };
    let mut best = evaluate(histogram, &settings, limits)?;
    for heuristic in (0..K as u8)
        .map(Heuristic::Component)
        .chain([Heuristic::Squares])
    {
        settings.heuristic = heuristic;
        let point = evaluate(histogram, &settings, limits)?;
        if point.packs < best.packs {
            best = point;
        }
    }
    Ok(best)
}

/// The number of plans that [`evaluate_fast`] computes for two components.
pub const FAST_PLANS: u32 = 4;
