//! SkyRL: rows of first-fit decreasing, dealt in turn. Source: skyrl 0.3.0 skyrl/train/dataset/collators.py
//! `PackedDataCollator`, skyrl/train/dataset/bin_packing.py.

use super::nemo_rl::add_bins;
use super::slime::first_fit;
use super::{Assignment, Scheduler, SchedulerTask, above_cap, capped, in_turn};
use crate::error::Result;

/// Rows of the step, as many as ranks divide, dealt in turn.
pub(super) fn rows_of_ffd(lengths: &[u32], task: &SchedulerTask) -> Result<Assignment> {
    let cap = capped(Scheduler::SkyRl, task)?;
    above_cap(Scheduler::SkyRl, lengths, cap)?;
    let mut order: Vec<u32> = (0..lengths.len() as u32).collect();
    // Pairs of length and number, in descending order: of equals the last comes first.
    order.sort_unstable_by_key(|at| std::cmp::Reverse((lengths[*at as usize], *at)));
    let mut bins = in_order(&order, lengths, cap);
    add_bins(Scheduler::SkyRl, &mut bins, task.ranks as usize)?;
    Ok(Assignment::training_all(in_turn(bins, task.ranks)))
}

/// Returns the bins of first fit for sequences in an order.
pub(super) fn in_order(order: &[u32], lengths: &[u32], cap: u64) -> Vec<Vec<u32>> {
    let ordered: Vec<u32> = order.iter().map(|at| lengths[*at as usize]).collect();
    let mut bins = first_fit(&ordered, cap);
    bins.iter_mut()
        .flatten()
        .for_each(|at| *at = order[*at as usize]);
    bins
}
