//! Draws items one by one in random order, without storing a list of them.

use super::Histogram;
use crate::rng::Random;

/// A random permutation of all items of a histogram, as an iterator of indices into
/// [`Histogram::entries`]. Every order of the items is equally likely.
///
/// A slot is drawn among all items present at the last rebuild. Its offset within its size must be below the number of
/// items left of that size, or another is drawn. When fewer than three quarters of the slots are left the table is
/// rebuilt, so a draw takes 1.2 tries on average: O(1) a draw, O(distinct) memory.
#[derive(Debug)]
pub struct Draw {
    random: Random,
    sizes: Vec<RemainingItems>,
    total_left: u64,
    /// Items at the last rebuild.
    slots: u64,
    /// For every 2^shift slots, the size at which they begin.
    guide: Vec<u32>,
    shift: u32,
}

/// Items of a size; the fields that a draw needs are adjacent in memory.
#[derive(Debug)]
struct RemainingItems {
    /// Slots before this size and after it, at the last rebuild.
    start: u64,
    end: u64,
    /// Items not drawn yet.
    left: u64,
}

/// The minimum number of entries of the guide, unless there are more sizes; it has at most about twice as many.
const PARTS: u64 = 4096;

impl Draw {
    /// Draws all items of the histogram, in an order determined by the seed.
    pub fn new<const K: usize>(histogram: &Histogram<K>, seed: u64) -> Self {
        Self::from_counts(
            histogram.entries().iter().map(|(_, n)| *n).collect(),
            Random::seeded(seed),
        )
    }

    /// Draws `counts[i]` items of each kind `i`, in an order determined by `random`. Their sum must fit into 64 bits.
    pub fn from_counts(counts: Vec<u64>, random: Random) -> Self {
        let total_left = counts.iter().sum();
        let sizes = counts
            .into_iter()
            .map(|left| RemainingItems {
                start: 0,
                end: 0,
                left,
            })
            .collect();
        let mut draw = Self {
            random,
            sizes,
            total_left,
            slots: 0,
            guide: Vec::new(),
            shift: 0,
        };
        draw.rebuild();
        draw
    }

    fn rebuild(&mut self) {
        let mut sum = 0;
        for size in &mut self.sizes {
            size.start = sum;
            sum += size.left;
            size.end = sum;
        }
        self.slots = sum;
        self.guide.clear();
        // Powers of two, since a division per item would take longer than everything else.
        self.shift = (sum / PARTS.max(self.sizes.len() as u64)).max(1).ilog2();
        let mut entry = 0;
        for part in 0..=sum >> self.shift {
            while entry + 1 < self.sizes.len() && self.sizes[entry].end <= part << self.shift {
                entry += 1;
            }
            self.guide.push(entry as u32);
        }
    }

    /// Draws a slot, each equally likely.
    #[inline]
    fn slot(&mut self) -> u64 {
        // Below 2^32 slots, draws from 32 bits are faster; the choice belongs to the stable values.
        match u32::try_from(self.slots) {
            Ok(slots) => u64::from(self.random.below_u32(slots)),
            Err(_) => self.random.below(self.slots),
        }
    }
}

impl Iterator for Draw {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        // Without this, the loop below would never find an item.
        if self.total_left == 0 {
            return None;
        }
        // So at least three of four tries find an item.
        if self.total_left < self.slots - self.slots / 4 {
            self.rebuild();
        }
        loop {
            let slot = self.slot();
            // The guide names the size in which the part begins; the slot may lie in a later one.
            let mut entry = self.guide[(slot >> self.shift) as usize] as usize;
            while self.sizes[entry].end <= slot {
                entry += 1;
            }
            let size = &mut self.sizes[entry];
            // Items of a size are alike, so the first `left` slots stand for those that are left.
            if slot - size.start < size.left {
                size.left -= 1;
                self.total_left -= 1;
                return Some(entry);
            }
        }
    }
}
