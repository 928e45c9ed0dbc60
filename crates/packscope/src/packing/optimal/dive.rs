//! From fractions to whole packs: fix the whole parts, solve for the rest, round a little up, repeat.

use super::Incumbent;
use super::assemble;
use crate::bounds::Spend;
use crate::histogram::{Histogram, Size};
use crate::lp::{Budget, GenerationOutcome, LpProblem, Pattern, Relaxation};
use crate::plan::{self, Strategy};
use crate::rng::Random;
use std::cell::Cell;
use std::collections::BTreeMap;

/// Share of the fractions of at least a half that are rounded up together.
const ROUNDED: f64 = 0.15;
/// Amplitude of the noise in later dives.
const NOISE: f64 = 0.1;
/// Patterns tried one by one before a dive is given up.
const TRIED: usize = 2;
/// Packs that are taken back for their short items: how many, and whether those with the most items
/// or any.
const BACK: [(u64, bool); 7] = [
    (0, true),
    (8, true),
    (8, false),
    (32, true),
    (32, false),
    (128, true),
    (128, false),
];
/// The most packs that are filled one by one.
const FILLED: u64 = 400;
/// Steps without a better plan before giving up: some seconds.
const IN_VAIN: u64 = 3_000_000_000;
/// Dives before giving up.
const DIVES: u64 = 60;

/// Packing of the items left at the end.
pub(in crate::packing) trait EndGame<const K: usize> {
    /// Packs quickly.
    fn pack(&self, rest: &Histogram<K>) -> Vec<Strategy<K>>;

    /// Packs as well as possible: some hundred packs, from items with the largest first. `None` when `spend` refuses,
    /// or if there is no such method.
    fn fill(&self, rest: &[(Size<K>, u64)], spend: &mut Spend) -> Option<Vec<Strategy<K>>>;
}

/// The state of a dive.
pub(in crate::packing) struct Dive<'e, const K: usize> {
    problem: LpProblem<K>,
    relaxation: Relaxation<K>,
    end: &'e dyn EndGame<K>,
    /// Fixed patterns with their multiplicities.
    fixed: BTreeMap<Pattern, u64>,
    random: Random,
    /// Packs and bound of the best so far, for progress reports.
    known: &'e Cell<(u64, u64)>,
}

impl<'e, const K: usize> Dive<'e, K> {
    pub fn new(
        problem: LpProblem<K>,
        relaxation: Relaxation<K>,
        end: &'e dyn EndGame<K>,
        known: &'e Cell<(u64, u64)>,
    ) -> Self {
        Self {
            problem,
            relaxation,
            end,
            fixed: BTreeMap::new(),
            random: Random::seeded(0),
            known,
        }
    }

    /// Dives until a plan meets the bound or the budget ends.
    pub fn run(&mut self, best: &mut Incumbent<K>, budget: &mut Budget) {
        self.relaxation.settle();
        let (mut packs, mut since) = (best.packs, budget.spent());
        for dive in 0..DIVES {
            if best.packs < packs {
                (packs, since) = (best.packs, budget.spent());
            }
            if budget.spent() - since > IN_VAIN {
                return;
            }
            // The bound itself, or now and then any plan that is better.
            let goal = if dive % 4 == 3 {
                best.packs - 1
            } else {
                best.bound.packs
            };
            // The first of eight dives has no noise; the others round other fractions up first.
            self.descend(goal, (dive % 8) as f64 * NOISE, best, budget);
            if best.proven() || !budget.spend(1) {
                return;
            }
            self.fixed.clear();
            self.relaxation.again();
            self.relaxation.demand(self.remaining_demand(), budget);
        }
    }

    /// Rounds and solves until nothing is left, or the goal is out of reach.
    fn descend(&mut self, goal: u64, noise: f64, best: &mut Incumbent<K>, budget: &mut Budget) {
        loop {
            let fractions = self.fix(noise);
            self.finish(best, budget);
            if best.packs <= goal || fractions.is_empty() {
                return;
            }
            self.relaxation.trim();
            if !self.round_up(&fractions, goal, budget) {
                return;
            }
        }
    }

    /// Rounds some of the largest fractions up, fewer and fewer until the goal stays within reach; `false` if it does
    /// not, or when stopped.
    fn round_up(&mut self, fractions: &[(f64, Pattern)], goal: u64, budget: &mut Budget) -> bool {
        let half = fractions.iter().filter(|f| f.0 >= 0.5).count();
        let mut up = ((half as f64 * ROUNDED).ceil() as usize).max(1);
        let mut from = 0;
        let basis = self.relaxation.basis();
        while from < TRIED.min(fractions.len()) {
            let chosen = &fractions[from..(from + up).min(fractions.len())];
            chosen.iter().for_each(|(_, pattern)| self.add(pattern, 1));
            let fixed = self.packs();
            if self.relaxation.demand(self.remaining_demand(), budget) {
                let solved = self
                    .relaxation
                    .solve(goal.saturating_sub(fixed), budget, &mut |_| {});
                if solved == GenerationOutcome::Stopped {
                    return false;
                }
                if fixed as f64 + self.relaxation.packs() <= goal as f64 + 1e-6 {
                    return true;
                }
            }
            chosen.iter().for_each(|(_, pattern)| self.remove(pattern));
            // Down to a single pattern that does not work: the next one is tried alone.
            from += usize::from(up == 1);
            up = up.div_ceil(4);
            self.relaxation.back_to(&basis);
        }
        false
    }

