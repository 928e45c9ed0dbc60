//! Random batches: shuffled, a fixed number of items, each batch padded to its longest, as data loaders do by default.
//!
//! Complexity: O(items), O(distinct) memory.

use super::filling::ArrivalBatch;
use super::stream::{self, SimulatedPart};
use super::{Batch, EpochTask, Sink};
use crate::error::Result;
use crate::histogram::Histogram;
use crate::packing::Progress;

pub(super) fn run(
    items: &Histogram<2>,
    task: &EpochTask,
    sink: &mut Sink,
    progress: &mut Progress,
) -> Result<()> {
    let mut batch = ArrivalBatch::default();
    let mut part = SimulatedPart::new(items.items(), (task.batch.into(), 1), task.simulated);
    let draws = part.draws();
    let mut sink = |batch: &Batch| sink(&part.weighted(batch));
    stream::for_each_draw(items, task, draws, progress, |entry| {
        batch.push(entry, task.batch, &mut sink)
    })?;
    batch.flush(&mut sink);
    Ok(())
}
