//! Longest-pack-first histogram packing (LPFHP), as published (with splitting of counts).
//!
//! Lengths from long to short; each goes to the fullest open pack in which it still fits (best fit), as often as it
//! fits there, and counts are split to make that exact. Items that fit nowhere fill fresh packs as far as they go.
//!
//! Source: Krell et al. 2022, *Efficient Sequence Packing without Cross-contamination*, appendix;
//! `distribute=True` of the public code. Among packs with equal space the youngest is taken.
//! Complexity: O((distinct + splits) · log open), with limits up to 16,384 a scan of limit / 64 words in place of the
//! logarithm; independent of the number of items.

use super::open::{OpenGroup, Placement, RunArena, Stacks};
use crate::histogram::Histogram;
use crate::plan::Strategy;

pub(super) fn pack(histogram: &Histogram<1>, limit: u32, depth: u32) -> Vec<Strategy<1>> {
    pack_watched(histogram, limit, depth, &mut |_| {})
}

/// Packs, and reports every decision to `tell`.
pub(super) fn pack_watched(
    histogram: &Histogram<1>,
    limit: u32,
    depth: u32,
    tell: &mut impl FnMut(Placement),
) -> Vec<Strategy<1>> {
    let mut arena = RunArena::default();
    let mut open = Stacks::new(limit);
    for &([length], count) in histogram.entries().iter().rev() {
        let mut left = count;
        while left > 0
            && let Some((_, group)) = open.pop_smallest(length)
        {
            // All of these packs take the same number of items. If items are left that are too few
            // for one more pack, the next round puts them into a pack of the group's rest.
            let repeat = repeats(group, length, depth, left);
            let packs = group.count.min(left / u64::from(repeat));
            if group.count > packs {
                open.push(group.without(packs));
            }
            let fuller = arena.add(group, length, repeat, packs);
            tell(Placement {
                length,
                left,
                from: group,
                to: fuller,
            });
            left -= packs * u64::from(repeat);
            open.push_or_close(fuller, depth, &mut arena);
        }
        while left > 0 {
            // At most two rounds: equal full packs, then one pack with the remainder.
            let group = RunArena::fresh(limit, left);
            let repeat = repeats(group, length, depth, left);
            let packs = left / u64::from(repeat);
            let fresh = arena.add(group, length, repeat, packs);
            tell(Placement {
                length,
                left,
                from: group,
                to: fresh,
            });
            left -= packs * u64::from(repeat);
            open.push_or_close(fresh, depth, &mut arena);
        }
    }
    open.close_all(&mut arena);
    arena.into_strategies()
}

/// Returns how often `length` fits into each pack of the group, with `left` items and within the depth.
pub(super) fn repeats(group: OpenGroup, length: u32, depth: u32, left: u64) -> u32 {
    // Never 0, so that callers may divide by it: the group has room for one, is not yet at the
    // depth, and items are left.
    let fits = (group.space / length).min(depth - group.depth);
    u32::try_from(left).map_or(fits, |left| fits.min(left))
}
