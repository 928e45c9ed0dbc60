//! Shortest-pack-first histogram packing (SPFHP), as published.
//!
//! Lengths from long to short; each goes to the open packs with the most space left, in one sweep from the emptiest
//! pack to the fullest that still fits. An item that fits nowhere opens a pack *of its own*: 100 items of 64 in 512
//! open 100 packs where 13 suffice. That is the published behaviour, kept for comparison with the paper;
//! [`lpfhp`](super::lpfhp) does not have it.
//!
//! Source: Krell et al. 2022, *Efficient Sequence Packing without Cross-contamination*, §3.1.1 and
//! listing in the appendix. Among packs with equal space the youngest is taken (a stack), as there.
//! Complexity: O((distinct + turns) · log open), with limits up to 16,384 a scan of limit / 64 words in place of the
//! logarithm; independent of the number of items for ordinary limits.
//! Open packs take one item each in turn, as published. Where one group of packs would have its turn more than a
//! thousand times in a row it takes all of these at once. Several groups with room for very many short items each take
//! turns for eight million steps; after that each is filled before the next.

use super::lpfhp::repeats;
use super::open::{OpenGroup, Placement, RunArena, Stacks};
use crate::histogram::Histogram;
use crate::plan::Strategy;

/// Turns in a row from which on they are taken at once; fewer are reported one by one.
const LONG: u32 = 1024;
/// Steps after which packs no longer take turns.
const PATIENCE: u64 = 1 << 23;

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
    let mut steps = 0;
    for &([length], count) in histogram.entries().iter().rev() {
        let mut left = count;
        let mut at_most = limit;
        while left > 0
            && let Some((space, group)) = open.pop_largest(length, at_most)
        {
            // A single sweep from the emptiest pack to the fullest: packs that were just filled
            // have less space and may have another turn, emptier ones are behind.
            at_most = space;
            let taken = group.count.min(left);
            if group.count > taken {
                open.push(group.without(taken));
            }
            steps += 1;
            let turns = if steps > PATIENCE {
                u32::MAX
            } else {
                turns(&open, &group, length)
            };
            let most = repeats(group, length, depth, left / taken).min(turns);
            let times = if most < LONG && steps <= PATIENCE {
                1
            } else {
                most
            };
            let fuller = arena.add(group, length, times, taken);
            tell(Placement {
                length,
                left,
                from: group,
                to: fuller,
            });
            left -= taken * u64::from(times);
            open.push_or_close(fuller, depth, &mut arena);
        }
        if left > 0 {
            // As published, one item a pack even where more would fit: on Wikipedia this takes
            // 28,225 packs more.
            let group = RunArena::fresh(limit, left);
            let fresh = arena.add(group, length, 1, left);
            tell(Placement {
                length,
                left,
                from: group,
                to: fresh,
            });
            open.push_or_close(fresh, depth, &mut arena);
        }
    }
    open.close_all(&mut arena);
    arena.into_strategies()
}

/// Returns how many turns in a row these packs have: as long as no others have more space left.
fn turns(open: &Stacks, group: &OpenGroup, length: u32) -> u32 {
    // Where this many items do not fit there are not this many turns, and nothing has to be
    // searched.
    if group.space / length < LONG {
        return 1;
    }
    // One more, because with equal space this group is the youngest and comes first.
    open.largest(length, group.space)
        .map_or(u32::MAX, |next| (group.space - next) / length + 1)
}
