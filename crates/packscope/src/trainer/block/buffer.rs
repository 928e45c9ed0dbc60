//! A batch of rows takes the sequences of a buffer where they fit best; those that fit nowhere wait for the next batch.
//!
//! The buffer is refilled whenever it is empty, by whole chunks, up to its size less the waiting sequences. A batch is
//! complete when nothing more can be read. Waiting sequences come first in the next batch, in reverse. The last batch
//! is thrown away with its buffer if one of its rows is empty. Source: AnswerDotAI/ModernBERT@8c57a0f
//! src/sequence_packer.py `GreedyBestFitSequencePacker`. O(log rows) an item that is considered.

use super::RowPacker;
use super::bins::Bin;
use crate::error::Result;
use crate::trainer::tally::RowBuilder;
use std::collections::VecDeque;

pub(super) struct Buffer {
    capacity: u32,
    batch: usize,
    size: usize,
    chunk: usize,
    /// Read, but not considered yet.
    buffer: VecDeque<u32>,
    /// Considered, and fitting nowhere.
    waiting: Vec<u32>,
    bins: Vec<Bin>,
    /// Arrived, but not read.
    arrived: VecDeque<u32>,
}

impl Buffer {
    pub fn new(capacity: u32, rows: u32, size: u32, chunk: u32) -> Self {
        let (buffer, waiting, arrived) = Default::default();
        let (batch, chunk) = (rows.max(1) as usize, chunk.max(1) as usize);
        let bins = vec![Bin::kept(); batch];
        Self {
            capacity,
            batch,
            size: size as usize,
            chunk,
            buffer,
            waiting,
            bins,
            arrived,
        }
    }

    /// Reads chunks and returns the number of sequences read; `None` if more have to arrive first.
    fn read(&mut self, all: bool) -> Option<usize> {
        // As `_fill_buffer` of the source compares: `>` or `>=` decides where a batch ends.
        let room = self.size - self.size.min(self.waiting.len());
        let mut added = 0;
        while self.size > self.buffer.len() + self.chunk && added + self.chunk <= room {
            if self.arrived.len() < self.chunk && !all {
                return None;
            }
            let chunk = self.chunk.min(self.arrived.len());
            if chunk == 0 {
                break;
            }
            self.buffer.extend(self.arrived.drain(..chunk));
            added += chunk;
        }
        Some(added)
    }

    /// Works until more has to arrive (`all`: until all is done).
    fn work(&mut self, all: bool, rows: &mut RowBuilder) {
        loop {
            while let Some(length) = self.buffer.pop_front() {
                let fitting = self.bins.iter().enumerate();
                let fitting = fitting.filter(|(_, bin)| bin.takes(length, self.capacity, u32::MAX));
                match fitting
                    // The first of equals, as in the source.
                    .min_by_key(|(_, bin)| self.capacity - bin.used)
                    .map(|(at, _)| at)
                {
                    Some(at) => self.bins[at].add(length, rows),
                    None => self.waiting.push(length),
                }
            }
            match self.read(all) {
                None => return,
                // Nothing could be added: the batch is complete. One with an empty row ends the
                // pass.
                Some(0) if !self.emit(rows) => return,
                Some(_) => {}
            }
        }
    }

    /// Ends a batch; returns whether it was trained.
    fn emit(&mut self, rows: &mut RowBuilder) -> bool {
        self.waiting
            .drain(..)
            // As Python's `extendleft`: one by one to the front, so that the last one is first.
            .for_each(|length| self.buffer.push_front(length));
        let full = self.bins.iter().all(|bin| bin.depth > 0);
        if full {
            self.bins.iter_mut().for_each(|bin| bin.close(rows));
        }
        full
    }
}

impl RowPacker for Buffer {
    fn item(&mut self, length: u32, rows: &mut RowBuilder) {
        self.arrived.push_back(length);
        if self.arrived.len() == self.size {
            self.work(false, rows);
        }
    }

    fn end(&mut self, _: bool, rows: &mut RowBuilder) -> Result<()> {
        self.work(true, rows);
        self.buffer
            .drain(..)
            .for_each(|length| rows.left_over(length));
        self.bins.iter_mut().for_each(|bin| bin.throw_away(rows));
        debug_assert_eq!(self.bins.len(), self.batch);
        Ok(())
    }
}
