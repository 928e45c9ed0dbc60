//! A cap on the tokens of a micro-batch: how many micro-batches there are, and how many exceed it.

use super::simulate::{Simulation, Split};
use super::{Dealing, Loads, SyncPoint, Weight, step};
use crate::error::Result;
use crate::packing::differencing;
use serde::{Deserialize, Serialize};

/// Micro-batches under a cap, summed over the simulated steps, in three ways to make them from the sequences that each
/// rank was dealt.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct CappedMicroBatches {
    /// As many as tokens ÷ cap, rounded up, balanced by Karmarkar–Karp: some may exceed the cap (verl before PR 7553).
    pub balanced: MicroBatchCounts,
    /// The same, but one more until none exceeds the cap (verl 0.9.1).
    pub raised: MicroBatchCounts,
    /// First-fit in order of arrival (slime): none exceeds the cap.
    pub first_fit: MicroBatchCounts,
}

/// Micro-batches that were made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct MicroBatchCounts {
    /// Micro-batches over all ranks and steps. All ranks have the same number, so that those that
    /// need fewer have empty ones.
    pub micro_batches: u64,
    /// Those with more tokens than the cap, not counting micro-batches of a single sequence.
    pub over: u64,
    /// Those without a sequence.
    pub empty: u64,
    /// Tokens of the fullest one.
    pub most: u64,
    /// Share of the slots under the cap that are empty: the cost of padding every micro-batch to
    /// the cap.
    pub padding: f64,
    /// The factor where ranks wait after every micro-batch.
    pub factor: f64,
}

/// Sums that become [`MicroBatchCounts`].
#[derive(Default)]
struct Sums {
    made: MicroBatchCounts,
    filled: u64,
    time: f64,
    mean: f64,
}

impl Sums {
    /// Adds a step: for each rank the micro-batches, as positions in the step.
    fn add(&mut self, ranks: &[Vec<Vec<u32>>], lengths: &[u32], work: &[f64], cap: u64) {
        let number = ranks.iter().map(Vec::len).max().unwrap_or(0);
        let mut loads = Loads::idle(ranks.len() as u32, number as u32);
        for (rank, own) in ranks.iter().enumerate() {
            for at in 0..number {
                let sequences = own.get(at).map_or(&[][..], Vec::as_slice);
                let tokens = sequences
                    .iter()
                    .map(|unit| u64::from(lengths[*unit as usize]))
                    .sum::<u64>();
                self.made.micro_batches += 1;
                self.made.over += u64::from(tokens > cap && sequences.len() > 1);
                self.made.empty += u64::from(sequences.is_empty());
                self.made.most = self.made.most.max(tokens);
                // At most the cap: tokens above it would hide empty slots of other micro-batches.
                self.filled += tokens.min(cap);
                let load = sequences.iter().map(|unit| work[*unit as usize]).sum();
                loads.work[rank * loads.micro_batches + at] = load;
            }
        }
        self.time += loads.time(SyncPoint::MicroBatch);
        self.mean += loads.mean();
    }

    fn micro_batches_under(self, cap: u64) -> MicroBatchCounts {
        let slots = self.made.micro_batches as f64 * cap as f64;
        MicroBatchCounts {
            padding: (1.0 - self.filled as f64 / slots.max(1.0)).max(0.0),
            factor: step::factor(self.time, self.mean),
            ..self.made
        }
    }
}

/// Returns the sequences of each rank as the settings deal them.
fn dealt(simulation: &Simulation, step: &[u32], weights: &[f64]) -> Result<Vec<Vec<u32>>> {
    let mut ranks = vec![Vec::new(); simulation.settings.ranks as usize];
    match simulation.split(simulation.chosen(), step, weights, None)? {
        Split::By(dealt) => {
            dealt
                .rank
                .iter()
                .enumerate()
                .for_each(|(unit, rank)| ranks[*rank as usize].push(unit as u32));
        }
        Split::As(_, assignment) => {
            for (rank, own) in ranks.iter_mut().zip(&assignment.ranks) {
                rank.extend(own.iter().flatten().copied());
                rank.sort_unstable();
            }
        }
    }
    Ok(ranks)
}

/// Counts the micro-batches that each way makes under a cap. O(units · log units) for each way and
/// step, `raised` as often as it adds one.
pub(super) fn capped(simulation: &Simulation, cap: u64) -> Result<CappedMicroBatches> {
    let mut sums = [(); 3].map(|()| Sums::default());
    let weights = simulation.weights(simulation.chosen());
    // As they come, micro-batches are balanced by verl's weight; other ways to deal keep their own.
    let weight = match simulation.settings.dealing {
        Dealing::AsDrawn => Weight::Verl,
        _ => simulation.settings.weight,
    };
    let by = simulation.units.work(simulation.cost(weight));
    for step in &simulation.steps {
        let (lengths, work) = (
            simulation.lengths(step),
            Simulation::of_step(step, &simulation.work),
        );
        let by = Simulation::of_step(step, &by);
        let ranks = dealt(simulation, step, &weights)?;
        let parts = |number: u64| {
            ranks
                .iter()
                .map(|rank| parts(rank, &by, number))
                .collect::<Vec<_>>()
        };
        let tokens = |of: &[u32]| {
            of.iter()
                .map(|unit| u64::from(lengths[*unit as usize]))
                .sum::<u64>()
        };
        // All ranks make the same number of micro-batches: the one that the fullest rank needs.
        let least = ranks
            .iter()
            .map(|rank| tokens(rank).div_ceil(cap))
            .max()
            .unwrap_or(1)
            .max(1);
        let most = ranks.iter().map(Vec::len).max().unwrap_or(1) as u64;
        let over = |ranks: &Vec<Vec<Vec<u32>>>| {
            ranks
                .iter()
                .flatten()
                .any(|units| units.len() > 1 && tokens(units) > cap)
        };
        let balanced = parts(least);
        sums[0].add(&balanced, &lengths, &work, cap);
        let (mut number, mut raised) = (least, balanced);
        // It ends: with as many micro-batches as the largest rank has sequences, each is alone.
        while number < most && over(&raised) {
            number += 1;
            raised = parts(number);
        }
        sums[1].add(&raised, &lengths, &work, cap);
        let first_fit = |rank: &Vec<u32>| {
            let own: Vec<u32> = rank.iter().map(|unit| lengths[*unit as usize]).collect();
            let bins = super::libraries::first_fit(&own, cap);
            bins.iter()
                .map(|bin| bin.iter().map(|at| rank[*at as usize]).collect())
                .collect()
        };
        sums[2].add(
            &ranks.iter().map(first_fit).collect::<Vec<_>>(),
            &lengths,
            &work,
            cap,
        );
    }
    let [balanced, raised, first_fit] = sums.map(|sums| sums.micro_batches_under(cap));
    Ok(CappedMicroBatches {
        balanced,
        raised,
        first_fit,
    })
}

/// Returns the sequences of a rank in this number of micro-batches, balanced by Karmarkar–Karp.
fn parts(rank: &[u32], weights: &[f64], number: u64) -> Vec<Vec<u32>> {
    let own: Vec<f64> = rank.iter().map(|unit| weights[*unit as usize]).collect();
    let parts = differencing::parts(&own, number as usize, false);
    parts
        .iter()
        .map(|part| part.iter().map(|at| rank[*at as usize]).collect())
        .collect()
}
