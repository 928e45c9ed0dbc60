//! Duals of very many sizes from those of few: neighbouring sizes are grouped, and the duals of the small problem are
//! interpolated linearly over all sizes.
//!
//! Thousands of sizes that occur once or twice slow the simplex method to a crawl, but their duals hardly differ from
//! size to size. Duals found so are good enough to begin with, and as a bound once they are priced.

use super::budget::{ASKED, Budget};
use super::problem::Problem;
use super::relaxation::Relaxation;

/// Sizes in the small problem.
const GROUPS: usize = 400;
/// Steps for the small problem: half a second.
const STEPS: u64 = 1 << 29;
/// The number of sizes from which this is worth it.
pub(crate) const MANY: usize = 2000;

/// Returns duals for all sizes; `None` without a solution of the small problem.
pub(super) fn duals<const K: usize>(problem: &Problem<K>, budget: &mut Budget) -> Option<Vec<f64>> {
    let size = problem.rows().div_ceil(GROUPS);
    // Each group is as short as its shortest size: the result holds for the larger ones too.
    let groups = problem.sizes.chunks(size);
    let short: Vec<u32> = groups.filter_map(|group| group.last().map(|size| size[0])).collect();
    let known: Vec<f64> = short.iter().rev().map(|l| f64::from(*l)).collect();
    let small = Problem {
        sizes: short.into_iter().map(|l| [l]).collect(),
        counts: problem.counts.chunks(size).map(|group| group.iter().sum()).collect(),
        limits: [problem.limits[0]],
        depth: problem.depth,
    };
    let mut small = Relaxation::new(small)?;
    let mut ask = || budget.spend(ASKED);
    small.solve(0, &mut Budget::new(STEPS, &mut ask), &mut |_| {});
    let known: Vec<(f64, f64)> = known.into_iter().zip(small.center().iter().rev().copied()).collect();
    Some(problem.sizes.iter().map(|size| on_line(&known, f64::from(size[0]))).collect())
}

/// Returns the value at `x` of the polyline through points with ascending x, extrapolated beyond its ends.
fn on_line(points: &[(f64, f64)], x: f64) -> f64 {
    let after = points.partition_point(|p| p.0 < x).clamp(1, points.len().max(2) - 1);
    match (points.get(after - 1), points.get(after)) {
        (Some((x0, y0)), Some((x1, y1))) => y0 + (y1 - y0) * (x - x0) / (x1 - x0),
        (Some((x0, y0)), None) => y0 * x / x0,
        _ => 0.0,
    }
}
