//! TRL: squared lengths. Source: huggingface/trl@f2cd577 trl/experimental/async_grpo/async_grpo_trainer.py.

use super::ordered::Bins;
use super::{Assignment, Scheduler, SchedulerTask, capped};
use crate::error::Result;
use crate::ranks::Dealing;

/// `FixedCountBatcher`: buffers of as many sequences as ranks have places, each dealt by `_balance_by_squared_length`, the
/// longest first. A buffer that is not full is not emitted; without a number, the step is one buffer.
pub(super) fn fixed_count(lengths: &[u32], task: &SchedulerTask) -> Assignment {
    let per = task
        .micro_batch
        .map_or(lengths.len(), |own| own as usize * task.ranks as usize)
        .max(1);
    let full = lengths.len() / per * per;
    let mut ranks = vec![Vec::new(); task.ranks as usize];
    for (number, buffer) in lengths[..full].chunks(per).enumerate() {
        let squares: Vec<f64> = buffer
            .iter()
            .map(|length| f64::from(*length) * f64::from(*length))
            .collect();
        ranks.iter_mut().for_each(|rank| rank.push(Vec::new()));
        let part = Dealing::Greedy.partition(&squares, ranks.len());
        // In the order of placing.
        for at in super::longest_first(buffer) {
            ranks[part[at as usize] as usize][number].push((number * per) as u32 + at);
        }
    }
    Assignment {
        ranks,
        left: (full as u32..lengths.len() as u32).collect(),
        ..Assignment::default()
    }
}

/// `TokenBudgetBatcher`: in order of arrival, each to the rank with the least Σ L² that has room for it; where none has,
/// the micro-batch is emitted. The last one, which waits for more, is not.
pub(super) fn token_budget(lengths: &[u32], task: &SchedulerTask) -> Result<Assignment> {
    let budget = capped(Scheduler::TrlBudget, task)?;
    let ranks = task.ranks as usize;
    let mut all = Assignment {
        ranks: vec![Vec::new(); ranks],
        ..Assignment::default()
    };
    let none = || {
        let mut sums = Bins::new(ranks, u64::MAX);
        (0..ranks).for_each(|rank| sums.set(rank, [0, 0]));
        (vec![Vec::new(); ranks], sums)
    };
    let (mut open, mut sums) = none();
    for (at, &length) in lengths.iter().enumerate() {
        let length = u64::from(length);
        if length > budget {
            all.dropped.push(at as u32);
            continue;
        }
        let mut place = sums.lightest_bin(length, budget, 0, 0);
        if place.is_none() {
            let (empty, fresh) = none();
            let emitted = std::mem::replace(&mut open, empty);
            all.ranks
                .iter_mut()
                .zip(emitted)
                .for_each(|(rank, sequences)| rank.push(sequences));
            sums = fresh;
            // Always found now: what is longer than the budget was dropped above.
            place = sums.lightest_bin(length, budget, 0, 0);
        }
        if let Some((_, rank)) = place {
            open[rank].push(at as u32);
            let [tokens, squares] = sums.load_of(rank);
            sums.set(
                rank,
                [tokens + length, squares.saturating_add(length * length)],
            );
        }
    }
    all.left = open.concat();
    all.left.sort_unstable();
    Ok(all)
}
