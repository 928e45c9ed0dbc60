//! Next fit: one row is open; a sequence that does not fit closes it.
//!
//! Source: Johnson 1973; torchtune `PackedDataset`, seqio `trim_and_pack_dataset` (a window ends the row), axolotl
//! `allocate_sequentially`, ms-swift `sequential`. O(1) an item.

use super::RowPacker;
use super::bins::Bin;
use crate::error::Result;
use crate::trainer::tally::RowBuilder;

pub(super) struct NextFit {
    capacity: u32,
    cap: u32,
    open: Bin,
}

impl NextFit {
    pub fn new(capacity: u32, cap: u32) -> Self {
        Self {
            capacity,
            cap,
            open: Bin::default(),
        }
    }
}

impl RowPacker for NextFit {
    #[inline]
    fn item(&mut self, length: u32, rows: &mut RowBuilder) {
        // A sequence that exceeds the capacity is the only one of its row.
        if self.open.depth > 0 && !self.open.takes(length, self.capacity, self.cap) {
            self.open.close(rows);
        }
        self.open.add(length, rows);
        rows.exceed(length, self.capacity, 1);
    }

    fn end(&mut self, _: bool, rows: &mut RowBuilder) -> Result<()> {
        if self.open.depth > 0 {
            self.open.close(rows);
        }
        Ok(())
    }
}
