//! Packs under construction, shared by the algorithms that fill many equal packs at once.

use crate::plan::Strategy;
use std::collections::BTreeMap;

/// A group of equal packs that are still open.
#[derive(Debug, Clone, Copy)]
pub(super) struct OpenGroup {
    /// Number of packs.
    pub count: u64,
    /// Free slots in each.
    pub space: u32,
    /// Items in each.
    pub depth: u32,
    /// Last run of the pack, a node of [`RunArena`].
    node: u32,
}

/// Runs of all packs as linked lists from the last to the first: splitting a group copies nothing.
#[derive(Debug, Default)]
pub(super) struct RunArena {
    nodes: Vec<RunNode>,
    closed: Vec<OpenGroup>,
}

#[derive(Debug)]
struct RunNode {
    before: u32,
    length: u32,
    repeat: u32,
}

// No arena has so many nodes: a look-up of it ends a list.
const ROOT: u32 = u32::MAX;

/// A decision: packs of one group take items of a length.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placement {
    pub length: u32,
    /// Items of this length left before.
    pub left: u64,
    /// The whole group before; empty packs if it is new.
    pub from: OpenGroup,
    /// The packs of it that took items.
    pub to: OpenGroup,
}

impl OpenGroup {
    /// Identifies an open group; a group that is split off and filled has another id.
    pub fn id(&self) -> u32 {
        self.node
    }

    /// Returns the packs after the first `count`.
    pub fn without(self, count: u64) -> Self {
        Self {
            count: self.count - count,
            ..self
        }
    }
}

impl RunArena {
    /// Returns `count` empty packs of `limit` slots.
    pub fn fresh(limit: u32, count: u64) -> OpenGroup {
        OpenGroup {
            count,
            space: limit,
            depth: 0,
            node: ROOT,
        }
    }

    /// Returns the first `count` packs of the group, with `repeat` items of `length` added to each.
    pub fn add(&mut self, group: OpenGroup, length: u32, repeat: u32, count: u64) -> OpenGroup {
        self.nodes.push(RunNode {
            before: group.node,
            length,
            repeat,
        });
        // Neither subtraction wraps: callers take `repeat` from `lpfhp::repeats`, at most space /
        // length.
        OpenGroup {
            count,
            space: group.space - length * repeat,
            depth: group.depth + repeat,
            node: (self.nodes.len() - 1) as u32,
        }
    }

    /// Sets a finished group aside.
    pub fn close(&mut self, group: OpenGroup) {
        self.closed.push(group);
    }

    /// Turns all closed groups into strategies. O(total runs).
    pub fn into_strategies(self) -> Vec<Strategy<1>> {
        self.closed.iter().map(|g| self.strategy(g)).collect()
    }

    fn strategy(&self, group: &OpenGroup) -> Strategy<1> {
        let mut runs = Vec::new();
        let mut at = group.node;
        while let Some(node) = self.nodes.get(at as usize) {
            runs.push(([node.length], node.repeat));
            at = node.before;
        }
        Strategy {
            runs,
            count: group.count,
        }
    }
}

/// Groups by free slots, then by a number. One type for all algorithms: each B-tree is some six kilobytes of the page.
pub(super) type BySpace = BTreeMap<(u32, u64), OpenGroup>;

/// Open groups by their free slots; groups of equal space are a stack.
#[derive(Debug)]
pub(super) enum Stacks {
    /// A stack for every space, and a bit for every non-empty stack: for ordinary limits.
    Dense {
        stacks: Vec<Vec<OpenGroup>>,
        filled: Vec<u64>,
    },
    /// The groups by space, the youngest first: for limits whose table would take longer to build than to use. The number
    /// of a group is lower the later it was pushed.
    Sparse { groups: BySpace, next: u64 },
}

/// The largest limit with a stack for every space.
const DENSE: u32 = 1 << 14;

impl Stacks {
    pub fn new(limit: u32) -> Self {
        if limit > DENSE {
            return Self::Sparse {
                groups: BySpace::new(),
                next: u64::MAX,
            };
        }
        let size = limit as usize + 1;
        Self::Dense {
            stacks: vec![Vec::new(); size],
            filled: vec![0; size.div_ceil(64)],
        }
    }

