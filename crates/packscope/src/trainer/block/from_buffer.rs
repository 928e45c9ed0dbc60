//! Row by row from a buffer: the longest sequence that fits, until none does; the rest of the row is padded.
//!
//! The buffer is filled up before each choice; at the end of the data it is emptied. A sequence that is longer than a row
//! stays in the buffer for ever, and takes a place of it; once all places are taken nothing more is trained. Source:
//! karpathy/nanochat@92d63d4 scripts/chat_sft.py `sft_data_generator_bos_bestfit`. O(log distinct) an item.

use super::RowPacker;
use super::bins::Bin;
use crate::error::{Error, Result};
use crate::trainer::tally::RowBuilder;
use std::collections::BTreeMap;

pub(super) struct FromBuffer {
    capacity: u32,
    size: u64,
    /// Sequences of each length that fit a row: equal lengths are the same to every row.
    buffer: BTreeMap<u32, u64>,
    buffered: u64,
    /// Sequences in the buffer that fit no row.
    stuck: u64,
    row: Bin,
}

impl FromBuffer {
    pub fn new(capacity: u32, size: u32) -> Self {
        Self {
            capacity,
            size: u64::from(size.max(1)),
            buffer: BTreeMap::new(),
            buffered: 0,
            stuck: 0,
            row: Bin::default(),
        }
    }

    /// Takes a sequence into the row, or closes the row where none fits.
    fn choose(&mut self, rows: &mut RowBuilder) {
        let room = self.capacity - self.row.used;
        let longest = self.buffer.range_mut(..=room).next_back();
        match longest.map(|(length, left)| (*length, left)) {
            Some((length, left)) => {
                *left -= 1;
                if *left == 0 {
                    self.buffer.remove(&length);
                }
                self.buffered -= 1;
                self.row.add(length, rows);
            }
            None => self.row.close(rows),
        }
    }
}

impl RowPacker for FromBuffer {
    fn item(&mut self, length: u32, rows: &mut RowBuilder) {
        // A row that is full takes no more, so that the source fills the buffer only for the next.
        while self.buffered + self.stuck >= self.size && self.buffered > 0 {
            self.choose(rows);
        }
        if length > self.capacity {
            rows.left_over(length);
            self.stuck += 1;
        } else {
            *self.buffer.entry(length).or_default() += 1;
            self.buffered += 1;
        }
    }

    fn end(&mut self, _: bool, rows: &mut RowBuilder) -> Result<()> {
        if self.stuck >= self.size {
            return Err(Error::Input {
                place: format!("{} sequences longer than a row", self.stuck),
                message: format!(
                    "they fill the buffer of {}, and nothing more is trained; expected a higher limit",
                    self.size
                ),
            });
        }
        while self.buffered > 0 {
            self.choose(rows);
        }
        if self.row.depth > 0 {
            self.row.close(rows);
        }
        (self.buffered, self.stuck) = (0, 0);
        Ok(())
    }
}
