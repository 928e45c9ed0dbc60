//! The records of a table, through `csv-core`.
//!
//! Lines are split before `csv-core` sees them. So a lone CR ends a line, every record has its line number, and
//! comments and blank lines are recognised without a second parser.

use super::formats::Delimiter;
use super::lines::{self, LONGEST, LinePiece, Lines};
use super::problem::Why;
use super::spaced::{strict, words};
use csv_core::{ReadRecordResult, ReaderBuilder};
use memchr::memchr;

const MOST_CELLS: usize = 1 << 16;

#[derive(Debug)]
pub(super) struct RowSplitter {
    lines: Lines,
    row: Row,
}

#[derive(Debug)]
struct Row {
    record: Record,
    /// The first line of an incomplete record: one over several lines, inside quotes.
    began: Option<u64>,
    /// Whether a line is not part of the table.
    silent: fn(&[u8]) -> bool,
    delimiter: Delimiter,
    /// Whether rows also begin and end with a bar.
    boxed: bool,
    /// The number of cells of a row with spaces between them.
    width: usize,
    /// The most words of a line that are cells; any others are a text behind them.
    most: usize,
    /// The number of delimiters in the first record.
    marks: Option<usize>,
    quoted: bool,
    /// The line in the form that the parser takes, if it differs from the file.
    plain: Vec<u8>,
}

impl RowSplitter {
    /// Creates a reader that skips `silent` lines, for a table with this beginning.
    pub fn new(delimiter: Delimiter, silent: fn(&[u8]) -> bool, head: &[u8]) -> Self {
        let boxed = delimiter == Delimiter::Pipe && is_boxed(head);
        let record = Record::new(delimiter);
        // The last line of the head may be cut, so only whole ones count.
        let whole = head
            .split_inclusive(|b| *b == b'\n')
            .filter(|line| line.ends_with(b"\n") && !silent(line));
        // Of the last of the first rows: a header may have fewer names than rows have cells.
        let width = whole.take(20).last().map_or(0, |line| words(line).count());
        let row = Row {
            record,
            began: None,
            silent,
            delimiter,
            boxed,
            width,
            most: usize::MAX,
            marks: None,
            quoted: false,
            plain: Vec::new(),
        };
        Self {
            lines: Lines::default(),
            row,
        }
    }

    /// Creates a reader of lines whose first words are cells, `most` of them, and any others a text.
    pub fn words(most: usize, silent: fn(&[u8]) -> bool) -> Self {
        let mut rows = Self::new(Delimiter::Space, silent, &[]);
        (rows.row.width, rows.row.most) = (0, most);
        rows
    }

    /// Returns the delimiter if lines are rows as they stand, unless they have quotes; `None` before the first row.
    pub fn delimiter(&self) -> Option<u8> {
        let row = &self.row;
        let has_marks = row.marks.is_some() && row.delimiter != Delimiter::Space && !row.boxed;
        has_marks.then(|| row.delimiter.byte())
    }

    /// Returns a reader of bytes that begin with a record of the same table, with lines counted from 0.
    pub fn copy(&self) -> Self {
        let Self { row, .. } = self;
        let mut record = Record::new(row.delimiter);
        // A blank line is no record; a byte order mark behind it is none.
        record.feed(b"\n");
        Self {
            lines: Lines::default(),
            row: Row {
                record,
                began: None,
                quoted: false,
                plain: Vec::new(),
                ..*row
            },
        }
    }

    /// Returns the number of lines if none is begun, nor a record.
    pub fn passed(&self) -> Option<u64> {
        self.lines.passed().filter(|_| self.row.began.is_none())
    }

    /// Counts so many lines more.
    pub fn begin_behind(&mut self, lines: u64) {
        self.lines.begin_behind(lines);
        self.row.began.iter_mut().for_each(|began| *began += lines);
    }

    /// Calls `each` for each record that ends in the chunk, with its line; and for the beginning of an unreadable one,
    /// with the reason.
    pub fn push(&mut self, bytes: &[u8], mut each: impl FnMut(u64, &Record, Option<Why>)) {
        let Self { lines, row } = self;
        lines.push(bytes, |number, line| row.line(number, line, &mut each));
    }

    /// Calls `each` for a last record without a terminator.
    pub fn finish(&mut self, mut each: impl FnMut(u64, &Record, Option<Why>)) {
        let Self { lines, row } = self;
        lines.finish(|number, line| row.line(number, line, &mut each));
        row.abandon(Why::OpenQuote, &mut each);
    }
}

