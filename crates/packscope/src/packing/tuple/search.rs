//! Search: best fit with several heuristics, then average target with many weights and targets; keeps the best plan.
//!
//! The targets begin with a coarse grid; then those near the best are tried, nearer and nearer. It ends at once when a
//! cheap bound is met, and after a fixed number of steps in any case, so that it is deterministic and takes about a
//! twentieth of a second, a tenth for tens of thousands of sizes.
//!
//! Source: ours; weighted heuristics are proposed, without weights, in Krell et al. 2022, *Tuple Packing*, §2.3.

use super::average_target::{Filler, Target};
use super::best_fit::{self, Choice};
use super::open::TupleRunArena;
use super::{Heuristic, Progress};
use crate::bounds;
use crate::error::{Error, Result};
use crate::histogram::{Histogram, Size, is_free};
use crate::packing::Step;
use crate::plan::Strategy;

/// Steps of all targets together, some 40 nanoseconds each.
pub(super) const STEPS: u64 = 1_250_000;
/// Steps that best fit takes for each size.
const STEPS_OF_FIT: u64 = 8;
/// Steps of all plans by best fit together, some nanoseconds each.
const HURRY: u64 = 1 << 27;
/// Targets of the grid, as parts of the average.
const THETAS: [f64; 6] = [0.95, 0.75, 0.85, 1.0, 0.7, 0.9];
/// Weight of the components that are not emphasised.
const FAINT: f64 = 0.25;
/// Rounds of targets near the best, ever nearer.
const ROUNDS: u32 = 4;

pub(super) fn pack<const K: usize>(
    histogram: &Histogram<K>,
    limits: &Size<K>,
    depth: u32,
    progress: &mut Progress,
) -> Result<Vec<Strategy<K>>> {
    search_with_steps(histogram, limits, depth, STEPS, progress)
}

/// Searches with a given number of steps, as for the rest at the end of a longer search.
pub(super) fn search_with_steps<const K: usize>(
    histogram: &Histogram<K>,
    limits: &Size<K>,
    depth: u32,
    steps: u64,
    progress: &mut Progress,
) -> Result<Vec<Strategy<K>>> {
    let mut spent = 0;
    let first = fit(histogram, limits, depth, Heuristic::Shares, &mut spent);
    let bound = bounds::tuple::best(histogram, limits, depth).packs;
    let mut search = TupleSearch {
        histogram,
        limits,
        depth,
        filler: Filler::new(histogram, limits, depth),
        bound,
        best: first,
        of: steps,
        steps,
        spent,
        progress,
    };
    if !search.ended() {
        search.heuristics()?;
        let best = search.grid()?;
        search.near(best)?;
    }
    Ok(search.best.into_strategies(histogram))
}

/// Packs by best fit, in a hurry once all such plans together have taken [`HURRY`] steps.
fn fit<const K: usize>(
    histogram: &Histogram<K>,
    limits: &Size<K>,
    depth: u32,
    heuristic: Heuristic,
    spent: &mut u64,
) -> TupleRunArena {
    let mut spend = |steps| {
        *spent += steps;
        *spent < HURRY
    };
    best_fit::with(
        histogram,
        limits,
        depth,
        (heuristic, Choice::Tightest),
        &mut spend,
    )
}

struct TupleSearch<'a, 'p, const K: usize> {
    histogram: &'a Histogram<K>,
    limits: &'a Size<K>,
    depth: u32,
    filler: Filler<'a, K>,
    /// Lower bound of the packs.
    bound: u64,
    best: TupleRunArena,
    /// Steps in total, and steps left.
    of: u64,
    steps: u64,
    /// Steps of best fit so far.
    spent: u64,
    progress: &'a mut Progress<'p>,
}

impl<const K: usize> TupleSearch<'_, '_, K> {
    fn ended(&self) -> bool {
        self.best.packs <= self.bound || self.steps == 0
    }

    /// Tries best fit by each component, and by the scarcest.
    fn heuristics(&mut self) -> Result<()> {
        let each = (0..K).map(|k| Heuristic::Component(k as u8));
        for heuristic in each.chain([Heuristic::LargestShare, Heuristic::Product]) {
            self.steps = self
                .steps
                .saturating_sub(STEPS_OF_FIT * self.histogram.distinct() as u64);
            if self.ended() {
                break;
            }
            let plan = fit(
                self.histogram,
                self.limits,
                self.depth,
                heuristic,
                &mut self.spent,
            );
            self.keep(plan);
            self.tell()?;
        }
        Ok(())
    }

    /// Tries the targets of a coarse grid; returns the best of them.
    fn grid(&mut self) -> Result<BestTarget<K>> {
        let mut best = BestTarget {
            packs: u64::MAX,
            target: self.target([1.0; K], THETAS[0], false),
        };
        for theta in THETAS {
            for weights in emphases() {
                for nearest in [false, true] {
                    let target = self.target(weights, theta, nearest);
                    self.attempt(target, &mut best)?;
                }
            }
        }
        Ok(best)
    }

    /// Tries targets near the best one.
    fn near(&mut self, mut best: BestTarget<K>) -> Result<()> {
        for round in 0..ROUNDS {
            let by = 0.5f64.powi(round as i32);
            let from = best.target;
            for theta in [-0.04, 0.04].map(|d| from.theta + d * by) {
                self.attempt(Target { theta, ..from }, &mut best)?;
            }
            // The weight of a single component is a scale, and changes nothing.
            for k in 0..if K > 1 { K } else { 0 } {
                for factor in [1.0 + by, 1.0 / (1.0 + by)] {
                    let mut weights = from.weights;
                    weights[k] *= factor;
                    self.attempt(Target { weights, ..from }, &mut best)?;
                }
            }
        }
        Ok(())
    }

    /// Returns a target with weights relative to the limits.
    fn target(&self, weights: [f64; K], theta: f64, nearest: bool) -> Target<K> {
        let weight = |k: usize| {
            f64::from(!is_free::<K>(self.limits[k])) * weights[k] / f64::from(self.limits[k].max(1))
        };
        Target {
            weights: std::array::from_fn(weight),
            theta,
            nearest,
        }
    }

    fn attempt(&mut self, target: Target<K>, best: &mut BestTarget<K>) -> Result<()> {
        if self.ended() {
            return Ok(());
        }
        // Near a target that is nearly as good as best fit there may be a better one.
        let beat = best
            .packs
            .min(self.best.packs.saturating_add(self.best.packs / 64 + 1));
        if let Some(plan) = self.filler.fill(&target, beat, &mut self.steps) {
            *best = BestTarget {
                packs: plan.packs,
                target,
            };
            self.keep(plan);
        }
        self.tell()
    }

    fn keep(&mut self, plan: TupleRunArena) {
        if plan.packs < self.best.packs {
            self.best = plan;
        }
    }

    fn tell(&mut self) -> Result<()> {
        let step = Step::Done {
            done: self.of - self.steps,
            of: self.of,
        };
        if (self.progress)(step).is_break() {
            Err(Error::Cancelled)
        } else {
            Ok(())
        }
    }
}

/// The best target so far.
struct BestTarget<const K: usize> {
    packs: u64,
    target: Target<K>,
}

/// Returns weights with all components alike, and with each emphasised.
fn emphases<const K: usize>() -> impl Iterator<Item = [f64; K]> {
    let each = (0..if K > 1 { K } else { 0 })
        .map(|leading| std::array::from_fn(|k| if k == leading { 1.0 } else { FAINT }));
    std::iter::once([1.0; K]).chain(each)
}
