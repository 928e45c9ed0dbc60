//! Other limits worth a look: multiples of 64 and powers of two that the memory holds.

use super::judge::MUCH;
use crate::histogram::{Histogram, Overlong};
use crate::supervision::Curves;

/// Limits are multiples of this, as kernels want them.
const STEP: u32 = 64;
/// Shares of the tokens that the limits on offer lose at most.
const LOSSES: [f64; 3] = [MUCH, 0.001, 0.0];

/// Returns the share of the tokens that a limit loses under a policy; sequences that are to be refused count as cut off.
/// O(log distinct).
pub fn lost_at(lengths: &Histogram<1>, limit: u32, overlong: Overlong) -> f64 {
    let [total] = lengths.total();
    let kept = match overlong {
        Overlong::Drop => 0,
        Overlong::Split => return 0.0,
        Overlong::Truncate | Overlong::Reject => {
            u64::from(limit) * (lengths.items() - lengths.items_within(limit))
        }
    };
    // What longer sequences keep is part of what they have, so that no difference is negative.
    (total - lengths.tokens_within(limit) - kept) as f64 / total as f64
}

/// The losses of limits, in tokens that train.
#[derive(Debug, Clone, Copy)]
pub(super) struct Losses<'a> {
    pub lengths: &'a Histogram<1>,
    pub overlong: Overlong,
    /// Which tokens bear loss, where that is known.
    pub supervision: Option<&'a Curves>,
}

impl Losses<'_> {
    fn at(self, limit: u32) -> f64 {
        match self.supervision {
            Some(curves) => curves.lost_share(limit, self.overlong),
            None => lost_at(self.lengths, limit, self.overlong),
        }
    }
}

/// Returns limits above the present one at which less is lost, ascending: for each of a few losses, the smallest multiple
/// of 64 that loses no more, and the next power of two; of those with at most `most` slots. If none of them is, the
/// largest that is.
pub(super) fn larger(losses: Losses<'_>, limit: u32, most: f64) -> Vec<u32> {
    let [longest] = losses.lengths.max();
    let mut limits = Vec::new();
    for lost in LOSSES {
        // The fewest steps of 64 that lose no more: loss only falls with the limit.
        let (mut below, mut enough) = (0, longest.div_ceil(STEP));
        while enough - below > 1 {
            let middle = below + (enough - below) / 2;
            if losses.at(middle.saturating_mul(STEP)) <= lost {
                enough = middle;
            } else {
                below = middle;
            }
        }
        let found = enough.saturating_mul(STEP);
        limits.extend(
            [Some(found), found.checked_next_power_of_two()]
                .into_iter()
                .flatten(),
        );
    }
    let suits = |at: &u32| *at > limit && f64::from(*at) <= most;
    let fit: Vec<u32> = limits.iter().copied().filter(suits).collect();
    if fit.is_empty() {
        return ascending(
            largest(most)
                .into_iter()
                .filter(|at| *at > limit && *at < longest),
        );
    }
    ascending(fit)
}

/// Returns the largest limits below the present one of which a row has at most `most` slots.
pub(super) fn smaller(limit: u32, most: f64) -> Vec<u32> {
    ascending(
        largest(most.min(f64::from(limit)))
            .into_iter()
            .filter(|at| *at < limit),
    )
}

/// Returns the largest multiple of 64 and the largest power of two of at most so many slots.
fn largest(most: f64) -> Vec<u32> {
    let whole = most as u32;
    let power = whole.checked_ilog2().map(|power| 1 << power);
    [Some(whole / STEP * STEP), power]
        .into_iter()
        .flatten()
        .filter(|at| *at > 0)
        .collect()
}

fn ascending(limits: impl IntoIterator<Item = u32>) -> Vec<u32> {
    let mut limits: Vec<u32> = limits.into_iter().collect();
    limits.sort_unstable();
    limits.dedup();
    limits
}
