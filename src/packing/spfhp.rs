//! Shortest-pack-first histogram packing (SPFHP), as published.
//!
//! Lengths from long to short; each goes to the open packs with the most space left, in one sweep
//! from the emptiest pack to the fullest that still fits. What fits nowhere opens one pack *per item*:
//! 100 items of 64 in 512 open 100 packs where 13 suffice. That is the published behaviour, kept
//! because people compare with the paper; [`lpfhp`](super::lpfhp) does not have it.
//!
//! Source: Krell et al. 2022, *Efficient Sequence Packing without Cross-contamination*, §3.1 and
//! listing in the appendix. Among packs with equal space the youngest is taken (a stack), as there.
//! Complexity: O((distinct + splits) · log open), independent of the number of items.

use super::open::{Arena, Group};
use crate::histogram::Histogram;
use crate::plan::Strategy;
use std::collections::BTreeMap;

pub(super) fn pack(histogram: &Histogram<1>, limit: u32, depth: u32) -> Vec<Strategy<1>> {
    let mut arena = Arena::default();
    let mut open = Stacks::default();
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
            left -= taken;
            let fuller = arena.add(group, length, 1, taken);
            open.push_or_close(fuller, depth, &mut arena);
        }
        if left > 0 {
            let fresh = arena.add(Arena::fresh(limit, left), length, 1, left);
            open.push_or_close(fresh, depth, &mut arena);
        }
    }
    open.close_all(&mut arena);
    arena.into_strategies()
}

/// Open groups by the space they have left; equal space is a stack.
#[derive(Debug, Default)]
pub(super) struct Stacks {
    by_space: BTreeMap<u32, Vec<Group>>,
}

impl Stacks {
    /// Takes the youngest group among those with the most space in `at_least..=at_most`.
    fn pop_largest(&mut self, at_least: u32, at_most: u32) -> Option<(u32, Group)> {
        let space = *self.by_space.range(at_least..=at_most).next_back()?.0;
        self.pop(space)
    }

    /// Takes the youngest group among those with the least space that is still `at_least`.
    pub fn pop_smallest(&mut self, at_least: u32) -> Option<(u32, Group)> {
        let space = *self.by_space.range(at_least..).next()?.0;
        self.pop(space)
    }

    fn pop(&mut self, space: u32) -> Option<(u32, Group)> {
        let stack = self.by_space.get_mut(&space)?;
        let group = stack.pop()?;
        if stack.is_empty() {
            self.by_space.remove(&space);
        }
        Some((space, group))
    }

    pub fn push(&mut self, group: Group) {
        self.by_space.entry(group.space).or_default().push(group);
    }

    /// Full packs, by slots or by depth, are finished.
    pub fn push_or_close(&mut self, group: Group, depth: u32, arena: &mut Arena) {
        if group.space == 0 || group.depth == depth {
            arena.close(group);
        } else {
            self.push(group);
        }
    }

    pub fn close_all(self, arena: &mut Arena) {
        self.by_space.into_values().flatten().for_each(|g| arena.close(g));
    }
}
