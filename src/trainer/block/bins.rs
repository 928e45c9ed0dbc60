//! Rows under construction.

use crate::trainer::tally::Rows;

/// A row that is open.
#[derive(Debug, Clone, Default)]
pub(super) struct Bin {
    /// Slots that are taken.
    pub used: u32,
    /// Items in it.
    pub depth: u32,
    /// Their lengths, where rows are listed, or kept.
    items: Vec<u32>,
    keeps: bool,
}

impl Bin {
    /// Creates a row that keeps its items, so that it can be thrown away.
    pub fn kept() -> Self {
        Self { keeps: true, ..Self::default() }
    }

    #[inline]
    pub fn add(&mut self, length: u32, rows: &Rows) {
        self.used = self.used.saturating_add(length);
        self.depth += 1;
        if self.keeps || rows.lists() {
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
        let Self { depth, items, .. } = self.emptied();
        rows.row(depth, || items);
    }

    /// Empties a row that was kept, and counts its items as left over.
    pub fn throw_away(&mut self, rows: &mut Rows) {
        self.emptied().items.into_iter().for_each(|length| rows.left_over(length));
    }

    fn emptied(&mut self) -> Self {
        std::mem::replace(self, Self { keeps: self.keeps, ..Self::default() })
    }
}

/// Counts rows in their order, and empties the list.
pub(super) fn close_all(bins: &mut Vec<Bin>, rows: &mut Rows) {
    bins.iter_mut().for_each(|bin| bin.close(rows));
    bins.clear();
}
