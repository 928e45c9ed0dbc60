//! A linear programme of packs: as few patterns as cover every demand, by the revised simplex method.
//!
//! minimise Σ xₚ subject to Σ aᵢₚ·xₚ + exchanges = demandᵢ, x ≥ 0. Rows are sizes, largest first. Patterns cost 1 each.
//! *Exchanges* cost nothing: they turn a place of a row into a place of a later row that fits into it, or discard it.
//! They keep the duals of the rows falling from row to row, which lets column generation end after a hundred rounds
//! instead of thousands.
//!
//! Source: Dantzig; ratio test with tolerances after Harris 1973; exchange columns: Valério de Carvalho 2005,
//! *Using extra dual cuts to accelerate column generation*.

use super::budget::Budget;
use super::factor::{Elimination, LuFactor};

/// Updates of the factor before it is computed anew: more would take longer and drift.
const UPDATES: usize = 48;
/// Reduced costs above the negative of this are not worth a pivot.
const WORTH: f64 = 1e-9;
/// Columns examined again before all are.
const CANDIDATES: usize = 64;
/// Smaller pivots are rejected.
const PIVOT: f64 = 1e-7;
const NOWHERE: u32 = u32::MAX;

/// The reason why the method stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StopReason {
    /// No present column improves the solution.
    Optimal,
    /// The number of pivots is used up.
    Paused,
    /// Rounding errors, or no solution with the present columns.
    Stuck,
}

/// The programme with the present columns, and a basis of it.
#[derive(Debug)]
pub(crate) struct Master {
    demand: Vec<f64>,
    /// Columns without cost, which come first.
    exchanges: usize,
    /// Of column j: `entries[starts[j]..starts[j + 1]]` as (row, value). The first are the exchanges.
    starts: Vec<u32>,
    entries: Vec<(u32, f64)>,
    /// 1 / √(1 + ‖a‖²) per column: reduced costs are compared by their steepness.
    steepness: Vec<f64>,
    /// Column at each slot of the basis, and the inverse.
    basis: Vec<u32>,
    slots: Vec<u32>,
    /// Value of the column at each slot.
    values: Vec<f64>,
    /// Duals, per row.
    duals: Vec<f64>,
    factor: LuFactor,
    elimination: Elimination,
    column: Vec<f64>,
    row: Vec<f64>,
    /// Values above −tolerance are feasible.
    tolerance: f64,
}

impl Master {
    /// Creates a programme of exchanges only; patterns and a basis are added later.
    pub fn new(demand: Vec<f64>, exchanges: &[(u32, Option<u32>)]) -> Self {
        let mut master = Self::empty(demand);
        for &(from, to) in exchanges {
            master.push([(from, -1.0)].into_iter().chain(to.map(|to| (to, 1.0))));
        }
        master.exchanges = exchanges.len();
        master
    }

    fn empty(demand: Vec<f64>) -> Self {
        let rows = demand.len();
        let mut master = Self {
            tolerance: 0.0,
            exchanges: 0,
            starts: vec![0],
            entries: Vec::new(),
            steepness: Vec::new(),
            basis: Vec::new(),
            slots: Vec::new(),
            values: Vec::new(),
            duals: vec![0.0; rows],
            factor: LuFactor::default(),
            elimination: Elimination::default(),
            column: Vec::new(),
            row: Vec::new(),
            demand: Vec::new(),
        };
        master.set_demand(demand);
        master
    }

    /// Returns the number of columns without cost, which come first.
    pub fn exchanges(&self) -> usize {
        self.exchanges
    }

    pub fn rows(&self) -> usize {
        self.demand.len()
    }

    /// Returns the number of columns, including exchanges.
    pub fn columns(&self) -> usize {
        self.slots.len()
    }

    /// Sets other demands; the basis and its duals stay, its values follow with [`Self::restart`].
    pub fn set_demand(&mut self, demand: Vec<f64>) {
        // Relative to the largest demand, with which rounding errors of the values grow.
        self.tolerance = 1e-9 * demand.iter().fold(1.0, |m: f64, d| m.max(d.abs()));
        self.demand = demand;
    }

    pub fn demand(&self) -> &[f64] {
        &self.demand
    }

