//! In order of length until a size is exceeded: `NumElementsBatchSampler` of ESPnet.
//!
//! The sequence that makes a batch too large stays in it. If the last batch is too small, its sequences are distributed
//! evenly over the others, any remainder to the last ones, which shifts the sequences between them. Complexity:
//! O(sequences); memory: a number for each batch.

use super::SequenceSource;
use super::tally::SamplerBatchBuilder;
use crate::error::Result;
use crate::packing::Progress;

pub(super) fn run(
    bins: u64,
    least: u64,
    drop_last: bool,
    source: &SequenceSource,
    made: &mut SamplerBatchBuilder,
    progress: &mut Progress,
) -> Result<()> {
    let (mut sizes, mut size) = (Vec::new(), 0u64);
    // First sizes alone: how many sequences the first batches have is known only when the last is.
    source.ascending(progress, |length| {
        size += 1;
        if size * u64::from(length) > bins && size >= least {
            sizes.push(std::mem::take(&mut size));
        }
    })?;
    if size > 0 && (!drop_last || sizes.is_empty()) {
        sizes.push(size);
    }
    if let [before @ .., last] = &mut sizes[..]
        && !before.is_empty()
        && *last < least
    {
        let (last, batches) = (*last, before.len() as u64);
        // From the last batch on, so that the remainder goes to the last ones.
        for (at, size) in (0..batches).zip(before.iter_mut().rev()) {
            *size += last / batches + u64::from(at < last % batches);
        }
        sizes.pop();
    }
    let mut sizes = sizes.into_iter();
    let (mut open, mut left) = (made.open(), sizes.next());
    source.ascending(progress, |length| {
        open.add(length, 1);
        if left.is_some_and(|size| open.sequences == size) {
            made.close(&mut open);
            left = sizes.next();
        }
    })?;
    // Left in no batch with `drop_last`.
    made.drop(&open);
    Ok(())
}