    /// Fixes the whole part of the solution; returns the fractions, those to be rounded up first.
    fn fix(&mut self, noise: f64) -> Vec<(f64, Pattern)> {
        let mut fractions: Vec<(f64, f64, Pattern)> = Vec::new();
        for (pattern, value) in self.relaxation.solution() {
            let whole = (value + 1e-6).floor().max(0.0);
            self.add(&pattern, whole as u64);
            let fraction = value - whole;
            if fraction > 1e-6 {
                let random = self.random.below(1 << 20) as f64 / f64::from(1 << 20);
                fractions.push((fraction + noise * random, fraction, pattern));
            }
        }
        fractions.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.2.cmp(&b.2)));
        fractions
            .into_iter()
            .map(|(_, fraction, pattern)| (fraction, pattern))
            .collect()
    }

    fn packs(&self) -> u64 {
        self.fixed.values().sum()
    }

    fn add(&mut self, pattern: &Pattern, times: u64) {
        if times > 0 {
            *self.fixed.entry(pattern.clone()).or_default() += times;
        }
    }

    fn remove(&mut self, pattern: &Pattern) {
        if let Some(n) = self.fixed.get_mut(pattern) {
            *n -= 1;
        }
    }

    /// Returns the demand left; spare places count for shorter items.
    fn remaining_demand(&self) -> Vec<f64> {
        let mut demand: Vec<f64> = self.problem.counts.iter().map(|n| *n as f64).collect();
        for (pattern, times) in &self.fixed {
            for &(row, n) in pattern {
                demand[row as usize] -= f64::from(n) * *times as f64;
            }
        }
        demand
    }

    /// Packs the rest by heuristics, also after taking some packs back whose short items fill gaps; keeps a better
    /// plan.
    fn finish(&mut self, best: &mut Incumbent<K>, budget: &mut Budget) {
        let used: Vec<(Pattern, u64)> = self.fixed.iter().map(|(p, n)| (p.clone(), *n)).collect();
        let rest = self.left_over(&used);
        // Nothing may be left.
        let rest = Histogram::from_counts(rest.iter().copied());
        let packed = rest.map_or(Vec::new(), |rest| self.end.pack(&rest));
        let packs = plan::packs(&packed);
        self.offer(&used, packed, best);
        for (back, deepest) in BACK {
            if best.proven() || packs + back > FILLED {
                return;
            }
            let used = self.give_back(used.clone(), back, deepest);
            let rest = self.left_over(&used);
            let mut spend = |steps| budget.spend(steps);
            let Some(filled) = self.end.fill(&rest, &mut spend) else {
                return;
            };
            self.offer(&used, filled, best);
        }
    }

    /// Returns the items left as (size, count), the largest first.
    fn left_over(&self, used: &[(Pattern, u64)]) -> Vec<(Size<K>, u64)> {
        self.problem
            .sizes
            .iter()
            .copied()
            .zip(assemble::left_over(&self.problem, used))
            .collect()
    }

    /// Offers a plan of patterns and of packs for the items that they leave.
    fn offer(&self, used: &[(Pattern, u64)], packed: Vec<Strategy<K>>, best: &mut Incumbent<K>) {
        let packs = used.iter().map(|(_, n)| n).sum::<u64>() + plan::packs(&packed);
        if packs < best.packs {
            // The patterns cover the rest exactly.
            let left = assemble::left_over(&self.problem, used);
            let covered: Vec<u64> = self
                .problem
                .counts
                .iter()
                .zip(left)
                .map(|(n, left)| n - left)
                .collect();
            let mut strategies = assemble::strategies(&self.problem, &covered, used);
            strategies.extend(packed);
            best.offer(strategies);
            self.known.set((best.packs, best.bound.packs));
        }
    }

    /// Takes packs back: of the patterns with the most items, or of any.
    fn give_back(
        &mut self,
        mut used: Vec<(Pattern, u64)>,
        packs: u64,
        deepest: bool,
    ) -> Vec<(Pattern, u64)> {
        let items = |pattern: &Pattern| pattern.iter().map(|(_, n)| n).sum::<u32>();
        if deepest {
            used.sort_by_key(|(pattern, _)| std::cmp::Reverse(items(pattern)));
        } else {
            used.sort_by_cached_key(|_| self.random.bits());
        }
        let mut left = packs;
        for (_, n) in &mut used {
            // From several patterns, so that the items that come back differ.
            let taken = (*n).min(left).min(1 + packs / 8);
            *n -= taken;
            left -= taken;
        }
        used
    }
}