    /// Adds a pattern as (row, multiplicity); returns its column.
    pub fn add(&mut self, pattern: &[(u32, u32)]) -> usize {
        self.push(pattern.iter().map(|&(row, n)| (row, f64::from(n))))
    }

    fn push(&mut self, column: impl Iterator<Item = (u32, f64)>) -> usize {
        let before = self.entries.len();
        self.entries.extend(column);
        let square: f64 = self.entries[before..].iter().map(|(_, v)| v * v).sum();
        self.steepness.push(1.0 / (1.0 + square).sqrt());
        self.starts.push(self.entries.len() as u32);
        self.slots.push(NOWHERE);
        self.slots.len() - 1
    }

    /// Returns the entries of a column as (row, value).
    pub fn entries(&self, column: usize) -> &[(u32, f64)] {
        entries(&self.starts, &self.entries, column)
    }

    fn cost(&self, column: usize) -> f64 {
        if column < self.exchanges { 0.0 } else { 1.0 }
    }

    /// Returns the sum of the duals over a column.
    fn worth(&self, column: usize) -> f64 {
        self.entries(column)
            .iter()
            .map(|&(row, v)| self.duals[row as usize] * v)
            .sum()
    }

    /// Returns the duals of the rows in the present basis.
    pub fn duals(&self) -> &[f64] {
        &self.duals
    }

    /// Returns the packs of the present solution.
    pub fn objective(&self) -> f64 {
        self.patterns().map(|(_, value)| value).sum()
    }

    /// Returns the patterns in the basis with their values.
    pub fn patterns(&self) -> impl Iterator<Item = (usize, f64)> {
        let free = self.exchanges;
        self.basis
            .iter()
            .zip(&self.values)
            .map(|(c, v)| (*c as usize, *v))
            .filter(move |(c, _)| *c >= free)
    }

    /// Returns the columns of the basis, for [`Self::begin`].
    pub fn basis(&self) -> Vec<usize> {
        self.basis.iter().map(|c| *c as usize).collect()
    }

    /// Sets the basis: one column per row, in any order. Its values follow with [`Self::restart`].
    pub fn begin(&mut self, basis: &[usize]) {
        self.slots.fill(NOWHERE);
        self.basis = basis.iter().map(|c| *c as u32).collect();
        for (slot, column) in self.basis.iter().enumerate() {
            self.slots[*column as usize] = slot as u32;
        }
    }

    /// Factorises the basis anew and computes values and duals from it.
    pub fn restart(&mut self) {
        // Until the basis is regular: columns put in by the repair are only in the next factor.
        loop {
            let (starts, entries, basis) = (&self.starts, &self.entries, &self.basis);
            let column = |slot: usize| {
                self::entries(starts, entries, basis[slot] as usize)
                    .iter()
                    .copied()
            };
            let dependent = self
                .elimination
                .factorise(self.basis.len(), column, &mut self.factor);
            if dependent.is_empty() {
                break;
            }
            self.repair(&dependent);
        }
        self.values.clone_from(&self.demand);
        self.factor.forward(&mut self.values);
        self.find_duals();
    }

    /// Replaces columns that depend on others by patterns of a single item.
    fn repair(&mut self, dependent: &[(usize, usize)]) {
        for &(slot, row) in dependent {
            // The column of a single item makes the matrix regular, and is a pattern that can be
            // used.
            let single = self.add(&[(row as u32, 1)]);
            self.slots[self.basis[slot] as usize] = NOWHERE;
            self.basis[slot] = single as u32;
            self.slots[single] = slot as u32;
        }
    }

    fn find_duals(&mut self) {
        let free = self.exchanges;
        self.duals.clear();
        self.duals.extend(
            self.basis
                .iter()
                .map(|c| if (*c as usize) < free { 0.0 } else { 1.0 }),
        );
        self.factor.backward(&mut self.duals);
    }

    /// Improves a feasible solution, by at most `pivots` pivots.
    pub fn primal(&mut self, pivots: usize, budget: &mut Budget) -> StopReason {
        let mut candidates = Vec::new();
        for _ in 0..pivots {
            let Some(entering) = self.steepest(&mut candidates) else {
                return StopReason::Optimal;
            };
            self.load(entering);
            let Some(leaving) = self.first_to_vanish() else {
                return StopReason::Stuck;
            };
            self.pivot(entering, leaving);
            if !budget.spend((60 * self.rows() + self.columns()) as u64) {
                break;
            }
        }
        StopReason::Paused
    }

