//! Groups of batches, sorted inside: `LengthGroupedSampler` of Hugging Face, run by `crate::sampler`.

use super::SequenceSource;
use super::tally::SamplerBatchBuilder;
use crate::error::Result;
use crate::histogram::Histogram;
use crate::packing::Progress;
use crate::sampler::{Batch, GroupBuilder, mega_of};

pub(super) fn run(
    batch: u32,
    accumulated: u32,
    source: &SequenceSource,
    made: &mut SamplerBatchBuilder,
    progress: &mut Progress,
) -> Result<()> {
    let counts = source
        .data
        .entries()
        .iter()
        .map(|&([length], n)| (length.min(source.limit), n));
    // Truncated first: groups are sorted by the lengths that are trained.
    let kept = Histogram::from_lengths(counts)?;
    let positions = kept.positions();
    // Groups are of batches as large as a step; batches are cut from them.
    let mega = mega_of(kept.items(), batch.saturating_mul(accumulated)).saturating_mul(accumulated);
    let mut grouping = GroupBuilder::new(kept.distinct(), batch, mega);
    let mut sink = |batch: &Batch| {
        let mut open = made.open();
        for &(entry, n) in batch.items {
            open.add(kept.entries()[entry as usize].0[0], n);
        }
        made.close(&mut open);
    };
    source.for_each_sequence(progress, |length| {
        if let Some(entry) = positions.index_of(&[length]) {
            grouping.push(entry as u32, &mut sink);
        }
    })?;
    grouping.finish(&mut sink);
    Ok(())
}
