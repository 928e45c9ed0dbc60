//! NeMo RL: rows or sorted sequences, dealt in turn. Source: NVIDIA-NeMo/RL@7ea279a
//! nemo_rl/distributed/batched_data_dict.py `shard_by_batch_size`, nemo_rl/data/packing/algorithms.py.

use super::ordered::RemainingOrdered;
use super::{
    Assignment, Scheduler, SchedulerTask, above_cap, capped, divided, in_turn, split_singles, stops,
};
use crate::error::Result;
use crate::words::{count, plural};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Rows of modified first-fit decreasing, as many as ranks divide, dealt in turn.
pub(super) fn rows_of_mffd(lengths: &[u32], task: &SchedulerTask) -> Result<Assignment> {
    divided(Scheduler::NemoRl, lengths, task)?;
    let cap = u32::try_from(capped(Scheduler::NemoRl, task)?).unwrap_or(u32::MAX);
    above_cap(Scheduler::NemoRl, lengths, u64::from(cap))?;
    let mut bins = rows(lengths, cap);
    add_bins(Scheduler::NemoRl, &mut bins, task.ranks as usize)?;
    Ok(Assignment::training_all(in_turn(bins, task.ranks)))
}

/// `ModifiedFirstFitDecreasingPacker` (Johnson and Garey 1985): rows in its order. What the rows of large sequences leave over
/// goes, the longest first, into the emptiest of the other rows; these stand ascending by their tokens.
fn rows(lengths: &[u32], cap: u32) -> Vec<Vec<u32>> {
    let size = |at: u32| lengths[at as usize];
    // Above a half, a third, a sixth of a row, and the rest.
    let class = |at: u32| {
        [2, 3, 6]
            .iter()
            .position(|part| u64::from(size(at)) * part > u64::from(cap))
            .unwrap_or(3)
    };
    let of = |wanted: usize| {
        (0..lengths.len() as u32)
            .filter(move |at| class(*at) == wanted)
            .collect::<Vec<u32>>()
    };
    let [mut large, mut medium, mut small, mut tiny] = [0, 1, 2, 3].map(of);
    large.sort_by_key(|at| Reverse(size(*at)));
    medium.sort_by_key(|at| Reverse(size(*at)));
    small.sort_by_key(|at| size(*at));
    tiny.sort_by_key(|at| size(*at));
    let mut bins: Vec<(u32, Vec<u32>)> = large
        .into_iter()
        .map(|at| (cap - size(at), vec![at]))
        .collect();
    let put = |bin: &mut (u32, Vec<u32>), at: u32| {
        bin.0 -= size(at);
        bin.1.push(at);
    };
    // The largest medium one that fits.
    let mut of_medium = RemainingOrdered::new(medium.len());
    for bin in &mut bins {
        let fitting = medium.partition_point(|at| size(*at) > bin.0);
        if let Some(first) = of_medium.from(fitting) {
            put(bin, medium[first]);
            of_medium.take(first);
        }
    }
    // From the last row on: the smallest small one with the largest that fits beside it.
    let mut of_small = RemainingOrdered::new(small.len());
    for bin in bins.iter_mut().rev() {
        // Rows that got a medium one are passed over.
        let Some(first) = of_small.from(0).filter(|_| bin.1.len() == 1) else {
            continue;
        };
        let Some(second) = of_small.from(first + 1) else {
            break;
        };
        // If the two smallest ones do not fit, no two do.
        if size(small[first]) + size(small[second]) > bin.0 {
            continue;
        }
        put(bin, small[first]);
        of_small.take(first);
        let fitting = small.partition_point(|at| size(*at) <= bin.0);
        if let Some(last) = of_small.before(fitting) {
            put(bin, small[last]);
            of_small.take(last);
        }
    }
    let rest = |class: &[u32], of_class: &RemainingOrdered| {
        let all = class
            .iter()
            .enumerate()
            .filter(|(place, _)| of_class.has(*place));
        all.map(|(_, at)| *at).collect::<Vec<u32>>()
    };
    let mut left = [rest(&medium, &of_medium), rest(&small, &of_small), tiny].concat();
    left.sort_by_key(|at| Reverse(size(*at)));
    let mut of_left = RemainingOrdered::new(left.len());
    for bin in &mut bins {
        while let Some(first) = of_left.from(left.partition_point(|at| size(*at) > bin.0)) {
            put(bin, left[first]);
            of_left.take(first);
        }
    }
    // The most room first; of equals the one that came to stand there first.
    let mut others: BinaryHeap<(u32, Reverse<usize>, Vec<u32>)> = BinaryHeap::new();
    for (place, at) in rest(&left, &of_left).into_iter().enumerate() {
        let has_room = others.peek().is_some_and(|(room, ..)| size(at) <= *room);
        let emptiest = if has_room { others.pop() } else { None };
        let mut bin = emptiest.map_or((cap, Vec::new()), |(room, _, bin)| (room, bin));
        put(&mut bin, at);
        others.push((bin.0, Reverse(place), bin.1));
    }
    // The most room first, which is ascending by tokens.
    let others = others.into_sorted_vec().into_iter().rev();
    bins.into_iter()
        .map(|(_, bin)| bin)
        .chain(others.map(|(.., bin)| bin))
        .collect()
}

