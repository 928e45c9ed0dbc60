//! Optimal under several limits: column generation with a knapsack over all limits, and dives from its fractions.
//!
//! Limits that can never end a pack are set aside; if only one is left, the packs are those of its component alone. If
//! the rooms of a pack are too many to enumerate, the answer is the best heuristic plan and the best cheap bound.
//!
//! Source: Gilmore and Gomory 1965; see [`crate::packing`]'s `optimal` for one component.

use super::best_fit::{self, Choice};
use super::{Heuristic, TupleTask, published, search, weightless};
use crate::bounds::{self, Bound, Spend, binding};
use crate::histogram::{Histogram, Size};
use crate::lp::{ASKED, Budget, LpProblem, MANY, Pattern, Relaxation};
use crate::packing::optimal::{self, Dive, EndGame, Incumbent, certify, exhaust, watched};
use crate::packing::{self, Progress, go_on};
use crate::plan::Strategy;
use std::cell::Cell;
use std::ops::ControlFlow;

/// Steps of the search for the first plan and for the rest of a dive, and steps for the end of a dive.
const QUICK: u64 = 50_000;
const FILL: u64 = 50_000;
/// The number of sizes above which a heuristic may take longer than a short budget.
const QUICKLY: usize = 10_000;
/// Above [`QUICKLY`] sizes, the steps that each takes beside the packing.
const PER_SIZE: u64 = 1000;
/// Nanoseconds of a step of that search.
const NANOSECONDS: u64 = 40;

/// Returns the best plan that can be found and proven within `task.steps` and while `progress` goes on.
pub(super) fn pack<const K: usize>(
    histogram: &Histogram<K>,
    task: &TupleTask<K>,
    progress: &mut Progress,
) -> Incumbent<K> {
    let bound = bounds::tuple::best(histogram, &task.limits, task.depth.get());
    let known = Cell::new((histogram.items(), bound.packs));
    let mut best = None;
    watched(task.steps, &known, progress, |budget| {
        best = Some(searched(histogram, task, bound, &known, budget));
    });
    best.unwrap_or_else(|| Incumbent::new(Vec::new(), bound))
}

/// Returns the best plan by heuristics, by the relaxation, and, of small data, by trying everything.
fn searched<const K: usize>(
    histogram: &Histogram<K>,
    task: &TupleTask<K>,
    bound: Bound,
    known: &Cell<(u64, u64)>,
    budget: &mut Budget,
) -> Incumbent<K> {
    let (limits, depth) = (task.limits, task.depth.get());
    let end = Heuristics { limits, depth };
    let large = histogram.distinct() > QUICKLY;
    // Sorting them, bounding them, and writing down the plan.
    budget.owes(if large {
        PER_SIZE * histogram.distinct() as u64
    } else {
        0
    });
    let first = match large {
        // There must be a plan, so that its steps are owed; once half of them are left it hurries,
        // and the others have the rest.
        true => {
            let half = budget.steps_left() / 2;
            let mut spend = |steps| budget.owes(steps) && budget.steps_left() > half;
            best_fit::with(
                histogram,
                &limits,
                depth,
                (task.heuristic, Choice::Tightest),
                &mut spend,
            )
            .into_strategies(histogram)
        }
        false => end.pack(histogram),
    };
    let mut best = Incumbent::new(first, bound);
    known.set((best.packs, best.bound.packs));
    if best.proven() || !every_heuristic(histogram, task, &mut best, known, budget) {
        return best;
    }
    let problem = LpProblem::new(histogram, limits, depth);
    relaxed(histogram, task, problem.clone(), &mut best, known, budget);
    if !best.proven() {
        exhaust::close(&mut best, &problem, exhaust::LAST, budget);
    }
    best
}

/// Improves the plan by the relaxation: of all components, of the only one that binds, or of the items that weigh anything.
fn relaxed<const K: usize>(
    histogram: &Histogram<K>,
    task: &TupleTask<K>,
    problem: LpProblem<K>,
    best: &mut Incumbent<K>,
    known: &Cell<(u64, u64)>,
    budget: &mut Budget,
) {
    let (limits, depth) = (task.limits, task.depth.get());
    let end = Heuristics { limits, depth };
    let many = problem.rows() > MANY;
    // The relaxation may not finish: the result must not be worse than that of quick heuristics.
    if many && !quickly(histogram, &end, best, known, budget) {
        return;
    }
    let components = binding(&problem.sizes, &limits);
    let (others, mut weightless) = weightless::set_apart(histogram, &components);
    if !weightless.is_empty() {
        if let Ok(others) = Histogram::from_counts(others) {
            let bound = bounds::tuple::best(&others, &limits, depth);
            let found = searched(&others, task, bound, &Cell::new(known.get()), budget);
            let mut strategies = weightless::add(found.strategies, &mut weightless, depth);
            let left = Histogram::from_counts(weightless);
            strategies.extend(left.map_or(Vec::new(), |left| end.pack(&left)));
            best.offer(strategies);
            if found.bound.packs > best.bound.packs {
                best.bound = found.bound;
                best.certificate = found.certificate.map(|c| c.spread(histogram, |size| *size));
            }
        }
        return;
    }
    // The search that runs last is paid for in advance.
    let last = !many && budget.owes(search::STEPS * NANOSECONDS);
    if let [only] = components[..] {
        if last {
            best.offer(end.within(histogram, search::STEPS));
        }
        if !best.proven() {
            alone(histogram, only, task, best, budget);
        }
    } else {
        relax(histogram, problem, &end, best, known, budget);
        if last && !best.proven() {
            best.offer(end.within(histogram, search::STEPS));
        }
    }
}

