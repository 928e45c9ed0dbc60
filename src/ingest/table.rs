//! Tables: CSV, TSV and semicolons, through `csv-core`.
//!
//! Lines are split before `csv-core` sees them. So a lone CR ends a line, every record has its line number, and
//! comments and blank lines are recognised without a second parser.

use super::columns::{self, Columns};
use super::lines::{self, LONGEST, Lines, Piece};
use super::note::Note;
use super::number::{self, Fault};
use super::options::{Column, Delimiter, Options};
use super::problem::{Place, Why, shorten};
use super::sample::Sample;
use super::spaced::{strict, words};
use super::tally::Tally;
use super::text;
use crate::error::Error;
use csv_core::{ReadRecordResult, ReaderBuilder};

/// The most cells of a record.
const MOST_CELLS: usize = 1 << 16;

/// The reader of tables.
#[derive(Debug)]
pub(super) struct Table<const K: usize> {
    rows: Rows,
    sizes: Sizes<K>,
}

impl<const K: usize> Table<K> {
    /// Creates a reader for a table below so many titles that begins with `head`, which is all of it if `complete`.
    pub fn new(
        (delimiter, titles): (Delimiter, usize),
        options: Options,
        head: &[u8],
        complete: bool,
    ) -> Self {
        let sample = Sample::new(delimiter, head, complete);
        let sizes = Sizes { columns: None, texts: false, options, delimiter, sample, above: titles, titles };
        Self { rows: Rows::new(delimiter, lines::is_silent, head), sizes }
    }

    pub fn push(&mut self, bytes: &[u8], tally: &mut Tally<K>) {
        let Self { rows, sizes } = self;
        rows.push(bytes, |line, row, why| sizes.read(line, row, why, tally));
    }

    pub fn finish(&mut self, tally: &mut Tally<K>) {
        let Self { rows, sizes } = self;
        rows.finish(|line, row, why| sizes.read(line, row, why, tally));
    }
}

/// Bytes into records.
#[derive(Debug)]
pub(super) struct Rows {
    lines: Lines,
    row: Row,
}

/// The current record.
#[derive(Debug)]
struct Row {
    record: Record,
    /// The first line of an incomplete record: one over several lines, inside quotes.
    began: Option<u64>,
    /// Whether a line is no part of the table.
    silent: fn(&[u8]) -> bool,
    delimiter: Delimiter,
    /// Whether bars stand around the rows too.
    boxed: bool,
    /// The cells of a row with spaces between them.
    width: usize,
    /// A line as the parser takes it, where that is not as it is in the file.
    plain: Vec<u8>,
}

