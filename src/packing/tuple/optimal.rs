//! Optimal under several limits: column generation with a knapsack over all limits, and dives from its fractions.
//!
//! Limits that can never end a pack are set aside; if only one is left, the packs are those of its component alone. If
//! the rooms of a pack are too many to enumerate, the answer is the best heuristic plan and the best cheap bound.
//!
//! Source: Gilmore and Gomory 1965; see [`crate::packing`]'s `optimal` for one component.

use super::{Heuristic, Task, best_fit, first_fit, published, search, weightless};
use crate::bounds::{self, Spend, binding};
use crate::histogram::{Histogram, Size};
use crate::lp::{Budget, MANY, Pattern, Problem, Relaxation};
use crate::packing::optimal::{self, Best, Dive, EndGame, LARGE, certify, exhaust, watched};
use crate::packing::{self, Progress, Step, go_on};
use crate::plan::Strategy;
use std::cell::Cell;

/// A packer by a heuristic.
type Packer<const K: usize> = fn(&Histogram<K>, &Size<K>, u32, Heuristic) -> Vec<Strategy<K>>;

/// Steps of the search for the first plan and for the rest of a dive, and steps for the end of a dive.
const QUICK: u64 = 50_000;
const FILL: u64 = 50_000;
/// Nanoseconds of a step of that search.
const NANOSECONDS: u64 = 40;

/// Returns the best plan that can be found and proven within `task.steps` and while `progress` goes on.
pub(super) fn pack<const K: usize>(
    histogram: &Histogram<K>,
    task: &Task<K>,
    progress: &mut Progress,
) -> Best<K> {
    let mut best = searched(histogram, task, progress);
    if !best.proven() {
        let problem = Problem::new(histogram, task.limits, task.depth.get());
        let known = Cell::new((best.packs, best.bound.packs));
        watched(task.steps, &known, progress, |budget| {
            exhaust::close(&mut best, &problem, exhaust::LAST, budget);
        });
    }
    best
}

/// Returns the best plan by heuristics and by the relaxation.
fn searched<const K: usize>(histogram: &Histogram<K>, task: &Task<K>, progress: &mut Progress) -> Best<K> {
    let (limits, depth) = (task.limits, task.depth.get());
    let end = Heuristics { limits, depth };
    let first = match histogram.distinct() > LARGE {
        true => best_fit::pack(histogram, &limits, depth, task.heuristic),
        false => end.pack(histogram),
    };
    let mut best = Best::new(first, bounds::tuple::best(histogram, &limits, depth));
    if best.proven() || !every_heuristic(histogram, task, &mut best, progress) {
        return best;
    }
    let problem = Problem::new(histogram, limits, depth);
    let many = problem.rows() > MANY;
    if many {
        // The relaxation may not finish: the result must not be worse than that of quick heuristics.
        best.offer(end.within(histogram, search::STEPS));
        for heuristic in Heuristic::PUBLISHED {
            let known = Step::Found { packs: best.packs, bound: best.bound.packs };
            if progress(known).is_break() {
                return best;
            }
            best.offer(published::pack(histogram, &limits, depth, heuristic));
        }
        if best.proven() {
            return best;
        }
    }
    let components = binding(&problem.sizes, &limits);
    let (others, mut weightless) = weightless::set_apart(histogram, &components);
    if !weightless.is_empty() {
        if let Ok(others) = Histogram::from_counts(others) {
            let found = pack(&others, task, progress);
            let mut strategies = weightless::add(found.strategies, &mut weightless, depth);
            let left = Histogram::from_counts(weightless);
            strategies.extend(left.map_or(Vec::new(), |left| end.pack(&left)));
            best.offer(strategies);
            if found.bound.packs > best.bound.packs {
                best.bound = found.bound;
                best.certificate = found.certificate.map(|c| c.spread(histogram, |size| *size));
            }
        }
    } else if let [only] = components[..] {
        if !many {
            best.offer(end.within(histogram, search::STEPS));
        }
        if !best.proven() {
            alone(histogram, only, task, &mut best, progress);
        }
    } else {
        let known = Cell::new((best.packs, best.bound.packs));
        watched(task.steps, &known, progress, |budget| {
            relax(histogram, problem, &end, &mut best, &known, budget);
        });
        if !many && !best.proven() {
            best.offer(end.within(histogram, search::STEPS));
        }
    }
    best
}

