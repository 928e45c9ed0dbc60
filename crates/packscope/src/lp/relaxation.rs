//! Column generation: the relaxation solved until its packs, rounded up, equal the bound.
//!
//! Duals of the master oscillate while columns are missing. Patterns are therefore searched at a point between the best
//! duals known to be valid (at first length ÷ limit) and those of the master, and all duals are priced in whole
//! numbers, so that every search proves a bound.
//!
//! Source: Gilmore and Gomory 1961, 1963; bound: Farley 1990; in-out smoothing: Ben-Ameur and Neto 2007,
//! Pessoa et al. 2018.

use super::budget::{ASKED, Budget};
use super::coarse;
use super::crash;
use super::problem::LpProblem;
use super::simplex::{Master, StopReason};
use crate::bounds::{self, PackPricing};
use std::collections::BTreeSet;

/// Weight of the best valid duals in the point at which patterns are searched.
const SMOOTHING: f64 = 0.9;
/// Pivots between two searches for patterns.
const PIVOTS: usize = 80;
/// The most patterns added by a search.
const ADDED: usize = 64;
/// The excess over 1 that a pattern must be worth.
const WORTH: f64 = 1e-8;

/// The largest worth of a pack in the whole duals of a column search, and of a certificate. Under several limits it is
/// half of that, because tables extend a little beyond the room of a pack.
const COARSE: f64 = (1u64 << 30) as f64;
const FINE: f64 = (1u64 << 52) as f64;

/// The most sizes of several components: the sizes that each may replace are searched among all others, which takes
/// seconds for this many.
const ROWS: usize = 50_000;

/// A pattern as (row, multiplicity).
pub(crate) type Pattern = Vec<(u32, u32)>;

/// The outcome of column generation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GenerationOutcome {
    /// No pattern is missing that matters.
    Converged,
    /// The budget is used up, or rounding errors prevent progress; the bound is valid all the same.
    Stopped,
}

/// Duals in whole numbers and the number of packs that they prove necessary.
#[derive(Debug, Clone, Default)]
pub(crate) struct IntegerProof {
    pub packs: u64,
    /// Worth per row.
    pub duals: Vec<i64>,
    /// The largest worth of a pack.
    pub most: i64,
}

/// The relaxation of one packing problem.
pub(crate) struct Relaxation<const K: usize> {
    problem: LpProblem<K>,
    master: Master,
    known: BTreeSet<Pattern>,
    coarse: PackPricing<i32>,
    /// Of the valid duals found, those with the largest value.
    center: Vec<f64>,
    proof: IntegerProof,
    root: Vec<usize>,
}

impl<const K: usize> Relaxation<K> {
    /// Starts from a heuristic solution; `None` if the knapsack would need too much memory, or if there are too many
    /// sizes to compare with each other.
    pub fn new(problem: LpProblem<K>) -> Option<Self> {
        if K > 1 && problem.rows() > ROWS {
            return None;
        }
        let demand = problem.counts.iter().map(|n| *n as f64).collect();
        let mut relaxation = Self {
            coarse: problem.pricing()?,
            center: problem.shares(),
            master: Master::new(demand, &problem.exchanges()),
            known: BTreeSet::new(),
            proof: IntegerProof::default(),
            root: Vec::new(),
            problem,
        };
        relaxation.crash();
        Some(relaxation)
    }

    fn crash(&mut self) {
        let endings = crash::first_basis(&self.problem, self.master.demand());
        let mut basis = vec![0; self.problem.rows()];
        for (pattern, row) in endings {
            basis[row] = self.master.add(&pattern);
            self.known.insert(pattern);
        }
        if K == 1 {
            // With exchanges, this covers anything.
            self.master.add(&[(0, 1)]);
        }
        self.master.begin(&basis);
        self.master.restart();
    }

    /// Adds patterns that may help, such as those of a plan.
    pub fn offer(&mut self, patterns: impl IntoIterator<Item = Pattern>) {
        for pattern in patterns {
            if self.known.insert(pattern.clone()) {
                self.master.add(&pattern);
            }
        }
    }

    /// Returns the best bound so far and its proof.
    pub fn proof(&self) -> &IntegerProof {
        &self.proof
    }

