//! Longest first, into the emptiest row; if it has no room, no row has, and a new one is opened.
//!
//! Also called worst-fit decreasing. Source: NeMo Automodel `greedy_knapsack` (a min-heap), binpacking
//! `to_constant_volume` from 2.0.0 on, with which ms-swift packs: it carries the last row of a window into the next.
//! O(log rows) an item.

use super::decreasing::WindowRows;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// (room, number of the row): the emptiest first, of equals the one that was opened first.
#[derive(Default)]
pub(super) struct Emptiest(BinaryHeap<(u32, Reverse<u32>)>);

impl WindowRows for Emptiest {
    fn take(&mut self, length: u32) -> Option<u32> {
        self.0.peek().filter(|(room, _)| *room >= length)?;
        self.0.pop().map(|(_, Reverse(row))| row)
    }

    fn put(&mut self, room: u32, row: u32) {
        self.0.push((room, Reverse(row)));
    }

    fn clear(&mut self) {
        self.0.clear();
    }
}
