//! Random batches: shuffled, a fixed number of items, each batch padded to its longest, as data loaders do by default.
//!
//! Complexity: O(items), O(distinct) memory.

use super::filling::Collected;
use super::{Sink, Task, stream};
use crate::error::Result;
use crate::histogram::Histogram;
use crate::packing::Progress;

pub(super) fn run(items: &Histogram<2>, task: &Task, sink: &mut Sink, progress: &mut Progress) -> Result<()> {
    let mut batch = Collected::default();
    stream::each(items, task, progress, |entry| batch.push(entry, task.batch, sink))?;
    batch.flush(sink);
    Ok(())
}
