//! Sorted batching, which is not packing: items in order of length, in batches, each padded to its longest.
//!
//! Nearly no padding, but shapes differ from batch to batch, every batch sees one length only, and the
//! order of the data is lost. The last batch may be short.
//!
//! Source: the row SORT of Krell et al. 2022, *Efficient Sequence Packing without Cross-contamination*,
//! Table 1. Ascending order. Complexity: O(distinct), independent of the number of items.

use crate::error::{Error, Result};
use crate::histogram::Histogram;

/// Returns the slots of all batches together.
pub(super) fn slots(histogram: &Histogram<1>, batch: u32) -> Result<u64> {
    let batch = u64::from(batch);
    if batch == 0 {
        return Err(Error::ZeroBatch);
    }
    let mut slots = 0u128;
    // Items of the batch that is being filled.
    let mut waiting = 0;
    for &([length], count) in histogram.entries() {
        // The waiting batch, if this length completes it, and further whole batches of this length alone.
        let complete = (waiting + count) / batch * batch;
        slots += u128::from(complete) * u128::from(length);
        waiting = waiting + count - complete;
    }
    slots += u128::from(waiting) * u128::from(histogram.max()[0]);
    u64::try_from(slots).map_err(|_| Error::TooLarge {
        what: "the number of slots",
    })
}
