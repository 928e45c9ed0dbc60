//! Modified first-fit decreasing as NeMo RL codes it.
//!
//! Johnson and Garey 1985 give the phases: a row for each sequence above half of the capacity; one of middle size to
//! each, or else two small ones; then the longest that fit. As coded, two small ones are taken from the list only if a
//! pair fits, and the rest goes longest first into the emptiest row (a list that is kept sorted by load), where the
//! comment says first fit. Source: NVIDIA-NeMo/RL@7ea279abf nemo_rl/data/packing/algorithms.py
//! `ModifiedFirstFitDecreasingPacker`. O(n²) in the window.

use super::RowPacker;
use super::bins::{Bin, close_all};
use super::decreasing::DecreasingPacker;
use super::least_loaded::Emptiest;
use crate::error::Result;
use crate::trainer::tally::RowBuilder;

pub(super) struct Mffd {
    capacity: u32,
    window: Vec<u32>,
}

impl Mffd {
    pub fn new(capacity: u32) -> Self {
        Self {
            capacity,
            window: Vec::new(),
        }
    }

    /// Whether a length is above one `part`th of the capacity.
    fn exceeds_part(&self, length: u32, part: u64) -> bool {
        // Multiplied, not divided: the source compares with fractions of the capacity, unrounded.
        u64::from(length) * part > u64::from(self.capacity)
    }

    fn room(&self, bin: &Bin) -> u32 {
        self.capacity - bin.used
    }

    /// Adds one of the middle lengths (descending) to each row in which one fits; returns which rows got one.
    fn middle(&self, bins: &mut [Bin], middle: &mut Vec<u32>, rows: &RowBuilder) -> Vec<bool> {
        let mut took = Vec::with_capacity(bins.len());
        for bin in bins {
            let room = self.room(bin);
            let at = middle.partition_point(|length| *length > room);
            took.push(at < middle.len());
            if at < middle.len() {
                bin.add(middle.remove(at), rows);
            }
        }
        took
    }

    /// Adds two small lengths (ascending) to each row without a middle one, the last row first: the shortest, and the
    /// longest that fits beside it.
    fn pairs(&self, bins: &mut [Bin], took: &[bool], small: &mut Vec<u32>, rows: &RowBuilder) {
        for (bin, took) in bins.iter_mut().zip(took).rev() {
            let room = u64::from(self.room(bin));
            if *took || small.len() < 2 || u64::from(small[0]) + u64::from(small[1]) > room {
                continue;
            }
            let first = small.remove(0);
            // The shortest one that is left fits, as has been tested, so that there is one to
            // subtract.
            let second = small.partition_point(|length| u64::from(*length + first) <= room) - 1;
            bin.add(first, rows);
            bin.add(small.remove(second), rows);
        }
    }

    /// Fills each row with the longest that fit; `rest` is descending.
    fn fill(&self, bins: &mut [Bin], rest: &mut Vec<u32>, rows: &RowBuilder) {
        for bin in bins {
            loop {
                let room = self.room(bin);
                let at = rest.partition_point(|length| *length > room);
                if at == rest.len() {
                    break;
                }
                bin.add(rest.remove(at), rows);
            }
        }
    }
}

impl RowPacker for Mffd {
    fn item(&mut self, length: u32, _: &mut RowBuilder) {
        self.window.push(length);
    }

    fn end(&mut self, last: bool, rows: &mut RowBuilder) -> Result<()> {
        self.window.sort_unstable_by(|a, b| b.cmp(a));
        let large = self
            .window
            .partition_point(|length| self.exceeds_part(*length, 2));
        let medium = self
            .window
            .partition_point(|length| self.exceeds_part(*length, 3));
        let smaller = self
            .window
            .partition_point(|length| self.exceeds_part(*length, 6));
        let mut tiny = self.window.split_off(smaller);
        let mut small = self.window.split_off(medium);
        let mut middle = self.window.split_off(large);
        small.reverse();
        let mut bins = Vec::with_capacity(self.window.len());
        for length in self.window.drain(..) {
            let mut bin = Bin::default();
            bin.add(length, rows);
            bins.push(bin);
        }
        let took = self.middle(&mut bins, &mut middle, rows);
        self.pairs(&mut bins, &took, &mut small, rows);
        middle.append(&mut small);
        middle.append(&mut tiny);
        middle.sort_unstable_by(|a, b| b.cmp(a));
        self.fill(&mut bins, &mut middle, rows);
        close_all(&mut bins, rows);
        // Sequences that fit no row of a large one begin rows of their own.
        let mut leftovers =
            DecreasingPacker::new(self.capacity, u32::MAX, false, Emptiest::default());
        middle
            .into_iter()
            .for_each(|length| leftovers.item(length, rows));
        leftovers.end(last, rows)
    }
}
