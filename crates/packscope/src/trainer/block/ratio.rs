//! A batch of sequences at a time into a fixed number of rows; rows that are left over wait for the next batch.
//!
//! Longest first, into the first row with room, which then goes to the end of the list; rows that the batch must have
//! are opened while sequences last. The fullest rows are trained, the others wait; at the end they are thrown away.
//! Source: mosaicml/llm-foundry@8c8dd48 llmfoundry/data/packing.py `BinPackCollator`. O(items · log rows) a batch.

use super::RowPacker;
use super::bins::{Bin, Rooms};
use crate::error::Result;
use crate::trainer::tally::RowBuilder;

pub(super) struct Ratio {
    capacity: u32,
    /// Rows of a batch.
    batch: usize,
    items: usize,
    leftover: usize,
    window: Vec<u32>,
    /// Rows that wait, the fullest first.
    waiting: Vec<Bin>,
}

impl Ratio {
    pub fn new(capacity: u32, rows: u32, items: u32, leftover: u32) -> Self {
        Self {
            capacity,
            batch: rows.max(1) as usize,
            items: items.max(1) as usize,
            leftover: leftover as usize,
            window: Vec::new(),
            waiting: Vec::new(),
        }
    }

    fn pack(&mut self, rows: &mut RowBuilder) {
        self.window.sort_unstable_by(|a, b| b.cmp(a));
        let (count, capacity) = (self.window.len(), self.capacity);
        let room = |bin: &Bin| capacity.saturating_sub(bin.used);
        // A row that takes a sequence moves to the end of the list, and leaves its place empty.
        let mut open = self.waiting.len();
        let mut rooms = Rooms::new(open + count, self.waiting.iter().map(room));
        let mut places: Vec<Option<Bin>> = self.waiting.drain(..).map(Some).collect();
        for (at, length) in self.window.drain(..).enumerate() {
            // As many rows as the batch must have are opened while there are sequences for them.
            let forced = count - at <= self.batch.saturating_sub(open);
            let found = if forced {
                None
            } else {
                rooms.first_row_with_room(length)
            };
            let mut bin = match found.and_then(|found| Some((found, places[found].take()?))) {
                Some((found, bin)) => {
                    rooms.set(found, 0);
                    bin
                }
                None => {
                    open += 1;
                    Bin::kept()
                }
            };
            bin.add(length, rows);
            rooms.set(places.len(), room(&bin));
            places.push(Some(bin));
        }
        let bins = &mut self.waiting;
        bins.extend(places.into_iter().flatten());
        // Stable, as Python's sort: of equally full rows, the one earlier in the list is trained.
        bins.sort_by_key(|bin| std::cmp::Reverse(bin.used));
        let trained = self.batch.min(bins.len());
        bins.drain(..trained).for_each(|mut bin| bin.close(rows));
        let kept = self.leftover.min(self.waiting.len());
        self.waiting
            .drain(kept..)
            .for_each(|mut bin| bin.throw_away(rows));
    }
}

impl RowPacker for Ratio {
    fn item(&mut self, length: u32, rows: &mut RowBuilder) {
        self.window.push(length);
        if self.window.len() == self.items {
            self.pack(rows);
        }
    }

    fn end(&mut self, last: bool, rows: &mut RowBuilder) -> Result<()> {
        if !self.window.is_empty() {
            self.pack(rows);
        }
        if last {
            self.waiting
                .drain(..)
                .for_each(|mut bin| bin.throw_away(rows));
        }
        Ok(())
    }
}

/// Returns the sequences of a batch under `packing_ratio: auto`: the largest of twenty ratios from 1 to capacity / 100
/// before the first that leaves something over, tried on a hundred batches of the largest ratio.
pub(in crate::trainer) fn auto(capacity: u32, batch: u32, sample: &[u32]) -> u32 {
    const RATIOS: u32 = 20;
    let most = f64::from(capacity) / 100.0;
    if most <= 1.0 {
        return batch;
    }
    let mut chosen = batch;
    for step in 0..RATIOS {
        let ratio = 1.0 + (most - 1.0) * f64::from(step) / f64::from(RATIOS - 1);
        // To a tenth; Python and numpy round halves to even.
        let items = ((10.0 * ratio).round_ties_even() / 10.0 * f64::from(batch)) as u32;
        let mut rows = RowBuilder::default();
        // The library's trial keeps all rows that are left over, since it looks for the setting under another name.
        let mut packer = Ratio::new(capacity, batch, items, u32::MAX);
        let batches = sample
            .chunks(items.max(1) as usize)
            // A last chunk with fewer sequences than rows would leave rows empty.
            .filter(|chunk| chunk.len() >= batch as usize);
        let mut seen = 0u64;
        for chunk in batches {
            for &length in chunk {
                rows.trained(length, 1);
                seen += u64::from(length);
                packer.window.push(length);
            }
            packer.pack(&mut rows);
        }
        // Rows waiting at the end are not packed rows, and count as waste.
        let waiting: u64 = packer.waiting.iter().map(|bin| u64::from(bin.used)).sum();
        if seen == 0 || rows.tally.dropped_tokens + waiting > 0 {
            break;
        }
        chosen = items;
    }
    chosen
}

/// Returns the number of sequences that [`auto`] tries.
pub(in crate::trainer) fn sampled(capacity: u32, batch: u32) -> usize {
    let most = (f64::from(capacity) / 100.0).max(1.0);
    ((10.0 * most).round_ties_even() / 10.0 * f64::from(batch)) as usize * 100
}