    /// Removes the youngest of the groups with the most space in `at_least..=at_most`.
    pub fn pop_largest(&mut self, at_least: u32, at_most: u32) -> Option<(u32, OpenGroup)> {
        self.pop(self.largest(at_least, at_most)?)
    }

    /// Returns the most space of a group in `at_least..=at_most`.
    pub fn largest(&self, at_least: u32, at_most: u32) -> Option<u32> {
        match self {
            Self::Dense { filled, .. } => {
                last_bit(filled, at_most).filter(|space| *space >= at_least)
            }
            Self::Sparse { groups, .. } => Some(
                groups
                    .range((at_least, 0)..=(at_most, u64::MAX))
                    .next_back()?
                    .0
                    .0,
            ),
        }
    }

    /// Removes the youngest of the groups with the least space from `at_least` on.
    pub fn pop_smallest(&mut self, at_least: u32) -> Option<(u32, OpenGroup)> {
        match self {
            Self::Dense { filled, .. } => {
                let space = first_bit(filled, at_least)?;
                self.pop(space)
            }
            Self::Sparse { groups, .. } => take_first(groups, at_least),
        }
    }

    fn pop(&mut self, space: u32) -> Option<(u32, OpenGroup)> {
        let group = match self {
            Self::Dense { stacks, filled } => {
                let stack = stacks.get_mut(space as usize)?;
                let group = stack.pop()?;
                if stack.is_empty() {
                    filled[space as usize / 64] &= !(1 << (space % 64));
                }
                group
            }
            Self::Sparse { groups, .. } => return take_first(groups, space),
        };
        Some((space, group))
    }

    pub fn push(&mut self, group: OpenGroup) {
        let space = group.space;
        match self {
            Self::Dense { stacks, filled } => {
                stacks[space as usize].push(group);
                filled[space as usize / 64] |= 1 << (space % 64);
            }
            Self::Sparse { groups, next } => {
                groups.insert((space, *next), group);
                *next -= 1;
            }
        }
    }

    /// Closes a group whose packs are full, by slots or by depth; keeps it open otherwise.
    pub fn push_or_close(&mut self, group: OpenGroup, depth: u32, arena: &mut RunArena) {
        if group.space == 0 || group.depth == depth {
            arena.close(group);
        } else {
            self.push(group);
        }
    }

    pub fn close_all(self, arena: &mut RunArena) {
        match self {
            Self::Dense { stacks, .. } => stacks.into_iter().flatten().for_each(|g| arena.close(g)),
            Self::Sparse { groups, .. } => groups.into_values().for_each(|g| arena.close(g)),
        }
    }
}

/// Removes the first of the groups with at least this space.
fn take_first(groups: &mut BySpace, at_least: u32) -> Option<(u32, OpenGroup)> {
    let first = *groups.range((at_least, 0)..).next()?.0;
    Some((first.0, groups.remove(&first)?))
}

/// Returns the first set bit from `from` on.
pub(crate) fn first_bit(words: &[u64], from: u32) -> Option<u32> {
    let word = from as usize / 64;
    let begin = words.get(word)? & (u64::MAX << (from % 64));
    let rest = words[word + 1..].iter().copied();
    let found = std::iter::once(begin).chain(rest).position(|w| w != 0)?;
    let bits = if found == 0 {
        begin
    } else {
        words[word + found]
    };
    Some((word + found) as u32 * 64 + bits.trailing_zeros())
}

/// Returns the last set bit up to `to`.
pub(super) fn last_bit(words: &[u64], to: u32) -> Option<u32> {
    // `to` is at most the limit, and so in the table: beyond it the mask would cut bits of the last
    // word.
    let word = (to as usize / 64).min(words.len() - 1);
    let end = words[word] & (u64::MAX >> (63 - to % 64));
    let before = words[..word].iter().rev().copied();
    let found = std::iter::once(end).chain(before).position(|w| w != 0)?;
    let bits = if found == 0 { end } else { words[word - found] };
    Some((word - found) as u32 * 64 + bits.ilog2())
}
