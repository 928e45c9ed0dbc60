//! Windows that are sorted when they are complete, and packed longest first into open rows.

use super::RowPacker;
use super::bins::{Bin, close_all};
use crate::error::Result;
use crate::trainer::tally::RowBuilder;

/// The open rows of a window, by their room.
pub(super) trait WindowRows {
    /// Removes and returns the row for an item of this length; `None` where it needs a new one.
    fn take(&mut self, length: u32) -> Option<u32>;

    /// Adds a row with this much room, possibly none.
    fn put(&mut self, room: u32, row: u32);

    fn clear(&mut self);
}

pub(super) struct DecreasingPacker<O> {
    capacity: u32,
    cap: u32,
    /// Whether the row that was opened last is carried into the next window.
    carried: bool,
    window: Vec<u32>,
    bins: Vec<Bin>,
    open: O,
    /// The items of the row that was opened last, where it is carried.
    last: Vec<u32>,
}

impl<O: WindowRows> DecreasingPacker<O> {
    pub fn new(capacity: u32, cap: u32, carried: bool, open: O) -> Self {
        let (window, bins, last) = Default::default();
        Self {
            capacity,
            cap,
            carried,
            window,
            bins,
            open,
            last,
        }
    }
}

impl<O: WindowRows> RowPacker for DecreasingPacker<O> {
    fn item(&mut self, length: u32, _: &mut RowBuilder) {
        self.window.push(length);
    }

    fn end(&mut self, last: bool, rows: &mut RowBuilder) -> Result<()> {
        // Equal lengths are the same to every row, so that the sort need not be stable.
        self.window.sort_unstable();
        while let Some(length) = self.window.pop() {
            let at = match self.open.take(length) {
                Some(at) => at as usize,
                None => {
                    self.bins.push(Bin::default());
                    self.last.clear();
                    self.bins.len() - 1
                }
            };
            let bin = &mut self.bins[at];
            bin.add(length, rows);
            if bin.depth < self.cap {
                self.open
                    .put(self.capacity.saturating_sub(bin.used), at as u32);
            }
            // Only the row that was opened last can be carried: earlier ones end with their window.
            if self.carried && at + 1 == self.bins.len() {
                self.last.push(length);
            }
        }
        self.open.clear();
        if self.carried && !last {
            // Not counted: its sequences are sorted with those of the next window, as ms-swift
            // passes them on.
            self.bins.pop();
            self.window.append(&mut self.last);
        }
        // Only a sequence that exceeds the capacity by itself makes such a row.
        self.bins
            .iter()
            .for_each(|bin| rows.exceed(bin.used, self.capacity, 1));
        close_all(&mut self.bins, rows);
        Ok(())
    }
}
