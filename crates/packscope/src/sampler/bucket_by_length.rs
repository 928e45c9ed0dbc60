//! Buckets by length: items of a shuffled stream are put into buckets; a full bucket is a batch.
//!
//! Source: `bucket_by_sequence_length` of tf.data: upper edges belong to the next bucket, every bucket has its own
//! batch size (here the HWCap), and the buckets left at the end become batches too. Batches are padded to their
//! longest. Complexity: O(items), O(distinct + sum of the caps) memory, at most 65,536 items a bucket.

use super::filling::ArrivalBatch;
use super::stream::Ask;
use super::{Batch, CapBucket, EpochTask, Sink, bucket, stream};
use crate::error::Result;
use crate::histogram::Histogram;
use crate::packing::Progress;

struct OpenBucket {
    bucket: CapBucket,
    batch: ArrivalBatch,
}

pub(super) fn run(
    items: &Histogram<2>,
    task: &EpochTask,
    sink: &mut Sink,
    progress: &mut Progress,
) -> Result<()> {
    if task.simulated < items.items() {
        return by_bucket(items, task, sink, progress);
    }
    // Entries ascend in length, so a bucket is a range of them.
    let mut open: Vec<OpenBucket> = Vec::new();
    let mut of = Vec::with_capacity(items.distinct());
    for &([length, _], _) in items.entries() {
        let bucket = task.buckets.half_open(length);
        if open.last().is_none_or(|o| o.bucket != bucket) {
            open.push(OpenBucket {
                bucket,
                batch: ArrivalBatch::default(),
            });
        }
        of.push(open.len() - 1);
    }
    stream::for_each_draw(items, task, items.items(), progress, |entry| {
        let OpenBucket { bucket, batch } = &mut open[of[entry as usize]];
        batch.push(entry, bucket.cap, sink);
    })?;
    open.iter_mut().for_each(|left| left.batch.flush(sink));
    Ok(())
}

/// Simulates a part of every bucket by itself: in a stream, buckets with few items would be reached last.
fn by_bucket(
    items: &Histogram<2>,
    task: &EpochTask,
    sink: &mut Sink,
    progress: &mut Progress,
) -> Result<()> {
    let mut random = stream::random(task);
    let mut ask = Ask::new(items.items(), progress);
    let (entries, mut from) = (items.entries(), 0);
    while from < entries.len() {
        let edges = task.buckets.half_open(entries[from].0[0]);
        let to = entries.partition_point(|([length, _], _)| {
            *length <= entries[from].0[0] || task.buckets.half_open(*length) == edges
        });
        let counts: Vec<u64> = entries[from..to].iter().map(|(_, n)| *n).collect();
        let most = bucket::share(task.simulated, items, &counts);
        let residual = bucket::whole(
            counts,
            from as u32,
            (edges.cap, most),
            &mut random,
            &mut ask,
            sink,
        )?;
        if !residual.is_empty() {
            sink(&Batch::single(&residual));
        }
        from = to;
    }
    Ok(())
}
