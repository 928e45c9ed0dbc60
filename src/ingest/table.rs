//! Tables: CSV, TSV and semicolons, through `csv-core`.
//!
//! Lines are cut before `csv-core` sees them. So a lone CR ends a line, every record knows its line,
//! and comments and blank lines are known to be none without a second parser.

use super::columns::{self, Columns};
use super::lines::{self, LONGEST, Lines, Piece};
use super::number;
use super::options::{Column, Delimiter, Options};
use super::problem::{Place, Why, shorten};
use super::tally::Tally;
use csv_core::{ReadRecordResult, ReaderBuilder};

/// More cells than this are no table of lengths.
const MOST_CELLS: usize = 1 << 16;

/// The reader of tables.
#[derive(Debug)]
pub(super) struct Table<const K: usize> {
    lines: Lines,
    rows: Rows<K>,
}

impl<const K: usize> Table<K> {
    pub fn new(delimiter: Delimiter, options: Options) -> Self {
        let record = Record::new(delimiter);
        Self { lines: Lines::default(), rows: Rows { record, began: None, columns: None, options } }
    }

    pub fn push(&mut self, bytes: &[u8], tally: &mut Tally<K>) {
        let Self { lines, rows } = self;
        lines.push(bytes, |number, line| rows.line(number, line, tally));
    }

    pub fn finish(&mut self, tally: &mut Tally<K>) {
        let Self { lines, rows } = self;
        lines.finish(|number, line| rows.line(number, line, tally));
        rows.abandon(Why::OpenQuote, tally);
    }
}

/// Lines into records, records into the tally.
#[derive(Debug)]
struct Rows<const K: usize> {
    record: Record,
    /// The line of the record that has begun: more than one line only inside quotes.
    began: Option<u64>,
    columns: Option<Columns<K>>,
    options: Options,
}

impl<const K: usize> Rows<K> {
    fn line(&mut self, number: u64, line: Piece<'_>, tally: &mut Tally<K>) {
        if self.began.is_none() {
            if lines::is_silent(line.text) {
                return;
            }
            self.began = Some(number);
        }
        let fed = if line.overlong { Fed::TooLong } else { self.record.feed(line.text) };
        let fed = if fed == Fed::More { self.record.feed(b"\n") } else { fed };
        match fed {
            Fed::More => {}
            Fed::TooLong => self.abandon(Why::TooLong, tally),
            Fed::Record => {
                let line = self.began.take().unwrap_or(number);
                self.row(line, tally);
                self.record.clear();
            }
        }
    }

    /// Gives the record up that has begun, if any.
    fn abandon(&mut self, why: Why, tally: &mut Tally<K>) {
        if let Some(line) = self.began.take() {
            tally.problem(Place { line, column: 1 }, self.record.begun(), why);
            self.record.restart();
        }
    }

    fn row(&mut self, line: u64, tally: &mut Tally<K>) {
        let Some(columns) = self.columns else {
            return self.first(line, tally);
        };
        let cells = &self.record;
        let mut size = [0; K];
        for (k, (slot, at)) in size.iter_mut().zip(columns.sizes).enumerate() {
            match number::size(cells.get(at), u32::from(k == 0)) {
                Ok(n) => *slot = n,
                Err(fault) => return tally.problem(cell(line, at), cells.get(at), tally.wrong(k, fault)),
            }
        }
        let Some(at) = columns.count else {
            return tally.add(size, 1);
        };
        match number::count(cells.get(at)) {
            Ok(count) => tally.add(size, count),
            Err(why) => tally.problem(cell(line, at), cells.get(at), why),
        }
    }

