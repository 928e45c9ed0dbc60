//! First-fit decreasing (FFD): longest item first, into the pack opened first that has room.
//!
//! Source: Johnson 1973; Krell et al. 2022, §2 (Table 1's relatives). On the histogram, with the same
//! packs as item by item: packs opened one after the other with equal contents form a group; a length
//! passes over the groups once, oldest first, filling each pack as far as it goes.
//! Complexity: O(distinct · open groups), independent of the number of items.

use super::lpfhp::repeats;
use super::open::{Arena, Group};
use crate::histogram::Histogram;
use crate::plan::Strategy;

pub(super) fn pack(histogram: &Histogram<1>, limit: u32, depth: u32) -> Vec<Strategy<1>> {
    let mut arena = Arena::default();
    let shortest = histogram.entries().first().map_or(1, |([l], _)| *l);
    let mut open = Vec::<Group>::new();
    let mut next = Vec::new();
    for &([length], count) in histogram.entries().iter().rev() {
        let mut left = count;
        for group in open.drain(..) {
            if group.space < length || left == 0 {
                next.push(group);
            } else {
                left = fill(group, length, depth, left, &mut arena, &mut next);
            }
        }
        if left > 0 {
            // More packs than needed are opened as one group; `fill` leaves the empty rest out.
            fill(Arena::fresh(limit, left), length, depth, left, &mut arena, &mut next);
        }
        for group in next.drain(..) {
            if group.space < shortest || group.depth == depth {
                arena.close(group);
            } else if group.depth > 0 {
                open.push(group);
            }
        }
    }
    open.into_iter().for_each(|g| arena.close(g));
    arena.into_strategies()
}

/// Fills the packs of one group in order; pushes what becomes of them, in order, and returns the items left.
fn fill(
    mut group: Group,
    length: u32,
    depth: u32,
    mut left: u64,
    arena: &mut Arena,
    out: &mut Vec<Group>,
) -> u64 {
    while left > 0 && group.count > 0 {
        let repeat = repeats(group, length, depth, left);
        let packs = group.count.min(left / u64::from(repeat));
        out.push(arena.add(group, length, repeat, packs));
        left -= packs * u64::from(repeat);
        group.count -= packs;
    }
    if group.count > 0 {
        out.push(group);
    }
    left
}
