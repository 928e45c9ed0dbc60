//! The time of a step, and lower bounds on it, which no dealing can beat.

use super::deal::{UnitCount, descending};
use super::{Assignment, SyncPoint, UnitAssignment};

/// Returns the time of steps ÷ the mean work of a rank in them: 1 without work.
pub(super) fn factor(time: f64, mean: f64) -> f64 {
    // A rounded sum can be slightly below 1.
    if mean > 0.0 {
        (time / mean).max(1.0)
    } else {
        1.0
    }
}

/// Returns the share of the time in which ranks are idle at a factor.
pub fn idle(factor: f64) -> f64 {
    1.0 - 1.0 / factor.max(1.0)
}

/// The work of every micro-batch of every rank of a step.
#[derive(Debug, Clone, PartialEq)]
pub struct Loads {
    /// Micro-batches of each rank.
    pub micro_batches: usize,
    /// Work, rank by rank.
    pub work: Vec<f64>,
}

impl Loads {
    /// Returns ranks without work.
    pub fn idle(ranks: u32, micro_batches: u32) -> Self {
        // At least one: ranks are chunks of so many, and chunks of none do not exist.
        let micro_batches = micro_batches.max(1) as usize;
        Self {
            micro_batches,
            work: vec![0.0; ranks as usize * micro_batches],
        }
    }

    /// Adds up the work of units that were dealt.
    pub fn of_assignment(dealt: &UnitAssignment, work: &[f64], ranks: u32) -> Self {
        let mut loads = Self::idle(ranks, dealt.micro_batches);
        for ((rank, micro_batch), work) in dealt.rank.iter().zip(&dealt.micro_batch).zip(work) {
            loads.work[*rank as usize * loads.micro_batches + *micro_batch as usize] += work;
        }
        loads
    }

    /// Adds up the work of sequences that a library assigned: ranks that share one have an equal part of it.
    pub fn assigned(assignment: &Assignment, work: &[f64]) -> Self {
        let micro_batches = assignment.ranks.iter().map(Vec::len).max().unwrap_or(0);
        let mut loads = Self::idle(assignment.ranks.len() as u32, micro_batches as u32);
        let mut sharing = vec![0.0; work.len()];
        let each = || assignment.ranks.iter().flatten().flatten();
        each().for_each(|at| sharing[*at as usize] += 1.0);
        for (rank, own) in loads
            .work
            .chunks_exact_mut(loads.micro_batches)
            .zip(&assignment.ranks)
        {
            for (load, sequences) in rank.iter_mut().zip(own) {
                *load += sequences
                    .iter()
                    .map(|at| work[*at as usize] / sharing[*at as usize])
                    .sum::<f64>();
            }
        }
        loads
    }

    /// Returns the ranks: the work of each micro-batch of each.
    pub fn ranks(&self) -> std::slice::ChunksExact<'_, f64> {
        self.work.chunks_exact(self.micro_batches)
    }

    /// Returns the mean work of a rank.
    pub fn mean(&self) -> f64 {
        self.work.iter().sum::<f64>() / self.ranks().len().max(1) as f64
    }

    /// Returns the time of the step, in units of work: that of the slowest rank in each micro-batch, added up; of the
    /// slowest rank; or of the mean one.
    pub fn time(&self, waiting: SyncPoint) -> f64 {
        match waiting {
            SyncPoint::MicroBatch => {
                let mut slowest = vec![0.0f64; self.micro_batches];
                for rank in self.ranks() {
                    slowest
                        .iter_mut()
                        .zip(rank)
                        .for_each(|(most, work)| *most = most.max(*work));
                }
                slowest.iter().sum()
            }
            SyncPoint::Step => self
                .ranks()
                .map(|rank| rank.iter().sum())
                .fold(0.0, f64::max),
            SyncPoint::Never => self.mean(),
        }
    }
}

/// Returns lower bounds on the time of a step, in the unit of the weights: where ranks wait after every micro-batch, and
/// once a step. O(units · log units).
///
/// No rank can have less than the mean, nor less than the heaviest unit. Of the k · ranks + 1 heaviest units some rank has
/// k + 1, which weigh at least as much as the k + 1 lightest of these: for k = 1, two of the ranks + 1 heaviest. Ranks
/// that wait after every micro-batch wait for all of a rank's work too. If no more than `n` units are in a micro-batch,
/// the t-th slowest micro-batch has a unit at least as heavy as the one after the t · ranks · n heaviest, which are all
/// that faster ones could leave to slower ones; with one unit in each, dealing them sorted in groups of ranks reaches it.
pub fn bound(weights: &[f64], ranks: u32, size: UnitCount) -> [f64; 2] {
    bound_in_order(weights, &descending(weights), ranks, size)
}

/// As [`bound()`], with the order of the units by weight, [`descending`].
pub(super) fn bound_in_order(
    weights: &[f64],
    order: &[u32],
    ranks: u32,
    size: UnitCount,
) -> [f64; 2] {
    let ranks = ranks.max(1) as usize;
    let sorted: Vec<f64> = order.iter().map(|unit| weights[*unit as usize]).collect();
    let mut sums = vec![0.0];
    sums.extend(sorted.iter().scan(0.0, |sum, weight| {
        *sum += weight;
        Some(*sum)
    }));
    let all = sums[sorted.len()];
    let crowded = |k: usize| sums[k * ranks + 1] - sums[k * ranks - k];
    let most = (0..sorted.len().div_ceil(ranks))
        .map(crowded)
        .fold(all / ranks as f64, f64::max);
    let slowest = match size {
        UnitCount::Any(_) => 0.0,
        UnitCount::AtMost(units) => sorted.iter().step_by(ranks * units.max(1) as usize).sum(),
    };
    [most.max(slowest), most]
}