    /// The first record decides which columns are read; it may be the header.
    fn first(&mut self, line: u64, tally: &mut Tally<K>) {
        let cells = self.record.all();
        let header = self.options.header.unwrap_or_else(|| columns::is_header(&cells, &self.options));
        let names = header.then(|| cells.iter().map(|c| columns::lossy(c)).collect::<Vec<_>>());
        let chosen = match &names {
            Some(names) => columns::named(names, &self.options, line),
            None => columns::unnamed(cells.len(), &self.options, line),
        };
        match chosen {
            Err(error) => tally.fail(error),
            Ok((columns, note)) => {
                self.describe(columns, names.as_deref(), tally);
                note.into_iter().for_each(|n| tally.note(n));
            }
        }
        if !header && self.columns.is_some() {
            self.row(line, tally);
        }
    }

    fn describe(&mut self, columns: Columns<K>, names: Option<&[String]>, tally: &mut Tally<K>) {
        let column = |i: usize| match names {
            Some(names) => Column::Name(shorten(names[i].as_bytes())),
            None => Column::Number(u32::try_from(i + 1).unwrap_or(u32::MAX)),
        };
        tally.selected(columns.sizes.map(column).to_vec(), columns.count.map(column));
        tally.description.width = u32::try_from(self.record.all().len()).unwrap_or(u32::MAX);
        tally.description.columns =
            names.map(|n| n.iter().take(100).map(|name| shorten(name.as_bytes())).collect());
        self.columns = Some(columns);
    }
}

fn cell(line: u64, at: usize) -> Place {
    Place { line, column: at as u64 + 1 }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fed {
    More,
    Record,
    TooLong,
}

/// The cells of one record, in buffers that are used again.
#[derive(Debug)]
pub(super) struct Record {
    csv: csv_core::Reader,
    text: Vec<u8>,
    ends: Vec<usize>,
    filled: usize,
    cells: usize,
}

impl Record {
    pub fn new(delimiter: Delimiter) -> Self {
        let csv = ReaderBuilder::new().delimiter(delimiter.byte()).build();
        Self { csv, text: vec![0; 256], ends: vec![0; 16], filled: 0, cells: 0 }
    }

    /// Feeds a line or its end. Empty input would say that the file ends, so it is left out.
    pub fn feed(&mut self, mut input: &[u8]) -> Fed {
        while !input.is_empty() {
            let (text, ends) = (&mut self.text[self.filled..], &mut self.ends[self.cells..]);
            let (result, read, written, ended) = self.csv.read_record(input, text, ends);
            input = &input[read..];
            self.filled += written;
            self.cells += ended;
            match result {
                ReadRecordResult::InputEmpty => break,
                ReadRecordResult::Record | ReadRecordResult::End => return Fed::Record,
                ReadRecordResult::OutputFull if self.text.len() < LONGEST => {
                    self.text.resize(2 * self.text.len(), 0);
                }
                ReadRecordResult::OutputEndsFull if self.ends.len() < MOST_CELLS => {
                    self.ends.resize(2 * self.ends.len(), 0);
                }
                ReadRecordResult::OutputFull | ReadRecordResult::OutputEndsFull => return Fed::TooLong,
            }
        }
        Fed::More
    }

    /// A cell, from 0; empty where the record has none.
    fn get(&self, i: usize) -> &[u8] {
        let begin = if i == 0 { Some(&0) } else { self.ends[..self.cells].get(i - 1) };
        match (begin, self.ends[..self.cells].get(i)) {
            (Some(begin), Some(end)) => &self.text[*begin..*end],
            _ => &[],
        }
    }

    /// All cells, without empty ones after a trailing delimiter.
    pub fn all(&self) -> Vec<&[u8]> {
        let mut cells: Vec<&[u8]> = (0..self.cells).map(|i| self.get(i)).collect();
        while cells.len() > 1 && cells.last().is_some_and(|c| c.trim_ascii().is_empty()) {
            cells.pop();
        }
        cells
    }

    /// The text of a record that has not ended.
    fn begun(&self) -> &[u8] {
        &self.text[..self.filled]
    }

    pub fn clear(&mut self) {
        (self.filled, self.cells) = (0, 0);
    }

    pub fn restart(&mut self) {
        self.csv.reset();
        self.clear();
    }
}
