//! Best-fit decreasing: longest first, into the fullest row with room. Of equally full rows, the one that reached that
//! load first; where the last row is carried, the one opened first.
//!
//! Source: Johnson 1973; Ding et al. 2024 (Fewer Truncations Improve Language Modeling); TRL `_pack_bfd`, OLMo-core
//! `InstancePacker`; binpacking `to_constant_volume` up to 1.5.2, with which ms-swift packed: it carries the last
//! opened row into the next window. Windows are sorted when complete. O(log) an item for sorting, O(1) in practice for
//! finding the row. On counts: [`crate::packing::Algorithm::BestFitDecreasing`].

use super::decreasing::WindowRows;
use crate::packing::first_bit;
use std::collections::{BTreeMap, BTreeSet};

/// Open rows by their room; rows of equal room are a queue.
pub(super) struct Fullest {
    queues: Queues,
    /// The row after each row in its queue. A row is in one queue at a time, so one link is enough;
    /// what a row that left its queue still points to is never read, as queues end at their last
    /// row.
    next: Vec<u32>,
}

enum Queues {
    /// First and last row of the queue of every room, and a bit for every queue that is not empty.
    Dense {
        ends: Vec<(u32, u32)>,
        filled: Vec<u64>,
    },
    /// Queues that are not empty: for rows of so many slots that a table would be too large.
    Sparse(BTreeMap<u32, (u32, u32)>),
    /// (room, number of the row): of equal room, the row that was opened first.
    Numbered(BTreeSet<(u32, u32)>),
}

/// The largest capacity with a queue for every room: a table of 512 KB.
const DENSE: u32 = 1 << 16;

const NONE: u32 = u32::MAX;

impl Fullest {
    pub fn new(capacity: u32, numbered: bool) -> Self {
        let size = capacity as usize + 1;
        let queues = match capacity {
            // Queues forget which row was opened first, which only numbers tell.
            _ if numbered => Queues::Numbered(BTreeSet::new()),
            0..=DENSE => Queues::Dense {
                ends: vec![(NONE, NONE); size],
                filled: vec![0; size.div_ceil(64)],
            },
            _ => Queues::Sparse(BTreeMap::new()),
        };
        Self {
            queues,
            next: Vec::new(),
        }
    }
}

impl WindowRows for Fullest {
    #[inline]
    fn take(&mut self, length: u32) -> Option<u32> {
        let next = |at: u32| self.next.get(at as usize).copied().unwrap_or(NONE);
        match &mut self.queues {
            Queues::Dense { ends, filled } => {
                let room = first_bit(filled, length)? as usize;
                let (first, last) = ends[room];
                if first == last {
                    ends[room] = (NONE, NONE);
                    filled[room / 64] &= !(1 << (room % 64));
                } else {
                    ends[room].0 = next(first);
                }
                Some(first)
            }
            Queues::Numbered(rows) => {
                let found = *rows.range((length, 0)..).next()?;
                rows.remove(&found);
                Some(found.1)
            }
            Queues::Sparse(queues) => {
                let entry = queues.range_mut(length..).next()?;
                let (first, last) = *entry.1;
                if first == last {
                    let room = *entry.0;
                    queues.remove(&room);
                } else {
                    entry.1.0 = next(first);
                }
                Some(first)
            }
        }
    }

    #[inline]
    fn put(&mut self, room: u32, row: u32) {
        // A full row is in no queue: every sequence takes at least one slot.
        if room == 0 {
            return;
        }
        let ends = match &mut self.queues {
            Queues::Dense { ends, filled } => {
                filled[room as usize / 64] |= 1 << (room % 64);
                &mut ends[room as usize]
            }
            Queues::Sparse(queues) => queues.entry(room).or_insert((NONE, NONE)),
            Queues::Numbered(rows) => {
                rows.insert((room, row));
                return;
            }
        };
        if ends.0 == NONE {
            *ends = (row, row);
            return;
        }
        let last = std::mem::replace(&mut ends.1, row) as usize;
        if self.next.len() <= last {
            self.next.resize(last + 1, NONE);
        }
        self.next[last] = row;
    }

    /// Removes all rows. O(rooms / 64 + rows).
    fn clear(&mut self) {
        match &mut self.queues {
            Queues::Dense { ends, filled } => {
                let mut from = 0;
                while let Some(room) = first_bit(filled, from) {
                    ends[room as usize] = (NONE, NONE);
                    from = room + 1;
                }
                filled.fill(0);
            }
            Queues::Sparse(queues) => queues.clear(),
            Queues::Numbered(rows) => rows.clear(),
        }
    }
}
