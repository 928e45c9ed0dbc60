//! Random batches: shuffled, a fixed number of items, each batch padded to its longest. The default everywhere.
//!
//! Complexity: O(items), O(distinct + batch) memory.

use super::{Batch, Sink, Task, stream};
use crate::error::Result;
use crate::histogram::Histogram;
use crate::packing::Progress;

pub(super) fn run(items: &Histogram<2>, task: &Task, sink: &mut Sink, progress: &mut Progress) -> Result<()> {
    let mut batch = Vec::new();
    stream::each(items, task, progress, |entry| {
        batch.push((entry, 1));
        if batch.len() == task.batch as usize {
            sink(&Batch::one(&batch));
            batch.clear();
        }
    })?;
    if !batch.is_empty() {
        sink(&Batch::one(&batch));
    }
    Ok(())
}
