//! Longest first, into the row with the fewest sequences that has room; or parts that are balanced by differencing.
//!
//! Of equally many sequences, the emptiest row, and of these the one that was opened first. Parts are as few as could hold
//! the tokens; where one of them exceeds the capacity, the rows are those of longest first. Source: AReaL 1.0.4
//! areal/utils/seqpack.py `ffd_allocate`, `kk_allocate`. O(rows) an item; differencing O(items · parts · log).

use super::RowPacker;
use super::bins::{Bin, close_all};
use crate::error::Result;
use crate::packing::differencing::parts;
use crate::trainer::tally::RowBuilder;

pub(super) struct FewestItems {
    capacity: u32,
    differencing: bool,
    window: Vec<u32>,
}

impl FewestItems {
    pub fn new(capacity: u32, differencing: bool) -> Self {
        Self {
            capacity,
            differencing,
            window: Vec::new(),
        }
    }

    /// Returns the rows of longest first.
    fn longest_first(&mut self, rows: &RowBuilder) -> Vec<Bin> {
        // Equal lengths are the same to every row, so that the sort need not be stable.
        self.window.sort_unstable_by(|a, b| b.cmp(a));
        let mut bins: Vec<Bin> = Vec::new();
        for &length in &self.window {
            let fewest = bins
                .iter_mut()
                .filter(|bin| bin.takes(length, self.capacity, u32::MAX))
                // The first of equals is the one that was opened first.
                .min_by_key(|bin| (bin.depth, bin.used));
            match fewest {
                Some(bin) => bin.add(length, rows),
                None => {
                    let mut bin = Bin::default();
                    bin.add(length, rows);
                    bins.push(bin);
                }
            }
        }
        bins
    }

    /// Returns the fewest balanced parts that could hold the tokens; `None` if one of them does not.
    fn balanced(&self, rows: &RowBuilder) -> Option<Vec<Bin>> {
        let total: u64 = self.window.iter().map(|length| u64::from(*length)).sum();
        let fewest = total.div_ceil(u64::from(self.capacity)) as usize;
        let weights: Vec<f64> = self
            .window
            .iter()
            .map(|length| f64::from(*length))
            .collect();
        let of = |items: Vec<u32>| {
            let mut bin = Bin::default();
            items
                .iter()
                .for_each(|at| bin.add(self.window[*at as usize], rows));
            (bin.used <= self.capacity).then_some(bin)
        };
        parts(&weights, fewest.clamp(1, self.window.len()), false)
            .into_iter()
            .map(of)
            .collect()
    }
}

impl RowPacker for FewestItems {
    fn item(&mut self, length: u32, _: &mut RowBuilder) {
        self.window.push(length);
    }

    fn end(&mut self, _: bool, rows: &mut RowBuilder) -> Result<()> {
        if self.window.is_empty() {
            return Ok(());
        }
        let balanced = if self.differencing {
            self.balanced(rows)
        } else {
            None
        };
        let mut bins = match balanced {
            Some(bins) => bins,
            None => self.longest_first(rows),
        };
        self.window.clear();
        close_all(&mut bins, rows);
        Ok(())
    }
}