impl Rows {
    /// Creates a reader that skips lines that are `silent`, for a table that begins so.
    pub fn new(delimiter: Delimiter, silent: fn(&[u8]) -> bool, head: &[u8]) -> Self {
        let boxed = delimiter == Delimiter::Pipe && is_boxed(head);
        let record = Record::new(delimiter);
        let whole =
            head.split_inclusive(|b| *b == b'\n').filter(|line| line.ends_with(b"\n") && !silent(line));
        let width = whole.take(20).last().map_or(0, |line| words(line).count());
        let row = Row { record, began: None, silent, delimiter, boxed, width, plain: Vec::new() };
        Self { lines: Lines::default(), row }
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
    fn line(&mut self, number: u64, line: Piece<'_>, each: &mut impl FnMut(u64, &Record, Option<Why>)) {
        if self.began.is_none() {
            if (self.silent)(line.text) {
                return;
            }
            self.began = Some(number);
        }
        let fed = match self.delimiter {
            _ if line.overlong => Fed::TooLong,
            Delimiter::Pipe if self.boxed => {
                let line = line.text.trim_ascii();
                let inner =
                    line.strip_prefix(b"|").map_or(line, |rest| rest.strip_suffix(b"|").unwrap_or(rest));
                self.record.feed(inner)
            }
            // A cell may be empty.
            Delimiter::Space if words(line.text).count() < self.width && strict(line.text) == self.width => {
                self.record.feed(line.text)
            }
            Delimiter::Space => {
                plain(line.text, &mut self.plain);
                self.record.feed(&self.plain)
            }
            _ => self.record.feed(line.text),
        };
        let fed = if fed == Fed::More { self.record.feed(b"\n") } else { fed };
        match fed {
            Fed::More => {}
            Fed::TooLong => self.abandon(Why::TooLong, each),
            Fed::Record => {
                each(self.began.take().unwrap_or(number), &self.record, None);
                self.record.clear();
            }
        }
    }

    /// Gives up an incomplete record, if any.
    fn abandon(&mut self, why: Why, each: &mut impl FnMut(u64, &Record, Option<Why>)) {
        if let Some(line) = self.began.take() {
            each(line, &self.record, Some(why));
            self.record.restart();
        }
    }
}

/// Whether all whole lines of a table begin and end with bars, as far as some of them show it.
fn is_boxed(head: &[u8]) -> bool {
    let is_row = |line: &&[u8]| line.ends_with(b"\n") && line.contains(&b'|') && !lines::is_silent(line);
    let is_boxed = |line: &[u8]| line.trim_ascii().starts_with(b"|") && line.trim_ascii().ends_with(b"|");
    head.split_inclusive(|b| *b == b'\n').filter(is_row).take(20).all(is_boxed)
}

/// Writes a line with one space between its cells.
fn plain(line: &[u8], to: &mut Vec<u8>) {
    to.clear();
    for piece in words(line) {
        if !to.is_empty() {
            to.push(b' ');
        }
        to.extend_from_slice(piece);
    }
}

/// Records into sizes.
#[derive(Debug)]
struct Sizes<const K: usize> {
    columns: Option<Columns<K>>,
    /// Whether the sizes are texts, which are measured.
    texts: bool,
    options: Options,
    delimiter: Delimiter,
    sample: Sample,
    /// Lines above the table, and how many of them are still to come.
    above: usize,
    titles: usize,
}

impl<const K: usize> Sizes<K> {
    fn read(&mut self, line: u64, row: &Record, why: Option<Why>, tally: &mut Tally<K>) {
        match why {
            Some(why) => tally.problem(Place::line(line, 1), row.begun(), why),
            None => self.row(line, row, tally),
        }
    }

    fn row(&mut self, line: u64, cells: &Record, tally: &mut Tally<K>) {
        let Some(columns) = self.columns else {
            return self.first(line, cells, tally);
        };
        let mut size = [0; K];
        for (k, (slot, at)) in size.iter_mut().zip(columns.sizes).enumerate() {
            if self.texts {
                // A table of one column is not split at its commas, which are marks.
                let is_split = tally.description.width == 1 && cells.all().len() > 1;
                let text = if is_split { cells.all().join(&b", "[..]) } else { cells.get(at).to_vec() };
                match text_size(&text) {
                    Ok(n) => *slot = n,
                    Err(why) => return tally.problem(cell(line, at), cells.get(at), why),
                }
                continue;
            }
            match self.number(cells.get(at), |text| number::size(text, u32::from(k == 0)), Fault::Wrong) {
                Ok(n) => *slot = n,
                Err(fault) => return tally.problem(cell(line, at), cells.get(at), tally.wrong(k, fault)),
            }
        }
        let Some(at) = columns.count else {
            return tally.add(size, 1);
        };
        match self.number(cells.get(at), number::count, Why::Count) {
            Ok(count) => tally.add(size, count),
            Err(why) => tally.problem(cell(line, at), cells.get(at), why),
        }
    }

    /// Parses a number; where semicolons part the cells, commas may be those of decimals, and points those of thousands.
    fn number<T, E>(&self, text: &[u8], parse: impl Fn(&[u8]) -> Result<T, E>, wrong: E) -> Result<T, E> {
        let is_either = self.delimiter == Delimiter::Semicolon
            && text.iter().any(|b| matches!(b, b',' | b'.'))
            && number::is_in_thousands(text);
        if is_either { Err(wrong) } else { parse(text) }
    }

