//! Duals of very many sizes, from those of few: neighbouring sizes are taken together, and the duals of the
//! small problem are drawn out to a line through all sizes.
//!
//! Thousands of sizes that occur once or twice make the simplex method crawl, but their duals hardly differ
//! from size to size. Found so, they are good enough to begin with, and as a bound once they are priced.

use super::budget::{ASKED, Budget};
use super::relaxation::Relaxation;

/// Sizes that the small problem has.
const GROUPS: usize = 400;
/// Steps for the small problem: half a second.
const STEPS: u64 = 1 << 29;
/// Sizes from which this is worth it.
pub(crate) const MANY: usize = 2000;

/// Duals for `lengths`, largest first; `None` without a solution of the small problem.
pub(super) fn duals(
    lengths: &[u32],
    counts: &[u64],
    limit: u32,
    depth: u32,
    budget: &mut Budget,
) -> Option<Vec<f64>> {
    let size = lengths.len().div_ceil(GROUPS);
    // Each group is as short as its shortest: what is found holds for the larger ones too.
    let short: Vec<u32> = lengths.chunks(size).filter_map(|group| group.last().copied()).collect();
    let sums: Vec<u64> = counts.chunks(size).map(|group| group.iter().sum()).collect();
    let mut small = Relaxation::new(&short, &sums, limit, depth)?;
    let mut ask = || budget.spend(ASKED);
    small.solve(0, &mut Budget::new(STEPS, &mut ask), &mut |_| {});
    let known: Vec<(f64, f64)> =
        short.iter().zip(small.center()).map(|(l, d)| (f64::from(*l), *d)).rev().collect();
    Some(lengths.iter().map(|l| on_line(&known, f64::from(*l))).collect())
}

/// The value at `x` on the line through points whose x ascend, drawn on beyond their ends.
fn on_line(points: &[(f64, f64)], x: f64) -> f64 {
    let after = points.partition_point(|p| p.0 < x).clamp(1, points.len().max(2) - 1);
    match (points.get(after - 1), points.get(after)) {
        (Some((x0, y0)), Some((x1, y1))) => y0 + (y1 - y0) * (x - x0) / (x1 - x0),
        (Some((x0, y0)), None) => y0 * x / x0,
        _ => 0.0,
    }
}
