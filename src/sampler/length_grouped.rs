//! Length-grouped batches: shuffled, then large groups of batches sorted inside, longest first.
//!
//! Source: `LengthGroupedSampler` of Hugging Face Transformers (Wolf et al. 2020): groups of `mega` batches, by default
//! as many as leave four groups, at most 50; the longest item of all is moved to the first place, so that memory runs
//! out at once or never. Where we differ: of several items of the greatest length, the one that has the most stopwords
//! is moved. Complexity: O(items log group), O(distinct + group) memory.

use super::{Batch, Sink, Task, stream};
use crate::error::Result;
use crate::histogram::Histogram;
use crate::packing::Progress;

/// Batches in a group, where nobody says how many.
pub fn mega_of(items: u64, batch: u32) -> u32 {
    (items / (u64::from(batch.max(1)) * 4)).clamp(1, 50) as u32
}

pub(super) fn run(items: &Histogram<2>, task: &Task, sink: &mut Sink, progress: &mut Progress) -> Result<()> {
    // A browser counts to 2^32.
    let group_size = (task.mega.max(1) as usize).saturating_mul(task.batch as usize);
    let mut groups = Groups::new(items.distinct() as u32 - 1, task.batch as usize);
    let mut group = Vec::new();
    stream::each(items, task, progress, |entry| {
        group.push(entry);
        if group.len() == group_size {
            groups.take(&mut group, sink);
        }
    })?;
    groups.take(&mut group, sink);
    Ok(())
}

/// Groups as they come.
struct Groups {
    /// The longest item of all.
    longest: u32,
    /// The item whose place it takes in the first group, until the group it comes from is there.
    owed: Option<u32>,
    first: bool,
    batch: usize,
    buffer: Vec<(u32, u32)>,
}

impl Groups {
    fn new(longest: u32, batch: usize) -> Self {
        Self { longest, owed: None, first: true, batch, buffer: Vec::new() }
    }

    fn take(&mut self, group: &mut Vec<u32>, sink: &mut Sink) {
        group.sort_unstable_by(|a, b| b.cmp(a));
        match group.first_mut() {
            Some(top) if std::mem::take(&mut self.first) && *top != self.longest => {
                self.owed = Some(std::mem::replace(top, self.longest));
            }
            Some(top) if *top == self.longest => *top = self.owed.take().unwrap_or(*top),
            _ => {}
        }
        for batch in group.chunks(self.batch) {
            self.buffer.clear();
            self.buffer.extend(batch.iter().map(|entry| (*entry, 1)));
            sink(&Batch::one(&self.buffer));
        }
        group.clear();
    }
}