    /// Decides from the first record on the columns to read; it may be the header.
    fn first(&mut self, line: u64, row: &Record, tally: &mut Tally<K>) {
        let mut cells = row.all();
        if self.titles > 0 {
            self.titles -= 1;
            return tally.note(Note::Title { text: shorten(cells[0]) });
        }
        let below = |at| self.sample.column("", at, self.above + 1).is_whole();
        let header = self.options.header.unwrap_or_else(|| columns::is_header(&cells, &self.options, below));
        if header {
            // A column without a name at the end is one all the same, if it holds something.
            let held = row.len().min(self.sample.width()).max(cells.len());
            cells.resize(held, &[]);
        }
        let from = self.above + usize::from(header);
        match self.sample.names_rows(cells.len(), from) {
            Some(true) if header => cells.insert(0, &[]),
            None if header && !self.options.guess => {
                let (place, message) = (format!("line {line}"), MORE_CELLS.to_owned());
                return tally.fail(Error::Input { place, message });
            }
            None if header => tally.note(Note::Question { words: MORE_CELLS.to_owned() }),
            _ => {}
        }
        let names = header.then(|| cells.iter().map(|c| columns::lossy(c)).collect::<Vec<_>>());
        let no_names = || vec![String::new(); cells.len()];
        let seen = self.sample.columns(&names.clone().unwrap_or_else(no_names), from);
        let chosen = match &names {
            Some(_) => columns::named(&seen, &self.options, line),
            None if K == 1 && self.sample.uniq && cells.len() == 2 && self.is_free() => Ok(uniq()),
            None => columns::unnamed(&seen, &self.options, line),
        };
        match chosen {
            Err(error) => tally.fail(error),
            Ok((columns, notes)) => {
                self.texts = names.is_some() && columns::are_texts(&seen, &columns);
                tally.once |= columns.if_distinct;
                self.describe(columns, cells.len(), names.as_deref(), tally);
                notes.into_iter().for_each(|n| tally.note(n));
                if self.texts {
                    tally.words();
                }
            }
        }
        if !header && self.columns.is_some() {
            self.row(line, row, tally);
        }
    }

    fn is_free(&self) -> bool {
        self.options.sizes.is_empty() && self.options.count.is_none()
    }

    fn describe(
        &mut self,
        columns: Columns<K>,
        width: usize,
        names: Option<&[String]>,
        tally: &mut Tally<K>,
    ) {
        let column = |i: usize| match names {
            Some(names) => Column::Name(shorten(names[i].as_bytes())),
            None => Column::Number(u32::try_from(i + 1).unwrap_or(u32::MAX)),
        };
        tally.selected(columns.sizes.map(column).to_vec(), columns.count.map(column));
        tally.description.width = u32::try_from(width).unwrap_or(u32::MAX);
        tally.description.columns =
            names.map(|n| n.iter().take(100).map(|name| shorten(name.as_bytes())).collect());
        self.columns = Some(columns);
    }
}

/// The question about rows of numbers that are longer than the header.
const MORE_CELLS: &str = "every row has a cell more than the header, which may be the first or the last; expected a name \
                          for each column";

/// Returns the columns of what `uniq -c` prints.
fn uniq<const K: usize>() -> (Columns<K>, Vec<Note>) {
    (Columns { sizes: [1; K], count: Some(0), if_distinct: true }, vec![Note::Uniq])
}

/// Measures a text in words.
fn text_size(text: &[u8]) -> Result<u32, Why> {
    match text::count(text) {
        None => Err(Why::NoSpaces),
        Some(words) => number::narrow(words, 1).ok_or(Why::NoLength),
    }
}

fn cell(line: u64, at: usize) -> Place {
    Place::line(line, at as u64 + 1)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fed {
    More,
    Record,
    TooLong,
}

/// The cells of one record, in reused buffers.
#[derive(Debug)]
pub(crate) struct Record {
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

    /// Feeds a line or its terminator. Empty input would mean the end of the file, so it is skipped.
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

    /// Returns a cell, from 0; empty if the record has none there.
    pub fn get(&self, i: usize) -> &[u8] {
        let begin = if i == 0 { Some(&0) } else { self.ends[..self.cells].get(i - 1) };
        match (begin, self.ends[..self.cells].get(i)) {
            (Some(begin), Some(end)) => &self.text[*begin..*end],
            _ => &[],
        }
    }

    /// Returns all cells, without empty ones after a trailing delimiter.
    pub fn all(&self) -> Vec<&[u8]> {
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
        self.clear();
    }
}
