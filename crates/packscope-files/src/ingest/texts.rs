//! Recognises texts of any format and cuts them into whole records.

use super::formats::{Delimiter, Format};
use super::lines::lossy;
use super::options::Options;
use super::rows::Record;
use super::split::JsonShape;
use super::splitter::{RecordSplitter, SplitRecord, is_blank};
use super::{HEAD, detect};

// As many as the reader of lengths, so that both decide alike.
pub(crate) const LOOKED_AT: usize = HEAD;

/// Whole records, for readers that need more than sizes. Unnamed columns of numbers are lines of text.
#[derive(Debug)]
pub(crate) struct Raws {
    /// The format of the bytes.
    pub format: Format,
    /// The delimiter of a table.
    pub delimiter: Delimiter,
    /// Bytes of the byte order mark, which must not be pushed.
    pub mark: usize,
    cut: RecordSplitter,
}

impl Raws {
    /// Creates a reader for an input that begins with `head`, which is all of it if `complete`.
    ///
    /// # Errors
    /// [`Error::Input`](packscope_core::error::Error::Input) for bytes that are not UTF-8 text.
    pub fn new(
        head: &[u8],
        complete: bool,
        format: Option<Format>,
        delimiter: Option<Delimiter>,
    ) -> packscope_core::error::Result<Self> {
        // A delimiter makes a table of anything; a chosen format without columns has none.
        let table = delimiter.filter(|_| format.is_none_or(|f| f == Format::Table));
        let dialect = detect::dialect(
            head,
            complete,
            &Options {
                format,
                delimiter: table,
                ..Options::default()
            },
            1,
        )?;
        let cut = match dialect.format {
            Format::Table | Format::Edges => {
                // Blank lines only: a text may begin with `#`.
                RecordSplitter::table(dialect.delimiter, is_blank, &head[dialect.mark..])
            }
            Format::Json if dialect.shape == JsonShape::Array => {
                RecordSplitter::json(JsonShape::Array)
            }
            // An object of numbers is one record here: texts have no lengths as keys.
            Format::Json => RecordSplitter::json(JsonShape::Values),
            format => RecordSplitter::lines(format == Format::JsonLines, is_blank),
        };
        Ok(Self {
            format: dialect.format,
            delimiter: dialect.delimiter,
            mark: dialect.mark,
            cut,
        })
    }

    /// Calls `each` for each record that ends in the chunk.
    pub fn push(&mut self, bytes: &[u8], each: impl FnMut(SplitRecord<'_>)) {
        self.cut.push(bytes, each);
    }

    /// Calls `each` for a last record without a terminator.
    pub fn finish(&mut self, each: impl FnMut(SplitRecord<'_>)) {
        self.cut.finish(each);
    }
}

/// Whether a first row of texts is a header: no cell is empty, a number, long, or a duplicate.
pub(crate) fn is_header(row: &Record) -> bool {
    // Longer cells are texts, and a table without a header.
    const LONG: usize = 64;
    let cells: Vec<String> = row.cells().into_iter().map(lossy).collect();
    let is_name = |(i, cell): (usize, &String)| {
        let fits =
            !cell.is_empty() && cell.len() <= LONG && !super::number::is_number(cell.as_bytes());
        fits && !cells[..i].contains(cell)
    };
    cells.iter().enumerate().all(is_name)
}
