//! Rows under construction.

use crate::trainer::tally::Rows;

/// A row that is open.
#[derive(Debug, Clone, Default)]
pub(super) struct Bin {
    /// Slots that are taken.
    pub used: u32,
    /// Items in it.
    pub depth: u32,
    /// Their lengths, where rows are listed.
    items: Vec<u32>,
}

impl Bin {
    #[inline]
    pub fn add(&mut self, length: u32, rows: &Rows) {
        self.used += length;
        self.depth += 1;
        if rows.lists() {
            self.items.push(length);
        }
    }

    /// Whether a row of this capacity and cap takes a length.
    #[inline]
    pub fn takes(&self, length: u32, capacity: u32, cap: u32) -> bool {
        capacity - self.used >= length && self.depth < cap
    }

    /// Counts the row and empties it.
    pub fn close(&mut self, rows: &mut Rows) {
        let Self { depth, items, .. } = std::mem::take(self);
        rows.row(depth, || items);
    }
}

/// Counts rows in their order, and leaves none.
pub(super) fn close_all(bins: &mut Vec<Bin>, rows: &mut Rows) {
    bins.iter_mut().for_each(|bin| bin.close(rows));
    bins.clear();
}
