//! Micro-batches of alike lengths: the sequences of a window in ascending order, as many as the capacity holds where each
//! is as long as the longest.
//!
//! A micro-batch is padded to a multiple, but to no more than the longest of the window. Source: NVIDIA-NeMo/RL@7ea279a
//! nemo_rl/distributed/batched_data_dict.py `shard_by_batch_size` with `dynamic_batching_args`, for one rank.
//! O(log window) an item.

use super::RowPacker;
use super::alone::padded;
use crate::error::Result;
use crate::trainer::tally::RowBuilder;

pub(super) struct Sorted {
    capacity: u64,
    multiple: u32,
    width: u32,
    window: Vec<u32>,
}

impl Sorted {
    pub fn new(capacity: u32, multiple: u32, width: u32) -> Self {
        Self {
            capacity: u64::from(capacity),
            multiple,
            width,
            window: Vec::new(),
        }
    }
}

/// Counts a micro-batch of sequences that take so many slots each.
fn close(batch: &mut Vec<u32>, each: u64, rows: &mut RowBuilder) {
    let (depth, items) = (batch.len(), std::mem::take(batch));
    if depth > 0 {
        // Slots are counted here, as micro-batches differ in them.
        rows.tally.slots += depth as u64 * each;
        rows.row(depth as u32, || items);
    }
}

impl RowPacker for Sorted {
    fn item(&mut self, length: u32, _: &mut RowBuilder) {
        self.window.push(length);
    }

    fn end(&mut self, _: bool, rows: &mut RowBuilder) -> Result<()> {
        self.window.sort_unstable();
        let most = padded(self.window.last().copied().unwrap_or(0), self.width);
        let (mut batch, mut each) = (Vec::new(), 0);
        for length in self.window.drain(..) {
            let next = padded(length, self.multiple).min(most);
            if (batch.len() as u64 + 1) * next > self.capacity {
                close(&mut batch, each, rows);
            }
            batch.push(length);
            each = next;
        }
        close(&mut batch, each, rows);
        Ok(())
    }
}
