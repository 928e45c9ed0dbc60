//! Greedy: next fit in order of arrival, as T5 and torchtune pack while they read.
//!
//! Items come in a random order (every order equally likely, by seed); an item goes into the one open pack, or that
//! pack is closed for ever and a new one opened. The order matters, so this goes item by item, but it draws them from
//! the histogram and stores neither items nor packs.
//!
//! Source: the row GREEDY of Krell et al. 2022, *Efficient Sequence Packing without
//! Cross-contamination*, Table 1 (about 78 % on Wikipedia); Johnson 1973 for next fit.
//! Complexity: O(items), memory O(distinct + listed strategies).

use super::{Progress, Step, Task};
use crate::error::{Error, Result};
use crate::histogram::{Draw, Histogram};
use crate::plan::{PlanListing, Recount};

/// The most items: more would take minutes in a browser, item by item.
const AT_MOST: u64 = 100_000_000;
/// Items between two calls of the progress callback: about a millisecond.
const STRIDE: u64 = 65_536;

pub(super) fn pack(
    histogram: &Histogram<1>,
    task: &Task,
    progress: &mut Progress,
) -> Result<PlanListing<1>> {
    let items = histogram.items();
    if items > AT_MOST {
        return Err(Error::TooManyItems {
            algorithm: "greedy",
            items,
            at_most: AT_MOST,
        });
    }
    let mut recount = Recount::new(
        histogram,
        [task.limit],
        u64::from(task.depth.get()),
        task.listed,
    );
    let mut pack = Vec::new();
    let mut space = task.limit;
    for (done, entry) in (0..).zip(Draw::new(histogram, task.seed)) {
        if done % STRIDE == 0 && progress(Step::Done { done, of: items }).is_break() {
            return Err(Error::Cancelled);
        }
        let ([length], _) = histogram.entries()[entry];
        if length > space || pack.len() as u64 == u64::from(task.depth.get()) {
            recount.pack(&mut pack)?;
            pack.clear();
            space = task.limit;
        }
        pack.push(entry as u32);
        space -= length;
    }
    // The pack still open: a histogram has at least one item.
    recount.pack(&mut pack)?;
    recount.finish()
}
