//! Cuts text into its records: lines, rows of a table, JSON values.

use super::formats::Delimiter;
use super::lines::{LinePiece, Lines};
use super::problem::{Place, Why};
use super::rows::{Record, RowSplitter};
use super::split::{Element, JsonShape, Splitter};

#[derive(Debug, Clone, Copy)]
pub(crate) enum RawRecord<'a> {
    /// A line of text, without its terminator.
    Line(&'a [u8]),
    Row(&'a Record),
    Json(&'a [u8]),
}

/// A record with its place, or the beginning of an invalid one with the reason.
pub(super) type SplitRecord<'a> = (Place, Result<RawRecord<'a>, (&'a [u8], Why)>);

/// Cuts bytes into records, leaving out silent lines.
#[derive(Debug)]
pub(super) enum RecordSplitter {
    Lines {
        lines: Lines,
        are_json: bool,
        is_silent: fn(&[u8]) -> bool,
    },
    Json(Box<Splitter>),
    Table(Box<RowSplitter>),
}

impl RecordSplitter {
    /// Cuts lines of text, or lines that each hold a JSON value.
    pub fn lines(are_json: bool, is_silent: fn(&[u8]) -> bool) -> Self {
        Self::Lines {
            lines: Lines::default(),
            are_json,
            is_silent,
        }
    }

    /// Cuts JSON of this shape.
    pub fn json(shape: JsonShape) -> Self {
        Self::Json(Box::new(Splitter::new(shape)))
    }

    /// Cuts the rows of a table with this beginning.
    pub fn table(delimiter: Delimiter, is_silent: fn(&[u8]) -> bool, head: &[u8]) -> Self {
        Self::Table(Box::new(RowSplitter::new(delimiter, is_silent, head)))
    }

    /// Calls `each` for each record that ends in the chunk.
    pub fn push(&mut self, bytes: &[u8], mut each: impl FnMut(SplitRecord<'_>)) {
        match self {
            Self::Lines {
                lines,
                are_json,
                is_silent,
            } => {
                lines.push(bytes, |n, piece| {
                    line(n, piece, *are_json, *is_silent, &mut each)
                });
            }
            Self::Json(splitter) => splitter.push(bytes, |e| element(e, &mut each)),
            Self::Table(rows) => rows.push(bytes, |n, record, why| row(n, record, why, &mut each)),
        }
    }

    /// Returns the delimiter of a table whose lines are rows as they stand, unless they have quotes.
    pub fn delimiter(&self) -> Option<u8> {
        match self {
            Self::Table(rows) => rows.delimiter(),
            Self::Lines { .. } | Self::Json(_) => None,
        }
    }

    /// Returns a splitter of bytes that begin with a record of the same table; `None` for other formats.
    pub fn copy(&self) -> Option<Self> {
        match self {
            Self::Table(rows) => Some(Self::Table(Box::new(rows.copy()))),
            Self::Lines { .. } | Self::Json(_) => None,
        }
    }

    /// Returns the number of lines of a table if none is begun, nor a record.
    pub fn passed(&self) -> Option<u64> {
        match self {
            Self::Table(rows) => rows.passed(),
            Self::Lines { .. } | Self::Json(_) => None,
        }
    }

    /// Counts so many lines more of a table.
    pub fn begin_behind(&mut self, lines: u64) {
        if let Self::Table(rows) = self {
            rows.begin_behind(lines);
        }
    }

    /// Calls `each` for a last record without a terminator.
    pub fn finish(&mut self, mut each: impl FnMut(SplitRecord<'_>)) {
        match self {
            Self::Lines {
                lines,
                are_json,
                is_silent,
            } => {
                lines.finish(|n, piece| line(n, piece, *are_json, *is_silent, &mut each));
            }
            Self::Json(splitter) => splitter.finish(|e| element(e, &mut each)),
            Self::Table(rows) => rows.finish(|n, record, why| row(n, record, why, &mut each)),
        }
    }
}

fn line<'a>(
    number: u64,
    piece: LinePiece<'a>,
    are_json: bool,
    is_silent: fn(&[u8]) -> bool,
    each: &mut impl FnMut(SplitRecord<'a>),
) {
    let text = piece.text;
    let what = match are_json {
        // An overlong line is reported even if it looks like a comment: its end is unknown.
        true if piece.overlong => Err((text, Why::TooLong)),
        false if piece.overlong => Err((text, Why::LongLine)),
        _ if is_silent(text) => return,
        true => Ok(RawRecord::Json(text)),
        false => Ok(RawRecord::Line(text)),
    };
    each((Place::line(number, 1), what));
}

fn element<'a>(element: Element<'a>, each: &mut impl FnMut(SplitRecord<'a>)) {
    let Element { text, place, .. } = element;
    match element.fault() {
        Some(why) => each((place, Err((text, why)))),
        None => each((place, Ok(RawRecord::Json(text)))),
    }
}

fn row<'a>(
    line: u64,
    record: &'a Record,
    why: Option<Why>,
    each: &mut impl FnMut(SplitRecord<'a>),
) {
    let begun = |why: Why| {
        (
            // The text of a row that is too wide may have megabytes; its first cell tells which row
            // it is.
            if why == Why::TooWide {
                record.get(0)
            } else {
                record.begun()
            },
            why,
        )
    };
    each((
        Place::line(line, 1),
        why.map_or(Ok(RawRecord::Row(record)), |why| Err(begun(why))),
    ));
}

/// Whether a line is blank. Unlike a table of numbers, text may have lines that look like comments.
pub(super) fn is_blank(line: &[u8]) -> bool {
    line.trim_ascii().is_empty()
}
