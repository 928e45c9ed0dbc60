//! A buffer in buckets of equal total length: `DynamicBucketingSampler` of lhotse, without its shuffling inside a
//! bucket; or in evenly spaced buckets up to a maximum length, above which sequences are left out, as in NeMo's speech
//! collections with `max_duration`.
//!
//! Each batch comes from one bucket: one drawn at random, or the nearest with a full batch, or, if
//! there is none, the nearest that is not empty. It takes the first sequences of the bucket until
//! one more, as long as the longest of the batch, would be too much. The last sequence can be
//! longer than the ones before, so batches can exceed their size. The buffer then takes as many new
//! sequences. Where we differ: another random generator. Complexity: O(sequences · log buckets).

use super::tally::{OpenBatch, SamplerBatchBuilder};
use super::{SamplerBlock, SequenceSource};
use crate::error::{Error, Result};
use crate::packing::{Progress, Step};
use crate::rng::Random;
use std::collections::VecDeque;

/// A bucket: its first sequences as a batch, and the sequences waiting behind them.
struct WaitingBucket {
    /// The next batch to take.
    open: OpenBatch,
    /// The greatest effective length in the batch.
    longest: f64,
    /// Whether the batch is full.
    ready: bool,
    waiting: VecDeque<u32>,
}

struct BucketSize {
    slots: f64,
    quadratic: Option<f64>,
}

impl WaitingBucket {
    fn push(&mut self, length: u32, size: &BucketSize) {
        self.waiting.push_back(length);
        self.fill(size);
    }

    /// Moves waiting sequences into the batch until it is full.
    fn fill(&mut self, size: &BucketSize) {
        while !self.ready
            && let Some(length) = self.waiting.pop_front()
        {
            self.open.add(length, 1);
            let length = f64::from(length);
            // lhotse's quadratic_duration: a sequence of that length counts twice.
            let effective = size
                .quadratic
                .map_or(length, |twice| length + length * length / twice);
            self.longest = self.longest.max(effective);
            self.ready = (self.open.sequences + 1) as f64 * self.longest > size.slots;
        }
    }

    /// Takes the batch; returns its sequences.
    fn take(&mut self, size: &BucketSize, made: &mut SamplerBatchBuilder) -> u64 {
        let sequences = self.open.sequences;
        made.close(&mut self.open);
        (self.longest, self.ready) = (0.0, false);
        self.fill(size);
        sequences
    }
}

pub(super) fn run(
    block: &SamplerBlock,
    source: &SequenceSource,
    seed: u64,
    made: &mut SamplerBatchBuilder,
    progress: &mut Progress,
) -> Result<()> {
    let SamplerBlock::Buckets {
        slots,
        buckets,
        buffer,
        sample,
        evenly_to,
        quadratic,
        drop_last,
    } = *block
    else {
        return Ok(());
    };
    let ends = match evenly_to {
        Some(most) => evenly(most, buckets),
        None => ends(source, buckets, sample)?,
    };
    let size = BucketSize {
        slots: slots as f64,
        quadratic,
    };
    let empty = || WaitingBucket {
        open: made.open(),
        longest: 0.0,
        ready: false,
        waiting: VecDeque::new(),
    };
    let mut buckets: Vec<WaitingBucket> = (0..=ends.len()).map(|_| empty()).collect();
    // "lhotse" in ASCII: the order of sequences has the same seed, and buckets must not follow it.
    let mut random = Random::seeded(seed ^ 0x6c68_6f74_7365);
    let is_longer = |length: &u32| evenly_to.is_some_and(|most| f64::from(*length) > most);
    source
        .items()
        .filter(is_longer)
        .for_each(|length| leave_out(length, made));
    // The source can be gone through twice: it draws the same order each time.
    let (mut items, mut wanted) = (source.items().filter(|length| !is_longer(length)), buffer);
    let (mut done, of) = (0u64, source.data.items());
    loop {
        for length in items
            .by_ref()
            .take(usize::try_from(wanted).unwrap_or(usize::MAX))
        {
            // One bucket more than ends: the last is open.
            let at = ends.partition_point(|end| *end < length);
            buckets[at].push(length, &size);
        }
        if progress(Step::Done {
            done: done.min(of),
            of,
        })
        .is_break()
        {
            return Err(Error::Cancelled);
        }
        let drawn = random.below(buckets.len() as u64) as usize;
        let found = nearest(&buckets, drawn, |bucket| bucket.ready);
        let found = found.or_else(|| {
            let any = || nearest(&buckets, drawn, |bucket| bucket.open.sequences > 0);
            if drop_last { None } else { any() }
        });
        // With `drop_last` the sampler stops where no bucket is full, even if more data would
        // follow.
        let Some(at) = found else { break };
        wanted = buckets[at].take(&size, made);
        done += wanted;
    }
    // Batches are left here only with `drop_last`; nothing waits behind a batch that is not full.
    buckets.iter().for_each(|bucket| made.drop(&bucket.open));
    items.for_each(|length| leave_out(length, made));
    Ok(())
}

fn leave_out(length: u32, made: &mut SamplerBatchBuilder) {
    let mut left = made.open();
    left.add(length, 1);
    made.drop(&left);
}

/// Returns the nearest bucket for which `holds` is true; of two equally near, the lower.
fn nearest(
    buckets: &[WaitingBucket],
    from: usize,
    holds: impl Fn(&WaitingBucket) -> bool,
) -> Option<usize> {
    let fine = |at: &usize| buckets.get(*at).is_some_and(&holds);
    (0..buckets.len()).find_map(|far| {
        let below = from.checked_sub(far).filter(&fine);
        below.or_else(|| Some(from + far).filter(&fine))
    })
}

/// Returns the upper ends of all buckets but the last, from 0 to a length in equal steps.
fn evenly(most: f64, buckets: u32) -> Vec<u32> {
    let step = most / f64::from(buckets);
    (1..buckets)
        // Lengths are whole, so that an end rounded down divides them as the source's float does.
        .map(|nth| (f64::from(nth) * step).floor() as u32)
        .collect()
}

/// Returns the upper ends of all buckets but the last, which divide the tokens of the first sequences into equal parts.
fn ends(source: &SequenceSource, buckets: u32, sample: u64) -> Result<Vec<u32>> {
    let mut sizes: Vec<u32> = source
        .items()
        .take(usize::try_from(sample).unwrap_or(usize::MAX))
        .collect();
    if sizes.len() < buckets as usize {
        return Err(Error::Input {
            place: format!("{} sequences", sizes.len()),
            message: format!(
                "expected at least as many as buckets, which are {buckets}, or fewer num_buckets"
            ),
        });
    }
    sizes.sort_unstable();
    let each = sizes.iter().map(|size| u64::from(*size)).sum::<u64>() as f64 / f64::from(buckets);
    let (mut ends, mut total) = (Vec::new(), 0.0);
    for size in sizes {
        // Looked at before the next is added, as in `estimate_duration_buckets`: buckets end late,
        // and there can be fewer than asked for.
        if total > each {
            ends.push(size);
            total = 0.0;
        }
        total += f64::from(size);
    }
    Ok(ends)
}
