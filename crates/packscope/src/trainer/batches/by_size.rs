//! In order of length up to a size: `batch_by_size` of fairseq.
//!
//! Sequences wait behind a batch until it would have, with them, fewer sequences than the multiple, or a multiple of
//! it. The first that would make the batch too large closes it, and the waiting ones begin the next; if these are too
//! many by themselves, they form a batch too. A last batch that is no multiple is left out. O(sequences).

use super::SequenceSource;
use super::tally::{OpenBatch, SamplerBatchBuilder};
use crate::error::{Error, Result};
use crate::packing::Progress;

pub(super) fn run(
    tokens: u64,
    multiple: u64,
    source: &SequenceSource,
    made: &mut SamplerBatchBuilder,
    progress: &mut Progress,
) -> Result<()> {
    let longest = u64::from(source.data.max()[0].min(source.limit));
    // A single sequence above max_tokens fits no batch; fairseq ends with an error.
    if longest > tokens {
        return Err(Error::Budget {
            tokens,
            longest: longest as u32,
        });
    }
    let (mut full, mut tail) = (made.open(), made.open());
    source.ascending(progress, |length| {
        let with_it = full.sequences + tail.sequences + 1;
        // Lengths ascend: this is the longest so far.
        if with_it * u64::from(length) > tokens {
            made.close(&mut full);
            // Waiting sequences can be too many by themselves where the multiple is large.
            if tail.slots_with(1, length) > tokens {
                made.close(&mut tail);
            }
            tail.add(length, 1);
            full.take(&mut tail);
            return;
        }
        tail.add(length, 1);
        if with_it < multiple || with_it.is_multiple_of(multiple) {
            full.take(&mut tail);
        }
    })?;
    // Sequences waiting at the end are a batch of their own.
    if tail.sequences > 0 {
        made.close(&mut full);
        full = tail;
    }
    end(&mut full, multiple, made);
    Ok(())
}

/// Closes the last batch, or leaves it out.
fn end(last: &mut OpenBatch, multiple: u64, made: &mut SamplerBatchBuilder) {
    if multiple > 1 && !last.sequences.is_multiple_of(multiple) {
        made.drop(last);
    } else {
        made.close(last);
    }
}