/// Offers the plans of the search among heuristics and of the published ones; `false` when one is proven, or when stopped.
fn quickly<const K: usize>(
    histogram: &Histogram<K>,
    end: &Heuristics<K>,
    best: &mut Incumbent<K>,
    known: &Cell<(u64, u64)>,
    budget: &mut Budget,
) -> bool {
    if !budget.owes(search::STEPS * NANOSECONDS) {
        return false;
    }
    best.offer(end.within(histogram, search::STEPS));
    for heuristic in Heuristic::PUBLISHED {
        known.set((best.packs, best.bound.packs));
        let mut spend = |steps| budget.owes(steps);
        match published::pack_while(histogram, &end.limits, end.depth, heuristic, &mut spend) {
            Some(plan) => best.offer(plan),
            None => return false,
        }
    }
    !best.proven()
}

/// Offers the plan of every heuristic until one is proven, so that none is better than the optimum; `false` when that
/// is so, or when stopped.
fn every_heuristic<const K: usize>(
    histogram: &Histogram<K>,
    task: &TupleTask<K>,
    best: &mut Incumbent<K>,
    known: &Cell<(u64, u64)>,
    budget: &mut Budget,
) -> bool {
    let is_there = |heuristic: &&Heuristic| !matches!(heuristic, Heuristic::Component(k) if usize::from(*k) >= K);
    let heuristics: Vec<Heuristic> = Heuristic::ALL
        .iter()
        .chain([&task.heuristic])
        .filter(is_there)
        .copied()
        .collect();
    let choices = [Choice::Tightest, Choice::Loosest];
    let order: Vec<(Heuristic, Choice)> = match histogram.distinct() > QUICKLY {
        // First fit takes many times as long.
        true => choices
            .iter()
            .flat_map(|c| heuristics.iter().map(|h| (*h, *c)))
            .collect(),
        false => heuristics
            .iter()
            .flat_map(|h| choices.map(|c| (*h, c)))
            .collect(),
    };
    for way in order {
        let mut spend = |steps| budget.owes(steps);
        let plan = best_fit::with(histogram, &task.limits, task.depth.get(), way, &mut spend);
        best.offer(plan.into_strategies(histogram));
        known.set((best.packs, best.bound.packs));
        if best.proven() || !budget.owes(ASKED) {
            return false;
        }
    }
    true
}

/// Solves the relaxation and dives from it.
fn relax<const K: usize>(
    histogram: &Histogram<K>,
    problem: LpProblem<K>,
    end: &dyn EndGame<K>,
    best: &mut Incumbent<K>,
    known: &Cell<(u64, u64)>,
    budget: &mut Budget,
) {
    let Some(mut relaxation) = Relaxation::new(problem.clone()) else {
        return;
    };
    relaxation.offer(patterns(&problem, &best.strategies));
    let (packs, bound) = known.get();
    relaxation.solve(best.bound.packs, budget, &mut |packed| {
        known.set((packs, bound.max(packed)))
    });
    certify(best, histogram, &problem, &relaxation, budget);
    known.set((best.packs, best.bound.packs));
    Dive::new(problem, relaxation, end, known).run(best, budget);
}

/// Returns the strategies as patterns of rows.
fn patterns<const K: usize>(problem: &LpProblem<K>, strategies: &[Strategy<K>]) -> Vec<Pattern> {
    let row = |size: &Size<K>| problem.sizes.partition_point(|s| s > size) as u32;
    let pattern = |s: &Strategy<K>| {
        let mut pattern: Pattern = s.runs.iter().map(|(size, n)| (row(size), *n)).collect();
        pattern.sort_unstable();
        pattern
    };
    strategies
        .iter()
        .map(|s| pattern(&s.clone().canonical()))
        .collect()
}

/// Packs by one component alone: its optimum, with every place given to an item of that size in it.
fn alone<const K: usize>(
    histogram: &Histogram<K>,
    component: usize,
    task: &TupleTask<K>,
    best: &mut Incumbent<K>,
    budget: &mut Budget,
) {
    let Some(marginal) = histogram.marginal(component) else {
        return;
    };
    let task = packing::Task {
        steps: budget.steps_left(),
        ..packing::Task::new(task.limits[component], task.depth)
    };
    let mut go = |_| {
        if budget.spend(ASKED) {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    };
    let found = optimal::pack(&marginal, &task, &mut go);
    best.offer(optimal::expand(histogram, component, found.strategies));
    if found.bound.packs > best.bound.packs {
        best.bound = found.bound;
        best.certificate = found
            .certificate
            .map(|c| c.spread(histogram, |size| [size[component]]));
    }
}

/// The search among heuristics, with fewer steps.
struct Heuristics<const K: usize> {
    limits: Size<K>,
    depth: u32,
}

impl<const K: usize> Heuristics<K> {
    fn within(&self, items: &Histogram<K>, steps: u64) -> Vec<Strategy<K>> {
        search::search_with_steps(items, &self.limits, self.depth, steps, &mut go_on)
            .unwrap_or_default()
    }
}

impl<const K: usize> EndGame<K> for Heuristics<K> {
    fn pack(&self, rest: &Histogram<K>) -> Vec<Strategy<K>> {
        self.within(rest, QUICK)
    }

    fn fill(&self, rest: &[(Size<K>, u64)], spend: &mut Spend) -> Option<Vec<Strategy<K>>> {
        let Ok(rest) = Histogram::from_counts(rest.iter().copied()) else {
            return Some(Vec::new());
        };
        spend(FILL * NANOSECONDS).then(|| self.within(&rest, FILL))
    }
}
