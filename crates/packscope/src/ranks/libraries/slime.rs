//! slime: packs first, deals second. Source: THUDM/slime@624b824 slime/utils/dp_schedule.py `build_dp_schedule`,
//! slime/utils/seqlen_balancing.py.

use super::ordered::Bins;
use super::{Assignment, Scheduler, SchedulerTask, in_turn, longest_first, stops, tokens};
use crate::error::Result;
use crate::packing::differencing;
use crate::ranks::Weight;
use crate::words::plural;
use std::collections::BinaryHeap;

/// The decisions that are balanced by operations.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Balance {
    Nothing,
    /// Micro-batches are dealt to ranks by it: `--balance-data`.
    Ranks,
    /// They are also made by it: `--balance-by-flops`.
    All,
}

impl Balance {
    fn library(self) -> Scheduler {
        match self {
            Self::Nothing => Scheduler::Slime,
            Self::Ranks => Scheduler::SlimeBalanceData,
            Self::All => Scheduler::SlimeBalanceByFlops,
        }
    }
}

/// Makes micro-batches of the whole step, splits the fullest until each rank can have the same
/// number, and deals them.
pub(super) fn assign(
    lengths: &[u32],
    task: &SchedulerTask,
    balance: Balance,
) -> Result<Assignment> {
    let (ranks, cost) = (task.ranks as usize, Weight::Slime.cost(&task.model));
    let work: Vec<f64> = lengths.iter().map(|length| cost.work_of(*length)).collect();
    let weigh = |bin: &Vec<u32>| bin.iter().map(|at| work[*at as usize]).sum::<f64>();
    let all: Vec<u32> = (0..lengths.len() as u32).collect();
    let per = task
        .micro_batch
        .map_or(lengths.len().div_ceil(ranks), |per| per as usize)
        .max(1);
    let mut bins = match task.cap {
        None => all.chunks(per).map(<[u32]>::to_vec).collect(),
        Some(cap) if balance == Balance::All => {
            let number = (tokens(&all, lengths).div_ceil(cap) as usize).max(1);
            let singles = || all.iter().map(|at| vec![*at]).collect();
            // With a micro-batch for each sequence there is nothing to balance.
            if number >= all.len() {
                singles()
            } else {
                differencing::parts(&work, number, false)
            }
        }
        Some(cap) => first_fit(lengths, cap),
    };
    let target = bins.len().next_multiple_of(ranks).max(ranks);
    if task.cap.is_some() {
        split(&mut bins, target, lengths);
    }
    // Still fewer: nothing is split without a cap, and no bin may have two sequences left.
    if bins.len() != target {
        let given = plural(lengths.len() as u64, "sequence");
        let reason = format!(
            "{given} do not give each rank the same number of micro-batches, which it needs"
        );
        return Err(stops(balance.library(), reason));
    }
    let ranks = if balance == Balance::Nothing {
        in_turn(bins, task.ranks)
    } else {
        let weights: Vec<f64> = bins.iter().map(weigh).collect();
        let dealt = differencing::parts(&weights, ranks, true);
        dealt
            .iter()
            .map(|rank| rank.iter().map(|at| bins[*at as usize].clone()).collect())
            .collect()
    };
    Ok(Assignment::training_all(ranks))
}

/// `first_fit_pack`: in order of arrival; a sequence above the cap is alone. O(sequences · log bins).
pub(in crate::ranks) fn first_fit(lengths: &[u32], cap: u64) -> Vec<Vec<u32>> {
    let mut bins: Vec<Vec<u32>> = Vec::new();
    // Where none weighs anything, the first with room is the first of equals.
    let mut sums = Bins::new(lengths.len(), u64::MAX);
    for (at, &length) in lengths.iter().enumerate() {
        let length = u64::from(length);
        match sums.lightest_bin(length, cap, 0, 0) {
            Some((_, bin)) => {
                bins[bin].push(at as u32);
                sums.set(bin, [sums.load_of(bin)[0] + length, 0]);
            }
            None => {
                sums.set(bins.len(), [length, 0]);
                bins.push(vec![at as u32]);
            }
        }
    }
    bins
}

/// `expand_bins_by_splitting`: the fullest bin of several sequences, of equals the last, is halved, the longest first.
fn split(bins: &mut Vec<Vec<u32>>, target: usize, lengths: &[u32]) {
    let entry = |(at, bin): (usize, &Vec<u32>)| (bin.len() > 1).then(|| (tokens(bin, lengths), at));
    let mut several: BinaryHeap<(u64, usize)> = match bins.len() < target {
        true => bins.iter().enumerate().filter_map(entry).collect(),
        false => BinaryHeap::new(),
    };
    while bins.len() < target {
        let Some((_, fullest)) = several.pop() else {
            break;
        };
        let bin = std::mem::take(&mut bins[fullest]);
        let own: Vec<u32> = bin.iter().map(|at| lengths[*at as usize]).collect();
        let (mut halves, mut sums) = ([Vec::new(), Vec::new()], [0u64; 2]);
        for place in longest_first(&own) {
            let half = usize::from(sums[0] > sums[1]);
            halves[half].push(bin[place as usize]);
            sums[half] += u64::from(own[place as usize]);
        }
        let [left, right] = halves;
        bins[fullest] = left;
        bins.push(right);
        several.extend(
            [fullest, bins.len() - 1]
                .into_iter()
                .filter_map(|at| entry((at, &bins[at]))),
        );
    }
}
