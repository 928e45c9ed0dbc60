//! No packing: every item has a row of its own. The baseline for all other algorithms.

use crate::histogram::Histogram;
use crate::plan::Strategy;

/// Returns one strategy per distinct length. O(distinct).
pub(super) fn pack(histogram: &Histogram<1>) -> Vec<Strategy<1>> {
    histogram
        .entries()
        .iter()
        .map(|&(size, count)| Strategy {
            runs: vec![(size, 1)],
            count,
        })
        .collect()
}
