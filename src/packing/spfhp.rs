//! Shortest-pack-first histogram packing (SPFHP), as published.
//!
//! Lengths from long to short; each goes to the open packs with the most space left, in one sweep
//! from the emptiest pack to the fullest that still fits. What fits nowhere opens one pack *per item*:
//! 100 items of 64 in 512 open 100 packs where 13 suffice. That is the published behaviour, kept
//! because people compare with the paper; [`lpfhp`](super::lpfhp) does not have it.
//!
//! Source: Krell et al. 2022, *Efficient Sequence Packing without Cross-contamination*, §3.1 and
//! listing in the appendix. Among packs with equal space the youngest is taken (a stack), as there.
//! Complexity: O((distinct + splits) · log open), independent of the number of items for ordinary limits.
//! Open packs take one item each in turn, as published: a few packs with room for millions of short items
//! take as many steps.

use super::open::{Arena, Placed, Stacks};
use crate::histogram::Histogram;
use crate::plan::Strategy;

pub(super) fn pack(histogram: &Histogram<1>, limit: u32, depth: u32) -> Vec<Strategy<1>> {
    pack_watched(histogram, limit, depth, &mut |_| {})
}

/// The same, and tells every decision.
pub(super) fn pack_watched(
    histogram: &Histogram<1>,
    limit: u32,
    depth: u32,
    tell: &mut impl FnMut(Placed),
) -> Vec<Strategy<1>> {
    let mut arena = Arena::default();
    let mut open = Stacks::new(limit);
    for &([length], count) in histogram.entries().iter().rev() {
        let mut left = count;
        let mut at_most = limit;
        while left > 0
            && let Some((space, group)) = open.pop_largest(length, at_most)
        {
            at_most = space;
            let taken = group.count.min(left);
            if group.count > taken {
                open.push(group.without(taken));
            }
            let fuller = arena.add(group, length, 1, taken);
            tell(Placed { length, left, from: group, to: fuller });
            left -= taken;
            open.push_or_close(fuller, depth, &mut arena);
        }
        if left > 0 {
            let group = Arena::fresh(limit, left);
            let fresh = arena.add(group, length, 1, left);
            tell(Placed { length, left, from: group, to: fresh });
            open.push_or_close(fresh, depth, &mut arena);
        }
    }
    open.close_all(&mut arena);
    arena.into_strategies()
}
