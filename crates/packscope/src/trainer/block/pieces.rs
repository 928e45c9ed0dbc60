//! Cuts each document into pieces of powers of two up to the capacity, longest first; shorter ones are thrown away.
//!
//! Source: Pouransari et al. 2024 (Dataset Decomposition); OLMo-core `bucket_documents` for `NumpyVSLDataset`. Batches
//! have a fixed number of tokens, so that a row is counted for every `capacity` of them and none is padded. O(log
//! capacity) an item.

use super::RowPacker;
use crate::error::Result;
use crate::trainer::tally::{RowBuilder, triangle};

pub(super) struct Pieces {
    longest: u32,
    least: u32,
    capacity: u32,
}

pub(in crate::trainer) struct DocumentPieces {
    /// Pieces that are kept, longest first.
    pub kept: Vec<u32>,
    /// Tokens that are thrown away.
    pub lost: u32,
}

impl DocumentPieces {
    pub fn new(length: u32, longest: u32, least: u32) -> Self {
        let (mut kept, mut left) = (Vec::new(), length);
        while left >= longest {
            kept.push(longest);
            left -= longest;
        }
        while left > 0 {
            let piece = 1 << left.ilog2();
            if piece < least {
                break;
            }
            kept.push(piece);
            left -= piece;
        }
        Self { kept, lost: left }
    }

    /// Counts `times` documents cut into these pieces.
    pub fn count(&self, rows: &mut RowBuilder, times: u64) {
        let kept: u64 = self.kept.iter().map(|l| u64::from(*l)).sum();
        if self.kept.is_empty() {
            rows.tally.dropped_sequences += times;
            rows.tally.dropped_tokens += u64::from(self.lost) * times;
        } else if self.lost > 0 {
            rows.tally.truncated_sequences += times;
            rows.tally.truncated_tokens += u64::from(self.lost) * times;
        }
        if self.kept.len() > 1 {
            rows.cut(
                self.kept.len() as u64,
                kept - u64::from(self.kept[0]),
                times,
            );
        }
        rows.tally.real_tokens += kept * times;
        rows.tally.context +=
            self.kept.iter().map(|l| triangle(*l)).sum::<u128>() * u128::from(times);
    }
}

/// Counts rows and slots of all pieces.
pub(in crate::trainer) fn count_rows(rows: &mut RowBuilder, capacity: u32) {
    // Batches have a fixed number of tokens, whatever the pieces: a row is the limit's worth of
    // them, and not a piece.
    rows.tally.slots = rows.tally.real_tokens;
    rows.tally.rows = rows.tally.real_tokens.div_ceil(u64::from(capacity));
    rows.tally.most = u64::from(rows.tally.rows > 0);
}

impl Pieces {
    pub fn new(capacity: u32, least: u32) -> Self {
        // A capacity that is not a power of two is rounded down to one, as all lengths are.
        Self {
            longest: 1 << capacity.max(1).ilog2(),
            least,
            capacity,
        }
    }
}

impl RowPacker for Pieces {
    fn item(&mut self, length: u32, rows: &mut RowBuilder) {
        let parts = DocumentPieces::new(length, self.longest, self.least);
        parts.count(rows, 1);
        if let Some(listed) = &mut rows.listed {
            listed.extend(parts.kept.iter().map(|length| vec![*length]));
        }
    }

    fn end(&mut self, _: bool, rows: &mut RowBuilder) -> Result<()> {
        count_rows(rows, self.capacity);
        Ok(())
    }
}
