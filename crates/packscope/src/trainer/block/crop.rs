//! Row by row from a buffer: the longest document that fits, until none does; then the shortest is cropped to fill it.
//!
//! The buffer is filled by whole chunks whenever it has fewer documents than its size; at the end of the data it is
//! emptied, and a last row that is not full is left over. Source: karpathy/nanochat@0b949d9 nanochat/dataloader.py
//! `tokenizing_distributed_data_loader_with_state_bos_bestfit`. O(log distinct) an item.

use super::RowPacker;
use super::bins::Bin;
use crate::error::Result;
use crate::trainer::tally::RowBuilder;
use std::collections::BTreeMap;

pub(super) struct Crop {
    capacity: u32,
    size: u64,
    chunk: usize,
    /// Read, but in a chunk that is not complete.
    arrived: Vec<u32>,
    /// Documents of each length. The source goes through a list for the longest that fits;
    /// documents of equal lengths are the same here, so that a tree of lengths finds it.
    buffer: BTreeMap<u32, u64>,
    buffered: u64,
    row: Bin,
}

impl Crop {
    pub fn new(capacity: u32, size: u32, chunk: u32) -> Self {
        let (arrived, buffer) = Default::default();
        let (size, chunk) = (u64::from(size.max(1)), chunk.max(1) as usize);
        Self {
            capacity,
            size,
            chunk,
            arrived,
            buffer,
            buffered: 0,
            row: Bin::kept(),
        }
    }

    /// Fills rows until the buffer has fewer documents than this.
    fn work(&mut self, least: u64, rows: &mut RowBuilder) {
        for length in self.arrived.drain(..) {
            *self.buffer.entry(length).or_default() += 1;
            self.buffered += 1;
        }
        while self.buffered >= least {
            let room = self.capacity - self.row.used;
            // `room` is never 0, as full rows are closed, so that every turn takes a document.
            let longest = self.buffer.range(..=room).next_back();
            // None fits: the shortest is cropped to the room.
            let Some((&length, _)) = longest.or_else(|| self.buffer.first_key_value()) else {
                return;
            };
            if let Some(left) = self.buffer.get_mut(&length) {
                *left -= 1;
                if *left == 0 {
                    self.buffer.remove(&length);
                }
            }
            self.buffered -= 1;
            let over = length - length.min(room);
            rows.trained(length - over, 1);
            rows.tally.truncated_tokens += u64::from(over);
            rows.tally.truncated_sequences += u64::from(over > 0);
            self.row.add(length - over, rows);
            if self.row.used == self.capacity {
                self.row.close(rows);
            }
        }
    }
}

impl RowPacker for Crop {
    fn item(&mut self, length: u32, rows: &mut RowBuilder) {
        self.arrived.push(length);
        if self.arrived.len() == self.chunk {
            self.work(self.size, rows);
        }
    }

    fn end(&mut self, _: bool, rows: &mut RowBuilder) -> Result<()> {
        self.work(1, rows);
        // A cropped document fills its row, so an open row holds only whole ones.
        self.row.throw_away(rows);
        Ok(())
    }
}
