//! The index of an indexed dataset of Megatron (`.idx`): the number of tokens of each sequence.
//!
//! 9 bytes of magic, version 1 (64 bits), a byte for the kind of the tokens, the numbers of sequences and of documents
//! (64 bits each), then the lengths (32 bits each) and the places of the sequences. All little-endian. Source:
//! `megatron/core/datasets/indexed_dataset.py`.

use super::cells::{Cells, Field, Holds, Layout, Rows, signed};
use super::formats::Format;
use super::source::whole;
use super::{Source, set::Part};
use crate::error::{Error, Result};
use crate::words::count;

const HEADER: u64 = 34;
/// Lengths read at once.
const STEP: usize = 1 << 16;

/// An index.
pub(super) struct Index<'a> {
    source: &'a dyn Source,
    sequences: u64,
    layout: Layout,
}

impl<'a> Index<'a> {
    /// Opens an index.
    ///
    /// # Errors
    /// For another version, and when it is shorter than it says.
    pub fn open(part: &Part<'a>) -> Result<Self> {
        let source = part.source();
        let wrong = |byte: u64, message: String| Error::Input { place: format!("byte {byte}"), message };
        let head = whole(source, 0, HEADER as usize)?;
        let number =
            |at: usize| -> Option<u64> { Some(u64::from_le_bytes(head.get(at..at + 8)?.try_into().ok()?)) };
        let (Some(version), Some(sequences)) = (number(9), number(18)) else {
            return Err(wrong(head.len() as u64, "the index ends here; is it complete?".to_owned()));
        };
        if version != 1 {
            return Err(wrong(10, format!("this index has version {version}; expected 1")));
        }
        let end = sequences.checked_mul(4).and_then(|bytes| bytes.checked_add(HEADER));
        if end.is_none_or(|end| end > source.size()) {
            let message = format!(
                "the index says that it has {} sequences, but it ends before; is it complete?",
                count(sequences)
            );
            return Err(wrong(19, message));
        }
        let fields = vec![Field { name: "length".to_owned(), holds: Holds::Numbers }];
        let layout = Layout { format: Format::Index, fields, size: source.size(), named: true };
        Ok(Self { source, sequences, layout })
    }
}

impl Cells for Index<'_> {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn rows(&mut self, wanted: &[usize], to: &mut dyn Rows) -> Result<()> {
        let mut done = 0;
        while done < self.sequences {
            let step = STEP.min(usize::try_from(self.sequences - done).unwrap_or(STEP));
            let at = HEADER + 4 * done;
            for length in whole(self.source, at, 4 * step)?.chunks_exact(4) {
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
