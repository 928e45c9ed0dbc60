//! The index of an indexed dataset of Megatron or fairseq (`.idx`): the number of tokens of each sequence.
//!
//! 9 bytes of magic, version 1 (64 bits), a byte for the token type, the number of sequences, in Megatron also the
//! number of documents (64 bits each), then the lengths (32 bits each) and the offsets of the sequences (64 bits each),
//! in Megatron also those of the documents (64 bits each) and optionally a byte for the kind of each sequence. All
//! little-endian; only the size of the file distinguishes the two. Sources:
//! `megatron/core/datasets/indexed_dataset.py`; `fairseq/data/indexed_dataset.py`, `MMapIndexedDataset`.

use super::cells::{CellColumn, Cells, Holds, Layout, RowSink, signed};
use super::formats::Format;
use super::source::whole;
use super::value::Value;
use super::{Source, set::Part};
use packscope_core::error::{Error, Result};
use packscope_core::words::{count, plural};

/// Bytes before the lengths.
// 9 + 8 + 1 + 8 bytes before the lengths, and in Megatron 8 more for the number of documents.
const MEGATRON: u64 = 34;
const FAIRSEQ: u64 = 26;
/// Lengths read at once: 256 KiB.
const STEP: usize = 1 << 16;

pub(super) struct IndexedDataset<'a> {
    source: &'a dyn Source,
    sequences: u64,
    /// The offset of the lengths.
    begin: u64,
    layout: Layout,
}

impl<'a> IndexedDataset<'a> {
    /// Opens an index.
    ///
    /// # Errors
    /// For another version, or if its size does not match its number of sequences.
    pub fn open(part: &Part<'a>) -> Result<Self> {
        let source = part.source();
        let wrong = |byte: u64, message: String| Error::Input {
            place: format!("byte {byte}"),
            message,
        };
        let head = whole(source, 0, MEGATRON as usize)?;
        let number = |at: usize| -> Option<u64> {
            Some(u64::from_le_bytes(head.get(at..at + 8)?.try_into().ok()?))
        };
        // Offset 9: after the magic; 18: after version and type.
        let (Some(version), Some(sequences)) = (number(9), number(18)) else {
            return Err(wrong(
                head.len() as u64,
                "the index ends here; is it complete?".to_owned(),
            ));
        };
        if version != 1 {
            return Err(wrong(
                10,
                format!("this index has version {version}; expected 1"),
            ));
        }
        let Some(begin) = offset_of_lengths(source.size(), sequences, number(26)) else {
            let message = format!(
                "the index says that it has {}, and its {} bytes are those of no such index; is it complete?",
                plural(sequences, "sequence"),
                count(source.size())
            );
            return Err(wrong(19, message));
        };
        let fields = vec![CellColumn {
            name: "length".to_owned(),
            holds: Holds::Numbers,
        }];
        let layout = Layout {
            format: Format::Index,
            fields,
            size: source.size(),
            named: true,
        };
        Ok(Self {
            source,
            sequences,
            begin,
            layout,
        })
    }
}

/// Returns the offset of the lengths in an index of this size; `documents` is their number if it is Megatron's.
fn offset_of_lengths(size: u64, sequences: u64, documents: Option<u64>) -> Option<u64> {
    // 4 bytes of length and 8 of offset for each sequence.
    let end = |header: u64| sequences.checked_mul(12)?.checked_add(header);
    // Megatron's list of documents, and in multimodal sets a byte for each sequence after it.
    let of_megatron = || end(MEGATRON)?.checked_add(documents?.checked_mul(8)?);
    let kinds = || of_megatron()?.checked_add(sequences);
    // Read as Megatron's, an index of fairseq would lose its first two lengths: 8 bytes.
    match Some(size) {
        all if all == end(FAIRSEQ) => Some(FAIRSEQ),
        all if all == of_megatron() || all == kinds() => Some(MEGATRON),
        _ => None,
    }
}

impl Cells for IndexedDataset<'_> {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn rows(&mut self, wanted: &[usize], to: &mut dyn RowSink<Value>) -> Result<()> {
        let mut done = 0;
        while done < self.sequences {
            let step = STEP.min(usize::try_from(self.sequences - done).unwrap_or(STEP));
            let at = self.begin + 4 * done;
            for length in whole(self.source, at, 4 * step)?.chunks_exact(4) {
                // Signed, as the file has them: a negative length is reported as a problem.
                let length = i32::from_le_bytes([length[0], length[1], length[2], length[3]]);
                if to.row(&vec![signed(length.into()); wanted.len()]) {
                    return Ok(());
                }
            }
            done += step as u64;
            if to.reached(at + 4 * step as u64) {
                return Ok(());
            }
        }
        Ok(())
    }
}