    /// Returns the packs of the present solution, in fractions.
    pub fn packs(&self) -> f64 {
        self.master.objective()
    }

    /// Returns the patterns of the present solution with their multiplicities, in fractions.
    pub fn solution(&self) -> Vec<(Pattern, f64)> {
        self.master
            .patterns()
            .map(|(c, value)| (self.pattern(c), value))
            .collect()
    }

    fn pattern(&self, column: usize) -> Pattern {
        self.master
            .entries(column)
            .iter()
            .map(|&(row, n)| (row, n as u32))
            .collect()
    }

    /// Sets other demands and keeps the patterns. A row below zero has places to give to later rows. Returns `false` if
    /// no solution with the present patterns was found.
    pub fn demand(&mut self, demand: Vec<f64>, budget: &mut Budget) -> bool {
        self.master.set_demand(demand);
        self.master.restart();
        self.master.dual(2 * self.problem.rows() + 100, budget) == StopReason::Optimal
    }

    /// Saves the present basis for [`Self::again`].
    pub fn settle(&mut self) {
        self.root = self.master.basis();
        self.trim();
    }

    /// Restores the saved basis; its values follow with [`Self::demand`].
    pub fn again(&mut self) {
        self.master.begin(&self.root);
    }

    pub fn basis(&self) -> Vec<usize> {
        self.master.basis()
    }

    /// Restores a basis; its values follow with [`Self::demand`].
    pub fn back_to(&mut self, basis: &[usize]) {
        self.master.begin(basis);
    }

    /// Drops patterns when there are too many: bases other than the present one become invalid.
    pub fn trim(&mut self) {
        let (rows, exchanges) = (self.problem.rows(), self.master.exchanges());
        if self.master.columns() > exchanges + 4 * rows + 500 {
            self.master.forget(rows, &mut self.root);
            self.known = (exchanges..self.master.columns())
                .map(|c| self.pattern(c))
                .collect();
        }
    }

    /// Starts from better duals if there are very many sizes.
    pub fn refine(&mut self, budget: &mut Budget) {
        if K == 1
            && self.problem.rows() >= coarse::MANY
            && let Some(duals) = self.coarse_duals(budget)
        {
            self.try_center(&duals, budget);
        }
    }

    /// Returns duals for all sizes from those of groups; `None` without a solution of the small problem.
    fn coarse_duals(&self, budget: &mut Budget) -> Option<Vec<f64>> {
        let grouped = coarse::grouped(&self.problem);
        let shortest: Vec<u32> = grouped.sizes.iter().map(|size| size[0]).collect();
        let mut small = Relaxation::new(grouped)?;
        let mut ask = || budget.spend(ASKED);
        small.solve(0, &mut Budget::new(coarse::STEPS, &mut ask), &mut |_| {});
        Some(coarse::interpolated(
            &self.problem,
            &shortest,
            small.center(),
        ))
    }

    /// Returns the best valid duals so far.
    pub fn center(&self) -> &[f64] {
        &self.center
    }

    /// Prices duals and keeps them, made valid, if they are the best; `None` when stopped.
    fn try_center(&mut self, duals: &[f64], budget: &mut Budget) -> Option<()> {
        let most = self.price(duals, budget)?;
        if dot(duals, self.master.demand()) / most > dot(&self.center, self.master.demand()) {
            self.center = duals.iter().map(|d| d / most).collect();
        }
        Some(())
    }

    /// Generates columns until the packs, rounded up, are at most `goal`, or equal to the bound. `tell` receives the
    /// bound now and then.
    pub fn solve(
        &mut self,
        goal: u64,
        budget: &mut Budget,
        tell: &mut dyn FnMut(u64),
    ) -> GenerationOutcome {
        let mut smoothing = SMOOTHING;
        let mut stuck = 0;
        loop {
            let ended = self.master.primal(PIVOTS, budget);
            if ended == StopReason::Stuck {
                // Computed anew, the factor may be free of rounding errors: tried three times.
                stuck += 1;
                self.master.restart();
            }
            let packs = self.packs();
            if stuck > 3 || !budget.spend(1) {
                return GenerationOutcome::Stopped;
            }
            let value = dot(&self.center, self.master.demand());
            if rounded_up(packs) <= rounded_up(value).max(goal as f64) {
                return GenerationOutcome::Converged;
            }
            let point = mix(&self.center, self.master.duals(), smoothing);
            if self.try_center(&point, budget).is_none() {
                return GenerationOutcome::Stopped;
            }
            tell(self.proof.packs);
            let added = self.add_patterns(budget);
            if added > 0 {
                smoothing = SMOOTHING;
            } else if smoothing > 0.0 {
                // A mispricing: no pattern found at the smoothed point gains anything at the
                // master's duals. The next point is nearer to them.
                smoothing = if smoothing > 0.5 {
                    smoothing - 0.2
                } else {
                    0.0
                };
            } else if ended == StopReason::Optimal {
                return GenerationOutcome::Converged;
            }
        }
    }