    /// Makes an optimal but infeasible solution feasible, by at most `pivots` pivots.
    pub fn dual(&mut self, pivots: usize, budget: &mut Budget) -> StopReason {
        // Devex starts from a new frame of reference in every call.
        let mut weights = vec![1.0; self.rows()];
        for _ in 0..pivots {
            let Some(leaving) = self.most_negative(&weights) else {
                return StopReason::Optimal;
            };
            self.row.clear();
            self.row.resize(self.rows(), 0.0);
            self.row[leaving] = 1.0;
            self.factor.backward(&mut self.row);
            let Some(entering) = self.first_to_become_worth() else {
                return StopReason::Stuck;
            };
            self.load(entering);
            // The value that leaves is below zero and has to rise: a pivot of another sign, or next
            // to none, comes from rounding.
            if self.column[leaving] > -PIVOT {
                return StopReason::Stuck;
            }
            self.reweigh(&mut weights, leaving);
            // The duals move along the row that leaves: no need to solve for them.
            let step = (self.cost(entering) - self.worth(entering)) / self.column[leaving];
            if self.exchange(entering, leaving) {
                self.duals
                    .iter_mut()
                    .zip(&self.row)
                    .for_each(|(dual, row)| *dual += step * row);
            }
            if !budget.spend((60 * self.rows() + 10 * self.columns()) as u64) {
                break;
            }
        }
        StopReason::Paused
    }

    /// Updates the lengths of the dual's edges: Devex, after Forrest and Goldfarb 1992.
    fn reweigh(&self, weights: &mut [f64], leaving: usize) {
        let pivot = self.column[leaving];
        let weight = weights[leaving];
        for (w, a) in weights.iter_mut().zip(&self.column) {
            let ratio = a / pivot;
            *w = w.max(ratio * ratio * weight);
        }
        weights[leaving] = (weight / (pivot * pivot)).max(1.0);
    }

    /// Returns the column with the largest gain per length of its edge: among the candidates of an earlier search, and
    /// when none of them gains any more, among all, which leaves new candidates.
    fn steepest(&self, candidates: &mut Vec<u32>) -> Option<usize> {
        let mut best = (0.0, None);
        candidates.retain(|&column| {
            let gain = self.gain(column as usize);
            if gain > best.0 {
                best = (gain, Some(column as usize));
            }
            gain > 0.0
        });
        if best.1.is_some() {
            return best.1;
        }
        let gains = (0..self.columns()).map(|c| (self.gain(c), c as u32));
        let mut gaining: Vec<(f64, u32)> = gains.filter(|(gain, _)| *gain > 0.0).collect();
        gaining.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        candidates.extend(gaining.iter().take(CANDIDATES).map(|(_, c)| *c));
        candidates.first().map(|c| *c as usize)
    }

    /// Returns the gain of a column outside the basis per length of its edge; 0 if it is not worth a pivot.
    fn gain(&self, column: usize) -> f64 {
        if self.slots[column] != NOWHERE {
            return 0.0;
        }
        let gain = self.worth(column) - self.cost(column);
        if gain > WORTH {
            gain * self.steepness[column]
        } else {
            0.0
        }
    }

    /// Returns the slot that is furthest below zero, relative to the length of its edge.
    fn most_negative(&self, weights: &[f64]) -> Option<usize> {
        let below = self
            .values
            .iter()
            .zip(weights)
            .enumerate()
            .filter(|(_, (v, _))| **v < -self.tolerance);
        below
            // Infeasibilities squared per weight, as in steepest edge.
            .max_by(|(_, (v, w)), (_, (u, x))| (*v * *v / *w).total_cmp(&(*u * *u / *x)))
            .map(|(slot, _)| slot)
    }

    /// Computes B⁻¹·a of a column.
    fn load(&mut self, column: usize) {
        self.column.clear();
        self.column.resize(self.demand.len(), 0.0);
        for &(row, value) in entries(&self.starts, &self.entries, column) {
            self.column[row as usize] = value;
        }
        self.factor.forward(&mut self.column);
    }