/// Offers the plan of every heuristic until one is proven, so that none is better than the optimum; `false` when that
/// is so, or when stopped.
fn every_heuristic<const K: usize>(
    histogram: &Histogram<K>,
    task: &Task<K>,
    best: &mut Best<K>,
    progress: &mut Progress,
) -> bool {
    let depth = task.depth.get();
    let is_there =
        |heuristic: &&Heuristic| !matches!(heuristic, Heuristic::Component(k) if usize::from(*k) >= K);
    let heuristics: Vec<Heuristic> =
        Heuristic::ALL.iter().chain([&task.heuristic]).filter(is_there).copied().collect();
    let fits: [Packer<K>; 2] = [best_fit::pack, first_fit::pack];
    let order: Vec<(Packer<K>, Heuristic)> = match histogram.distinct() > LARGE {
        // First fit takes many times as long.
        true => fits.iter().flat_map(|fit| heuristics.iter().map(|h| (*fit, *h))).collect(),
        false => heuristics.iter().flat_map(|h| fits.map(|fit| (fit, *h))).collect(),
    };
    for (pack, heuristic) in order {
        best.offer(pack(histogram, &task.limits, depth, heuristic));
        let known = Step::Found { packs: best.packs, bound: best.bound.packs };
        if best.proven() || progress(known).is_break() {
            return false;
        }
    }
    true
}

/// Solves the relaxation and dives from it.
fn relax<const K: usize>(
    histogram: &Histogram<K>,
    problem: Problem<K>,
    end: &dyn EndGame<K>,
    best: &mut Best<K>,
    known: &Cell<(u64, u64)>,
    budget: &mut Budget,
) {
    let Some(mut relaxation) = Relaxation::new(problem.clone()) else { return };
    relaxation.offer(patterns(&problem, &best.strategies));
    let (packs, bound) = known.get();
    relaxation.solve(best.bound.packs, budget, &mut |packed| known.set((packs, bound.max(packed))));
    certify(best, histogram, &problem, &relaxation, budget);
    known.set((best.packs, best.bound.packs));
    Dive::new(problem, relaxation, end, known).run(best, budget);
}

/// Returns the strategies as patterns of rows.
fn patterns<const K: usize>(problem: &Problem<K>, strategies: &[Strategy<K>]) -> Vec<Pattern> {
    let row = |size: &Size<K>| problem.sizes.partition_point(|s| s > size) as u32;
    let pattern = |s: &Strategy<K>| {
        let mut pattern: Pattern = s.runs.iter().map(|(size, n)| (row(size), *n)).collect();
        pattern.sort_unstable();
        pattern
    };
    strategies.iter().map(|s| pattern(&s.clone().canonical())).collect()
}

/// Packs by one component alone: its optimum, with every place given to an item of that size in it.
fn alone<const K: usize>(
    histogram: &Histogram<K>,
    component: usize,
    task: &Task<K>,
    best: &mut Best<K>,
    progress: &mut Progress,
) {
    let Some(marginal) = histogram.marginal(component) else { return };
    let task = packing::Task { steps: task.steps, ..packing::Task::new(task.limits[component], task.depth) };
    let found = optimal::pack(&marginal, &task, progress);
    best.offer(optimal::expand(histogram, component, found.strategies));
    if found.bound.packs > best.bound.packs {
        best.bound = found.bound;
        best.certificate = found.certificate.map(|c| c.spread(histogram, |size| [size[component]]));
    }
}

/// The search among heuristics, with fewer steps.
struct Heuristics<const K: usize> {
    limits: Size<K>,
    depth: u32,
}

impl<const K: usize> Heuristics<K> {
    fn within(&self, items: &Histogram<K>, steps: u64) -> Vec<Strategy<K>> {
        search::within(items, &self.limits, self.depth, steps, &mut go_on).unwrap_or_default()
    }
}

impl<const K: usize> EndGame<K> for Heuristics<K> {
    fn pack(&self, rest: &Histogram<K>) -> Vec<Strategy<K>> {
        self.within(rest, QUICK)
    }

    fn fill(&self, rest: &[(Size<K>, u64)], spend: &mut Spend) -> Option<Vec<Strategy<K>>> {
        let Ok(rest) = Histogram::from_counts(rest.iter().copied()) else { return Some(Vec::new()) };
        spend(FILL * NANOSECONDS).then(|| self.within(&rest, FILL))
    }
}
