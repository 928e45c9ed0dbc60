//! Packed batches: shuffled rows of the packing engine, a fixed number in a batch, each padded to the limit.
//!
//! Rows are the packs of LPFHP at unlimited depth (Krell et al. 2022, *Efficient Sequence Packing without
//! Cross-contamination*). A batch holds all sequences of its rows: the effective batch is larger by the packing factor.
//! Complexity: O(rows), O(distinct + strategies + batch) memory.

use super::stream::{self, Ask, SimulatedPart};
use super::{Batch, EpochTask, Sink};
use crate::error::{Error, Result};
use crate::histogram::Histogram;
use crate::packing::{Algorithm, Depth, Progress};

/// The maximum number of rows of a batch, which are all stored until the batch is full.
const AT_MOST: u64 = 1 << 24;

pub(super) fn run(
    items: &Histogram<2>,
    task: &EpochTask,
    sink: &mut Sink,
    progress: &mut Progress,
) -> Result<()> {
    let lengths = items.marginal(0).ok_or(Error::Empty)?;
    let plan = Algorithm::Lpfhp.pack(&lengths, task.limit, Depth::Unlimited)?;
    // A batch waits for no more rows than there are.
    let rows = plan.packs().min(task.batch.into());
    if rows > AT_MOST {
        return Err(Error::TooManyItems {
            algorithm: "a batch of packed rows",
            items: rows,
            at_most: AT_MOST,
        });
    }
    let mut by_length = ByLength::new(items);
    let strategies: Vec<Vec<(usize, u32)>> = plan
        .strategies()
        .iter()
        .map(|s| by_length.places(&s.runs))
        .collect();
    let counts = plan.strategies().iter().map(|s| s.count).collect();
    // As many rows as have the items to simulate.
    let most = u128::from(task.simulated) * u128::from(plan.packs()) / u128::from(items.items());
    let mut part = SimulatedPart::new(
        plan.packs(),
        (task.batch.into(), 1),
        most.min(plan.packs().into()) as u64,
    );
    let draws = part.draws();
    let mut ask = Ask::new(draws, progress);
    let mut sink = |batch: &Batch| sink(&part.weighted(batch));
    let (mut batch, mut ends) = (Vec::new(), Vec::new());
    for strategy in stream::draw(counts, draws, stream::random(task))? {
        ask.count_item()?;
        for &(place, times) in &strategies[strategy] {
            by_length.take(place, times, &mut batch);
        }
        ends.push(batch.len());
        if ends.len() == task.batch as usize {
            sink(&Batch {
                packs: Some((&ends, task.limit)),
                ..Batch::single(&batch)
            });
            batch.clear();
            ends.clear();
        }
    }
    if !ends.is_empty() {
        sink(&Batch {
            packs: Some((&ends, task.limit)),
            ..Batch::single(&batch)
        });
    }
    Ok(())
}

/// Items indexed by length alone: those with the fewest stopwords first.
struct ByLength<'h> {
    items: &'h Histogram<2>,
    /// For each length, in order: the next entry to take from, and its items left.
    next: Vec<(u32, usize, u64)>,
}

impl<'h> ByLength<'h> {
    fn new(items: &'h Histogram<2>) -> Self {
        let mut next: Vec<(u32, usize, u64)> = Vec::new();
        for (entry, &([length, _], count)) in items.entries().iter().enumerate() {
            if next.last().is_none_or(|(last, ..)| *last != length) {
                next.push((length, entry, count));
            }
        }
        Self { items, next }
    }

    /// Returns the indices of the lengths of a pack; the plan covers the histogram, so all are found.
    fn places(&self, runs: &[([u32; 1], u32)]) -> Vec<(usize, u32)> {
        let place = |length: u32| self.next.binary_search_by_key(&length, |(l, ..)| *l).ok();
        runs.iter()
            .filter_map(|&([length], times)| Some((place(length)?, times)))
            .collect()
    }

    fn take(&mut self, place: usize, mut wanted: u32, batch: &mut Vec<(u32, u32)>) {
        let (_, entry, left) = &mut self.next[place];
        while wanted > 0 {
            if *left == 0 {
                *entry += 1;
                // Not reached: the plan holds exactly the items of the histogram.
                let Some((_, count)) = self.items.entries().get(*entry) else {
                    return;
                };
                *left = *count;
            }
            let taken = u64::from(wanted).min(*left) as u32;
            batch.push((*entry as u32, taken));
            *left -= u64::from(taken);
            wanted -= taken;
        }
    }
}
