//! Optimal: as few packs as possible, with the proof that fewer are impossible.
//!
//! Heuristics first; often one of them meets a cheap bound. Otherwise the linear relaxation is solved by column
//! generation ([`crate::lp`]), which gives the bound, and its fractions are turned into a plan by fixing and solving
//! again (`dive`). What rounding leaves open in small data is closed by trying everything (`exhaust`). Improvements
//! are kept at once: stopped at any time, the answer is the best plan so far and a valid bound.
//!
//! Source: Gilmore and Gomory 1961; residual rounding: Wäscher and Gau 1996, Belov and Scheithauer 2002.

mod assemble;
mod dive;
pub(super) mod exhaust;
pub mod fill;
mod givers;

use super::{Progress, Step, Task};
use super::{average_target, best_fit_decreasing, first_fit_decreasing, lpfhp, nnlshp, spfhp};
use crate::bounds::Spend;
use crate::bounds::{self, Bound, BoundKind, Certificate};
use crate::histogram::Histogram;
use crate::histogram::Size;
use crate::lp::{ASKED, Budget, LpProblem, MANY, Pattern, Relaxation};
use crate::plan::{Strategy, packs};
pub(super) use assemble::expand;
pub(super) use dive::{Dive, EndGame};
use std::cell::Cell;
use std::ops::ControlFlow;

/// Above this many sizes, one heuristic alone may take all the time that a small budget allows.
const LARGE: usize = 20_000;
/// Steps that the heuristics have then taken for each size.
const HEURISTICS: u64 = 4_000;
/// Numbers of groups that replace very many sizes, and the steps that such a problem may take.
const GROUPS: [usize; 2] = [600, 1500];
const COARSE: u64 = 1 << 31;
/// Depths below the given one at which a plan is also searched.
const SHALLOWER: [u32; 2] = [4, 3];
/// Steps that NNLSHP is charged for its work between two progress calls.
const NNLS: u64 = 3_000_000;

/// A packer whose only parameters are limit and depth.
type FastPacker = fn(&Histogram<1>, u32, u32) -> Vec<Strategy<1>>;

/// Heuristics beside average target, which begins with LPFHP and is never worse.
const OTHERS: [FastPacker; 3] = [
    best_fit_decreasing::pack,
    first_fit_decreasing::pack,
    spfhp::pack,
];

/// The best plan so far, and the lower bound.
pub(super) struct Incumbent<const K: usize> {
    pub strategies: Vec<Strategy<K>>,
    pub packs: u64,
    pub bound: Bound,
    pub certificate: Option<Certificate<K>>,
}

impl<const K: usize> Incumbent<K> {
    /// Starts with a first plan and a cheap bound.
    pub fn new(strategies: Vec<Strategy<K>>, bound: Bound) -> Self {
        Self {
            packs: packs(&strategies),
            strategies,
            bound,
            certificate: None,
        }
    }

    /// Keeps a plan if it is better.
    pub fn offer(&mut self, strategies: Vec<Strategy<K>>) {
        let packs = packs(&strategies);
        if packs < self.packs {
            (self.strategies, self.packs) = (strategies, packs);
        }
    }

    /// Keeps a bound if it is better.
    pub fn raise(&mut self, certificate: Certificate<K>) {
        if certificate.packs > self.bound.packs {
            self.bound = certificate.bound();
            self.certificate = Some(certificate);
        }
    }

    /// Notes that no plan has so few packs, because all were tried.
    pub fn exhausted(&mut self, packs: u64) {
        self.bound = Bound {
            packs: packs + 1,
            kind: BoundKind::Exhaustion,
        };
        self.certificate = None;
    }

    pub fn proven(&self) -> bool {
        self.packs == self.bound.packs
    }
}

/// Returns the best plan that can be found and proven within `task.steps` and while `progress` goes on.
pub(super) fn pack(histogram: &Histogram<1>, task: &Task, progress: &mut Progress) -> Incumbent<1> {
    let (limit, depth) = (task.limit, task.depth.get());
    let mut best = heuristic(histogram, limit, depth);
    let known = Cell::new((best.packs, best.bound.packs));
    watched(task.steps, &known, progress, |budget| {
        OptimalSearch {
            histogram,
            limit,
            best: &mut best,
            known: &known,
            budget,
        }
        .run(depth);
    });
    best
}

