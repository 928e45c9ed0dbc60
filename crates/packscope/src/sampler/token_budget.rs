//! Token budget: batches of similar length, with as many items as fit into a number of slots, in random order.
//!
//! Every step costs about the same. Items are taken in order of length; a batch ends when one item more, with all
//! padded to its length, would exceed the budget. Source: `--max-tokens` of fairseq (Ott et al. 2019), without its
//! rounding of batch sizes to multiples of 8. Complexity: O(distinct).

use super::{EpochTask, Sink, sorted};
use crate::error::{Error, Result};
use crate::histogram::Histogram;

pub(super) fn run(items: &Histogram<2>, task: &EpochTask, sink: &mut Sink) -> Result<()> {
    let longest = items.max()[0];
    if task.tokens < u64::from(longest) {
        return Err(Error::Budget {
            tokens: task.tokens,
            longest,
        });
    }
    let most = |length: u32| u32::try_from(task.tokens / u64::from(length)).unwrap_or(u32::MAX);
    sorted::fill(items, sink, most);
    Ok(())
}
