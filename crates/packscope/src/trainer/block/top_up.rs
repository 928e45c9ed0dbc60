//! One row is open; a sequence that does not fit closes it after the row has been topped up with the next sequences,
//! shortest first, as long as they fit.
//!
//! A window is taken from its end, and its last row is closed with it. Sequences that exceed a row are truncated first.
//! Source: InternLM/xtuner@b934f46 xtuner/v1/datasets/packing.py `get_pack_chunk_infos`, `closest_sum_indices`; of
//! equal lengths it takes the one that numpy's sort puts first, here the one that comes later. O(log ahead) an item.

use super::RowPacker;
use super::bins::Bin;
use crate::error::Result;
use crate::trainer::tally::RowBuilder;
use std::collections::BTreeSet;

pub(super) struct TopUp {
    capacity: u32,
    ahead: usize,
    window: Vec<u32>,
}

impl TopUp {
    pub fn new(capacity: u32, ahead: u32) -> Self {
        Self {
            capacity,
            ahead: ahead as usize,
            window: Vec::new(),
        }
    }
}

impl RowPacker for TopUp {
    fn item(&mut self, length: u32, _: &mut RowBuilder) {
        self.window.push(length);
    }

    fn end(&mut self, _: bool, rows: &mut RowBuilder) -> Result<()> {
        let takes = |open: &Bin, length| open.takes(length, self.capacity, u32::MAX);
        let mut gone = vec![false; self.window.len()];
        // The next sequences, by length; all from index `from` on have been added.
        let (mut open, mut next, mut from) = (Bin::default(), BTreeSet::new(), self.window.len());
        for (at, &length) in self.window.iter().enumerate().rev() {
            if gone[at] {
                continue;
            }
            next.remove(&(length, at));
            from = from.min(at);
            // Sequences that were taken have left the set: it is filled up with the next ones.
            while next.len() < self.ahead && from > 0 {
                from -= 1;
                next.insert((self.window[from], from));
            }
            if !takes(&open, length) {
                // One too long ends it: all that follow are at least as long.
                while let Some((length, at)) = next
                    .first()
                    .copied()
                    .filter(|(length, _)| takes(&open, *length))
                {
                    next.pop_first();
                    open.add(length, rows);
                    gone[at] = true;
                }
                open.close(rows);
            }
            open.add(length, rows);
        }
        if open.depth > 0 {
            open.close(rows);
        }
        self.window.clear();
        Ok(())
    }
}
