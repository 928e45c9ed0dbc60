//! The packing problem of column generation: sizes largest first, and the exchanges between them.

use crate::bounds::PackPricing;
use crate::histogram::{FREE, Histogram, Size, fits};

#[derive(Debug, Clone)]
pub(crate) struct LpProblem<const K: usize> {
    /// Largest first; no size is followed by one that it would fit into.
    pub sizes: Vec<Size<K>>,
    pub counts: Vec<u64>,
    pub limits: Size<K>,
    pub depth: u32,
}

impl<const K: usize> LpProblem<K> {
    /// Takes all sizes of a histogram, none above the limits.
    pub fn new(histogram: &Histogram<K>, limits: Size<K>, depth: u32) -> Self {
        let (sizes, counts) = histogram.entries().iter().rev().copied().unzip();
        Self {
            sizes,
            counts,
            limits,
            depth,
        }
    }

    pub fn rows(&self) -> usize {
        self.sizes.len()
    }

    /// Returns the knapsack of one pack; `None` if its tables would be too large.
    pub fn pricing(&self) -> Option<PackPricing<i32>> {
        PackPricing::new(&self.sizes, &self.limits, self.depth)
    }

    /// Returns each size's share of a limit, in the component that all items together fill most.
    pub fn shares(&self) -> Vec<f64> {
        let share = |k: usize, size: &Size<K>| match self.limits[k] {
            FREE => 0.0,
            limit => f64::from(size[k]) / f64::from(limit.max(1)),
        };
        let filled = |k: &usize| -> f64 {
            self.sizes
                .iter()
                .zip(&self.counts)
                .map(|(size, n)| share(*k, size) * *n as f64)
                .sum()
        };
        let fullest = (0..K)
            .max_by(|a, b| filled(a).total_cmp(&filled(b)))
            .unwrap_or(0);
        self.sizes.iter().map(|size| share(fullest, size)).collect()
    }

    /// Returns a value above the worth of any pattern.
    pub fn above_any_worth(&self, duals: &[f64]) -> f64 {
        let limited = (0..K).filter(|k| self.limits[*k] != FREE);
        let dense = |k: usize| {
            // Without sizes that are worth nothing: those of no size would give 0 / 0.
            let dense = duals.iter().zip(&self.sizes).filter(|(d, _)| **d > 0.0);
            f64::from(self.limits[k])
                * dense
                    .map(|(d, size)| d / f64::from(size[k]))
                    .fold(0.0, f64::max)
        };
        let by_size = limited.clone().map(dense).fold(f64::INFINITY, f64::min);
        let least = |k: usize| self.sizes.iter().map(|size| size[k]).min().unwrap_or(0);
        let places = limited
            .filter_map(|k| self.limits[k].checked_div(least(k)))
            .min();
        let places = places.map_or(self.depth, |p| p.min(self.depth));
        by_size.min(f64::from(places) * duals.iter().copied().fold(0.0, f64::max))
    }

    /// Whether a place of row `i` can hold an item of row `j`.
    pub fn holds(&self, i: usize, j: usize) -> bool {
        fits(&self.sizes[j], &self.sizes[i])
    }

    /// Returns the exchanges of a place for one of a row that it can hold: (from, to), or (from, nothing). In one
    /// component that is the next row; in several, the nearest rows in every component.
    pub fn exchanges(&self) -> Vec<(u32, Option<u32>)> {
        let rows = self.rows();
        if K == 1 {
            return (0..rows as u32)
                .map(|i| (i, (i + 1 < rows as u32).then_some(i + 1)))
                .collect();
        }
        let mut exchanges = Vec::new();
        for i in 0..rows {
            let below = self.nearest(i);
            exchanges.extend(below.iter().map(|j| (i as u32, Some(*j))));
            if below.is_empty() {
                exchanges.push((i as u32, None));
            }
        }
        exchanges
    }

    /// Returns, of the rows that a place of row `i` can hold, the largest one in every component.
    fn nearest(&self, i: usize) -> Vec<u32> {
        let held = || (i + 1..self.rows()).filter(|j| self.holds(i, *j));
        // Of equals the first row: sizes descend, so that it is the larger one.
        let most = |k: usize| held().max_by_key(|j| (self.sizes[*j][k], std::cmp::Reverse(*j)));
        let mut nearest: Vec<u32> = (0..K).filter_map(most).map(|j| j as u32).collect();
        nearest.sort_unstable();
        nearest.dedup();
        nearest
    }
}
