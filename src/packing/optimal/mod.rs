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

use super::{Progress, Step, Task};
use super::{average_target, best_fit_decreasing, first_fit_decreasing, lpfhp, nnlshp, spfhp};
use crate::bounds::{self, Bound, Certificate};
use crate::histogram::Histogram;
use crate::lp::{Budget, Relaxation};
use crate::plan::Strategy;
use dive::Dive;
use std::cell::Cell;
use std::ops::ControlFlow;

/// Above this many items SPFHP, which may go item by item, is left out.
const SHORT: u64 = 1 << 24;
/// Steps between two questions of NNLSHP.
const NNLS: u64 = 3_000_000;

/// A packer that needs nothing but the limits.
type Packer = fn(&Histogram<1>, u32, u32) -> Vec<Strategy<1>>;

/// What is known: the best plan so far, and what no plan can go below.
pub(super) struct Best {
    pub strategies: Vec<Strategy<1>>,
    pub packs: u64,
    pub bound: Bound,
    pub certificate: Option<Certificate>,
}

impl Best {
    /// Takes over a plan if it is better.
    fn offer(&mut self, strategies: Vec<Strategy<1>>) {
        let packs = strategies.iter().map(|s| s.count).sum();
        if packs < self.packs {
            (self.strategies, self.packs) = (strategies, packs);
        }
    }

    /// Takes over a bound if it is better.
    fn raise(&mut self, certificate: Certificate) {
        if certificate.packs > self.bound.packs {
            self.bound = certificate.bound();
            self.certificate = Some(certificate);
        }
    }

    fn proven(&self) -> bool {
        self.packs == self.bound.packs
    }
}

/// The best plan that can be found and proven within `task.steps` and for as long as `progress` goes on.
pub(super) fn pack(histogram: &Histogram<1>, task: &Task, progress: &mut Progress) -> Best {
    let (limit, depth) = (task.limit, task.depth.get());
    let mut best = heuristic(histogram, limit, depth);
    if best.proven() {
        return best;
    }
    let known = Cell::new((best.packs, best.bound.packs));
    let mut ask = || {
        let (packs, bound) = known.get();
        progress(Step::Found { packs, bound }).is_continue()
    };
    let mut budget = Budget::new(task.steps, &mut ask);
    let (lengths, counts): (Vec<u32>, Vec<u64>) = histogram.lengths().into_iter().rev().unzip();
    let Some(mut relaxation) = Relaxation::new(&lengths, &counts, limit, depth) else { return best };
    relaxation.solve(best.bound.packs, &mut budget);
    certify(histogram, task, &relaxation, &mut best, &mut budget);
    known.set((best.packs, best.bound.packs));
    Dive::new(histogram, limit, depth, relaxation).run(&mut best, &known, &mut budget);
    if !best.proven() && budget.spend(1) {
        // Seldom better, but then it must not be said that the other one wins.
        let mut go = |_| if budget.spend(NNLS) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
        if let Ok(nnls) = nnlshp::pack(histogram, limit, depth, &mut go) {
            best.offer(nnls.strategies);
        }
    }
    best
}

/// Takes over the bound of the relaxation, and a better one from finer duals if there is one.
fn certify(
    histogram: &Histogram<1>,
    task: &Task,
    relaxation: &Relaxation,
    best: &mut Best,
    budget: &mut Budget,
) {
    let proof = relaxation.proof();
    best.raise(Certificate::known(histogram, &proof.duals, proof.most, proof.packs));
    let (limit, depth) = (task.limit, task.depth.get());
    if best.bound.packs < relaxation.value() {
        let fine = relaxation.fine_duals();
        let mut spend = |steps| budget.spend(steps);
        if let Some(certificate) = Certificate::new(histogram, limit, depth, &fine, &mut spend) {
            best.raise(certificate);
        }
    }
}

fn heuristic(histogram: &Histogram<1>, limit: u32, depth: u32) -> Best {
    let mut best = Best {
        strategies: average_target::pack(histogram, limit, depth),
        packs: 0,
        bound: bounds::best(histogram, limit, depth),
        certificate: None,
    };
    best.packs = best.strategies.iter().map(|s| s.count).sum();
    let others: [Packer; 4] =
        [lpfhp::pack, best_fit_decreasing::pack, first_fit_decreasing::pack, spfhp::pack];
    for (i, other) in others.into_iter().enumerate() {
        if !best.proven() && (i < 3 || histogram.items() < SHORT) {
            best.offer(other(histogram, limit, depth));
        }
    }
    best
}
