//! Duals of very many sizes from those of few: neighbouring sizes are grouped, and the duals of the small problem are
//! interpolated linearly over all sizes.
//!
//! Thousands of sizes that occur once or twice slow the simplex method to a crawl, but their duals hardly differ from
//! size to size. Duals found so are good enough to begin with, and as a bound once they are priced.

use super::problem::LpProblem;

/// Sizes in the small problem.
const GROUPS: usize = 400;
/// Steps for the small problem: half a second.
pub(super) const STEPS: u64 = 1 << 29;
/// The number of sizes from which this is worth it.
pub(crate) const MANY: usize = 2000;

/// Returns the small problem: neighbouring sizes as one, which is as short as the shortest of them, so that the result
/// holds for the larger ones too.
pub(super) fn grouped<const K: usize>(problem: &LpProblem<K>) -> LpProblem<1> {
    let size = problem.rows().div_ceil(GROUPS);
    let groups = problem.sizes.chunks(size);
    LpProblem {
        sizes: groups
            // Sizes descend, so that the last of a group is its shortest.
            .filter_map(|group| group.last().map(|size| [size[0]]))
            .collect(),
        counts: problem
            .counts
            .chunks(size)
            .map(|group| group.iter().sum())
            .collect(),
        limits: [problem.limits[0]],
        depth: problem.depth,
    }
}

/// Returns duals for all sizes from those of the small problem, whose lengths these are, largest first.
pub(super) fn interpolated<const K: usize>(
    problem: &LpProblem<K>,
    lengths: &[u32],
    duals: &[f64],
) -> Vec<f64> {
    let lengths = lengths.iter().rev().map(|length| f64::from(*length));
    let known: Vec<(f64, f64)> = lengths.zip(duals.iter().rev().copied()).collect();
    problem
        .sizes
        .iter()
        .map(|size| on_line(&known, f64::from(size[0])))
        .collect()
}

/// Returns the value at `x` of the polyline through points with ascending x, extrapolated beyond its ends.
fn on_line(points: &[(f64, f64)], x: f64) -> f64 {
    let after = points
        .partition_point(|p| p.0 < x)
        .clamp(1, points.len().max(2) - 1);
    match (points.get(after - 1), points.get(after)) {
        (Some((x0, y0)), Some((x1, y1))) => y0 + (y1 - y0) * (x - x0) / (x1 - x0),
        // A single point: duals in proportion to the length.
        (Some((x0, y0)), None) => y0 * x / x0,
        _ => 0.0,
    }
}
