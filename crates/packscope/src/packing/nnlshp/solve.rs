//! Non-negative least squares on strategies, by the active-set method of Lawson and Hanson 1974.

use super::factor::QrFactor;
use super::shapes::StrategyShape;
use crate::error::{Error, Result};
use crate::packing::{Progress, Step};

/// A gain below this share of the largest pull counts as rounding.
const NOISE: f64 = 1e-13;
/// The most steps per length. Two are usual; should rounding make the method cycle, it ends with the present solution,
/// and the repair does the rest.
const PATIENCE: usize = 20;
/// Steps between two calls of the progress callback: a few milliseconds.
const ASKED: usize = 16;

/// min ‖W(Ax − b)‖, x ≥ 0. Rows are lengths; row 0 means "no item" and has no weight.
pub(super) struct LeastSquares<'a> {
    /// The columns of A.
    pub shapes: &'a [StrategyShape],
    /// b, by length.
    pub counts: Vec<f64>,
    /// The diagonal of W², by length.
    pub weights: Vec<f64>,
}

/// The columns in use, in the order of the factor, with their values, which are above 0.
struct ActiveColumns {
    factor: QrFactor,
    columns: Vec<usize>,
    x: Vec<f64>,
    /// Whether each column is in use.
    is: Vec<bool>,
}

impl LeastSquares<'_> {
    /// Returns the strategies in use with their multiplicities.
    pub fn solve(&self, progress: &mut Progress) -> Result<Vec<(StrategyShape, f64)>> {
        let is = vec![false; self.shapes.len()];
        let mut used = ActiveColumns {
            factor: QrFactor::default(),
            columns: Vec::new(),
            x: Vec::new(),
            is,
        };
        let mut pull = self.pull(&used);
        let noise = NOISE * pull.iter().fold(0.0, |m: f64, p| m.max(p.abs()));
        let usual = 2 * self.counts.len();
        // Columns that promised a gain and gave none: rounding. They may be asked again after a step.
        let mut refused = Vec::new();
        for step in 0..PATIENCE * self.counts.len() {
            if step % ASKED == 0
                && progress(Step::Done {
                    done: step.min(usual) as u64,
                    of: usual as u64,
                })
                .is_break()
            {
                return Err(Error::Cancelled);
            }
            let Some((column, gain)) = self.steepest(&used, &pull, noise, &refused) else {
                break;
            };
            if self.enter(&mut used, column, gain) {
                refused.clear();
                pull = self.pull(&used);
            } else {
                refused.push(column);
            }
        }
        Ok(used
            .columns
            .iter()
            .map(|&c| self.shapes[c])
            .zip(used.x)
            .collect())
    }

    /// Returns W²(b − Ax): the demand for more of each length.
    fn pull(&self, used: &ActiveColumns) -> Vec<f64> {
        let mut residual = self.counts.clone();
        for (&column, x) in used.columns.iter().zip(&used.x) {
            for &row in &self.shapes[column] {
                residual[row as usize] -= x;
            }
        }
        residual
            .iter()
            .zip(&self.weights)
            .map(|(r, w)| w * r)
            .collect()
    }

    /// Returns the column along which the error falls most steeply, if any; the first of equal ones.
    fn steepest(
        &self,
        used: &ActiveColumns,
        pull: &[f64],
        noise: f64,
        refused: &[usize],
    ) -> Option<(usize, f64)> {
        let mut best = None;
        let mut most = noise;
        for (column, shape) in self.shapes.iter().enumerate() {
            let gain = gain(shape, pull);
            if gain > most && !used.is[column] && !refused.contains(&column) {
                most = gain;
                best = Some((column, gain));
            }
        }
        best
    }

    /// Adds a column and moves to the least squares of all in use, removing those that would become negative on the
    /// way. Returns whether anything moved.
    fn enter(&self, used: &mut ActiveColumns, column: usize, gained: f64) -> bool {
        let products = used
            .columns
            .iter()
            .map(|&other| self.product(column, other))
            .collect();
        if !used.factor.append(products, self.product(column, column)) {
            return false;
        }
        used.columns.push(column);
        used.x.push(0.0);
        used.is[column] = true;
        // The error is flat along the columns that were in use: only the new one pulls.
        let mut step = vec![0.0; used.columns.len() - 1];
        step.push(gained);
        used.factor.solve(&mut step);
        // Only rounding makes a column with a gain shrink. Lawson and Hanson refuse it too: taken,
        // it would come and go for ever.
        if step.last().is_none_or(|s| *s <= 0.0) {
            used.drop_at(used.columns.len() - 1);
            return false;
        }
        while used.advance(&step) {
            let pull = self.pull(used);
            step = used
                .columns
                .iter()
                .map(|&c| gain(&self.shapes[c], &pull))
                .collect();
            used.factor.solve(&mut step);
        }
        true
    }

    /// Returns the product of two columns under the weights.
    fn product(&self, a: usize, b: usize) -> f64 {
        let mut sum = 0.0;
        for &row in &self.shapes[a] {
            for &other in &self.shapes[b] {
                if row == other {
                    sum += self.weights[row as usize];
                }
            }
        }
        sum
    }
}

/// Returns the gradient along a strategy: the sum of its lengths' pulls.
pub(super) fn gain(&[a, b, c]: &StrategyShape, pull: &[f64]) -> f64 {
    pull[a as usize] + pull[b as usize] + pull[c as usize]
}

impl ActiveColumns {
    /// Follows the step until a value would become negative, and removes values that become zero. Returns whether
    /// anything was removed.
    fn advance(&mut self, step: &[f64]) -> bool {
        let mut share = 1.0;
        let mut stop = None;
        for (i, (x, s)) in self.x.iter().zip(step).enumerate() {
            if x + s <= 0.0 {
                let at = if *s < 0.0 { x / -s } else { 0.0 };
                if at <= share {
                    share = at;
                    stop = Some(i);
                }
            }
        }
        for (x, s) in self.x.iter_mut().zip(step) {
            *x += share * s;
        }
        let Some(stop) = stop else {
            return false;
        };
        // Exactly zero, whatever the rounding: the loop that calls this must end.
        self.x[stop] = 0.0;
        for i in (0..self.x.len()).rev() {
            if self.x[i] <= 0.0 {
                self.drop_at(i);
            }
        }
        true
    }

    fn drop_at(&mut self, at: usize) {
        self.factor.remove(at);
        self.x.remove(at);
        let column = self.columns.remove(at);
        self.is[column] = false;
    }
}
