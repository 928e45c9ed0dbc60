//! Lower bounds on the time of a step, which no dealing can beat.

use super::deal::{UnitCount, descending};

/// Returns lower bounds on the time of a step, in the unit of the weights: where ranks wait after every micro-batch, and
/// once a step. O(units · log units).
///
/// No rank can have less than the mean, nor less than the heaviest unit. Of the k · ranks + 1 heaviest units some rank has
/// k + 1, which weigh at least as much as the k + 1 lightest of these: for k = 1, two of the ranks + 1 heaviest. Ranks
/// that wait after every micro-batch wait for all of a rank's work too. If no more than `n` units are in a micro-batch,
/// the t-th slowest micro-batch has a unit at least as heavy as the one after the t · ranks · n heaviest, which are all
/// that faster ones could leave to slower ones; with one unit in each, dealing them sorted in groups of ranks reaches it.
pub fn bound(weights: &[f64], ranks: u32, size: UnitCount) -> [f64; 2] {
    in_order(weights, &descending(weights), ranks, size)
}

/// As [`bound`], with the order of the units by weight, [`descending`].
pub(super) fn in_order(weights: &[f64], order: &[u32], ranks: u32, size: UnitCount) -> [f64; 2] {
    let ranks = ranks.max(1) as usize;
    let sorted: Vec<f64> = order.iter().map(|unit| weights[*unit as usize]).collect();
    let mut sums = vec![0.0];
    sums.extend(sorted.iter().scan(0.0, |sum, weight| {
        *sum += weight;
        Some(*sum)
    }));
    let all = sums[sorted.len()];
    let crowded = |k: usize| sums[k * ranks + 1] - sums[k * ranks - k];
    let most = (0..sorted.len().div_ceil(ranks))
        .map(crowded)
        .fold(all / ranks as f64, f64::max);
    let slowest = match size {
        UnitCount::Any(_) => 0.0,
        UnitCount::AtMost(units) => sorted.iter().step_by(ranks * units.max(1) as usize).sum(),
    };
    [most.max(slowest), most]
}
