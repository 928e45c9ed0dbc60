//! What batches add up to, and a few of them to look at.

use super::Batch;
use crate::histogram::Histogram;
use crate::rng::Random;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Batches that are kept to be drawn, at most.
const KEPT: usize = 512;

/// What is counted before anything is divided.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Counts {
    /// Batches.
    pub batches: u64,
    /// Items in them.
    pub items: u64,
    /// Tokens that are trained on.
    pub real_tokens: u128,
    /// Items of each batch, padded to its longest; rows of packs, padded to the limit.
    pub slots: u128,
    /// Sum of slots × length of their row: what attention costs.
    pub squared_slots: f64,
    /// Tokens dropped to make the items of a batch more alike.
    pub dropped_tokens: u128,
    /// Number of items in a batch → batches.
    pub sizes: BTreeMap<u64, u64>,
    /// Slots of the largest batch.
    pub largest_slots: u64,
    /// (slots of a row, slots) of a batch → batches.
    pub shapes: BTreeMap<(u32, u64), u64>,
}

/// A batch to look at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Drawn {
    /// Slots of each row.
    pub width: u32,
    /// Its rows, the longest first.
    pub rows: Vec<Row>,
}

/// Rows that are alike.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Row {
    /// (length, times in the row), longest first; a row that is no pack holds one item.
    pub runs: Vec<(u32, u32)>,
    /// How many there are.
    pub count: u32,
}

impl Drawn {
    /// Rows of the batch.
    pub fn height(&self) -> u64 {
        self.rows.iter().map(|row| u64::from(row.count)).sum()
    }

    /// Sequences of the batch.
    pub fn size(&self) -> u64 {
        let of = |row: &Row| row.runs.iter().map(|(_, n)| u64::from(*n)).sum::<u64>() * u64::from(row.count);
        self.rows.iter().map(of).sum()
    }
}

/// Batches of an epoch to look at, evenly spaced in the order in which they come.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Picture {
    /// Of how many batches each is one.
    pub every: u64,
    /// The batches, in the order of the epoch.
    pub batches: Vec<Drawn>,
}

/// Takes the batches of an epoch.
#[derive(Debug)]
pub struct Tally<'h> {
    items: &'h Histogram<2>,
    /// Whether stopwords are dropped down to the shortest of each batch.
    equalise: bool,
    drawn: bool,
    counts: Counts,
    /// Of how many batches one is kept.
    every: u64,
    kept: Vec<Kept>,
}

/// A batch that may be drawn; most of them go again, so that nothing is made of them before the end.
#[derive(Debug)]
struct Kept {
    items: Vec<(u32, u32)>,
    packs: Option<Vec<usize>>,
    width: u32,
    shortest: u32,
}

impl<'h> Tally<'h> {
    /// An empty one; `drawn` says whether batches are kept to be looked at.
    pub fn new(items: &'h Histogram<2>, equalise: bool, drawn: bool) -> Self {
        Self { items, equalise, drawn, counts: Counts::default(), every: 1, kept: Vec::new() }
    }

    /// One batch more. O(items of the batch).
    pub fn take(&mut self, batch: &Batch) {
        let shortest = match self.equalise && batch.packs.is_none() {
            true => batch.items.iter().map(|(entry, _)| self.size(*entry)[0]).min().unwrap_or(0),
            false => u32::MAX,
        };
        let (mut size, mut real, mut dropped, mut longest) = (0, 0u64, 0u64, 0);
        for &(entry, n) in batch.items {
            let [length, left] = self.left(entry, shortest);
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

    /// The length of an item, and what is left of it in a batch whose shortest item is so long.
    fn left(&self, entry: u32, shortest: u32) -> [u32; 2] {
        let [length, stopwords] = self.size(entry);
        [length, length - stopwords.min(length.saturating_sub(shortest))]
    }

    /// Keeps the batch if its turn has come; when there are too many, every other one goes.
    fn keep(&mut self, batch: &Batch, width: u32, shortest: u32) {
        let (mut at, end) = (self.counts.batches, self.counts.batches + batch.times);
        at = at.next_multiple_of(self.every);
        while at < end {
            if self.kept.len() == KEPT {
                let mut place = 0;
                self.kept.retain(|_| {
                    place += 1;
                    place % 2 == 1
                });
                self.every *= 2;
                at = at.next_multiple_of(self.every);
                continue;
            }
            let packs = batch.packs.map(|(ends, _)| ends.to_vec());
            self.kept.push(Kept { items: batch.items.to_vec(), packs, width, shortest });
            at += self.every;
        }
    }

    /// The batch as people look at it.
    fn drawn(&self, kept: &Kept) -> Drawn {
        let run = |&(entry, n): &(u32, u32)| (self.left(entry, kept.shortest)[1], n);
        let mut rows: Vec<Row> = match &kept.packs {
            None => {
                let runs = alike(kept.items.iter().map(run)).into_iter();
                runs.map(|(length, n)| Row { runs: vec![(length, 1)], count: n }).collect()
            }
            Some(ends) => {
                let starts = std::iter::once(&0).chain(ends);
                let packs = starts.zip(ends).map(|(from, to)| &kept.items[*from..*to]);
                packs.map(|pack| Row { runs: alike(pack.iter().map(run)), count: 1 }).collect()
            }
        };
        rows.sort_by(|a, b| b.runs.cmp(&a.runs));
        rows.dedup_by(|later, first| {
            let same = later.runs == first.runs;
            first.count += if same { later.count } else { 0 };
            same
        });
        Drawn { width: kept.width, rows }
    }

    /// The sums, and the batches that were kept; `shuffled` by a seed where the epoch is.
    pub fn finish(mut self, shuffled: Option<u64>) -> (Counts, Picture) {
        let kept = std::mem::take(&mut self.kept);
        let mut batches: Vec<Drawn> = kept.iter().map(|kept| self.drawn(kept)).collect();
        if let Some(seed) = shuffled {
            let mut random = Random::seeded(seed);
            for i in (1..batches.len()).rev() {
                batches.swap(i, random.below(i as u64 + 1) as usize);
            }
        }
        (self.counts, Picture { every: self.every, batches })
    }
}

/// (length, times), the longest first, each once.
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
