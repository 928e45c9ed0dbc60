//! First fit, as the paper calls it: each size goes into the pack with the most space by the heuristic.
//!
//! Elsewhere this is worst fit. Everything else is as in best fit, repeats and closed packs included.
//!
//! Source: Krell et al. 2022, *Tuple Packing*, §2.4 (tuple shortest-pack-first histogram packing).
//! Complexity: as best fit.

use super::Heuristic;
use super::best_fit::{self, Choice};
use crate::histogram::{Histogram, Size};
use crate::plan::Strategy;

pub(super) fn pack<const K: usize>(
    histogram: &Histogram<K>,
    limits: &Size<K>,
    depth: u32,
    heuristic: Heuristic,
) -> Vec<Strategy<K>> {
    best_fit::with(
        histogram,
        limits,
        depth,
        (heuristic, Choice::Loosest),
        &mut |_| true,
    )
    .into_strategies(histogram)
}
