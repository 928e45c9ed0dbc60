//! The knapsack that suits the number of limits.

use super::grid::GridTables;
use super::knapsack::{KnapsackTables, Spend, Worth};
use crate::histogram::Size;

/// Finds the pack that is worth most.
#[derive(Debug)]
pub(crate) enum PackPricing<T> {
    /// One limit.
    Line(KnapsackTables<T>),
    /// Several.
    Grid(GridTables<T>),
}

impl<T: Worth> PackPricing<T> {
    /// For these sizes, largest first, none above the limits; `None` when the tables would be too large.
    pub fn new<const K: usize>(sizes: &[Size<K>], limits: &Size<K>, depth: u32) -> Option<Self> {
        if K > 1 {
            return GridTables::new(sizes, limits, depth).map(Self::Grid);
        }
        let lengths: Vec<u32> = sizes.iter().map(|size| size[0]).collect();
        KnapsackTables::new(&lengths, limits[0], depth).map(Self::Line)
    }

    /// Fills the tables for these worths; returns the most that one pack is worth, `None` when stopped.
    pub fn solve(&mut self, worths: &[T], spend: &mut Spend) -> Option<T> {
        match self {
            Self::Line(line) => line.solve(worths, spend),
            Self::Grid(grid) => grid.solve(worths, spend),
        }
    }

    /// The best pack with an item of row `i`: rows with how often, ascending.
    pub fn pattern(&mut self, i: usize) -> Vec<(u32, u32)> {
        match self {
            Self::Line(line) => line.pattern(i),
            Self::Grid(grid) => grid.pattern(i),
        }
    }
}

/// Returns the number of items of each length in the most valuable pack within a limit; lengths
/// descend and are within the limit. `None` where the tables would be too large. O(lengths ·
/// limit).
pub fn most_valuable_pack(lengths: &[u32], worths: &[u32], limit: u32) -> Option<Vec<u32>> {
    let sizes: Vec<Size<1>> = lengths.iter().map(|length| [*length]).collect();
    let signed: Vec<i64> = worths.iter().map(|worth| i64::from(*worth)).collect();
    let mut pricing = PackPricing::new(&sizes, &[limit], limit)?;
    pricing.solve(&signed, &mut |_| true)?;
    let mut best = (0, vec![0; lengths.len()]);
    for row in 0..lengths.len() {
        let mut pack = vec![0; lengths.len()];
        pricing
            .pattern(row)
            .into_iter()
            .for_each(|(i, n)| pack[i as usize] = n);
        let worth: u64 = pack
            .iter()
            .zip(worths)
            .map(|(n, worth)| u64::from(n * worth))
            .sum();
        if worth > best.0 {
            best = (worth, pack);
        }
    }
    Some(best.1)
}
