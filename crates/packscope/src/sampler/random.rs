//! Random batches: shuffled, a fixed number of items, each batch padded to its longest, as data loaders do by default.
//!
//! Complexity: O(items), O(distinct) memory.

use super::filling::Collected;
use super::stream::{self, Part};
use super::{Batch, Sink, Task};
use crate::error::Result;
use crate::histogram::Histogram;
use crate::packing::Progress;

pub(super) fn run(items: &Histogram<2>, task: &Task, sink: &mut Sink, progress: &mut Progress) -> Result<()> {
    let mut batch = Collected::default();
    let mut part = Part::new(items.items(), (task.batch.into(), 1), task.simulated);
    let draws = part.draws();
    let mut sink = |batch: &Batch| sink(&part.weighted(batch));
    stream::each(items, task, draws, progress, |entry| batch.push(entry, task.batch, &mut sink))?;
    batch.flush(&mut sink);
    Ok(())
}
