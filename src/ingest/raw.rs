//! Whole records, for readers that need more than sizes: lines of text, rows, JSON values.

use super::detect;
use super::formats::{Delimiter, Format};
use super::lines::{Lines, Piece};
use super::options::Options;
use super::problem::{Place, Why};
use super::rows::{Record, Rows};
use super::split::{Element, Shape, Splitter};
use super::{HEAD, columns};
use crate::error::Result;

/// Bytes examined before the format is decided.
pub(crate) const LOOKED_AT: usize = HEAD;

/// A record.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Raw<'a> {
    /// A line of text, without its terminator.
    Line(&'a [u8]),
    /// A row of a table.
    Row(&'a Record),
    /// A JSON value.
    Json(&'a [u8]),
}

/// Bytes into records, without blank lines. Numbers without columns are lines of text.
#[derive(Debug)]
pub(crate) struct Raws {
    /// The format of the bytes.
    pub format: Format,
    /// The delimiter of a table.
    pub delimiter: Delimiter,
    /// Bytes of the byte order mark, which must not be pushed.
    pub mark: usize,
    decoder: Decoder,
}

#[derive(Debug)]
enum Decoder {
    Text(Lines),
    Lines(Lines),
    Json(Box<Splitter>),
    Table(Box<Rows>),
}

/// A record with its place, or the beginning of an invalid one, with the reason.
type Found<'a> = (Place, Result<Raw<'a>, (&'a [u8], Why)>);

impl Raws {
    /// Creates a reader for an input that begins with `head`, which is all of it if `complete`.
    ///
    /// # Errors
    /// [`Error::Input`](crate::error::Error::Input) for bytes that are not UTF-8 text.
    pub fn new(
        head: &[u8],
        complete: bool,
        format: Option<Format>,
        delimiter: Option<Delimiter>,
    ) -> Result<Self> {
        let table = delimiter.filter(|_| format.is_none_or(|f| f == Format::Table));
        let dialect =
            detect::dialect(head, complete, &Options { format, delimiter: table, ..Options::default() }, 1)?;
        let shape = if dialect.shape == Shape::Map { Shape::Values } else { dialect.shape };
        let rows = || Rows::new(dialect.delimiter, is_blank, &head[dialect.mark..]);
        let decoder = match dialect.format {
            Format::Table => Decoder::Table(Box::new(rows())),
            Format::Json => Decoder::Json(Box::new(Splitter::new(shape))),
            Format::JsonLines => Decoder::Lines(Lines::default()),
            Format::Edges => Decoder::Table(Box::new(rows())),
            _ => Decoder::Text(Lines::default()),
        };
        Ok(Self { format: dialect.format, delimiter: dialect.delimiter, mark: dialect.mark, decoder })
    }

    /// Calls `each` for each record that ends in the chunk.
    pub fn push(&mut self, bytes: &[u8], mut each: impl FnMut(Found<'_>)) {
        match &mut self.decoder {
            Decoder::Text(lines) => {
                lines.push(bytes, |n, piece| line(n, piece, Raw::Line, Why::LongLine, &mut each))
            }
            Decoder::Lines(lines) => {
                lines.push(bytes, |n, piece| line(n, piece, Raw::Json, Why::TooLong, &mut each))
            }
            Decoder::Json(splitter) => splitter.push(bytes, |e| element(e, &mut each)),
            Decoder::Table(rows) => rows.push(bytes, |n, record, why| row(n, record, why, &mut each)),
        }
    }

    /// Calls `each` for a last record without a terminator.
    pub fn finish(&mut self, mut each: impl FnMut(Found<'_>)) {
        match &mut self.decoder {
            Decoder::Text(lines) => {
                lines.finish(|n, piece| line(n, piece, Raw::Line, Why::LongLine, &mut each))
            }
            Decoder::Lines(lines) => {
                lines.finish(|n, piece| line(n, piece, Raw::Json, Why::TooLong, &mut each))
            }
            Decoder::Json(splitter) => splitter.finish(|e| element(e, &mut each)),
            Decoder::Table(rows) => rows.finish(|n, record, why| row(n, record, why, &mut each)),
        }
    }
}

/// Whether a line is blank. Unlike a table of numbers, one of texts may have lines that begin as comments do.
fn is_blank(line: &[u8]) -> bool {
    line.trim_ascii().is_empty()
}

fn line<'a>(
    number: u64,
    piece: Piece<'a>,
    raw: fn(&'a [u8]) -> Raw<'a>,
    overlong: Why,
    each: &mut impl FnMut(Found<'a>),
) {
    let place = Place::line(number, 1);
    if piece.overlong {
        each((place, Err((piece.text, overlong))));
    } else if !is_blank(piece.text) {
        each((place, Ok(raw(piece.text))));
    }
}

fn element<'a>(element: Element<'a>, each: &mut impl FnMut(Found<'a>)) {
    let what = match element.fault() {
        Some(why) => Err((element.text, why)),
        None if element.text.is_empty() => Err((element.text, Why::NotJson)),
        None => Ok(Raw::Json(element.text)),
    };
    each((element.place, what));
}

fn row<'a>(line: u64, record: &'a Record, why: Option<Why>, each: &mut impl FnMut(Found<'a>)) {
    let what = match why {
        Some(why) => Err((record.begun(), why)),
        None => Ok(Raw::Row(record)),
    };
    each((Place::line(line, 1), what));
}

/// Whether a first row of texts is a header: no cell is empty, a number, long, or a duplicate.
pub(crate) fn is_header(row: &Record) -> bool {
    const LONG: usize = 64;
    let cells: Vec<String> = row.all().into_iter().map(columns::lossy).collect();
    let is_name = |(i, cell): (usize, &String)| {
        let fits = !cell.is_empty() && cell.len() <= LONG && !super::number::is_number(cell.as_bytes());
        fits && !cells[..i].contains(cell)
    };
    cells.iter().enumerate().all(is_name)
}
