//! First fit in the order of arrival: into the first opened row with room.
//!
//! Source: Johnson 1973; axolotl `pack_group` (whose comment says decreasing: nothing sorts), NeMo and Megatron Bridge
//! `first_fit_shuffle` (the order is random). A tree of the most room in each half finds the row; full rows leave it,
//! so it stays as small as the number of open rows. A sequence that exceeds a row has its own, as in slime's
//! `first_fit_pack`. O(log open rows) an item.

use super::RowPacker;
use super::bins::{Bin, Rooms};
use crate::error::Result;
use crate::trainer::tally::RowBuilder;

pub(super) struct FirstFit {
    capacity: u32,
    cap: u32,
    /// Rows with less room are closed.
    shortest: u32,
    /// Open rows in the order in which they were opened, and closed ones among them until
    /// `rebuild`: a row has the same index here, in `rooms` and in `numbers`.
    bins: Vec<Bin>,
    rooms: Rooms,
    /// Rows in the order in which they were opened, where they are listed.
    listed: Vec<(u64, Bin)>,
    /// The number of each row, where they are listed.
    numbers: Vec<u64>,
    opened: u64,
}

/// The fewest leaves.
const LEAST: usize = 64;

impl FirstFit {
    pub fn new(capacity: u32, cap: u32, shortest: u32) -> Self {
        Self {
            capacity,
            cap,
            shortest,
            bins: Vec::new(),
            rooms: Rooms::new(LEAST, std::iter::empty()),
            listed: Vec::new(),
            numbers: Vec::new(),
            opened: 0,
        }
    }

    fn room(&self, bin: &Bin) -> u32 {
        let room = self.capacity.saturating_sub(bin.used);
        // No sequence to come fits: without room the row is out of the tree.
        if room < self.shortest || bin.depth >= self.cap {
            0
        } else {
            room
        }
    }

    /// Opens a row; makes the tree smaller, or larger, where all leaves are taken.
    fn open(&mut self, rows: &RowBuilder) -> usize {
        if self.bins.len() == self.rooms.leaves() {
            self.rebuild(rows);
        }
        self.bins.push(Bin::default());
        if rows.lists() {
            self.numbers.push(self.opened);
        }
        self.opened += 1;
        self.bins.len() - 1
    }

    fn rebuild(&mut self, rows: &RowBuilder) {
        let mut open = Vec::new();
        let mut numbers = Vec::new();
        for (at, bin) in std::mem::take(&mut self.bins).into_iter().enumerate() {
            // Closed rows leave the tree here, all at once, and not one by one.
            let is_open = self.room(&bin) > 0;
            if rows.lists() {
                let to = self.numbers[at];
                if is_open {
                    numbers.push(to);
                } else {
                    self.listed.push((to, bin.clone()));
                }
            }
            if is_open {
                open.push(bin);
            }
        }
        (self.bins, self.numbers) = (open, numbers);
        let rooms = self.bins.iter().map(|bin| self.room(bin));
        // Twice as many leaves as open rows: the next rebuilding is as many rows away, O(1) a row.
        self.rooms = Rooms::new((2 * self.bins.len()).max(LEAST), rooms);
    }
}

impl RowPacker for FirstFit {
    fn item(&mut self, length: u32, rows: &mut RowBuilder) {
        let at = match self.rooms.first_row_with_room(length) {
            Some(at) => at,
            None => self.open(rows),
        };
        self.bins[at].add(length, rows);
        rows.exceed(length, self.capacity, 1);
        let (room, depth) = (self.room(&self.bins[at]), self.bins[at].depth);
        self.rooms.set(at, room);
        // Listed rows are counted at the end, in the order in which they were opened.
        if room == 0 && !rows.lists() {
            rows.row(depth, Vec::new);
        }
    }

    fn end(&mut self, _: bool, rows: &mut RowBuilder) -> Result<()> {
        self.close(rows);
        Ok(())
    }
}

impl FirstFit {
    pub fn close(&mut self, rows: &mut RowBuilder) {
        let bins = std::mem::take(&mut self.bins);
        if rows.lists() {
            let mut all = std::mem::take(&mut self.listed);
            all.extend(std::mem::take(&mut self.numbers).into_iter().zip(bins));
            all.sort_unstable_by_key(|(number, _)| *number);
            all.iter_mut().for_each(|(_, bin)| bin.close(rows));
        } else {
            // Rows without room were counted when they closed.
            let open = bins
                .into_iter()
                .filter(|bin| self.room(bin) > 0)
                .collect::<Vec<_>>();
            open.into_iter().for_each(|mut bin| bin.close(rows));
        }
        self.rooms.clear();
    }
}
