//! Longest first, into the emptiest row; where that has no room, none has, and a new one is opened.
//!
//! Also called worst-fit decreasing. Source: NeMo Automodel `greedy_knapsack` (a min-heap), binpacking
//! `to_constant_volume` from 2.0.0 on, with which ms-swift packs: it carries the last row of a window into the next.
//! O(log rows) an item.

use super::Packer;
use super::bins::{Bin, close_all};
use crate::error::Result;
use crate::trainer::tally::Rows;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

pub(super) struct LeastLoaded {
    capacity: u32,
    cap: u32,
    carried: bool,
    window: Vec<u32>,
    bins: Vec<Bin>,
    /// (slots taken, number of the row), the emptiest first.
    heap: BinaryHeap<Reverse<(u32, u32)>>,
    /// The items of the last row, where it is carried.
    last: Vec<u32>,
}

impl LeastLoaded {
    pub fn new(capacity: u32, cap: u32, carried: bool) -> Self {
        let (window, bins, heap, last) = Default::default();
        Self { capacity, cap, carried, window, bins, heap, last }
    }
}

impl Packer for LeastLoaded {
    fn item(&mut self, length: u32, _: &mut Rows) {
        self.window.push(length);
    }

    fn end(&mut self, last: bool, rows: &mut Rows) -> Result<()> {
        self.window.sort_unstable();
        while let Some(length) = self.window.pop() {
            let fits = |top: &Reverse<(u32, u32)>| self.capacity - top.0.0 >= length;
            let at = match self.heap.peek().filter(|top| fits(top)) {
                Some(top) => top.0.1 as usize,
                None => self.bins.len(),
            };
            if at < self.bins.len() {
                self.heap.pop();
            } else {
                self.bins.push(Bin::default());
                self.last.clear();
            }
            let bin = &mut self.bins[at];
            bin.add(length, rows);
            if bin.depth < self.cap {
                self.heap.push(Reverse((bin.used, at as u32)));
            }
            if self.carried && at + 1 == self.bins.len() {
                self.last.push(length);
            }
        }
        self.heap.clear();
        if self.carried && !last {
            self.bins.pop();
            self.window.append(&mut self.last);
        }
        close_all(&mut self.bins, rows);
        Ok(())
    }
}
