//! Non-negative least squares histogram packing (NNLSHP), with a repair that is exact.
//!
//! Every strategy that fills a row exactly with at most three lengths is listed, and their counts x ≥ 0
//! are chosen so that they hold each length about as often as it occurs: min ‖W(Ax − b)‖, where lengths
//! of at most 8 weigh 0.09 and all others 1. Then x is rounded.
//!
//! Source: Krell et al. 2022, *Efficient Sequence Packing without Cross-contamination*, section 3.1.2, and the public
//! code. There a length held too rarely gets packs `[l, limit − l]`, and a surplus stays: some 162,060 items on Wikipedia
//! that do not exist. `Nnls::published` counts packs so; the strategies returned are repaired differently (`repair`),
//! hold every item exactly once, and are never more.
//!
//! The published count is not fixed by the data. Ax is unique where the error is least, x is not: at the minimum on
//! Wikipedia 13,374 columns beside the 509 in use pull neither way, and span nothing new, so that any of them may take a
//! share. Which solution a solver ends at is decided by rounding, in gains that are equal; x is then rounded to whole
//! numbers, and the packs differ. The public code counts 8,155,059 on Wikipedia and 40,782 on SQuAD with SciPy 1.11.4, and
//! with 1.17.1 40,778 and, by machine, 8,155,057 or 8,155,059. This solver, whose arithmetic is the same on every machine,
//! has 8,155,057 and 40,781.
//!
//! Solver: Lawson and Hanson 1974, with the published choice of columns (`solve`), on a matrix of three
//! numbers a column and a factor kept up to date (`factor`): 0.07 s on Wikipedia. The crate `nnls` 0.5 is
//! the same method on a dense matrix: about 45 s, and 90 MB, for as many strategies (509).
//! Complexity: O(limit) steps of O(limit²) in practice, independent of the number of items.

mod factor;
mod repair;
pub mod shapes;
mod solve;

use crate::error::{Error, Result};
use crate::histogram::Histogram;
use crate::packing::Progress;
use crate::plan::Strategy;
use shapes::{StrategyShape, lengths, shapes};
use solve::LeastSquares;

/// The largest limit: strategies of depth 3 number limit²/12, and the time grows with the cube of the limit.
pub(super) const LARGEST: u32 = 1024;
/// Lengths of at most this weigh less: padding may stand in for them.
const SHORT: u32 = 8;
/// The weight of a miss of one short item.
// As in `nnlshp.py`; the public `pack_pretraining_data.py` has √(8 / (2 · 512)), which is 0.088.
const SHORT_WEIGHT: f64 = 0.09;
/// Depth of the published method; four items would mean millions of strategies.
pub(super) const DEEPEST: u32 = 3;

/// The result of the method.
pub(super) struct Nnls {
    /// Packs that hold every item exactly once.
    pub strategies: Vec<Strategy<1>>,
    /// Packs as the published repair counts them, including items that do not exist.
    pub published: u64,
    /// Strategies that the least squares use, before any rounding and repair.
    pub used: u64,
}

/// Packs with at most min(`depth`, 3) items each.
pub(super) fn pack(
    h: &Histogram<1>,
    limit: u32,
    depth: u32,
    progress: &mut Progress,
) -> Result<Nnls> {
    let (mix, counts) = (mixture(h, limit, depth, progress)?, counts(h, limit));
    let strategies = repair::exact(&mix, &counts, limit, depth.min(DEEPEST))?;
    Ok(Nnls {
        published: published(&mix, &counts),
        used: mix.iter().filter(|(_, times)| *times > 0.0).count() as u64,
        strategies,
    })
}

/// Returns the least squares: strategies, as their lengths with 0 for no item, with how often each is used, in
/// fractions. Public for tests of the minimum, of which only rounded packs are reported.
///
/// # Errors
/// [`Error::TooManyStrategies`] for limits above 1,024, [`Error::Cancelled`] when `progress` says so.
pub fn mixture(
    h: &Histogram<1>,
    limit: u32,
    depth: u32,
    progress: &mut Progress,
) -> Result<Vec<([u32; 3], f64)>> {
    if limit > LARGEST {
        return Err(Error::TooManyStrategies {
            algorithm: "nnlshp",
            limit,
            at_most: LARGEST,
        });
    }
    problem(&shapes(limit, depth.min(DEEPEST)), &counts(h, limit)).solve(progress)
}

/// Returns the number of items by length, from 0 to the limit.
fn counts(histogram: &Histogram<1>, limit: u32) -> Vec<u64> {
    let mut counts = vec![0; limit as usize + 1];
    for &([length], n) in histogram.entries() {
        counts[length as usize] = n;
    }
    counts
}

fn problem<'a>(shapes: &'a [StrategyShape], counts: &[u64]) -> LeastSquares<'a> {
    let weight = |length| match length {
        0 => 0.0,
        // Squared: `LeastSquares` takes W², and the weight of the paper stands before the
        // difference.
        1..=SHORT => SHORT_WEIGHT * SHORT_WEIGHT,
        _ => 1.0,
    };
    LeastSquares {
        shapes,
        counts: counts.iter().map(|n| *n as f64).collect(),
        weights: (0..).map(weight).take(counts.len()).collect(),
    }
}

/// Rounds the strategies as published: to the nearest whole number, halves to the even one.
fn rounded(mix: &[(StrategyShape, f64)], share: f64) -> Vec<(StrategyShape, u64)> {
    mix.iter()
        .map(|&(shape, x)| (shape, (x * share).round_ties_even() as u64))
        .collect()
}

/// Returns the items of each length that the plan lacks; negative for a surplus.
fn missing(plan: &[(StrategyShape, u64)], counts: &[u64]) -> Vec<i128> {
    let mut missing: Vec<i128> = counts.iter().map(|n| i128::from(*n)).collect();
    for (shape, n) in plan {
        for length in lengths(shape) {
            missing[length] -= i128::from(*n);
        }
    }
    missing
}

/// Counts packs with the published repair: one more for each item that the rounded strategies miss. (The public code
/// stops with an error when that item is as long as the row; here it has its pack like any other.)
fn published(mix: &[(StrategyShape, f64)], counts: &[u64]) -> u64 {
    let plan = rounded(mix, 1.0);
    let own: i128 = missing(&plan, counts).into_iter().filter(|n| *n > 0).sum();
    let packs = plan.iter().map(|(_, n)| i128::from(*n)).sum::<i128>() + own;
    u64::try_from(packs).unwrap_or(u64::MAX)
}
