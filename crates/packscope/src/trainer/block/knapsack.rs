//! First-fit decreasing, row by row: each is filled with the longest that fits, until nothing does.
//!
//! The rows equal those of first-fit decreasing item by item: the first row that takes a sequence is the first that it
//! fits. Source: Johnson 1973; LLaMA-Factory `greedy_knapsack`. O(log distinct) an item. On counts:
//! [`crate::packing::Algorithm::FirstFitDecreasing`].

use super::RowPacker;
use super::bins::Bin;
use crate::error::Result;
use crate::trainer::tally::RowBuilder;

pub(super) struct KnapsackPacker {
    capacity: u32,
    cap: u32,
    window: Vec<u32>,
    /// The distinct lengths, ascending, from 1 on; entry 0 stands for none.
    lengths: Vec<u32>,
    /// How many of each are left.
    left: Vec<u32>,
    /// For each length, an index from which to search down: its own, or an earlier one if none is left in between.
    before: Vec<u32>,
}

impl KnapsackPacker {
    pub fn new(capacity: u32, cap: u32) -> Self {
        Self {
            capacity,
            cap,
            window: Vec::new(),
            lengths: Vec::new(),
            left: Vec::new(),
            before: Vec::new(),
        }
    }

    fn count(&mut self) {
        self.window.sort_unstable();
        self.lengths.clear();
        self.left.clear();
        self.lengths.push(0);
        self.left.push(0);
        for &length in &self.window {
            if self.lengths.last() == Some(&length) {
                if let Some(n) = self.left.last_mut() {
                    *n += 1;
                }
            } else {
                self.lengths.push(length);
                self.left.push(1);
            }
        }
        self.before.clear();
        self.before.extend(0..self.lengths.len() as u32);
        self.window.clear();
    }

    /// Returns the index of the longest length of which some are left, from an index down; 0 for none.
    fn longest(&mut self, from: usize) -> usize {
        let mut at = from;
        while at > 0 && self.left[at] == 0 {
            let to = if self.before[at] as usize == at {
                at - 1
            } else {
                self.before[at] as usize
            };
            // Path halving, so that the next search is short.
            self.before[at] = if self.left[to] == 0 {
                self.before[to].min(to as u32)
            } else {
                to as u32
            };
            at = to;
        }
        at
    }
}

impl RowPacker for KnapsackPacker {
    fn item(&mut self, length: u32, _: &mut RowBuilder) {
        self.window.push(length);
    }

    fn end(&mut self, _: bool, rows: &mut RowBuilder) -> Result<()> {
        self.count();
        let all = self.lengths.len() - 1;
        let mut most = self.longest(all);
        while most > 0 {
            let (mut bin, mut at) = (Bin::default(), most);
            while at > 0 {
                bin.add(self.lengths[at], rows);
                self.left[at] -= 1;
                let room = self.capacity - bin.used;
                let from = if self.lengths[at] <= room {
                    at
                } else {
                    // Entry 0 has length 0 and always passes, so that there is one to subtract.
                    self.lengths[..at].partition_point(|length| *length <= room) - 1
                };
                at = if bin.depth < self.cap {
                    self.longest(from)
                } else {
                    0
                };
            }
            bin.close(rows);
            // Longer ones were used up by the rows before.
            most = self.longest(most);
        }
        Ok(())
    }
}
