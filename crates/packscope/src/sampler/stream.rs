//! Items in random order, counted.

use super::{Batch, EpochTask};
use crate::error::{Error, Result};
use crate::histogram::{Draw, Histogram};
use crate::packing::{Progress, Step};
use crate::rng::Random;

/// Items between two calls of the progress callback: about a millisecond.
const STRIDE: u64 = 65_536;

pub(super) fn random(task: &EpochTask) -> Random {
    // A constant other than SplitMix64's, which seeds the generator: otherwise epochs would share half of its state.
    Random::seeded(task.seed ^ u64::from(task.epoch).wrapping_mul(0xd134_2543_de82_ef95))
}

/// Number of items up to which an epoch is simulated in full: 0.16 µs each of a million lengths, less of fewer.
const ALL: u64 = 50_000_000;
/// The items that are simulated of more: of a million lengths, padding comes within a tenth of a per cent.
const FEW: u64 = 1 << 22;

/// Returns [`EpochTask::simulated`] for a number of items: all of up to fifty million, some four
/// million of more.
pub fn simulated_of(items: u64) -> u64 {
    if items <= ALL { items } else { FEW }
}

/// The maximum number of draws: more would take over a minute in a browser.
const AT_MOST: u64 = 1_000_000_000;

/// Draws the first `draws` of `counts[i]` items of each kind `i` in random order.
///
/// # Errors
/// [`Error::TooManyItems`].
pub(super) fn draw(counts: Vec<u64>, draws: u64, random: Random) -> Result<std::iter::Take<Draw>> {
    if draws > AT_MOST {
        return Err(Error::TooManyItems {
            algorithm: "random order",
            items: draws,
            at_most: AT_MOST,
        });
    }
    Ok(Draw::from_counts(counts, random).take(draws as usize))
}

/// Calls back for the first `draws` items of an epoch in random order, each an index into the entries.
pub(super) fn for_each_draw(
    items: &Histogram<2>,
    task: &EpochTask,
    draws: u64,
    progress: &mut Progress,
    mut take: impl FnMut(u32),
) -> Result<()> {
    let counts = items.entries().iter().map(|(_, n)| *n).collect();
    let mut ask = Ask::new(draws, progress);
    for entry in draw(counts, draws, random(task))? {
        ask.count_item()?;
        take(entry as u32);
    }
    Ok(())
}

/// The part of an epoch that is simulated: units of equal batches, each an example of the same
/// number of others, and the rest of the items, which fills no unit.
pub(super) struct SimulatedPart {
    /// Items, and batches, of a unit.
    size: u64,
    batches: u64,
    /// Units in all, and those that are simulated.
    units: u64,
    simulated: u64,
    /// Items in no unit.
    rest: u64,
    /// Batches so far.
    made: u64,
}

impl SimulatedPart {
    /// Divides `items` into units of `size` items in `batches` batches, of which about `most` items are simulated, at
    /// least one unit and the rest; all if there are no more.
    pub(super) fn new(items: u64, (size, batches): (u64, u64), most: u64) -> Self {
        let (units, rest) = (items / size, items % size);
        let simulated = if most >= items {
            units
        } else {
            // Without a whole unit only the rest is simulated.
            (most / size).clamp(1, units.max(1)).min(units)
        };
        Self {
            size,
            batches,
            units,
            simulated,
            rest,
            made: 0,
        }
    }

    pub(super) fn draws(&self) -> u64 {
        self.simulated * self.size + self.rest
    }

    /// Returns the next batch with the number of batches of which it is an example.
    pub(super) fn weighted<'b>(&mut self, batch: &Batch<'b>) -> Batch<'b> {
        let unit = self.made / self.batches;
        self.made += 1;
        // The rest that fills no unit stands for itself.
        if unit >= self.simulated {
            return *batch;
        }
        // Whole weights, as even as can be, that add up to all units.
        let before =
            |unit: u64| u128::from(unit) * u128::from(self.units) / u128::from(self.simulated);
        let times = (before(unit + 1) - before(unit)) as u64;
        Batch {
            times,
            example: self.simulated < self.units,
            ..*batch
        }
    }
}

/// Calls the progress callback now and then.
pub(super) struct Ask<'a, 'p> {
    done: u64,
    of: u64,
    progress: &'a mut Progress<'p>,
}

impl<'a, 'p> Ask<'a, 'p> {
    pub(super) fn new(of: u64, progress: &'a mut Progress<'p>) -> Self {
        Self {
            done: 0,
            of,
            progress,
        }
    }

    /// Counts an item, and asks every [`STRIDE`] items whether to go on.
    pub(super) fn count_item(&mut self) -> Result<()> {
        if self.done.is_multiple_of(STRIDE)
            && (self.progress)(Step::Done {
                done: self.done,
                of: self.of,
            })
            .is_break()
        {
            return Err(Error::Cancelled);
        }
        self.done += 1;
        Ok(())
    }
}
