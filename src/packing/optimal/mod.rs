//! Optimal: as few packs as can be, with the proof that fewer are impossible.
//!
//! Heuristics first; often one of them meets a cheap bound. Otherwise the linear relaxation is solved by
//! column generation ([`crate::lp`]), which gives the bound, and its fractions are turned into a plan by
//! fixing and solving again ([`dive`]). Everything is kept as it gets better: stopped at any time, the
//! best plan so far and a valid bound are the answer.
//!
//! Source: Gilmore and Gomory 1961; residual rounding: Wäscher and Gau 1996, Belov and Scheithauer 2002.

mod assemble;
mod dive;
mod fill;

use super::{average_target, best_fit_decreasing, first_fit_decreasing, lpfhp, spfhp};
use super::{Progress, Step, Task};
use crate::bounds::{self, Bound, BoundKind};
use crate::histogram::Histogram;
use crate::lp::{Budget, Relaxation};
use crate::plan::Strategy;
use dive::Dive;

/// Steps without a time budget: some seconds. With one, the clock decides.
const STEPS: u64 = 4_000_000_000;
/// Above this many items SPFHP, which may go item by item, is left out.
const SHORT: u64 = 1 << 24;

/// What is known: the best plan so far, and what no plan can go below.
pub(super) struct Best {
    pub strategies: Vec<Strategy<1>>,
    pub packs: u64,
    pub bound: Bound,
}

impl Best {
    /// Takes over a plan if it is better.
    fn offer(&mut self, strategies: Vec<Strategy<1>>) {
        let packs = strategies.iter().map(|s| s.count).sum();
        if packs < self.packs {
            (self.strategies, self.packs) = (strategies, packs);
        }
    }

    fn raise(&mut self, packs: u64) {
        if packs > self.bound.packs {
            self.bound = Bound { packs, kind: BoundKind::LinearProgram };
        }
    }

    fn proven(&self) -> bool {
        self.packs == self.bound.packs
    }
}

/// The best plan that can be found and proven within the budget that `progress` grants.
pub(super) fn pack(histogram: &Histogram<1>, task: &Task, progress: &mut Progress) -> Best {
    let (limit, depth) = (task.limit, task.depth.get());
    let mut best = heuristic(histogram, limit, depth);
    if best.proven() {
        return best;
    }
    let found = std::cell::Cell::new((best.packs, best.bound.packs));
    let mut ask = || {
        let (packs, bound) = found.get();
        progress(Step::Found { packs, bound }).is_continue()
    };
    let mut budget = Budget::new(STEPS, &mut ask);
    let (lengths, counts): (Vec<u32>, Vec<u64>) = histogram.lengths().into_iter().rev().unzip();
    let Some(mut relaxation) = Relaxation::new(&lengths, &counts, limit, depth) else { return best };
    relaxation.solve(best.bound.packs, &mut budget);
    best.raise(relaxation.proof().packs);
    found.set((best.packs, best.bound.packs));
    if std::env::var("TRACE").is_ok() { eprintln!("   dive LP rounds {} pivots {} columns {} {:.4}", relaxation.rounds, relaxation.pivots, relaxation.columns(), relaxation.packs()); }
    if std::env::var("LPONLY").is_ok() { return best; }
    let mut dive = Dive::new(histogram, limit, depth, relaxation);
    dive.run(&mut best, &found, &mut budget);
    best
}

fn heuristic(histogram: &Histogram<1>, limit: u32, depth: u32) -> Best {
    let mut best = Best {
        strategies: average_target::pack(histogram, limit, depth),
        packs: 0,
        bound: bounds::best(histogram, limit, depth),
    };
    best.packs = best.strategies.iter().map(|s| s.count).sum();
    let others: [fn(&Histogram<1>, u32, u32) -> Vec<Strategy<1>>; 4] =
        [lpfhp::pack, best_fit_decreasing::pack, first_fit_decreasing::pack, spfhp::pack];
    for (i, other) in others.into_iter().enumerate() {
        if !best.proven() && (i < 3 || histogram.items() < SHORT) {
            best.offer(other(histogram, limit, depth));
        }
    }
    best
}
