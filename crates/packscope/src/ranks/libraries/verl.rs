//! verl: Karmarkar–Karp on 24,576 · L + L². Source: verl-project/verl@1dda039 verl/trainer/ppo/ray_trainer.py
//! `_balance_batch`, verl/utils/seqlen_balancing.py `rearrange_micro_batches`; 0.9.1 for the cap.

use super::{Assignment, Scheduler, SchedulerTask, above_cap, divided, tokens};
use crate::error::Result;
use crate::packing::differencing;
use crate::ranks::Weight;
use std::cmp::Reverse;

/// Deals the step to ranks, the same number of sequences to each, then makes micro-batches on each
/// rank: of a fixed number of sequences, or under a cap, the same number on all ranks. With `keeps`
/// there is one more until all keep to the cap (0.9.1).
pub(super) fn assign(lengths: &[u32], task: &SchedulerTask, keeps: bool) -> Result<Assignment> {
    let (ranks, cost) = (task.ranks as usize, Weight::Verl.cost(&task.model));
    let library = if keeps {
        Scheduler::VerlCapped
    } else {
        Scheduler::Verl
    };
    divided(library, lengths, task)?;
    let work: Vec<f64> = lengths.iter().map(|length| cost.work_of(*length)).collect();
    let weigh = |list: &[u32]| {
        list.iter()
            .map(|at| work[*at as usize])
            .collect::<Vec<f64>>()
    };
    let mut dealt = differencing::parts(&work, ranks, true);
    for rank in &mut dealt {
        // Ascending, then the lightest at both ends: fewer bubbles in a pipeline.
        rank.sort_by(|a, b| {
            work[*a as usize]
                .total_cmp(&work[*b as usize])
                .then(a.cmp(b))
        });
        let (even, odd): (Vec<_>, Vec<_>) = rank
            .iter()
            .enumerate()
            .partition(|(place, _)| place % 2 == 0);
        *rank = even
            .into_iter()
            .chain(odd.into_iter().rev())
            .map(|(_, at)| *at)
            .collect();
    }
    let Some(cap) = task.cap else {
        let per = task.micro_batch.map_or(lengths.len(), |per| per as usize);
        // Never chunks of 0, which `check` and `divided` refuse.
        let chunks = |rank: Vec<u32>| rank.chunks(per).map(<[u32]>::to_vec).collect();
        return Ok(Assignment::training_all(
            dealt.into_iter().map(chunks).collect(),
        ));
    };
    above_cap(library, lengths, cap)?;
    let own = lengths.len() / ranks;
    let needed = dealt
        .iter()
        .map(|rank| tokens(rank, lengths).div_ceil(cap) as usize)
        .max()
        .unwrap_or(1);
    // At most as many as the rank has sequences.
    let mut number = needed.clamp(1, own);
    let made = |rank: &Vec<u32>, number| differencing::parts(&weigh(rank), number, false);
    // Positions in the list of the rank.
    let fits = |rank: &Vec<u32>, number| {
        let within = |part: &Vec<u32>| {
            part.iter()
                .map(|at| u64::from(lengths[rank[*at as usize] as usize]))
                .sum::<u64>()
                <= cap
        };
        made(rank, number).iter().all(within)
    };
    // The rank that needed more micro-batches is asked first, since it is likely to need one more.
    let mut first = 0;
    while keeps && number < own {
        let full = |at: &usize| !fits(&dealt[*at], number);
        let Some(at) = (first..ranks).chain(0..first).find(full) else {
            break;
        };
        (first, number) = (at, number + 1);
    }
    let in_order = |rank: &Vec<u32>| ordered(rank, made(rank, number), &weigh(rank));
    Ok(Assignment::training_all(
        dealt.iter().map(in_order).collect(),
    ))
}

/// Returns the micro-batches with the heaviest in the middle.
fn ordered(rank: &[u32], mut parts: Vec<Vec<u32>>, work: &[f64]) -> Vec<Vec<u32>> {
    let weight = |part: &Vec<u32>| part.iter().map(|at| work[*at as usize]).sum::<f64>();
    parts.sort_by_cached_key(|part| Reverse((weight(part).to_bits(), part.first().copied())));
    let (even, odd): (Vec<_>, Vec<_>) = parts
        .into_iter()
        .enumerate()
        .partition(|(place, _)| place % 2 == 0);
    let global =
        |(_, part): (usize, Vec<u32>)| part.into_iter().map(|at| rank[at as usize]).collect();
    even.into_iter().rev().chain(odd).map(global).collect()
}
