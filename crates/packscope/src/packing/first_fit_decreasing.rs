//! First-fit decreasing (FFD): longest item first, into the pack opened first that has room.
//!
//! Source: Johnson 1973; compared with in Krell et al. 2022, §4.1. On the histogram, with the same
//! packs as item by item: packs opened one after the other with equal contents form a group; a length
//! passes over the groups once, oldest first, filling each pack as far as it goes.
//! Groups are kept in blocks, and a block without enough room is skipped.
//! Complexity: O(distinct · (open groups / block + block)), independent of the number of items.

use super::lpfhp::repeats;
use super::open::{OpenGroup, RunArena};
use crate::histogram::Histogram;
use crate::plan::Strategy;

/// Groups in a block: it is split when it has twice as many.
const BLOCK: usize = 512;

pub(super) fn pack(histogram: &Histogram<1>, limit: u32, depth: u32) -> Vec<Strategy<1>> {
    let shortest = histogram.entries().first().map_or(1, |([l], _)| *l);
    let mut open = OpenGroups {
        depth,
        shortest,
        arena: RunArena::default(),
        blocks: Vec::new(),
        most: Vec::new(),
    };
    for &([length], count) in histogram.entries().iter().rev() {
        let left = open.fill(length, count);
        if left > 0 {
            // More packs than needed are opened as one group; `fill` leaves the empty rest out.
            let mut fresh = Vec::new();
            fill(
                RunArena::fresh(limit, left),
                length,
                depth,
                left,
                &mut open.arena,
                &mut fresh,
            );
            open.append(fresh);
        }
    }
    let OpenGroups {
        mut arena, blocks, ..
    } = open;
    blocks.into_iter().flatten().for_each(|g| arena.close(g));
    arena.into_strategies()
}

/// Open groups in the order in which their packs were opened.
struct OpenGroups {
    depth: u32,
    shortest: u32,
    arena: RunArena,
    blocks: Vec<Vec<OpenGroup>>,
    /// The most space of a group, per block.
    most: Vec<u32>,
}

impl OpenGroups {
    /// Packs items of a length into open packs; returns the number left.
    fn fill(&mut self, length: u32, mut left: u64) -> u64 {
        let mut at = 0;
        while left > 0
            && let Some(block) = self.most[at..].iter().position(|most| *most >= length)
        {
            at += block;
            let mut next = Vec::with_capacity(self.blocks[at].len());
            for group in std::mem::take(&mut self.blocks[at]) {
                if group.space < length || left == 0 {
                    next.push(group);
                } else {
                    left = fill(group, length, self.depth, left, &mut self.arena, &mut next);
                }
            }
            at = self.put(at, next);
        }
        left
    }

    /// Replaces the groups of a block, without finished ones; returns the index of the next block.
    fn put(&mut self, at: usize, mut groups: Vec<OpenGroup>) -> usize {
        groups.retain(|group| {
            // Space below the shortest item takes nothing any more: closed, it is out of the way of
            // later scans.
            let finished = group.space < self.shortest || group.depth == self.depth;
            if finished {
                self.arena.close(*group);
            }
            // Depth 0 is the rest of a fresh group: more packs than were needed.
            !finished && group.depth > 0
        });
        let rest = if groups.len() > 2 * BLOCK {
            groups.split_off(BLOCK)
        } else {
            Vec::new()
        };
        self.most[at] = groups.iter().map(|g| g.space).max().unwrap_or(0);
        self.blocks[at] = groups;
        if rest.is_empty() {
            return at + 1;
        }
        // Blocks are split like nodes of a B-tree: a search scans the list of blocks and then
        // single blocks, and neither gets long.
        self.blocks.insert(at + 1, Vec::new());
        self.most.insert(at + 1, 0);
        self.put(at + 1, rest)
    }

    fn append(&mut self, fresh: Vec<OpenGroup>) {
        if self.blocks.last().is_none_or(|last| last.len() >= BLOCK) {
            self.blocks.push(Vec::new());
            self.most.push(0);
        }
        let last = self.blocks.len() - 1;
        let mut groups = std::mem::take(&mut self.blocks[last]);
        groups.extend(fresh);
        self.put(last, groups);
    }
}

/// Fills the packs of one group in order; pushes the resulting groups, in order, and returns the items left.
fn fill(
    mut group: OpenGroup,
    length: u32,
    depth: u32,
    mut left: u64,
    arena: &mut RunArena,
    out: &mut Vec<OpenGroup>,
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
