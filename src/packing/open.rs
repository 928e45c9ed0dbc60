//! Packs under construction, shared by the algorithms that fill many equal packs at once.

use crate::plan::Strategy;

/// A group of equal packs that are still open.
#[derive(Debug, Clone, Copy)]
pub(super) struct Group {
    /// Number of packs.
    pub count: u64,
    /// Slots left in each.
    pub space: u32,
    /// Items in each.
    pub depth: u32,
    /// Last run of the chain in [`Arena`].
    node: u32,
}

/// Runs of all packs, each pointing at the run before it: splitting a group copies nothing.
#[derive(Debug, Default)]
pub(super) struct Arena {
    nodes: Vec<Node>,
    closed: Vec<Group>,
}

#[derive(Debug)]
struct Node {
    before: u32,
    length: u32,
    repeat: u32,
}

const ROOT: u32 = u32::MAX;

impl Group {
    /// The packs after the first `count`.
    pub fn without(self, count: u64) -> Self {
        Self { count: self.count - count, ..self }
    }
}

impl Arena {
    /// `count` empty packs of `limit` slots.
    pub fn fresh(limit: u32, count: u64) -> Group {
        Group { count, space: limit, depth: 0, node: ROOT }
    }

    /// The first `count` packs of the group, with `repeat` items of `length` added to each.
    pub fn add(&mut self, group: Group, length: u32, repeat: u32, count: u64) -> Group {
        self.nodes.push(Node { before: group.node, length, repeat });
        Group {
            count,
            space: group.space - length * repeat,
            depth: group.depth + repeat,
            node: (self.nodes.len() - 1) as u32,
        }
    }

    /// Sets a finished group aside.
    pub fn close(&mut self, group: Group) {
        self.closed.push(group);
    }

    /// Turns all closed groups into strategies. O(total runs).
    pub fn into_strategies(self) -> Vec<Strategy<1>> {
        self.closed.iter().map(|g| self.strategy(g)).collect()
    }

    fn strategy(&self, group: &Group) -> Strategy<1> {
        let mut runs = Vec::new();
        let mut at = group.node;
        while let Some(node) = self.nodes.get(at as usize) {
            runs.push(([node.length], node.repeat));
            at = node.before;
        }
        Strategy { runs, count: group.count }
    }
}
