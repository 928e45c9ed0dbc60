//! Sums over batches, and a sample of them to draw.

use super::Batch;
use crate::histogram::Histogram;
use crate::rng::Random;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The maximum number of batches kept for drawing.
const KEPT: usize = 512;

/// The counts from which figures are derived.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct EpochCounts {
    /// Batches.
    pub batches: u64,
    /// Items in the batches.
    pub items: u64,
    /// Those that were simulated: the rest are in batches like these.
    pub simulated: u64,
    /// Tokens trained on.
    pub real_tokens: u128,
    /// Slots: items of each batch times its longest; rows of packs times the limit.
    pub slots: u128,
    /// Sum of slots × length of their row, to which the cost of attention is proportional.
    pub squared_slots: f64,
    /// Tokens dropped to make the items of a batch more alike.
    pub dropped_tokens: u128,
    /// Number of items in a batch → batches.
    pub sizes: BTreeMap<u64, u64>,
    /// Slots of the largest batch.
    pub largest_slots: u64,
    /// Whether rows hold packs.
    pub packed: bool,
    /// (slots of a row, slots) of a batch → batches.
    pub shapes: BTreeMap<(u32, u64), u64>,
}

/// A batch as it is drawn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Drawn {
    /// Slots of each row.
    pub width: u32,
    /// Its rows, the longest first.
    pub rows: Vec<PictureRow>,
}

/// Equal rows.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PictureRow {
    /// (length, times in the row), longest first; an unpacked row holds one item.
    pub runs: Vec<(u32, u32)>,
    /// Number of such rows.
    pub count: u32,
}

impl Drawn {
    /// Returns the number of rows.
    pub fn height(&self) -> u64 {
        self.rows.iter().map(|row| u64::from(row.count)).sum()
    }

    /// Returns the number of sequences.
    pub fn size(&self) -> u64 {
        let of = |row: &PictureRow| {
            row.runs.iter().map(|(_, n)| u64::from(*n)).sum::<u64>() * u64::from(row.count)
        };
        self.rows.iter().map(of).sum()
    }
}

/// A sample of the batches of an epoch, evenly spaced in their order.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Picture {
    /// The spacing of the sample, in batches.
    pub every: u64,
    /// The batches, in the order of the epoch.
    pub batches: Vec<Drawn>,
}

/// Adds up the batches of an epoch.
#[derive(Debug)]
pub struct EpochTally<'h> {
    items: &'h Histogram<2>,
    /// Whether stopwords are dropped down to the length of the shortest item of each batch.
    equalise: bool,
    drawn: bool,
    counts: EpochCounts,
    /// The spacing of the kept batches.
    every: u64,
    kept: Vec<CandidatePicture>,
}

/// A batch that may be drawn; most are discarded, so only the final ones are evaluated.
#[derive(Debug)]
struct CandidatePicture {
    items: Vec<(u32, u32)>,
    packs: Option<Vec<usize>>,
    width: u32,
    shortest: u32,
}

impl<'h> EpochTally<'h> {
    /// Creates an empty tally. `equalise` drops stopwords down to the shortest item of each batch; `drawn` keeps a
    /// sample of at most 512 batches.
    pub fn new(items: &'h Histogram<2>, equalise: bool, drawn: bool) -> Self {
        Self {
            items,
            equalise,
            drawn,
            counts: EpochCounts::default(),
            every: 1,
            kept: Vec::new(),
        }
    }

    /// Adds one batch. O(items of the batch).
    pub fn take(&mut self, batch: &Batch) {
        // Rows of packs are as wide as the limit: dropping tokens would save no slot.
        let shortest = match self.equalise && batch.packs.is_none() {
            true => batch
                .items
                .iter()
                .map(|(entry, _)| self.size(*entry)[0])
                .min()
                .unwrap_or(0),
            false => u32::MAX,
        };
        let (mut size, mut real, mut dropped, mut longest) = (0, 0u64, 0u64, 0);
        for &(entry, n) in batch.items {
            let [length, left] = self.lengths_after_drop(entry, shortest);
            longest = longest.max(left);
            size += u64::from(n);
            real += u64::from(left) * u64::from(n);
            dropped += u64::from(length - left) * u64::from(n);
        }
        let (rows, width) = match batch.packs {
            Some((ends, limit)) => (ends.len() as u64, limit),
            None => (size, longest),
        };
        if self.drawn {
            self.keep(batch, width, shortest);
        }
        let (slots, times) = (rows * u64::from(width), u128::from(batch.times));
        let counts = &mut self.counts;
        counts.batches += batch.times;
        counts.items += size * batch.times;
        // The others of an example were never made.
        counts.simulated += if batch.example {
            size
        } else {
            size * batch.times
        };
        counts.packed |= batch.packs.is_some();
        counts.real_tokens += u128::from(real) * times;
        counts.dropped_tokens += u128::from(dropped) * times;
        counts.slots += u128::from(slots) * times;
        counts.squared_slots += slots as f64 * f64::from(width) * batch.times as f64;
        *counts.sizes.entry(size).or_default() += batch.times;
        counts.largest_slots = counts.largest_slots.max(slots);
        *counts.shapes.entry((width, slots)).or_default() += batch.times;
    }

