//! Sorted batches: in order of length, a fixed number of items.
//!
//! The least padding possible for batches of a fixed size, except for the last one if it is short; and no randomness:
//! the same sequences always share a batch. Complexity: O(distinct), independent of the number of items.

use super::filling::BatchFilling;
use super::{Batch, EpochTask, Sink};
use crate::error::Result;
use crate::histogram::Histogram;

pub(super) fn run(items: &Histogram<2>, task: &EpochTask, sink: &mut Sink) -> Result<()> {
    fill(items, sink, |_| task.batch);
    Ok(())
}

/// Makes batches in order of length; `most` returns the maximum number of items for a longest item of this length, and
/// must not grow with the length.
pub(super) fn fill(items: &Histogram<2>, sink: &mut Sink, most: impl Fn(u32) -> u32) {
    let mut batch = BatchFilling::default();
    for (entry, &([length, _], mut left)) in (0..).zip(items.entries()) {
        let most = most(length);
        if batch.size() >= most {
            batch.flush(sink);
        }
        if batch.size() > 0 {
            let taken = left.min(u64::from(most - batch.size())) as u32;
            batch.push(entry, taken, most, sink);
            left -= u64::from(taken);
        }
        let times = left / u64::from(most);
        if times > 0 {
            sink(&Batch {
                times,
                ..Batch::single(&[(entry, most)])
            });
        }
        batch.push(entry, (left % u64::from(most)) as u32, most, sink);
    }
    batch.flush(sink);
}
