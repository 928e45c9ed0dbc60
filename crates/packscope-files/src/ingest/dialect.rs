//! The syntax of an input.

use super::formats::{Delimiter, Format};
use super::notes::Note;
use super::split::JsonShape;

/// The syntax of the input.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Dialect {
    pub format: Format,
    pub delimiter: Delimiter,
    pub shape: JsonShape,
    /// Bytes of the byte order mark: 0 or 3.
    pub mark: usize,
    /// Lines above the table.
    pub titles: usize,
    /// The words of each line that are the cells of a table, if only its first ones are.
    pub words: Option<usize>,
    pub note: Option<Note>,
}

impl Dialect {
    /// Returns the dialect of a histogram after a mark of `mark` bytes.
    pub fn histogram(mark: usize) -> Self {
        Self {
            format: Format::Histogram,
            mark,
            ..Self::table(Delimiter::Comma)
        }
    }

    /// Returns the dialect of a table without lines above it.
    pub fn table(delimiter: Delimiter) -> Self {
        Self {
            format: Format::Table,
            delimiter,
            shape: JsonShape::Values,
            mark: 0,
            titles: 0,
            words: None,
            note: None,
        }
    }
}
