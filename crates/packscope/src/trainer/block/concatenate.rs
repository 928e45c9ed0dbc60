//! Documents end to end, cut wherever a row ends.
//!
//! Source: Megatron-LM `GPTDataset`, nanotron `clm_process`, TRL `wrapped`, grain `ConcatThenSplitIterDataset`,
//! torchtune `split_across_pack`, fairseq2 `pack`. O(rows of a document) an item; memory: the open row.

use super::RowPacker;
use crate::error::Result;
use crate::trainer::recipe::Last;
use crate::trainer::tally::RowBuilder;
use std::collections::VecDeque;

pub(super) struct Concatenate {
    capacity: u32,
    last: Last,
    /// Whether a row needs the token after it.
    label: bool,
    /// Full rows that are thrown away at the end.
    lost: usize,
    used: u32,
    /// The pieces in the open row.
    row: Vec<Piece>,
    /// Full rows that may be thrown away.
    held: VecDeque<Vec<Piece>>,
}

#[derive(Clone, Copy)]
struct Piece {
    length: u32,
    /// Number of pieces of its document before it.
    before: u32,
    /// Whether it ends its document.
    ends: bool,
}

impl Concatenate {
    pub fn new(capacity: u32, last: Last, label: bool, lost: u32) -> Self {
        let (row, held) = Default::default();
        Self {
            capacity,
            last,
            label,
            lost: lost as usize,
            used: 0,
            row,
            held,
        }
    }

    /// Closes the open row. Where the last full rows of a window are thrown away, as many are held
    /// back, and the oldest of more is trained.
    fn close(&mut self, rows: &mut RowBuilder) {
        self.used = 0;
        if self.lost == 0 {
            train(&mut self.row, rows);
            return;
        }
        // nanotron loses the last full row of a window: which one that is shows when the next is
        // full.
        self.held.push_back(std::mem::take(&mut self.row));
        if self.held.len() > self.lost
            && let Some(mut row) = self.held.pop_front()
        {
            train(&mut row, rows);
        }
    }
}

fn train(row: &mut Vec<Piece>, rows: &mut RowBuilder) {
    rows.row(row.len() as u32, || {
        row.iter().map(|piece| piece.length).collect()
    });
    for piece in row.drain(..) {
        rows.trained(piece.length, 1);
        if piece.before > 0 {
            rows.tally.cut_tokens += u64::from(piece.length);
        }
        if piece.before > 0 || !piece.ends {
            rows.tally.pieces += 1;
            // A sequence counts with its first piece, so that it counts once.
            rows.tally.cut_sequences += u64::from(piece.before == 0);
        }
    }
}

/// Throws rows away: documents that begin in them are dropped, and one that began before is truncated.
fn discard(row: impl Iterator<Item = Piece>, rows: &mut RowBuilder) {
    let (mut dropped, mut truncated) = (false, false);
    for piece in row {
        dropped |= piece.before == 0;
        if dropped {
            rows.tally.dropped_sequences += u64::from(piece.before == 0);
            rows.tally.dropped_tokens += u64::from(piece.length);
            continue;
        }
        // Only the first document can have begun in a row that is trained. If that was a single
        // piece, the document is truncated, and not cut apart.
        if !truncated && piece.before == 1 {
            rows.tally.cut_sequences -= 1;
            rows.tally.pieces -= 1;
        }
        rows.tally.truncated_sequences += u64::from(!truncated);
        truncated = true;
        rows.tally.truncated_tokens += u64::from(piece.length);
    }
}

impl RowPacker for Concatenate {
    fn item(&mut self, length: u32, rows: &mut RowBuilder) {
        let (mut left, mut before) = (length, 0);
        while left > 0 {
            // Closed only when more comes, so that the end of a window can still tell a row that is
            // exactly full.
            if self.used == self.capacity {
                self.close(rows);
            }
            let part = left.min(self.capacity - self.used);
            left -= part;
            self.row.push(Piece {
                length: part,
                before,
                ends: left == 0,
            });
            self.used += part;
            before += 1;
        }
    }

    fn end(&mut self, _: bool, rows: &mut RowBuilder) -> Result<()> {
        // Where a row needs its label, a last row that is exactly full lacks it: Megatron-LM makes
        // ⌊(n − 1) / capacity⌋ rows of n tokens.
        let full = self.used == self.capacity && !self.label;
        if self.used > 0 && (full || self.last == Last::Kept) {
            self.close(rows);
        }
        discard(
            self.held.drain(..).flatten().chain(self.row.drain(..)),
            rows,
        );
        self.used = 0;
        Ok(())
    }
}