impl Row {
    fn line(
        &mut self,
        number: u64,
        line: LinePiece<'_>,
        each: &mut impl FnMut(u64, &Record, Option<Why>),
    ) {
        let is_first = self.began.is_none();
        if is_first {
            // Inside quotes a line that looks like a comment belongs to the cell.
            if (self.silent)(line.text) && !self.is_row(line.text) {
                return;
            }
            self.began = Some(number);
            self.quoted = false;
        }
        let is_plain = !line.overlong && memchr(b'"', line.text).is_none();
        if !is_plain && !line.overlong && !self.closes(line.text) {
            return self.abandon(Why::Quote, each);
        }
        // Nearly all lines: without quotes there is nothing to parse.
        let has_marks = self.delimiter != Delimiter::Space && !self.boxed;
        if is_first && is_plain && has_marks && self.record.split(line.text, self.delimiter) {
            return self.complete(number, each);
        }
        let fed = match self.delimiter {
            _ if line.overlong => FeedState::TooLong,
            Delimiter::Pipe if self.boxed => {
                let line = line.text.trim_ascii();
                let inner = line
                    .strip_prefix(b"|")
                    .map_or(line, |rest| rest.strip_suffix(b"|").unwrap_or(rest));
                self.record.feed(inner)
            }
            // Fewer words than cells, but as many spaces: a cell is empty, and spaces are single.
            Delimiter::Space
                if words(line.text).count() < self.width && strict(line.text) == self.width =>
            {
                self.record.feed(line.text)
            }
            Delimiter::Space => {
                plain(line.text, self.most, &mut self.plain);
                self.record.feed(&self.plain)
            }
            _ => self.record.feed(line.text),
        };
        // The line end is fed on its own: `Lines` has removed it, whichever it was.
        let fed = if fed == FeedState::More {
            self.record.feed(b"\n")
        } else {
            fed
        };
        match fed {
            FeedState::More => {}
            FeedState::TooLong => self.abandon(Why::TooLong, each),
            FeedState::TooWide => self.abandon(Why::TooWide, each),
            FeedState::Record => self.complete(number, each),
        }
    }

    /// Passes on a record that ends in this line.
    fn complete(&mut self, number: u64, each: &mut impl FnMut(u64, &Record, Option<Why>)) {
        each(self.began.take().unwrap_or(number), &self.record, None);
        self.marks
            .get_or_insert(self.record.len().saturating_sub(1));
        self.record.clear();
    }

    /// Whether a line that looks like a comment is a row: not the first, and with as many cells as the first.
    fn is_row(&self, line: &[u8]) -> bool {
        let marks = || line.iter().filter(|b| **b == self.delimiter.byte()).count();
        // Of tabs at the beginning, each ends an empty cell.
        let begun = match self.delimiter {
            Delimiter::Tab => line.trim_ascii_start(),
            _ => line,
        };
        begun.starts_with(b"#")
            && self.delimiter != Delimiter::Space
            && self.marks.is_some_and(|n| n > 0 && n == marks())
    }

    /// Whether quotes around cells end before a delimiter or the end of the line. Quotes escaped by a backslash do not,
    /// nor does one that was left open before the quote of a later cell.
    fn closes(&mut self, line: &[u8]) -> bool {
        let by = self.delimiter.byte();
        let mut next = 0;
        for at in memchr::memchr_iter(b'"', line).filter(|_| self.delimiter != Delimiter::Space) {
            let before = at.checked_sub(1).map(|i| line[i]);
            match line.get(at + 1) {
                // The second quote of a doubled one.
                _ if at < next => {}
                _ if !self.quoted => self.quoted = before.is_none_or(|b| b == by),
                Some(b'"') => next = at + 2,
                Some(b) if *b != by && !b.is_ascii_whitespace() => return false,
                _ => self.quoted = false,
            }
        }
        true
    }

    /// Gives up an incomplete record, if any.
    fn abandon(&mut self, why: Why, each: &mut impl FnMut(u64, &Record, Option<Why>)) {
        if let Some(line) = self.began.take() {
            each(line, &self.record, Some(why));
            // The parser is inside a quote, so it must forget its state as well.
            self.record.restart();
        }
    }
}

