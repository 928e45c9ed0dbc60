//! Packs under construction: groups of equal packs, and the runs they are made of.

use crate::histogram::{Histogram, Size};
use crate::plan::Strategy;

/// A group of equal packs that are still open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OpenTupleGroup<const K: usize> {
    /// Free slots in each.
    pub left: Size<K>,
    /// Items in each.
    pub depth: u32,
    /// Last run of the pack, a node of [`TupleRunArena`].
    node: u32,
    /// Number of packs.
    pub count: u64,
    /// Sequence number of the group, from `RowIndex::push`: smaller is older.
    pub born: u32,
}

impl<const K: usize> OpenTupleGroup<K> {
    /// Returns the packs after the first `count`.
    pub fn without(self, count: u64) -> Self {
        Self {
            count: self.count - count,
            ..self
        }
    }
}

/// Runs of all packs as linked lists from the last to the first: splitting a group copies nothing.
#[derive(Debug, Default)]
pub(super) struct TupleRunArena {
    nodes: Vec<TupleRunNode>,
    /// (last run, number of packs) of finished groups.
    closed: Vec<(u32, u64)>,
    /// Number of packs opened.
    pub packs: u64,
}

#[derive(Debug)]
struct TupleRunNode {
    before: u32,
    entry: u32,
    repeat: u32,
}

// No arena has so many nodes: a look-up of it ends a list.
const ROOT: u32 = u32::MAX;

impl TupleRunArena {
    /// Returns `count` empty packs.
    pub fn fresh<const K: usize>(&mut self, left: Size<K>, count: u64) -> OpenTupleGroup<K> {
        self.packs += count;
        OpenTupleGroup {
            left,
            depth: 0,
            node: ROOT,
            count,
            born: 0,
        }
    }

    /// Returns the first `count` packs of the group, with `repeat` items of an entry added to each.
    pub fn add<const K: usize>(
        &mut self,
        group: &OpenTupleGroup<K>,
        (size, entry): (&Size<K>, u32),
        repeat: u32,
        count: u64,
    ) -> OpenTupleGroup<K> {
        self.nodes.push(TupleRunNode {
            before: group.node,
            entry,
            repeat,
        });
        OpenTupleGroup {
            left: std::array::from_fn(|k| group.left[k] - size[k] * repeat),
            depth: group.depth + repeat,
            node: (self.nodes.len() - 1) as u32,
            count,
            born: 0,
        }
    }

    /// Sets a finished group aside.
    pub fn close<const K: usize>(&mut self, group: &OpenTupleGroup<K>) {
        self.closed.push((group.node, group.count));
    }

    /// Turns all closed groups into strategies. O(total runs).
    pub fn into_strategies<const K: usize>(self, histogram: &Histogram<K>) -> Vec<Strategy<K>> {
        self.closed
            .iter()
            .map(|&(node, count)| Strategy {
                runs: self.runs(node, histogram),
                count,
            })
            .collect()
    }

    fn runs<const K: usize>(&self, last: u32, histogram: &Histogram<K>) -> Vec<(Size<K>, u32)> {
        let node = |at: u32| self.nodes.get(at as usize);
        let chain = || std::iter::successors(node(last), |n| node(n.before));
        let mut runs = Vec::with_capacity(chain().count());
        runs.extend(chain().map(|n| (histogram.entries()[n.entry as usize].0, n.repeat)));
        runs
    }
}
