//! Parts that are balanced by Karmarkar and Karp's differencing.
//!
//! The number of parts is what the tokens need, and one more until all keep to the capacity, weighed by the work of a
//! 7B model, 24,576 · L + L²: verl 0.9.1 verl/utils/seqlen_balancing.py `rearrange_micro_batches`. Or it is the number
//! of rows of first fit, weighed by tokens, so that a part can exceed the capacity, as in verl before August 2026:
//! OpenRLHF 0.11.2 openrlhf/utils/seqlen_balancing.py `get_minimum_num_micro_batch_size`,
//! `get_seqlen_balanced_partitions`. O(items · parts · log) a try.

use super::RowPacker;
use super::bins::Bin;
use super::first_fit::FirstFit;
use crate::bounds::martello_toth;
use crate::error::Result;
use crate::histogram::Histogram;
use crate::packing::differencing::parts;
use crate::trainer::tally::RowBuilder;

pub(super) struct KarmarkarKarp {
    capacity: u32,
    keeps: bool,
    window: Vec<u32>,
}

impl KarmarkarKarp {
    pub fn new(capacity: u32, keeps: bool) -> Self {
        Self {
            capacity,
            keeps,
            window: Vec::new(),
        }
    }

    fn used(&self, items: &[u32]) -> u64 {
        items
            .iter()
            .map(|at| u64::from(self.window[*at as usize]))
            .sum()
    }

    /// Returns a partition into as many parts as first fit has rows.
    fn as_many_as_first_fit(&self) -> Vec<Vec<u32>> {
        let (mut rows, shortest) = (
            RowBuilder::default(),
            self.window.iter().min().copied().unwrap_or(1),
        );
        let mut packer = FirstFit::new(self.capacity, u32::MAX, shortest.max(1));
        self.window
            .iter()
            .for_each(|length| packer.item(*length, &mut rows));
        packer.close(&mut rows);
        let weights: Vec<f64> = self
            .window
            .iter()
            .map(|length| f64::from(*length))
            .collect();
        parts(&weights, rows.tally.rows as usize, false)
    }

    /// Returns the partition into the fewest parts, from a lower bound up, that all keep to the capacity.
    fn that_keep(&self) -> Vec<Vec<u32>> {
        // `calculate_workload` of verl.
        let weigh = |length: &u32| (24_576.0 + f64::from(*length)) * f64::from(*length);
        let weights: Vec<f64> = self.window.iter().map(weigh).collect();
        let total = self
            .window
            .iter()
            .map(|length| u64::from(*length))
            .sum::<u64>();
        let capacity = u64::from(self.capacity);
        let items = Histogram::from_lengths(self.window.iter().map(|length| (*length, 1)));
        // verl begins with the fewest parts that have room for the tokens. A lower bound on rows is
        // never above the result, and saves tries.
        let bound = items.map_or(1, |items| martello_toth(&items, self.capacity));
        let mut k = (total.div_ceil(capacity).max(bound) as usize).clamp(1, self.window.len());
        loop {
            let parts = parts(&weights, k, false);
            if k >= self.window.len() || parts.iter().all(|items| self.used(items) <= capacity) {
                return parts;
            }
            k += 1;
        }
    }
}

impl RowPacker for KarmarkarKarp {
    fn item(&mut self, length: u32, _: &mut RowBuilder) {
        self.window.push(length);
    }

    fn end(&mut self, _: bool, rows: &mut RowBuilder) -> Result<()> {
        if self.window.is_empty() {
            return Ok(());
        }
        let parts = if self.keeps {
            self.that_keep()
        } else {
            self.as_many_as_first_fit()
        };
        for items in parts {
            let mut bin = Bin::default();
            items
                .iter()
                .for_each(|at| bin.add(self.window[*at as usize], rows));
            // Balanced by tokens or work, not by room: without `keeps` a part can be above the
            // capacity.
            rows.exceed(bin.used, self.capacity, 1);
            bin.close(rows);
        }
        self.window.clear();
        Ok(())
    }
}