/// Runs a search within `steps`; `progress` receives the best results and may end it.
pub(super) fn watched(
    steps: u64,
    known: &Cell<(u64, u64)>,
    progress: &mut Progress,
    search: impl FnOnce(&mut Budget),
) {
    let mut ask = || {
        let (packs, bound) = known.get();
        progress(Step::Found { packs, bound }).is_continue()
    };
    search(&mut Budget::new(steps, &mut ask));
}

/// Quick packing by average target, thorough packing one pack at a time.
struct Line {
    limit: u32,
    depth: u32,
}

impl EndGame<1> for Line {
    fn pack(&self, rest: &Histogram<1>) -> Vec<Strategy<1>> {
        average_target::pack(rest, self.limit, self.depth)
    }

    fn fill(&self, rest: &[(Size<1>, u64)], spend: &mut Spend) -> Option<Vec<Strategy<1>>> {
        fill::pack(rest, self.limit, self.depth, spend)
    }
}

/// A search in progress.
struct OptimalSearch<'s, 'b> {
    histogram: &'s Histogram<1>,
    limit: u32,
    best: &'s mut Incumbent<1>,
    known: &'s Cell<(u64, u64)>,
    budget: &'s mut Budget<'b>,
}

impl OptimalSearch<'_, '_> {
    fn run(&mut self, depth: u32) {
        let distinct = self.histogram.distinct();
        if distinct > LARGE {
            // Asked before each: one heuristic takes longer than the usual time between two
            // questions.
            if !(self.budget.asks() && self.budget.spend(distinct as u64 * HEURISTICS)) {
                return;
            }
            self.heuristics(depth);
        }
        // Of very many sizes the whole relaxation may not finish, so that a plan from groups of
        // sizes comes first.
        for groups in GROUPS {
            if !self.best.proven() && self.histogram.distinct() > MANY.max(2 * groups) {
                self.coarse(depth, groups);
            }
        }
        if !self.best.proven() {
            self.at_depth(depth, true);
        }
        for shallower in SHALLOWER.into_iter().filter(|d| *d < depth) {
            // A plan of fewer items a pack is a plan; its bound is none.
            let fewest = bounds::best(self.histogram, self.limit, shallower).packs;
            if !self.best.proven() && fewest < self.best.packs && self.budget.spend(1) {
                self.at_depth(shallower, false);
            }
        }
        if !self.best.proven() && self.budget.spend(1) {
            self.nnls(depth);
        }
        if !self.best.proven() {
            let problem = LpProblem::new(self.histogram, [self.limit], depth);
            exhaust::close(self.best, &problem, exhaust::LAST, self.budget);
        }
    }

    /// Offers the plans of the heuristics that [`heuristic`] leaves out of very many sizes.
    fn heuristics(&mut self, depth: u32) {
        for other in OTHERS {
            if self.best.proven() || !self.budget.asks() {
                return;
            }
            self.best.offer(other(self.histogram, self.limit, depth));
            self.known.set((self.best.packs, self.best.bound.packs));
        }
        let mut go = || self.budget.asks();
        let strategies = average_target::pack_while(self.histogram, self.limit, depth, &mut go);
        self.best.offer(strategies);
        self.known.set((self.best.packs, self.best.bound.packs));
    }

    /// Solves the relaxation and dives from it. Its bound counts only if `judged`: it proves
    /// nothing about deeper packs than its own.
    fn at_depth(&mut self, depth: u32, judged: bool) {
        let problem = LpProblem::new(self.histogram, [self.limit], depth);
        let Some(mut relaxation) = Relaxation::new(problem.clone()) else {
            return;
        };
        if problem.rows() > LARGE && !self.budget.asks() {
            return;
        }
        relaxation.refine(self.budget);
        let (packs, bound) = self.known.get();
        relaxation.solve(self.best.bound.packs, self.budget, &mut |packed| {
            self.known
                // At a smaller depth the relaxation bounds only plans of that depth.
                .set((packs, if judged { bound.max(packed) } else { bound }));
        });
        if judged {
            certify(
                self.best,
                self.histogram,
                &problem,
                &relaxation,
                self.budget,
            );
            exhaust::close(self.best, &problem, exhaust::FIRST, self.budget);
        }
        self.known.set((self.best.packs, self.best.bound.packs));
        if self.best.proven() {
            return;
        }
        let end = Line {
            limit: self.limit,
            depth,
        };
        Dive::new(problem, relaxation, &end, self.known).run(self.best, self.budget);
    }