    /// Solves the knapsack for duals in whole numbers, and keeps the bound it proves; returns the largest worth of a
    /// pattern.
    fn price(&mut self, duals: &[f64], budget: &mut Budget) -> Option<f64> {
        let scale = self.scale(duals, if K == 1 { COARSE } else { COARSE / 2.0 });
        let whole: Vec<i32> = duals.iter().map(|d| (d * scale).max(0.0) as i32).collect();
        let most = self
            .coarse
            .solve(&whole, &mut |steps| budget.spend(steps / 4))?;
        let duals = whole.iter().map(|d| i64::from(*d)).collect();
        self.note(duals, i64::from(most));
        Some(f64::from(most) / scale)
    }

    fn note(&mut self, duals: Vec<i64>, most: i64) {
        let packs = bounds::dual_bound(&self.problem.counts, &duals, most).unwrap_or(0);
        if packs > self.proof.packs {
            self.proof = IntegerProof { packs, duals, most };
        }
    }

    /// Returns the packs that the best valid duals prove necessary, up to rounding errors.
    pub fn value(&self) -> u64 {
        // Of the whole problem, not of the demand that a dive has left.
        let demand: f64 = self
            .center
            .iter()
            .zip(&self.problem.counts)
            .map(|(d, n)| d * *n as f64)
            .sum();
        rounded_up(demand) as u64
    }

    /// Returns the best valid duals in whole numbers as large as the exact knapsack can take, so that rounding costs
    /// the bound the least.
    pub fn fine_duals(&self) -> Vec<i64> {
        let scale = self.scale(&self.center, FINE);
        self.center.iter().map(|d| (d * scale) as i64).collect()
    }

    /// Returns the factor for duals with which no pattern is worth more than `room`.
    fn scale(&self, duals: &[f64], room: f64) -> f64 {
        room / self.problem.above_any_worth(duals).max(f64::MIN_POSITIVE)
    }

    /// Adds the best pattern through every row, if it is worth more than 1 in the master; returns their number.
    fn add_patterns(&mut self, budget: &mut Budget) -> usize {
        let mut found: Vec<(f64, Pattern)> = Vec::new();
        for row in 0..self.problem.rows() {
            let pattern = self.coarse.pattern(row);
            // Item by item, which counts where thousands share a pack.
            if !budget.spend(pattern.iter().map(|(_, n)| u64::from(*n) * 8).sum()) {
                break;
            }
            let worth: f64 = pattern
                .iter()
                .map(|&(r, n)| self.master.duals()[r as usize] * f64::from(n))
                .sum();
            if worth > 1.0 + WORTH {
                found.push((worth, pattern));
            }
        }
        found.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        // Rows often share the best pattern through them; sorted, its copies are neighbours.
        found.dedup_by(|a, b| a.1 == b.1);
        let mut added = 0;
        for (_, pattern) in found {
            if added < ADDED && self.known.insert(pattern.clone()) {
                self.master.add(&pattern);
                added += 1;
            }
        }
        added
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn rounded_up(packs: f64) -> f64 {
    // A tolerance of a millionth of the packs, and of at most a thousandth of a pack: rounding
    // errors must not cost one more.
    (packs - 1e-6 * packs.abs().clamp(1.0, 1e3)).ceil()
}

/// Returns duals between two, none below zero.
fn mix(center: &[f64], duals: &[f64], smoothing: f64) -> Vec<f64> {
    let mix = |(c, d): (&f64, &f64)| smoothing * c + (1.0 - smoothing) * d.max(0.0);
    center.iter().zip(duals).map(mix).collect()
}