/// `_adjust_bin_count`: new rows get the last sequence of the fullest row by number, until it has one left.
/// SkyRL has it from there.
pub(super) fn add_bins(library: Scheduler, bins: &mut Vec<Vec<u32>>, ranks: usize) -> Result<()> {
    let target = bins.len().next_multiple_of(ranks).max(ranks);
    let mut sources: Vec<(usize, usize)> = bins
        .iter()
        .enumerate()
        .map(|(at, bin)| (bin.len(), at))
        .collect();
    sources.sort_unstable_by_key(|source| Reverse(*source));
    if !split_singles(bins, sources.into_iter().map(|(_, at)| at), target) {
        let ranks = plural(ranks as u64, "rank");
        return Err(stops(
            library,
            format!("there are fewer sequences than {ranks}, which each need one"),
        ));
    }
    Ok(())
}

/// Sequences sorted, the shortest first, and dealt in turn; consecutive ones make a micro-batch while their number × the
/// longest of all ranks, rounded up to 64, is within the cap.
pub(super) fn dynamic(lengths: &[u32], task: &SchedulerTask) -> Result<Assignment> {
    let (cap, ranks) = (capped(Scheduler::NemoRlDynamic, task)?, task.ranks as usize);
    divided(Scheduler::NemoRlDynamic, lengths, task)?;
    let mut order: Vec<u32> = (0..lengths.len() as u32).collect();
    order.sort_by_key(|at| lengths[*at as usize]);
    let width = lengths.iter().max().copied().unwrap_or(1);
    above_cap(Scheduler::NemoRlDynamic, lengths, cap)?;
    let mut dealt: Vec<Vec<Vec<u32>>> = vec![vec![Vec::new()]; ranks];
    for round in order.chunks(ranks) {
        let longest = round.last().map_or(1, |at| lengths[*at as usize]);
        let padded = u64::from(slots(longest, width));
        if padded > cap {
            let reason = format!(
                "its cap of {} is below the {} of a sequence, rounded up to 64",
                plural(cap, "token"),
                count(padded)
            );
            return Err(stops(Scheduler::NemoRlDynamic, reason));
        }
        // The first rank stands for all, because each round gives every rank one sequence.
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
    Ok(Assignment::training_all(dealt))
}

/// Returns the slots of each sequence of a micro-batch whose longest on all ranks is this: rounded up to 64, but not above
/// the longest of the step.
pub(super) fn slots(longest: u32, width: u32) -> u32 {
    longest
        .checked_next_multiple_of(64)
        .unwrap_or(width)
        .min(width)
}
