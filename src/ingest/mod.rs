//! Bytes → [`Histogram`]: tables, plain numbers, JSON. Pushed in pieces of any size, so that memory does
//! not grow with the file. What cannot be used is located, counted and left out; the rest is kept.

mod detect;
mod json;
mod numbers;
mod table;
mod tally;

pub use tally::{Problem, Why};

use crate::error::{Error, Result};
use crate::histogram::Histogram;
use serde::{Deserialize, Serialize};
use tally::Tally;

/// How the bytes are laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Cells between commas.
    Csv,
    /// Cells between tabs.
    Tsv,
    /// Cells between semicolons.
    Semicolons,
    /// Numbers between white space, commas or semicolons.
    Numbers,
    /// One array, or one object from length to count.
    Json,
    /// One value a line.
    JsonLines,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 6] =
        [Self::Csv, Self::Tsv, Self::Semicolons, Self::Numbers, Self::Json, Self::JsonLines];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Tsv => "tsv",
            Self::Semicolons => "semicolons",
            Self::Numbers => "numbers",
            Self::Json => "json",
            Self::JsonLines => "jsonl",
        }
    }

    /// The name people read.
    pub fn title(self) -> &'static str {
        match self {
            Self::Csv => "table, commas",
            Self::Tsv => "table, tabs",
            Self::Semicolons => "table, semicolons",
            Self::Numbers => "plain numbers",
            Self::Json => "JSON",
            Self::JsonLines => "JSON Lines",
        }
    }
}

impl std::str::FromStr for Format {
    type Err = Error;
    fn from_str(s: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|f| f.name() == s).ok_or_else(|| Error::UnknownName {
            kind: "format",
            name: s.to_owned(),
            expected: Self::ALL.map(Self::name).join(", "),
        })
    }
}

/// How to read; what is `None` is detected.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Options {
    /// The layout.
    pub format: Option<Format>,
    /// Whether the first row of a table names its columns.
    pub header: Option<bool>,
    /// The column or field of the length: its name, or its number from 1; in JSON a path such as `a.b`.
    pub length: Option<String>,
    /// The column or field of the count; empty for none: every row is one item.
    pub count: Option<String>,
}

/// What was read, and what was not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Description {
    /// The layout, as detected or as asked for.
    pub format: Format,
    /// Names of the columns, or of the fields of the first object; empty where there are none.
    pub columns: Vec<String>,
    /// Whether the first row named the columns.
    pub header: bool,
    /// The column or field used as length.
    pub length: Option<String>,
    /// The column or field used as count.
    pub count: Option<String>,
    /// Bytes read.
    pub bytes: u64,
    /// Values that were left out.
    pub skipped: u64,
    /// The first of them.
    pub problems: Vec<Problem>,
    /// What was taken for granted, in words.
    pub notes: Vec<String>,
}

/// A histogram, and how it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ingested {
    /// The lengths.
    pub histogram: Histogram<1>,
    /// How they were read.
    pub description: Description,
}

/// Reads bytes that come in pieces.
#[derive(Debug)]
pub struct Reader {
    options: Options,
    /// Bytes kept back until the layout is known.
    head: Vec<u8>,
    stage: Stage,
    tally: Tally,
    bytes: u64,
}

#[derive(Debug)]
enum Stage {
    Undecided,
    Table(Box<table::Table>, Format),
    Numbers(numbers::Numbers),
    Json(json::Elements),
    JsonLines(json::Lines),
    Failed(Error),
}

/// Enough to tell layouts apart.
const HEAD: usize = 64 * 1024;

impl Reader {
    /// Nothing read yet.
    pub fn new(options: Options) -> Self {
        Self { options, head: Vec::new(), stage: Stage::Undecided, tally: Tally::default(), bytes: 0 }
    }