    /// Finds a plan for very many sizes from one for few: every size is rounded up to the largest of its group.
    fn coarse(&mut self, depth: u32, groups: usize) {
        let (lengths, counts) = self.histogram.rows();
        let size = lengths.len().div_ceil(groups);
        let groups = lengths.chunks(size).zip(counts.chunks(size));
        let longest = groups.filter_map(|(l, n)| Some((*l.first()?, n.iter().sum())));
        let Ok(rounded) = Histogram::from_lengths(longest) else {
            return;
        };
        let mut best = heuristic(&rounded, self.limit, depth);
        let known = Cell::new((best.packs, best.bound.packs));
        // The inner budget ends this search early; for every `ASKED` of its steps the outer one is
        // charged.
        let mut ask = || self.budget.spend(ASKED);
        let mut budget = Budget::new(COARSE, &mut ask);
        OptimalSearch {
            histogram: &rounded,
            limit: self.limit,
            best: &mut best,
            known: &known,
            budget: &mut budget,
        }
        .run(depth);
        // Places of the largest size of a group hold any item of it.
        let row =
            |&([length], n): &([u32; 1], u32)| (lengths.partition_point(|l| *l > length) as u32, n);
        let strategies = best.strategies.into_iter().map(Strategy::canonical);
        let used: Vec<(Pattern, u64)> = strategies
            .map(|s| (s.runs.iter().map(row).collect(), s.count))
            .collect();
        let problem = LpProblem::new(self.histogram, [self.limit], depth);
        self.best
            .offer(assemble::strategies(&problem, &counts, &used));
        self.known.set((self.best.packs, self.best.bound.packs));
    }

    /// Tries NNLSHP, which is seldom better, so that it never beats the optimum.
    fn nnls(&mut self, depth: u32) {
        let mut go = |_| match self.budget.spend(NNLS) {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        };
        if let Ok(nnls) = nnlshp::pack(self.histogram, self.limit, depth, &mut go) {
            self.best.offer(nnls.strategies);
        }
    }
}

/// Adopts the bound of the relaxation, and a better one from finer duals if there is one.
pub(super) fn certify<const K: usize>(
    best: &mut Incumbent<K>,
    histogram: &Histogram<K>,
    problem: &LpProblem<K>,
    relaxation: &Relaxation<K>,
    budget: &mut Budget,
) {
    let proof = relaxation.proof();
    best.raise(Certificate::with_most_worth(
        histogram,
        &proof.duals,
        proof.most,
        proof.packs,
    ));
    // The bound was proven by coarse whole numbers: where the floats promise more, finer ones may
    // prove it.
    if best.bound.packs < relaxation.value() {
        let fine = relaxation.fine_duals();
        let mut spend = |steps| budget.spend(steps);
        if let Some(certificate) =
            Certificate::new(histogram, &problem.limits, problem.depth, &fine, &mut spend)
        {
            best.raise(certificate);
        }
    }
}

/// Returns the best plan of the heuristics; of very many sizes, of a quick one.
fn heuristic(histogram: &Histogram<1>, limit: u32, depth: u32) -> Incumbent<1> {
    let bound = bounds::best(histogram, limit, depth);
    if histogram.distinct() > LARGE {
        return Incumbent::new(lpfhp::pack(histogram, limit, depth), bound);
    }
    let mut best = Incumbent::new(average_target::pack(histogram, limit, depth), bound);
    for other in OTHERS {
        if !best.proven() {
            best.offer(other(histogram, limit, depth));
        }
    }
    best
}
