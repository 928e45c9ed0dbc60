//! Tables: cells between a delimiter, with or without a row of names.

use super::tally::{Tally, Why, count, length};
use super::{COUNTS, Description, Format, LENGTHS, NUMBERS, Options, known};
use csv_core::{ReadRecordResult, ReaderBuilder};

/// A row longer than this is left out.
const LONGEST: usize = 16 * 1024 * 1024;

/// Reads rows.
#[derive(Debug)]
pub(super) struct Table {
    csv: csv_core::Reader,
    options: Options,
    row: Vec<u8>,
    filled: usize,
    ends: Vec<usize>,
    cells: usize,
    line: u64,
    carriage_return: bool,
    too_long: bool,
    /// Names of the columns, once the first row is known.
    header: Option<Vec<String>>,
    columns: Option<Columns>,
    notes: Vec<String>,
}

/// Which cells are used.
#[derive(Debug, Clone, Copy)]
struct Columns {
    length: usize,
    count: Option<usize>,
}

impl Table {
    pub fn new(delimiter: u8, options: &Options) -> Self {
        Self {
            csv: ReaderBuilder::new().delimiter(delimiter).comment(Some(b'#')).build(),
            options: options.clone(),
            row: vec![0; 4096],
            filled: 0,
            ends: vec![0; 64],
            cells: 0,
            line: 1,
            carriage_return: false,
            too_long: false,
            header: None,
            columns: None,
            notes: Vec::new(),
        }
    }

    pub fn push(&mut self, mut bytes: &[u8], tally: &mut Tally) {
        while !bytes.is_empty() {
            let used = self.step(bytes, tally);
            bytes = &bytes[used..];
        }
    }

    /// One step of the parser; returns the bytes it used. An empty slice means the end of the data.
    fn step(&mut self, bytes: &[u8], tally: &mut Tally) -> usize {
        let (row, ends) = (&mut self.row[self.filled..], &mut self.ends[self.cells..]);
        let (result, used, written, ended) = self.csv.read_record(bytes, row, ends);
        self.filled += written;
        self.cells += ended;
        let before = self.line;
        self.count_lines(&bytes[..used]);
        match result {
            ReadRecordResult::OutputFull => self.grow(),
            ReadRecordResult::OutputEndsFull => self.ends.resize(self.ends.len() * 2, 0),
            ReadRecordResult::Record => {
                let ended = matches!(bytes[..used].last(), Some(b'\n' | b'\r'));
                let line = if ended { (self.line - 1).max(before) } else { self.line };
                self.record(line, tally);
            }
            ReadRecordResult::InputEmpty | ReadRecordResult::End => {}
        }
        used
    }

    /// Makes room; beyond the longest row its bytes are thrown away, and the row is left out.
    fn grow(&mut self) {
        if self.row.len() < LONGEST {
            self.row.resize(self.row.len() * 2, 0);
        } else {
            self.too_long = true;
            self.filled = 0;
        }
    }

