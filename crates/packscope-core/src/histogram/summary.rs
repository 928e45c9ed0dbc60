//! Summary statistics of a histogram.

use super::Histogram;
use serde::{Deserialize, Serialize};

/// Statistics of lengths; tokens unless said otherwise.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Number of items.
    pub items: u64,
    /// Sum of all lengths.
    pub total_tokens: u64,
    /// Number of distinct lengths.
    pub distinct: u64,
    /// Shortest length.
    pub min: u32,
    /// Longest length.
    pub max: u32,
    /// Mean length.
    pub mean: f64,
    /// Quantiles as (share of the items, length that they do not exceed).
    pub quantiles: Vec<(f64, u32)>,
    /// The limit of the next two figures.
    pub limit: u32,
    /// Items longer than the limit.
    pub overlong_items: u64,
    /// Share of empty slots with one item per row, and items above the limit truncated.
    pub padding_share: f64,
}

impl Histogram<1> {
    /// Returns statistics, with the padding at `limit`, or at 1 if it is 0. O(log distinct).
    pub fn summary(&self, limit: u32) -> Summary {
        let limit = limit.max(1);
        let quantiles = [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99];
        let overlong_items = self.items() - self.items_within(limit);
        // 128 bits: a limit of 32 bits for items of 64.
        let held =
            u128::from(self.tokens_within(limit)) + u128::from(limit) * u128::from(overlong_items);
        Summary {
            items: self.items(),
            total_tokens: self.total()[0],
            distinct: self.distinct() as u64,
            min: self.entries()[0].0[0],
            max: self.max()[0],
            mean: self.mean(),
            quantiles: quantiles.map(|q| (q, self.quantile(q))).to_vec(),
            limit,
            overlong_items,
            padding_share: 1.0 - held as f64 / (self.items() as f64 * f64::from(limit)),
        }
    }
}
