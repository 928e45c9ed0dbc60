//! Length-grouped batches: shuffled, then large groups of batches sorted inside, longest first.
//!
//! Source: `LengthGroupedSampler` of Hugging Face Transformers (Wolf et al. 2020): groups of `mega` batches, by default
//! such that there are four groups, but at most 50 batches a group; the longest item of all is moved to the first
//! place, so that memory runs out at once or never. Where we differ: among several items of the greatest length, we
//! move the one with the most stopwords. Complexity: O(items log group), O(distinct + group) memory.

use super::filling::BatchFilling;
use super::stream::{self, SimulatedPart};
use super::{Batch, EpochTask, Sink};
use crate::error::Result;
use crate::histogram::Histogram;
use crate::packing::Progress;

/// Returns the default number of batches in a group.
pub fn mega_of(items: u64, batch: u32) -> u32 {
    (items / (u64::from(batch.max(1)) * 4)).clamp(1, 50) as u32
}

pub(super) fn run(
    items: &Histogram<2>,
    task: &EpochTask,
    sink: &mut Sink,
    progress: &mut Progress,
) -> Result<()> {
    let mut grouping = GroupBuilder::new(items.distinct(), task.batch, task.mega);
    let size = grouping.most as u64;
    let batches = size.div_ceil(u64::from(task.batch));
    let mut part = SimulatedPart::new(items.items(), (size, batches), task.simulated);
    let draws = part.draws();
    let mut sink = |batch: &Batch| sink(&part.weighted(batch));
    stream::for_each_draw(items, task, draws, progress, |entry| {
        grouping.push(entry, &mut sink)
    })?;
    grouping.finish(&mut sink);
    Ok(())
}

/// Makes batches of items that arrive one by one, as indices into entries that ascend in length.
pub(crate) struct GroupBuilder {
    most: usize,
    group: SortedGroup,
    batches: GroupBatcher,
}

impl GroupBuilder {
    /// Creates groups of `mega` batches, for items of `distinct` lengths.
    pub fn new(distinct: usize, batch: u32, mega: u32) -> Self {
        // In a browser, usize has 32 bits.
        let most = (mega.max(1) as usize).saturating_mul(batch as usize);
        // Entries ascend in length, so that the last one is the longest.
        let batches = GroupBatcher::new(distinct as u32 - 1, batch);
        Self {
            most,
            group: SortedGroup::new(distinct),
            batches,
        }
    }

    pub fn push(&mut self, entry: u32, sink: &mut Sink) {
        self.group.push(entry);
        if self.group.size == self.most {
            self.batches.take(self.group.drain(), sink);
        }
    }

    /// Makes batches of the remaining items.
    pub fn finish(&mut self, sink: &mut Sink) {
        if self.group.size > 0 {
            self.batches.take(self.group.drain(), sink);
        }
    }
}

/// Items of a group by their counts per entry: equal to the sorted group, and faster than sorting.
struct SortedGroup {
    size: usize,
    counts: Vec<u32>,
    /// The entries with a count above 0.
    seen: Vec<u32>,
}

impl SortedGroup {
    fn new(distinct: usize) -> Self {
        Self {
            size: 0,
            counts: vec![0; distinct],
            seen: Vec::new(),
        }
    }

    fn push(&mut self, entry: u32) {
        let count = &mut self.counts[entry as usize];
        if *count == 0 {
            self.seen.push(entry);
        }
        *count += 1;
        self.size += 1;
    }

    /// Returns (entry, items), the longest first, and empties the group.
    fn drain(&mut self) -> Vec<(u32, u32)> {
        // With many distinct entries, a scan of all is faster than sorting.
        if self.seen.len() * 8 > self.counts.len() {
            let counts = (0..self.counts.len() as u32).zip(&self.counts).rev();
            self.seen = counts
                .filter(|(_, n)| **n > 0)
                .map(|(entry, _)| entry)
                .collect();
        } else {
            self.seen.sort_unstable_by(|a, b| b.cmp(a));
        }
        self.size = 0;
        self.seen
            .drain(..)
            .map(|entry| (entry, std::mem::take(&mut self.counts[entry as usize])))
            .collect()
    }
}

/// Cuts sorted groups into batches.
struct GroupBatcher {
    /// The entry of the longest item of all: the last one.
    longest: u32,
    /// The item replaced by it in the first group, until the group of the longest item is reached.
    owed: Option<u32>,
    first: bool,
    most: u32,
    batch: BatchFilling,
}

impl GroupBatcher {
    fn new(longest: u32, most: u32) -> Self {
        Self {
            longest,
            owed: None,
            first: true,
            most,
            batch: BatchFilling::default(),
        }
    }

    fn take(&mut self, mut group: Vec<(u32, u32)>, sink: &mut Sink) {
        let instead = match group.first_mut() {
            // The guard clears `first` whatever it answers: only the first group may borrow the
            // longest.
            Some((top, left)) if std::mem::take(&mut self.first) && *top != self.longest => {
                *left -= 1;
                self.owed = Some(*top);
                Some(self.longest)
            }
            // The other half of the swap: Transformers exchanges the first items of the two groups.
            Some((top, left)) if *top == self.longest && self.owed.is_some() => {
                *left -= 1;
                self.owed.take()
            }
            _ => None,
        };
        for (entry, n) in instead.map(|entry| (entry, 1)).into_iter().chain(group) {
            self.batch.push(entry, n, self.most, sink);
        }
        self.batch.flush(sink);
    }
}
