//! TRL: squared lengths. Source: huggingface/trl@f2cd577 trl/experimental/async_grpo/async_grpo_trainer.py.

use super::{Assignment, Task, capped};
use crate::error::Result;
use crate::ranks::Dealing;

/// `FixedCountBatcher`: buffers of as many sequences as ranks have places, each dealt by `_balance_by_squared_length`, the
/// longest first. A buffer that is not full is not emitted; without a number, the step is one buffer.
pub(super) fn fixed_count(lengths: &[u32], task: &Task) -> Assignment {
    let per = task.micro_batch.map_or(lengths.len(), |own| own as usize * task.ranks as usize).max(1);
    let full = lengths.len() / per * per;
    let mut ranks = vec![Vec::new(); task.ranks as usize];
    for (number, buffer) in lengths[..full].chunks(per).enumerate() {
        let squares: Vec<f64> = buffer.iter().map(|length| f64::from(*length) * f64::from(*length)).collect();
        ranks.iter_mut().for_each(|rank| rank.push(Vec::new()));
        let part = Dealing::Greedy.partition(&squares, ranks.len());
        // In the order of placing.
        for at in super::longest_first(buffer) {
            ranks[part[at as usize] as usize][number].push((number * per) as u32 + at);
        }
    }
    Assignment { ranks, dropped: (full as u32..lengths.len() as u32).collect() }
}

/// `TokenBudgetBatcher`: in order of arrival, each to the rank with the least Σ L² that has room for it; where none has,
/// the micro-batch is emitted. The last one, which waits for more, is not.
pub(super) fn token_budget(lengths: &[u32], task: &Task) -> Result<Assignment> {
    let budget = capped(task)?;
    let ranks = task.ranks as usize;
    let mut all = Assignment { ranks: vec![Vec::new(); ranks], dropped: Vec::new() };
    let mut open = vec![(Vec::new(), 0u64, 0u64); ranks];
    for (at, &length) in lengths.iter().enumerate() {
        let length = u64::from(length);
        if length > budget {
            all.dropped.push(at as u32);
            continue;
        }
        if open.iter().all(|(_, _, tokens)| tokens + length > budget) {
            let emitted = std::mem::replace(&mut open, vec![(Vec::new(), 0, 0); ranks]);
            all.ranks.iter_mut().zip(emitted).for_each(|(rank, (sequences, ..))| rank.push(sequences));
        }
        let fitting = open.iter_mut().filter(|(_, _, tokens)| tokens + length <= budget);
        if let Some((sequences, squares, tokens)) = fitting.min_by_key(|(_, squares, _)| *squares) {
            sequences.push(at as u32);
            *squares += length * length;
            *tokens += length;
        }
    }
    all.dropped.extend(open.into_iter().flat_map(|(sequences, ..)| sequences));
    all.dropped.sort_unstable();
    Ok(all)
}
