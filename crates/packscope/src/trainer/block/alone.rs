//! No packing: one sequence a row, padded to the longest of its batch, or to a multiple above it, in the order of
//! arrival.
//!
//! Source: `DataCollatorForLanguageModeling` and others of Hugging Face transformers, with their `pad_to_multiple_of`;
//! without one, with batches of one, and for `DataCollatorWithFlattening`, there is no padding. O(1) an item.

use super::RowPacker;
use crate::error::Result;
use crate::trainer::tally::RowBuilder;

pub(super) struct Alone {
    batch: u32,
    multiple: u32,
    items: u32,
    longest: u32,
}

impl Alone {
    pub fn new(batch: u32, multiple: u32) -> Self {
        Self {
            batch: batch.max(1),
            multiple,
            items: 0,
            longest: 0,
        }
    }

    fn close(&mut self, rows: &mut RowBuilder) {
        // Slots are counted here, as rows of different batches are of different widths.
        rows.tally.slots += u64::from(self.items) * padded(self.longest, self.multiple);
        (self.items, self.longest) = (0, 0);
    }
}

/// Returns the slots of a sequence that is padded to a multiple.
pub(in crate::trainer) fn padded(length: u32, multiple: u32) -> u64 {
    u64::from(length).next_multiple_of(u64::from(multiple.max(1)))
}

impl RowPacker for Alone {
    fn item(&mut self, length: u32, rows: &mut RowBuilder) {
        rows.row(1, || vec![length]);
        self.items += 1;
        self.longest = self.longest.max(length);
        if self.items == self.batch {
            self.close(rows);
        }
    }

    fn end(&mut self, _: bool, rows: &mut RowBuilder) -> Result<()> {
        self.close(rows);
        Ok(())
    }
}
