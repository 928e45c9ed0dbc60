//! NeMo RL: rows or sorted sequences, dealt in turn. Source: NVIDIA-NeMo/RL@7ea279a
//! nemo_rl/distributed/batched_data_dict.py `shard_by_batch_size`, nemo_rl/data/packing/algorithms.py.

use super::{Assignment, Task, capped, in_turn, refused};
use crate::error::Result;
use crate::histogram::Histogram;
use crate::packing::go_on;
use crate::trainer::{Block, Order, Recipe};
use std::collections::BTreeMap;

/// Rows of modified first-fit decreasing, as many as ranks divide, dealt in turn. Which of several sequences of equal
/// length is in which row is not the library's own choice: the first is in the first.
pub(super) fn packed(lengths: &[u32], task: &Task) -> Result<Assignment> {
    let cap = u32::try_from(capped(task)?).unwrap_or(u32::MAX);
    if lengths.iter().any(|length| *length > cap) {
        return Err(refused("cap on tokens", &cap.to_string(), "at least the longest sequence"));
    }
    let counts = Histogram::from_lengths(lengths.iter().map(|length| (*length, 1)))?;
    let (_, rows) = Recipe::new(Block::Mffd, cap).list(&counts, Order::Given(lengths), &mut go_on)?;
    let mut places: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    lengths
        .iter()
        .enumerate()
        .rev()
        .for_each(|(at, length)| places.entry(*length).or_default().push(at as u32));
    let mut take = |length: &u32| places.get_mut(length).and_then(Vec::pop);
    let mut bins: Vec<Vec<u32>> = rows.iter().map(|row| row.iter().filter_map(&mut take).collect()).collect();
    add_bins(&mut bins, task.ranks as usize)?;
    Ok(Assignment { ranks: in_turn(bins, task.ranks), dropped: Vec::new() })
}

/// `_adjust_bin_count`: new rows get the last sequence of the fullest row by number, until it has one left.
fn add_bins(bins: &mut Vec<Vec<u32>>, ranks: usize) -> Result<()> {
    let target = bins.len().next_multiple_of(ranks).max(ranks);
    let mut sources: Vec<(usize, usize)> = bins.iter().enumerate().map(|(at, bin)| (bin.len(), at)).collect();
    sources.sort_unstable();
    while bins.len() < target {
        let Some(&(_, source)) = sources.last() else {
            let expected = "one for each rank at least";
            return Err(refused("number of sequences", &bins.len().to_string(), expected));
        };
        match bins[source].len() > 1 {
            true => {
                let moved = bins[source].pop();
                bins.push(moved.into_iter().collect());
            }
            false => {
                sources.pop();
            }
        }
    }
    Ok(())
}

/// Sequences sorted, the shortest first, and dealt in turn; consecutive ones make a micro-batch while their number × the
/// longest of all ranks, rounded up to 64, is within the cap.
pub(super) fn dynamic(lengths: &[u32], task: &Task) -> Result<Assignment> {
    let (cap, ranks) = (capped(task)?, task.ranks as usize);
    if !lengths.len().is_multiple_of(ranks) || lengths.is_empty() {
        let expected = "a multiple of the number of ranks";
        return Err(refused("number of sequences", &lengths.len().to_string(), expected));
    }
    let mut order: Vec<u32> = (0..lengths.len() as u32).collect();
    order.sort_by_key(|at| lengths[*at as usize]);
    let width = lengths.iter().max().copied().unwrap_or(1);
    let mut dealt: Vec<Vec<Vec<u32>>> = vec![vec![Vec::new()]; ranks];
    for round in order.chunks(ranks) {
        let longest = round.last().map_or(1, |at| lengths[*at as usize]);
        let padded = u64::from(longest.next_multiple_of(64).min(width));
        if padded > cap {
            return Err(refused("cap on tokens", &cap.to_string(), "at least the longest sequence"));
        }
        let open = dealt[0].last().map_or(0, Vec::len) as u64;
        if (open + 1) * padded > cap {
            dealt.iter_mut().for_each(|rank| rank.push(Vec::new()));
        }
        for (rank, at) in dealt.iter_mut().zip(round) {
            if let Some(micro_batch) = rank.last_mut() {
                micro_batch.push(*at);
            }
        }
    }
    Ok(Assignment { ranks: dealt, dropped: Vec::new() })
}