    fn count_lines(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.line += u64::from(*byte == b'\r' || (*byte == b'\n' && !self.carriage_return));
            self.carriage_return = *byte == b'\r';
        }
    }

    fn record(&mut self, line: u64, tally: &mut Tally) {
        let (cells, too_long) = (self.cells, self.too_long);
        (self.filled, self.cells, self.too_long) = (0, 0, false);
        if too_long {
            return tally.skip(line, 1, b"", Why::TooLong);
        }
        if self.columns.is_none() && !self.begin(cells) {
            return;
        }
        if let Some(columns) = self.columns {
            self.take(line, cells, columns, tally);
        }
    }

    fn cell(&self, i: usize, cells: usize) -> Option<&[u8]> {
        let start = if i == 0 { 0 } else { *self.ends.get(i - 1)? };
        if i < cells { self.row.get(start..self.ends[i]) } else { None }
    }

    fn take(&self, line: u64, cells: usize, columns: Columns, tally: &mut Tally) {
        let Some(text) = self.cell(columns.length, cells) else {
            let text = self.cell(0, cells).unwrap_or_default();
            return tally.skip(line, columns.length as u64 + 1, text, Why::Missing);
        };
        let items = match columns.count {
            None => Ok(1),
            Some(at) => count(self.cell(at, cells).unwrap_or_default()),
        };
        match (length(text), items) {
            (Ok(length), Ok(items)) => tally.add(length, items),
            (Err(why), _) => tally.skip(line, columns.length as u64 + 1, text, why),
            (_, Err(why)) => {
                let at = columns.count.unwrap_or_default();
                tally.skip(line, at as u64 + 1, self.cell(at, cells).unwrap_or_default(), why);
            }
        }
    }

    /// Decides about names and columns; says whether this row holds data.
    fn begin(&mut self, cells: usize) -> bool {
        let texts: Vec<String> = (0..cells)
            .map(|i| String::from_utf8_lossy(self.cell(i, cells).unwrap_or_default()).trim().to_owned())
            .collect();
        if self.header.is_none() {
            let is_name = |t: &String| !t.is_empty() && t.parse::<f64>().is_err();
            if self.options.header.unwrap_or_else(|| texts.iter().all(is_name) || names_a_length(&texts)) {
                self.header = Some(texts);
                return false;
            }
        }
        let names = self.header.clone().unwrap_or_default();
        self.columns = Some(self.choose(&names, &texts));
        true
    }

    fn choose(&mut self, names: &[String], first: &[String]) -> Columns {
        let asked = |name: &Option<String>| name.as_ref().and_then(|n| position(n, names));
        let is_number = |i: &usize| first.get(*i).is_some_and(|t| t.parse::<f64>().is_ok());
        // A column of texts, such as `text`, gives way to a column of numbers; one named `length` does not.
        let named = known(&LENGTHS, names).filter(|i| is_number(i) || known(&NUMBERS, names) == Some(*i));
        let length = asked(&self.options.length).or(named).or_else(|| (0..first.len()).find(is_number));
        let length = length.unwrap_or(0);
        let guessed = match (names.is_empty(), first.len()) {
            (true, 2) if self.options.length.is_none() => Some(1),
            _ => known(&COUNTS, names),
        };
        let count = match &self.options.count {
            Some(name) if name.is_empty() => None,
            Some(_) => asked(&self.options.count),
            None => guessed.filter(|i| *i != length),
        };
        if names.is_empty() && count.is_some() && self.options.count.is_none() {
            self.notes.push("two columns without names: read as length and count".to_owned());
        }
        Columns { length, count }
    }

    pub fn finish(mut self, format: Format, tally: &mut Tally) -> Description {
        // An empty piece means the end; the last row may need several steps to come out.
        for _ in 0..64 {
            let before = (self.filled, self.cells);
            self.step(&[], tally);
            if before == (0, 0) && (self.filled, self.cells) == (0, 0) {
                break;
            }
        }
        if let (Some(names), None) = (&self.header, self.columns) {
            let names = names.join(",");
            tally.skip(1, 1, names.as_bytes(), Why::NotANumber);
        }
        let width = self.columns.map_or(0, |c| c.length.max(c.count.unwrap_or(0)) + 1);
        let names = self.header.clone().unwrap_or_else(|| (1..=width).map(|i| i.to_string()).collect());
        let name = |i: usize| names.get(i).cloned().unwrap_or_else(|| (i + 1).to_string());
        let mut description = Description::new(format);
        description.header = self.header.is_some();
        description.length = self.columns.map(|c| name(c.length));
        description.count = self.columns.and_then(|c| c.count).map(name);
        description.columns = names;
        description.notes = self.notes;
        description
    }
}

fn names_a_length(texts: &[String]) -> bool {
    known(&LENGTHS, texts).is_some()
}

/// A column by its name, else by its number from 1.
fn position(name: &str, names: &[String]) -> Option<usize> {
    let named = names.iter().position(|n| n == name);
    named.or_else(|| name.parse::<usize>().ok()?.checked_sub(1))
}
