//! Steps divided into micro-batches of alike cost: `BatchRebalanceSampler` of Hugging Face.
//!
//! The sequences of a step, in descending order, are cut into a group for each rank and accumulated batch. Then one place
//! of the costliest group goes to the cheapest, again and again, until that leads back; the state with the least spread of
//! costs is taken. A group with one sequence has nothing to give away: it is frozen, with the groups beside it in its slot,
//! which take from others what they can without exceeding it. The cost is slots, plus a thousandth of slots times the
//! longest. Source: transformers 5.23.0 src/transformers/trainer_pt_utils.py. A last step with fewer sequences than groups
//! is filled up with sequences of the beginning there; here each of its sequences is a batch.
//! O(sequences of a step + 30 groups) turns of O(groups · log groups) for each step.

use super::SequenceSource;
use super::tally::SamplerBatchBuilder;
use crate::error::Result;
use crate::packing::Progress;
use std::collections::BTreeSet;

/// The step of one optimizer update.
#[derive(Clone, Copy)]
pub(super) struct RebalancedStep {
    /// Sequences of a batch, on average.
    pub batch: u32,
    /// Batches that are accumulated.
    pub accumulated: u32,
    /// Ranks.
    pub ranks: u32,
    /// Whether a last step that is not full is left out.
    pub drop_last: bool,
}

/// The weight of attention, by which a step is balanced.
const QUADRATIC: f64 = 0.001;

/// Returns the cost of a group of `size` sequences, of which the longest has `longest` tokens.
fn cost(size: usize, longest: u32) -> f64 {
    let (size, longest) = (size as f64, f64::from(longest));
    // In the order of the source, so that equal costs are equal there and here.
    size * longest + QUADRATIC * size * longest * longest
}

/// The groups of a step.
struct Groups<'a> {
    /// Lengths in descending order.
    lengths: &'a [u32],
    counts: Vec<usize>,
    ranks: usize,
    frozen: Vec<bool>,
}

impl Groups<'_> {
    fn costs(&self) -> Vec<f64> {
        let mut begin = 0;
        let each = self.counts.iter().map(|&count| {
            let longest = self.lengths.get(begin).copied().unwrap_or(0);
            begin += count;
            cost(count, longest)
        });
        each.collect()
    }

    /// Returns groups that are not frozen, by their cost, of equal costs in their order.
    fn active(&self, costs: &[f64]) -> Vec<usize> {
        let mut active: Vec<usize> = (0..costs.len()).filter(|at| !self.frozen[*at]).collect();
        active.sort_by(|a, b| costs[*a].total_cmp(&costs[*b]));
        active
    }

    /// Freezes the slot of the costliest group, whose other groups take sequences from outside as long as none is costlier.
    fn freeze(&mut self, costs: &[f64], costliest: usize) {
        let mut ranking: Vec<usize> = (0..costs.len()).collect();
        ranking.sort_by(|a, b| costs[*b].total_cmp(&costs[*a]));
        let at = ranking.iter().position(|group| *group == costliest);
        let first = at.unwrap_or(0) / self.ranks * self.ranks;
        let slot: Vec<usize> = ranking.into_iter().skip(first).take(self.ranks).collect();
        // Whichever order a set of Python has: small numbers are their own hashes, and ascend.
        let mut ascending = slot.clone();
        ascending.sort_unstable();
        for group in ascending {
            if self.frozen[group] || group == costliest {
                continue;
            }
            while let Some(donor) = self.donor(group, &slot, costs[costliest]) {
                self.counts[group] += 1;
                self.counts[donor] -= 1;
            }
        }
        slot.into_iter().for_each(|group| self.frozen[group] = true);
    }

    /// Returns the cheapest group outside the slot that has a sequence to give; `None` if with one more the group would cost
    /// more than `most`.
    fn donor(&self, group: usize, slot: &[usize], most: f64) -> Option<usize> {
        let begin: usize = self.counts[..group].iter().sum();
        let longest = self.lengths.get(begin).copied().unwrap_or(0);
        if cost(self.counts[group] + 1, longest) > most {
            return None;
        }
        let costs = self.costs();
        (0..costs.len())
            .filter(|at| !self.frozen[*at] && !slot.contains(at) && self.counts[*at] > 1)
            .min_by(|a, b| costs[*a].total_cmp(&costs[*b]))
    }
}

/// Returns the sizes of the groups of a step, whose lengths are in descending order.
fn balanced(lengths: &[u32], groups: usize, step: RebalancedStep, full: usize) -> Vec<usize> {
    let (each, more) = (lengths.len() / groups, lengths.len() % groups);
    let mut of = Groups {
        lengths,
        counts: (0..groups)
            .map(|at| each + usize::from(at < more))
            .collect(),
        ranks: step.ranks as usize,
        frozen: vec![false; groups],
    };
    let (mut best, mut least) = (of.counts.clone(), f64::INFINITY);
    let mut seen = BTreeSet::new();
    for _ in 0..full.max(30 * groups) {
        if !seen.insert(of.counts.clone()) {
            break;
        }
        let costs = of.costs();
        let active = of.active(&costs);
        let [cheapest, .., last] = active[..] else {
            break;
        };
        // Of equally costly groups the first.
        let costliest = active
            .iter()
            .copied()
            .find(|at| costs[*at] == costs[last])
            .unwrap_or(last);
        let spread = costs[costliest] - costs[cheapest];
        if spread < least {
            least = spread;
            best.clone_from(&of.counts);
        }
        if spread == 0.0 {
            break;
        }
        if of.counts[costliest] > 1 {
            of.counts[costliest] -= 1;
            of.counts[cheapest] += 1;
        } else {
            of.freeze(&costs, costliest);
        }
    }
    best
}

pub(super) fn run(
    step: RebalancedStep,
    source: &SequenceSource,
    made: &mut SamplerBatchBuilder,
    progress: &mut Progress,
) -> Result<()> {
    let groups = (step.accumulated as usize).saturating_mul(step.ranks as usize);
    let full = groups.saturating_mul(step.batch as usize);
    let mut waiting = Vec::new();
    let close = |waiting: &mut Vec<u32>, made: &mut SamplerBatchBuilder| {
        waiting.sort_unstable_by(|a, b| b.cmp(a));
        let mut lengths = std::mem::take(waiting);
        let sizes = match lengths.len() < groups {
            true => vec![1; lengths.len()],
            false => balanced(&lengths, groups, step, full),
        };
        for size in sizes {
            let mut open = made.open();
            lengths.drain(..size).for_each(|length| open.add(length, 1));
            made.close(&mut open);
        }
    };
    source.for_each_sequence(progress, |length| {
        waiting.push(length);
        if waiting.len() == full {
            close(&mut waiting, made);
        }
    })?;
    if step.drop_last {
        let mut left = made.open();
        waiting.drain(..).for_each(|length| left.add(length, 1));
        made.drop(&left);
    } else if !waiting.is_empty() {
        close(&mut waiting, made);
    }
    Ok(())
}