    /// Returns the slot whose value reaches zero first; within the tolerance, the one with the largest pivot.
    fn first_to_vanish(&self) -> Option<usize> {
        let both = || self.values.iter().zip(&self.column);
        // Harris: first how far the step may go if values may be below zero by the tolerance, then
        // the largest pivot up to there.
        let far = both()
            .filter(|(_, a)| **a > PIVOT)
            .map(|(v, a)| (v.max(0.0) + self.tolerance) / a)
            .fold(f64::INFINITY, f64::min);
        let near = both()
            .enumerate()
            .filter(|(_, (v, a))| **a > PIVOT && v.max(0.0) <= far * **a);
        near.max_by(|a, b| a.1.1.total_cmp(b.1.1))
            .map(|(slot, _)| slot)
    }

    /// Returns, of the columns that raise the leaving value, the one whose reduced cost reaches zero first.
    fn first_to_become_worth(&self) -> Option<usize> {
        let mut candidates = Vec::new();
        let mut far = f64::INFINITY;
        for column in (0..self.columns()).filter(|c| self.slots[*c] == NOWHERE) {
            let rise: f64 = self
                .entries(column)
                .iter()
                .map(|&(row, v)| self.row[row as usize] * v)
                .sum();
            if rise < -PIVOT {
                let cost = (self.cost(column) - self.worth(column)).max(0.0);
                far = far.min((cost + WORTH) / -rise);
                candidates.push((column, cost, -rise));
            }
        }
        let near = candidates
            .into_iter()
            .filter(|(_, cost, rise)| *cost <= far * rise);
        near.max_by(|a, b| a.2.total_cmp(&b.2))
            .map(|(column, ..)| column)
    }

    fn pivot(&mut self, entering: usize, leaving: usize) {
        if self.exchange(entering, leaving) {
            self.find_duals();
        }
    }

    /// Exchanges a column for another; returns whether the duals are unchanged. Now and then the basis is factorised
    /// anew, and its duals with it.
    fn exchange(&mut self, entering: usize, leaving: usize) -> bool {
        let step = self.values[leaving] / self.column[leaving];
        for (value, a) in self.values.iter_mut().zip(&self.column) {
            *value -= step * a;
        }
        self.values[leaving] = step;
        self.slots[self.basis[leaving] as usize] = NOWHERE;
        self.slots[entering] = leaving as u32;
        self.basis[leaving] = entering as u32;
        let anew = self.factor.updates() >= UPDATES;
        if anew {
            self.restart();
        } else {
            self.factor.update(leaving, &self.column);
        }
        !anew
    }

    /// Drops the patterns outside the basis with the worst reduced costs, until `keep` are left; those of a single
    /// item, and `others`, stay. The columns are renumbered, in `others` too.
    pub fn forget(&mut self, keep: usize, others: &mut [usize]) {
        let exchanges = self.exchanges;
        let mut stays: Vec<bool> = (0..self.columns())
            .map(|c| c < exchanges || self.slots[c] != NOWHERE || self.entries(c).len() == 1)
            .collect();
        others.iter().for_each(|c| stays[*c] = true);
        let mut free: Vec<usize> = (exchanges..self.columns()).filter(|c| !stays[*c]).collect();
        free.sort_by(|a, b| self.worth(*b).total_cmp(&self.worth(*a)));
        free.iter().take(keep).for_each(|c| stays[*c] = true);
        let mut numbers = vec![0; self.columns()];
        let mut kept = Self::empty(std::mem::take(&mut self.demand));
        for column in 0..self.columns() {
            if stays[column] {
                numbers[column] = kept.push(self.entries(column).iter().copied());
                kept.slots[numbers[column]] = self.slots[column];
            }
        }
        others.iter_mut().for_each(|c| *c = numbers[*c]);
        self.basis
            .iter_mut()
            .for_each(|c| *c = numbers[*c as usize] as u32);
        self.demand = kept.demand;
        (self.starts, self.entries) = (kept.starts, kept.entries);
        (self.steepness, self.slots) = (kept.steepness, kept.slots);
    }
}

/// Returns the entries of a column: not a method of [`Master`], of which other parts change meanwhile.
fn entries<'e>(starts: &[u32], entries: &'e [(u32, f64)], column: usize) -> &'e [(u32, f64)] {
    &entries[starts[column] as usize..starts[column + 1] as usize]
}
