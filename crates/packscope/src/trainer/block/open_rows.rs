//! Some rows are open; the first sequence that fits nowhere closes them all and begins the next.
//!
//! Source: grain `FirstFitPackIterDataset` and `BestFitPackIterDataset` (`packing_packed_batch.py`), with which MaxText
//! and torchtitan pack. O(rows) an item.

use super::RowPacker;
use super::bins::{Bin, close_all};
use crate::error::Result;
use crate::trainer::recipe::Fit;
use crate::trainer::tally::RowBuilder;

pub(super) struct OpenRows {
    capacity: u32,
    cap: u32,
    most: usize,
    fit: Fit,
    /// The rows that have an item. grain has all rows of a batch from the beginning; empty ones
    /// come last and have the most room, so that both rules take them after all others.
    bins: Vec<Bin>,
}

impl OpenRows {
    pub fn new(capacity: u32, cap: u32, rows: u32, fit: Fit) -> Self {
        Self {
            capacity,
            cap,
            most: rows.max(1) as usize,
            fit,
            bins: Vec::new(),
        }
    }

    /// Returns the row for a length, possibly an empty one.
    fn find(&self, length: u32) -> Option<usize> {
        let fits = |bin: &Bin| bin.takes(length, self.capacity, self.cap);
        let found = match self.fit {
            Fit::First => self.bins.iter().position(fits),
            Fit::Best => {
                let fitting = self.bins.iter().enumerate().filter(|(_, bin)| fits(bin));
                // `min_by_key` gives the first of the fullest.
                fitting
                    .min_by_key(|(_, bin)| self.capacity - bin.used)
                    .map(|(at, _)| at)
            }
        };
        found.or((self.bins.len() < self.most).then_some(self.bins.len()))
    }
}

impl RowPacker for OpenRows {
    fn item(&mut self, length: u32, rows: &mut RowBuilder) {
        // All of them, also rows with room: grain yields whole batches.
        let at = self.find(length).unwrap_or_else(|| {
            close_all(&mut self.bins, rows);
            0
        });
        if at == self.bins.len() {
            self.bins.push(Bin::default());
        }
        self.bins[at].add(length, rows);
    }

    fn end(&mut self, _: bool, rows: &mut RowBuilder) -> Result<()> {
        close_all(&mut self.bins, rows);
        Ok(())
    }
}
