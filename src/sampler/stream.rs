//! Items in random order, counted.

use super::Task;
use crate::error::{Error, Result};
use crate::histogram::{Draw, Histogram};
use crate::packing::{Progress, Step};
use crate::rng::Random;

/// Items between two calls of the progress callback: about a millisecond.
const STRIDE: u64 = 65_536;

/// Returns the random generator of an epoch.
pub(super) fn random(task: &Task) -> Random {
    // A constant other than SplitMix64's, which seeds the generator: otherwise epochs would share half of its state.
    Random::seeded(task.seed ^ u64::from(task.epoch).wrapping_mul(0xd134_2543_de82_ef95))
}

/// The maximum number of items: more would take over a minute in a browser, one by one.
const AT_MOST: u64 = 1_000_000_000;

/// Draws `counts[i]` items of each kind `i` in random order.
///
/// # Errors
/// [`Error::TooManyItems`].
pub(super) fn draw(counts: Vec<u64>, random: Random) -> Result<Draw> {
    match counts.iter().sum() {
        items if items > AT_MOST => {
            Err(Error::TooManyItems { algorithm: "random order", items, at_most: AT_MOST })
        }
        _ => Ok(Draw::from_counts(counts, random)),
    }
}

/// Calls back for every item of an epoch, as an index into the entries, in random order.
pub(super) fn each(
    items: &Histogram<2>,
    task: &Task,
    progress: &mut Progress,
    mut take: impl FnMut(u32),
) -> Result<()> {
    let counts = items.entries().iter().map(|(_, n)| *n).collect();
    let mut ask = Ask::new(items.items(), progress);
    for entry in draw(counts, random(task))? {
        ask.one()?;
        take(entry as u32);
    }
    Ok(())
}

/// Calls the progress callback now and then.
pub(super) struct Ask<'a, 'p> {
    done: u64,
    of: u64,
    progress: &'a mut Progress<'p>,
}

impl<'a, 'p> Ask<'a, 'p> {
    pub(super) fn new(of: u64, progress: &'a mut Progress<'p>) -> Self {
        Self { done: 0, of, progress }
    }

    /// Counts one more item.
    pub(super) fn one(&mut self) -> Result<()> {
        if self.done.is_multiple_of(STRIDE)
            && (self.progress)(Step::Done { done: self.done, of: self.of }).is_break()
        {
            return Err(Error::Cancelled);
        }
        self.done += 1;
        Ok(())
    }
}
