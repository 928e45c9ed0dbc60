//! Indices of sizes among the entries.

use super::{Histogram, Size};

/// A table covers first components below this; it is built in microseconds.
const TABLE: u32 = 1 << 16;

/// An index of entries by size. If every first component is below 65,536, a look-up is O(1) for lengths, and O(log of
/// the sizes with the same first component) for others; else O(log distinct).
#[derive(Debug)]
pub struct Positions<'h, const K: usize> {
    entries: &'h [(Size<K>, u64)],
    /// For each first component, the entries before it.
    before: Vec<u32>,
}

impl<const K: usize> Histogram<K> {
    /// Builds an index of the entries. O(distinct + largest first component) if that is below 65,536, else O(1).
    pub fn positions(&self) -> Positions<'_, K> {
        let entries = self.entries();
        let largest = entries.last().map_or(0, |(size, _)| size[0]);
        let mut before = Vec::new();
        if largest < TABLE {
            // A sentinel after the last, so that `index_of` always finds the end of a range.
            before = vec![entries.len() as u32; largest as usize + 2];
            // From the last to the first, so that the first entry of a length stands.
            for (i, (size, _)) in entries.iter().enumerate().rev() {
                before[size[0] as usize] = i as u32;
            }
            // Lengths without an entry begin where the next one does.
            for length in (0..=largest as usize).rev() {
                before[length] = before[length].min(before[length + 1]);
            }
        }
        Positions { entries, before }
    }
}

impl<const K: usize> Positions<'_, K> {
    /// Returns the index of a size among the entries.
    pub fn index_of(&self, size: &Size<K>) -> Option<usize> {
        let first = size[0] as usize;
        let (from, to) = match (self.before.get(first), self.before.get(first + 1)) {
            (Some(from), Some(to)) => (*from as usize, *to as usize),
            // The table is left out for long items.
            _ if self.before.is_empty() => (0, self.entries.len()),
            _ => return None,
        };
        let within = self.entries[from..to]
            .binary_search_by(|(s, _)| s.cmp(size))
            .ok()?;
        Some(from + within)
    }
}