    /// Takes the next bytes. O(bytes).
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        if let Stage::Undecided = self.stage {
            self.head.extend_from_slice(bytes);
            if self.head.len() >= HEAD {
                self.decide();
            }
        } else {
            self.feed(bytes);
        }
    }

    /// Chooses the layout and reads what was kept back.
    fn decide(&mut self) {
        let head = std::mem::take(&mut self.head);
        let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&head);
        // The same bytes decide, however they were cut into pieces.
        let sample = &text[..text.len().min(HEAD - 3)];
        self.stage = match detect::refuse(&head).map_or(Ok(()), Err) {
            Err(error) => Stage::Failed(error),
            Ok(()) => {
                let format = self.options.format.unwrap_or_else(|| detect::format(sample));
                self.stage_of(format)
            }
        };
        self.feed(text);
    }

    fn stage_of(&self, format: Format) -> Stage {
        let table = |delimiter| Stage::Table(Box::new(table::Table::new(delimiter, &self.options)), format);
        match format {
            Format::Csv => table(b','),
            Format::Tsv => table(b'\t'),
            Format::Semicolons => table(b';'),
            Format::Numbers => Stage::Numbers(numbers::Numbers::default()),
            Format::Json => Stage::Json(json::Elements::new(&self.options)),
            Format::JsonLines => Stage::JsonLines(json::Lines::new(&self.options)),
        }
    }

    fn feed(&mut self, bytes: &[u8]) {
        match &mut self.stage {
            Stage::Undecided | Stage::Failed(_) => {}
            Stage::Table(table, _) => table.push(bytes, &mut self.tally),
            Stage::Numbers(numbers) => numbers.push(bytes, &mut self.tally),
            Stage::Json(elements) => elements.push(bytes, &mut self.tally),
            Stage::JsonLines(lines) => lines.push(bytes, &mut self.tally),
        }
    }

    /// The histogram of everything read.
    ///
    /// # Errors
    /// [`Error::Input`] when nothing could be used, with the place of the first problem and what would be
    /// accepted; [`Error::TooLarge`] when totals leave 64 bits.
    pub fn finish(mut self) -> Result<Ingested> {
        if let Stage::Undecided = self.stage {
            self.decide();
        }
        let mut description = match self.stage {
            Stage::Undecided => None,
            Stage::Failed(error) => return Err(error),
            Stage::Table(table, format) => Some(table.finish(format, &mut self.tally)),
            Stage::Numbers(numbers) => Some(numbers.finish(&mut self.tally)),
            Stage::Json(elements) => Some(elements.finish(&mut self.tally)),
            Stage::JsonLines(lines) => Some(lines.finish(&mut self.tally)),
        }
        .ok_or(Error::Empty)?;
        description.bytes = self.bytes;
        let histogram = self.tally.into_histogram(&mut description)?;
        Ok(Ingested { histogram, description })
    }
}

/// Reads bytes that are all at hand.
///
/// # Errors
/// As [`Reader::finish`].
pub fn read(bytes: &[u8], options: Options) -> Result<Ingested> {
    let mut reader = Reader::new(options);
    reader.push(bytes);
    reader.finish()
}

impl Description {
    fn new(format: Format) -> Self {
        Self {
            format,
            columns: Vec::new(),
            header: false,
            length: None,
            count: None,
            bytes: 0,
            skipped: 0,
            problems: Vec::new(),
            notes: Vec::new(),
        }
    }
}

/// Names of fields that hold a length, or something whose length counts.
const LENGTHS: [&str; 20] = [
    "length",
    "lengths",
    "len",
    "seq_len",
    "seqlen",
    "sequence_length",
    "num_tokens",
    "n_tokens",
    "token_count",
    "input_length",
    "size",
    "nodes",
    "tokens",
    "input_ids",
    "token_ids",
    "ids",
    "text",
    "content",
    "prompt",
    "sentence",
];
/// Those of them that can only be meant as numbers.
const NUMBERS: [&str; 12] = [
    "length",
    "lengths",
    "len",
    "seq_len",
    "seqlen",
    "sequence_length",
    "num_tokens",
    "n_tokens",
    "token_count",
    "input_length",
    "size",
    "nodes",
];
/// Names under which counts are commonly found.
const COUNTS: [&str; 8] = ["count", "counts", "frequency", "freq", "n", "num", "number", "occurrences"];

/// Position of the first known name among the columns.
fn known(names: &[&str], columns: &[String]) -> Option<usize> {
    names.iter().find_map(|name| columns.iter().position(|c| c.trim().eq_ignore_ascii_case(name)))
}
