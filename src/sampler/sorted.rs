//! Sorted batches: in order of length, a fixed number of items.
//!
//! The least padding that batches of a fixed size can have, but no randomness: the same sequences always meet.
//! Complexity: O(distinct), whatever the number of items.

use super::{Batch, Sink, Task};
use crate::error::Result;
use crate::histogram::Histogram;

pub(super) fn run(items: &Histogram<2>, task: &Task, sink: &mut Sink) -> Result<()> {
    fill(items, sink, |_| task.batch);
    Ok(())
}

/// Batches in order of length: `most` says how many items there may be when the longest is of this length. It does
/// not grow with the length.
pub(super) fn fill(items: &Histogram<2>, sink: &mut Sink, most: impl Fn(u32) -> u32) {
    let mut batch: Vec<(u32, u32)> = Vec::new();
    let mut size = 0;
    for (entry, &([length, _], count)) in (0..).zip(items.entries()) {
        let (most, mut left) = (most(length), count);
        if size >= most {
            flush(&mut batch, &mut size, sink);
        }
        if size > 0 {
            let taken = left.min(u64::from(most - size)) as u32;
            batch.push((entry, taken));
            size += taken;
            left -= u64::from(taken);
            if size == most {
                flush(&mut batch, &mut size, sink);
            }
        }
        let times = left / u64::from(most);
        if times > 0 {
            sink(&Batch { items: &[(entry, most)], packs: None, times });
        }
        let rest = (left % u64::from(most)) as u32;
        if rest > 0 {
            batch.push((entry, rest));
            size += rest;
        }
    }
    flush(&mut batch, &mut size, sink);
}

fn flush(batch: &mut Vec<(u32, u32)>, size: &mut u32, sink: &mut Sink) {
    if *size > 0 {
        sink(&Batch::one(batch));
    }
    batch.clear();
    *size = 0;
}
