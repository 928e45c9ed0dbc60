//! slime: packs first, deals second. Source: THUDM/slime@624b824 slime/utils/dp_schedule.py `build_dp_schedule`,
//! slime/utils/seqlen_balancing.py.

use super::{Assignment, Task, in_turn, longest_first, refused, tokens};
use crate::error::Result;
use crate::packing::differencing;
use crate::ranks::Weight;

/// The decisions that are balanced by operations.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Balance {
    Nothing,
    /// Micro-batches are dealt to ranks by it: `--balance-data`.
    Ranks,
    /// They are also made by it: `--balance-by-flops`.
    All,
}

/// Makes micro-batches of the whole step, splits the fullest until ranks have as many, and deals them.
pub(super) fn assign(lengths: &[u32], task: &Task, balance: Balance) -> Result<Assignment> {
    let (ranks, cost) = (task.ranks as usize, Weight::Slime.cost(&task.model));
    let work: Vec<f64> = lengths.iter().map(|length| cost.of(*length)).collect();
    let weigh = |bin: &Vec<u32>| bin.iter().map(|at| work[*at as usize]).sum::<f64>();
    let all: Vec<u32> = (0..lengths.len() as u32).collect();
    let per = task.micro_batch.map_or(lengths.len().div_ceil(ranks), |per| per as usize).max(1);
    let mut bins = match task.cap {
        None => all.chunks(per).map(<[u32]>::to_vec).collect(),
        Some(cap) if balance == Balance::All => {
            let number = (tokens(&all, lengths).div_ceil(cap) as usize).max(1);
            let singles = || all.iter().map(|at| vec![*at]).collect();
            if number >= all.len() { singles() } else { differencing::parts(&work, number, false) }
        }
        Some(cap) => first_fit(lengths, cap),
    };
    let target = bins.len().next_multiple_of(ranks).max(ranks);
    if task.cap.is_some() {
        split(&mut bins, target, lengths);
    }
    if bins.len() != target {
        let expected = "enough to give each rank the same number of micro-batches";
        return Err(refused("number of sequences", &lengths.len().to_string(), expected));
    }
    let ranks = if balance == Balance::Nothing {
        in_turn(bins, task.ranks)
    } else {
        let weights: Vec<f64> = bins.iter().map(weigh).collect();
        let dealt = differencing::parts(&weights, ranks, true);
        dealt.iter().map(|rank| rank.iter().map(|at| bins[*at as usize].clone()).collect()).collect()
    };
    Ok(Assignment { ranks, dropped: Vec::new() })
}

/// `first_fit_pack`: in order of arrival; a sequence above the cap is alone.
pub(in crate::ranks) fn first_fit(lengths: &[u32], cap: u64) -> Vec<Vec<u32>> {
    let mut bins: Vec<(u64, Vec<u32>)> = Vec::new();
    for (at, &length) in lengths.iter().enumerate() {
        let length = u64::from(length);
        match bins.iter_mut().find(|(used, _)| used + length <= cap) {
            Some((used, bin)) => {
                *used += length;
                bin.push(at as u32);
            }
            None => bins.push((length, vec![at as u32])),
        }
    }
    bins.into_iter().map(|(_, bin)| bin).collect()
}

/// `expand_bins_by_splitting`: the fullest bin of several sequences, of equals the last, is halved, the longest first.
fn split(bins: &mut Vec<Vec<u32>>, target: usize, lengths: &[u32]) {
    while bins.len() < target {
        let several = bins.iter().enumerate().filter(|(_, bin)| bin.len() > 1);
        let Some((fullest, _)) = several.max_by_key(|(at, bin)| (tokens(bin, lengths), *at)) else { break };
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
    }
}
