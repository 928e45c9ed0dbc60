//! Rows under construction.

use crate::trainer::tally::RowBuilder;

/// A row that is open.
#[derive(Debug, Clone, Default)]
pub(super) struct Bin {
    /// Slots that are taken.
    pub used: u32,
    /// Items in it.
    pub depth: u32,
    /// Their lengths, where rows are listed, or kept.
    items: Vec<u32>,
    keeps: bool,
}

impl Bin {
    /// Creates a row that keeps its items, so that it can be thrown away.
    pub fn kept() -> Self {
        Self {
            keeps: true,
            ..Self::default()
        }
    }

    #[inline]
    pub fn add(&mut self, length: u32, rows: &RowBuilder) {
        self.used = self.used.saturating_add(length);
        self.depth += 1;
        // Lengths are most of the memory of very many open rows, and only lists and refunds need
        // them.
        if self.keeps || rows.lists() {
            self.items.push(length);
        }
    }

    /// Whether a row of this capacity and cap takes a length.
    #[inline]
    pub fn takes(&self, length: u32, capacity: u32, cap: u32) -> bool {
        // One sequence alone can exceed the capacity.
        capacity.saturating_sub(self.used) >= length && self.depth < cap
    }

    /// Counts the row and empties it.
    pub fn close(&mut self, rows: &mut RowBuilder) {
        let Self { depth, items, .. } = self.emptied();
        rows.row(depth, || items);
    }

    /// Empties a row that was kept, and counts its items as left over.
    pub fn throw_away(&mut self, rows: &mut RowBuilder) {
        self.emptied()
            .items
            .into_iter()
            .for_each(|length| rows.left_over(length));
    }

    fn emptied(&mut self) -> Self {
        std::mem::replace(
            self,
            Self {
                keeps: self.keeps,
                ..Self::default()
            },
        )
    }
}

/// The room of rows in their order: a tree of the most room in each half.
pub(super) struct Rooms {
    /// The most room of a half at each node: node 1 is the root, 2n and 2n + 1 are below n, and the
    /// second half of the list, a power of two, is the rows; 0 for none.
    tree: Vec<u32>,
}

impl Rooms {
    /// Creates room for at least so many rows, the first of which have these rooms; the others none. O(rows).
    pub fn new(leaves: usize, rooms: impl Iterator<Item = u32>) -> Self {
        let leaves = leaves.next_power_of_two();
        let mut tree = vec![0; 2 * leaves];
        tree[leaves..]
            .iter_mut()
            .zip(rooms)
            .for_each(|(leaf, room)| *leaf = room);
        for node in (1..leaves).rev() {
            tree[node] = tree[2 * node].max(tree[2 * node + 1]);
        }
        Self { tree }
    }

    /// Returns how many rows there may be.
    pub fn leaves(&self) -> usize {
        self.tree.len() / 2
    }

    /// Returns the first row with room for a length of at least 1. O(log rows).
    #[inline]
    pub fn first_row_with_room(&self, length: u32) -> Option<usize> {
        if self.tree[1] < length {
            return None;
        }
        let (leaves, mut node) = (self.leaves(), 1);
        while node < leaves {
            node *= 2;
            // To the left half wherever that has room: the first row, not the fullest.
            node += usize::from(self.tree[node] < length);
        }
        Some(node - leaves)
    }

    /// Sets the room of a row. O(log rows).
    #[inline]
    pub fn set(&mut self, at: usize, room: u32) {
        let mut node = self.leaves() + at;
        self.tree[node] = room;
        while node > 1 {
            node /= 2;
            let most = self.tree[2 * node].max(self.tree[2 * node + 1]);
            // No node above can change, either.
            if self.tree[node] == most {
                break;
            }
            self.tree[node] = most;
        }
    }

    /// Takes the room of all rows.
    pub fn clear(&mut self) {
        self.tree.fill(0);
    }
}

/// Counts rows in their order, and empties the list.
pub(super) fn close_all(bins: &mut Vec<Bin>, rows: &mut RowBuilder) {
    bins.iter_mut().for_each(|bin| bin.close(rows));
    bins.clear();
}