/// Whether all complete lines of a table begin and end with bars, and there is at least one such line.
fn is_boxed(head: &[u8]) -> bool {
    let is_end = |b: &u8| matches!(b, b'\n' | b'\r');
    let is_row = |line: &&[u8]| {
        line.last().is_some_and(is_end) && line.contains(&b'|') && !lines::is_silent(line)
    };
    let is_boxed =
        |line: &[u8]| line.trim_ascii().starts_with(b"|") && line.trim_ascii().ends_with(b"|");
    head.split_inclusive(is_end)
        .filter(is_row)
        .take(20)
        .all(is_boxed)
}

/// Writes the first cells of a line with one space between them.
fn plain(line: &[u8], most: usize, to: &mut Vec<u8>) {
    to.clear();
    for piece in words(line).take(most) {
        if !to.is_empty() {
            to.push(b' ');
        }
        to.extend_from_slice(piece);
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FeedState {
    More,
    Record,
    TooLong,
    TooWide,
}

/// The cells of one record, in reused buffers.
#[derive(Debug)]
pub(crate) struct Record {
    csv: csv_core::Reader,
    text: Vec<u8>,
    ends: Vec<usize>,
    filled: usize,
    cells: usize,
    /// Whether the parser has read something, and so leaves no byte order mark out.
    has_read: bool,
}

impl Record {
    pub fn new(delimiter: Delimiter) -> Self {
        let csv = ReaderBuilder::new().delimiter(delimiter.byte()).build();
        Self {
            csv,
            text: vec![0; 256],
            ends: vec![0; 16],
            filled: 0,
            cells: 0,
            has_read: false,
        }
    }

    /// Takes the cells of a line without quotes, which is a record, as the parser would; returns false where it has to.
    fn split(&mut self, line: &[u8], delimiter: Delimiter) -> bool {
        if !self.has_read || line.is_empty() || line.len() > self.text.len() {
            return false;
        }
        let by = delimiter.byte();
        for cell in line.split(|b| *b == by) {
            let Some(end) = self.ends.get_mut(self.cells) else {
                self.clear();
                return false;
            };
            let filled = self.filled + cell.len();
            self.text[self.filled..filled].copy_from_slice(cell);
            (*end, self.filled) = (filled, filled);
            self.cells += 1;
        }
        true
    }

    /// Feeds a line or its terminator. Empty input would mean the end of the file, so it is skipped.
    pub fn feed(&mut self, mut input: &[u8]) -> FeedState {
        self.has_read |= !input.is_empty();
        while !input.is_empty() {
            let (text, ends) = (&mut self.text[self.filled..], &mut self.ends[self.cells..]);
            let (result, read, written, ended) = self.csv.read_record(input, text, ends);
            input = &input[read..];
            self.filled += written;
            self.cells += ended;
            match result {
                ReadRecordResult::InputEmpty => break,
                ReadRecordResult::Record | ReadRecordResult::End => return FeedState::Record,
                // Doubled, so that a record of n bytes costs O(n).
                ReadRecordResult::OutputFull if self.text.len() < LONGEST => {
                    self.text.resize(2 * self.text.len(), 0);
                }
                ReadRecordResult::OutputEndsFull if self.ends.len() < MOST_CELLS => {
                    self.ends.resize(2 * self.ends.len(), 0);
                }
                ReadRecordResult::OutputFull => return FeedState::TooLong,
                ReadRecordResult::OutputEndsFull => return FeedState::TooWide,
            }
        }
        FeedState::More
    }

    /// Returns a cell, from 0; empty if the record has none there.
    pub fn get(&self, i: usize) -> &[u8] {
        let begin = if i == 0 {
            Some(&0)
        } else {
            self.ends[..self.cells].get(i - 1)
        };
        match (begin, self.ends[..self.cells].get(i)) {
            (Some(begin), Some(end)) => &self.text[*begin..*end],
            _ => &[],
        }
    }

    /// Returns all cells, without empty ones after a trailing delimiter.
    pub fn cells(&self) -> Vec<&[u8]> {
        let mut cells: Vec<&[u8]> = (0..self.cells).map(|i| self.get(i)).collect();
        while cells.len() > 1 && cells.last().is_some_and(|c| c.trim_ascii().is_empty()) {
            cells.pop();
        }
        cells
    }

    /// Returns the number of cells, including an empty one after a trailing delimiter.
    pub fn len(&self) -> usize {
        self.cells
    }

    /// Returns the text of a record so far.
    pub fn begun(&self) -> &[u8] {
        &self.text[..self.filled]
    }

    pub fn clear(&mut self) {
        (self.filled, self.cells) = (0, 0);
    }

    pub fn restart(&mut self) {
        self.csv.reset();
        self.has_read = false;
        self.clear();
    }
}