    fn size(&self, entry: u32) -> [u32; 2] {
        self.items.entries()[entry as usize].0
    }

    /// Returns the length of an item, and its length after dropping in a batch with this shortest item.
    fn lengths_after_drop(&self, entry: u32, shortest: u32) -> [u32; 2] {
        let [length, stopwords] = self.size(entry);
        [
            length,
            length - stopwords.min(length.saturating_sub(shortest)),
        ]
    }

    /// Keeps the batch if it is due; if there are too many, drops every other one.
    fn keep(&mut self, batch: &Batch, width: u32, shortest: u32) {
        let (mut at, end) = (self.counts.batches, self.counts.batches + batch.times);
        at = at.next_multiple_of(self.every);
        while at < end {
            if self.kept.len() == KEPT {
                let mut place = 0;
                // The first, third, … stay: those at multiples of the spacing after it is doubled.
                self.kept.retain(|_| {
                    place += 1;
                    place % 2 == 1
                });
                self.every *= 2;
                at = at.next_multiple_of(self.every);
                continue;
            }
            let packs = batch.packs.map(|(ends, _)| ends.to_vec());
            self.kept.push(CandidatePicture {
                items: batch.items.to_vec(),
                packs,
                width,
                shortest,
            });
            at += self.every;
        }
    }

    fn drawn_batch(&self, kept: &CandidatePicture) -> Drawn {
        let run = |&(entry, n): &(u32, u32)| (self.lengths_after_drop(entry, kept.shortest)[1], n);
        let mut rows: Vec<PictureRow> = match &kept.packs {
            None => {
                let runs = alike(kept.items.iter().map(run)).into_iter();
                runs.map(|(length, n)| PictureRow {
                    runs: vec![(length, 1)],
                    count: n,
                })
                .collect()
            }
            Some(ends) => {
                let starts = std::iter::once(&0).chain(ends);
                let packs = starts.zip(ends).map(|(from, to)| &kept.items[*from..*to]);
                packs
                    .map(|pack| PictureRow {
                        runs: alike(pack.iter().map(run)),
                        count: 1,
                    })
                    .collect()
            }
        };
        rows.sort_by(|a, b| b.runs.cmp(&a.runs));
        rows.dedup_by(|later, first| {
            let same = later.runs == first.runs;
            first.count += if same { later.count } else { 0 };
            same
        });
        Drawn {
            width: kept.width,
            rows,
        }
    }

    /// Where a part of the batches stands for all, sets items and tokens to those of the data, and
    /// slots in proportion, so that padding stays that of the simulated batches.
    fn settle(&mut self) {
        let (counts, total) = (&mut self.counts, u128::from(self.items.total()[0]));
        let seen = counts.real_tokens + counts.dropped_tokens;
        let scale = total as f64 / seen.max(1) as f64;
        // A packed row has the same slots, whatever is in it.
        if !counts.packed {
            counts.slots = (counts.slots as f64 * scale).round() as u128;
            counts.squared_slots *= scale;
        }
        counts.dropped_tokens = ((counts.dropped_tokens as f64 * scale).round() as u128).min(total);
        counts.real_tokens = total - counts.dropped_tokens;
        // Rounding must not make padding negative.
        counts.slots = counts.slots.max(counts.real_tokens);
        counts.items = self.items.items();
    }

    /// Returns the sums, and the sample of batches; `shuffled` is the seed if the epoch is shuffled.
    pub fn finish(mut self, shuffled: Option<u64>) -> (EpochCounts, Picture) {
        if self.counts.simulated < self.counts.items {
            self.settle();
        }
        let kept = std::mem::take(&mut self.kept);
        let mut batches: Vec<Drawn> = kept.iter().map(|kept| self.drawn_batch(kept)).collect();
        // The samplers that shuffle make batches in order of length: only the sample of them is
        // shuffled.
        if let Some(seed) = shuffled {
            let mut random = Random::seeded(seed);
            for i in (1..batches.len()).rev() {
                batches.swap(i, random.below(i as u64 + 1) as usize);
            }
        }
        (
            self.counts,
            Picture {
                every: self.every,
                batches,
            },
        )
    }
}

/// Returns (length, times), the longest first, with equal lengths merged.
fn alike(runs: impl Iterator<Item = (u32, u32)>) -> Vec<(u32, u32)> {
    let mut runs: Vec<(u32, u32)> = runs.collect();
    runs.sort_unstable_by(|a, b| b.cmp(a));
    runs.dedup_by(|later, first| {
        let same = later.0 == first.0;
        first.1 += if same { later.1 } else { 0 };
        same
    });
    runs
}
