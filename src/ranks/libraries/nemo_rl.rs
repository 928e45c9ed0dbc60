//! NeMo RL: rows or sorted sequences, dealt in turn. Source: NVIDIA-NeMo/RL@7ea279a
//! nemo_rl/distributed/batched_data_dict.py `shard_by_batch_size`, nemo_rl/data/packing/algorithms.py.

use super::{Assignment, Task, capped, divided, in_turn, refused, split_singles};
use crate::error::Result;
use std::cmp::Reverse;

/// Rows of modified first-fit decreasing, as many as ranks divide, dealt in turn.
pub(super) fn packed(lengths: &[u32], task: &Task) -> Result<Assignment> {
    divided(lengths, task)?;
    let cap = u32::try_from(capped(task)?).unwrap_or(u32::MAX);
    if lengths.iter().any(|length| *length > cap) {
        return Err(refused("cap on tokens", &cap.to_string(), "at least the longest sequence"));
    }
    let mut bins = rows(lengths, cap);
    add_bins(&mut bins, task.ranks as usize)?;
    Ok(Assignment { ranks: in_turn(bins, task.ranks), dropped: Vec::new() })
}

/// `ModifiedFirstFitDecreasingPacker` (Johnson and Garey 1985): rows in its order. What the rows of large sequences leave over
/// goes, the longest first, into the emptiest of the other rows; these stand ascending by their tokens.
fn rows(lengths: &[u32], cap: u32) -> Vec<Vec<u32>> {
    let size = |at: u32| lengths[at as usize];
    // Above a half, a third, a sixth of a row, and the rest.
    let class =
        |at: u32| [2, 3, 6].iter().position(|part| u64::from(size(at)) * part > u64::from(cap)).unwrap_or(3);
    let of = |wanted: usize| {
        (0..lengths.len() as u32).filter(move |at| class(*at) == wanted).collect::<Vec<u32>>()
    };
    let [mut large, mut medium, mut small, mut tiny] = [0, 1, 2, 3].map(of);
    large.sort_by_key(|at| Reverse(size(*at)));
    medium.sort_by_key(|at| Reverse(size(*at)));
    small.sort_by_key(|at| size(*at));
    tiny.sort_by_key(|at| size(*at));
    let mut bins: Vec<(u32, Vec<u32>)> = large.into_iter().map(|at| (cap - size(at), vec![at])).collect();
    let put = |bin: &mut (u32, Vec<u32>), at: u32| {
        bin.0 -= size(at);
        bin.1.push(at);
    };
    // The largest medium one that fits.
    for bin in &mut bins {
        let first = medium.partition_point(|at| size(*at) > bin.0);
        if first < medium.len() {
            put(bin, medium.remove(first));
        }
    }
    // From the last row on: the smallest small one with the largest that fits beside it.
    for bin in bins.iter_mut().rev() {
        if bin.1.len() > 1 || small.len() < 2 || size(small[0]) + size(small[1]) > bin.0 {
            continue;
        }
        put(bin, small.remove(0));
        let last = small.partition_point(|at| size(*at) <= bin.0);
        put(bin, small.remove(last - 1));
    }
    let mut left = [medium, small, tiny].concat();
    left.sort_by_key(|at| Reverse(size(*at)));
    for bin in &mut bins {
        loop {
            let first = left.partition_point(|at| size(*at) > bin.0);
            if first == left.len() {
                break;
            }
            put(bin, left.remove(first));
        }
    }
    // Room left over, ascending by tokens: descending by room.
    let mut others: Vec<(u32, Vec<u32>)> = Vec::new();
    for at in left {
        let mut bin = match others.first() {
            Some((room, _)) if size(at) <= *room => others.remove(0),
            _ => (cap, Vec::new()),
        };
        put(&mut bin, at);
        let place = others.partition_point(|(room, _)| *room >= bin.0);
        others.insert(place, bin);
    }
    bins.into_iter().chain(others).map(|(_, bin)| bin).collect()
}

/// `_adjust_bin_count`: new rows get the last sequence of the fullest row by number, until it has one left.
fn add_bins(bins: &mut Vec<Vec<u32>>, ranks: usize) -> Result<()> {
    let target = bins.len().next_multiple_of(ranks).max(ranks);
    let mut sources: Vec<(usize, usize)> = bins.iter().enumerate().map(|(at, bin)| (bin.len(), at)).collect();
    sources.sort_unstable_by_key(|source| Reverse(*source));
    if !split_singles(bins, sources.into_iter().map(|(_, at)| at), target) {
        let expected = "one for each rank at least";
        return Err(refused("number of sequences", &bins.len().to_string(), expected));
    }
    Ok(())
}

/// Sequences sorted, the shortest first, and dealt in turn; consecutive ones make a micro-batch while their number × the
/// longest of all ranks, rounded up to 64, is within the cap.
pub(super) fn dynamic(lengths: &[u32], task: &Task) -> Result<Assignment> {
    let (cap, ranks) = (capped(task)?, task.ranks as usize);
    divided(lengths, task)?;
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
