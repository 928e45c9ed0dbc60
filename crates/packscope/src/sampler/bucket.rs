//! BucketSampler: buckets of similar length, each with the largest batch its length allows, residual batches merged.
//!
//! Source: Nagarajan, Raghunathan 2023, *TokenDrop + BucketSampler*, Algorithm 2. A batch has at most min(HWCap,
//! BatchCap(epoch)) items. The rest of a bucket is its residual batch; merging (RBM) fills new batches with these in
//! order of length, up to the cap of the longest bucket in them. Where we differ from the paper: buckets include their
//! upper edges, so that no sequence is lost. Merging needs caps that do not grow with the length. Complexity: O(items),
//! and O(distinct) for buckets of one length; O(distinct) memory.

use super::filling::{ArrivalBatch, BatchFilling};
use super::stream::{self, Ask, SimulatedPart};
use super::{Batch, EpochTask, Sink};
use crate::error::Result;
use crate::histogram::Histogram;
use crate::packing::Progress;
use crate::rng::Random;

pub(super) fn run(
    items: &Histogram<2>,
    task: &EpochTask,
    sink: &mut Sink,
    progress: &mut Progress,
) -> Result<()> {
    let mut random = stream::random(task);
    let mut ask = Ask::new(items.items(), progress);
    let mut merged = BatchFilling::default();
    let (entries, mut from) = (items.entries(), 0);
    while from < entries.len() {
        let bucket = task.buckets.bucket_of(entries[from].0[0]);
        // The cap of the epoch, where it is below what the memory allows.
        let cap = task
            .cap
            .map_or(bucket.cap, |cap| cap.min(bucket.cap))
            .max(1);
        let to = entries.partition_point(|([length, _], _)| *length <= bucket.longest);
        let counts: Vec<u64> = entries[from..to].iter().map(|(_, n)| *n).collect();
        let most = share(task.simulated, items, &counts);
        let residual = whole(
            counts,
            from as u32,
            (cap, most),
            &mut random,
            &mut ask,
            sink,
        )?;
        if task.merging {
            // Lines 7–15 of Algorithm 2. `push` needs a batch below its cap, and this bucket's cap
            // may be smaller than that of the bucket before.
            if merged.size() >= cap {
                merged.flush(sink);
            }
            residual
                .iter()
                .for_each(|&(entry, n)| merged.push(entry, n, cap, sink));
        } else if !residual.is_empty() {
            sink(&Batch::single(&residual));
        }
        from = to;
    }
    merged.flush(sink);
    Ok(())
}

/// Returns the share of a bucket with these counts in the items that are simulated.
pub(super) fn share(simulated: u64, items: &Histogram<2>, counts: &[u64]) -> u64 {
    let bucket: u64 = counts.iter().sum();
    let share = u128::from(simulated) * u128::from(bucket) / u128::from(items.items());
    share.min(bucket.into()) as u64
}

/// Makes the full batches of a bucket whose first entry is `from`, simulating about `most` items; returns the rest.
pub(super) fn whole(
    counts: Vec<u64>,
    from: u32,
    (cap, most): (u32, u64),
    random: &mut Random,
    ask: &mut Ask,
    sink: &mut Sink,
) -> Result<Vec<(u32, u32)>> {
    if let [count] = counts[..] {
        // All items are equal: no need to draw.
        let (times, rest) = (count / u64::from(cap), (count % u64::from(cap)) as u32);
        ask.count_item()?;
        if times > 0 {
            sink(&Batch {
                times,
                ..Batch::single(&[(from, cap)])
            });
        }
        return Ok(if rest > 0 {
            vec![(from, rest)]
        } else {
            Vec::new()
        });
    }
    let mut batch = ArrivalBatch::default();
    let mut part = SimulatedPart::new(counts.iter().sum(), (cap.into(), 1), most);
    let draws = part.draws();
    let mut sink = |batch: &Batch| sink(&part.weighted(batch));
    // Each bucket has its own generator, since the number of draws varies.
    for entry in stream::draw(counts, draws, Random::seeded(random.bits()))? {
        ask.count_item()?;
        batch.push(from + entry as u32, cap, &mut sink);
    }
    Ok(batch.into_items())
}
