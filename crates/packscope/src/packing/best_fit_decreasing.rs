//! Best-fit decreasing (BFD): longest item first, into the pack with the least room that still fits it.
//!
//! Source: Johnson 1973. Among packs with equal room the one opened first is taken; apart from that
//! tie (and so, under a depth limit, sometimes in pack count) it is LPFHP. On the histogram, with the
//! same packs as item by item: after one item the same pack is the tightest, so it is filled as far as it goes.
//! Complexity: O((distinct + splits) · log open), independent of the number of items.

use super::lpfhp::repeats;
use super::open::{BySpace, RunArena};
use crate::histogram::Histogram;
use crate::plan::Strategy;

pub(super) fn pack(histogram: &Histogram<1>, limit: u32, depth: u32) -> Vec<Strategy<1>> {
    let mut arena = RunArena::default();
    // Groups by (space, number of the first pack): packs are numbered as they are opened.
    let mut open = BySpace::new();
    let mut opened = 0u64;
    for &([length], count) in histogram.entries().iter().rev() {
        let mut left = count;
        while left > 0 {
            let best = open.range((length, 0)..).next().map(|(key, _)| *key);
            let (first, group) = match best.and_then(|key| Some((key.1, open.remove(&key)?))) {
                Some(found) => found,
                None => (opened, RunArena::fresh(limit, left)),
            };
            let repeat = repeats(group, length, depth, left);
            let packs = group.count.min(left / u64::from(repeat));
            left -= packs * u64::from(repeat);
            // Of fresh packs only those that take items count as opened; the rest of the group is
            // dropped.
            if group.depth == 0 {
                opened += packs;
            } else if group.count > packs {
                let rest = group.without(packs);
                open.insert((rest.space, first + packs), rest);
            }
            let fuller = arena.add(group, length, repeat, packs);
            if fuller.space == 0 || fuller.depth == depth {
                arena.close(fuller);
            } else {
                open.insert((fuller.space, first), fuller);
            }
        }
    }
    open.into_values().for_each(|g| arena.close(g));
    arena.into_strategies()
}
