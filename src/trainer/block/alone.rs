//! No packing: one sequence a row, padded to the longest of its batch, in the order of arrival.
//!
//! Source: `DataCollatorForLanguageModeling` and others of Hugging Face transformers; with batches of one, and for
//! `DataCollatorWithFlattening`, there is no padding. O(1) an item.

use super::Packer;
use crate::error::Result;
use crate::trainer::tally::Rows;

pub(super) struct Alone {
    batch: u32,
    items: u32,
    longest: u32,
}

impl Alone {
    pub fn new(batch: u32) -> Self {
        Self { batch: batch.max(1), items: 0, longest: 0 }
    }

    fn close(&mut self, rows: &mut Rows) {
        rows.tally.slots += u64::from(self.items) * u64::from(self.longest);
        (self.items, self.longest) = (0, 0);
    }
}

impl Packer for Alone {
    fn item(&mut self, length: u32, rows: &mut Rows) {
        rows.row(1, || vec![length]);
        self.items += 1;
        self.longest = self.longest.max(length);
        if self.items == self.batch {
            self.close(rows);
        }
    }

    fn end(&mut self, _: bool, rows: &mut Rows) -> Result<()> {
        self.close(rows);
        Ok(())
    }
}
