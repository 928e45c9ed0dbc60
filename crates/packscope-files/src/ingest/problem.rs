//! A record that could not be used: its place, its text, and the reason.

use packscope_core::accepts;
use packscope_core::words;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The most problems that are kept with their text; all are counted.
pub(super) const KEPT: usize = 20;
/// The most characters of the input quoted in a problem.
const QUOTED: usize = 40;

const WITH_UNIT: &str = "is a number with its unit; write numbers alone";
const WITH_JQ: &str =
    "of texts such as \"512 tokens\" jq writes the numbers: split(\" \")[0]|tonumber";
const NO_SPACES: &str = "is long and without a space, so that its words say nothing; expected lengths, a list of tokens, or \
                         FASTA for sequences of letters";
const NOT_FASTA: &str = "is before the first sequence; expected a line that begins with >";
const QUOTE: &str = "a quote ends before its cell does: within quotes it is written twice, \"\", and no backslash stands \
                     before it; write the file anew, in Spark with .option(\"escape\", '\"'), or save the lengths alone";
const WIDE: &str = "write the lengths alone, one a line, or a table with a row for each item";
const TRAILING: &str =
    "follows the end of the JSON value; choose JSON Lines for one value per line";

/// A record that was skipped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// The file, if several were read.
    pub file: Option<String>,
    /// The line, from 1, or the row in formats without lines. For a record over several lines, the first.
    pub line: u64,
    /// From 1: the cell in a table, otherwise the byte in the line. `None` for rows.
    pub column: Option<u64>,
    /// The text found: at most 40 characters, control characters replaced.
    pub text: String,
    /// The reason why it was skipped.
    pub why: Why,
}

/// The reason why a record was skipped. Sent to the page as data; [`Problem::message`] has the
/// words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Why {
    /// The text is not a length.
    Length,
    /// The text is not a count.
    Count,
    /// The length is missing.
    NoLength,
    /// The count is missing.
    NoCount,
    /// The text is not a size.
    Size {
        /// The name of the component.
        of: String,
        /// The smallest size accepted: 1 in the first component, 0 in the others.
        least: u32,
    },
    /// The size is missing.
    NoSize {
        /// The name of the component.
        of: String,
        /// The smallest size accepted.
        least: u32,
    },
    /// Neither an object nor an array with this number of sizes.
    NoSizes(u32),
    /// The text is not a number of a graph or of a node.
    Id,
    /// The bytes are not UTF-8.
    NotUtf8,
    /// The text is not JSON.
    NotJson,
    /// The record has no field of this name; the text lists its fields.
    NoField(String),
    /// The field of this name is not a number; the text lists the fields of the record.
    NoNumber(String),
    /// No field of the record has a name for a length; the text lists its fields.
    UnknownFields,
    /// The sizes of this number of components are not among the fields of the record; the text lists them.
    UnknownSizes(u32),
    /// The value in the field of this name is not text.
    NotText(String),
    /// Two interpretations of the fields are possible; the words are the question.
    Unclear(String),
    /// The line is before the first sequence of FASTA.
    NotFasta,
    /// The text has no space, so its length in words is unknown.
    NoSpaces,
    /// A list whose elements are not tokens; the words describe it and the remedy.
    Refused(String),
    /// The row has no column of this name.
    NoColumn(String),
    /// The text has no tokens.
    NoTokens,
    /// The tokenizer fails on the text, for this reason.
    NotTokenized(String),
    /// Too long to be one record.
    TooLong,
    /// Too many cells to be a row of a table.
    TooWide,
    /// Too long to be one line of text.
    LongLine,
    /// A quote that is never closed.
    OpenQuote,
    /// A quote within a quoted cell.
    Quote,
    /// The input ends inside the record.
    Unfinished,
    /// There is more after the end of a JSON array or object.
    Trailing,
    /// The value of this field is not a number to compute with.
    Operand(String),
}

impl Problem {
    pub(crate) fn new(place: Place, text: &[u8], why: Why) -> Self {
        Self {
            file: None,
            line: place.line,
            column: place.column,
            text: shorten(text),
            why,
        }
    }

    /// Returns the place, `line 3, column 2` or `row 3`, after the name of the file if there are several.
    pub fn place(&self) -> String {
        let file = self
            .file
            .as_ref()
            .map_or_else(String::new, |file| format!("{file}, "));
        let line = words::count(self.line);
        match self.column {
            Some(column) => format!("{file}line {line}, column {}", words::count(column)),
            None => format!("{file}row {line}"),
        }
    }

    /// Returns the fault and the accepted values, without the place.
    pub fn message(&self) -> String {
        let text = &self.text;
        match &self.why {
            Why::Length => unit(text).map_or_else(
                || format!("\"{text}\" is not a length; {LENGTHS}"),
                |unit| format!("\"{text}\" {WITH_UNIT}: sed 's/ {unit}//' FILE > lengths.csv"),
            ),
            Why::Count => format!("\"{text}\" is not a count; {COUNTS}"),
            Why::NoLength => format!("the length is missing; {LENGTHS}"),
            Why::NoCount => format!("the count is missing; {COUNTS}"),
            Why::Size { of, least } => format!("\"{text}\" is not a size; {}", sizes(of, *least)),
            Why::NoSize { of, least } => {
                format!("the size in {of} is missing; {}", sizes(of, *least))
            }
            Why::NoSizes(k) => format!(
                "\"{text}\" does not hold {k} sizes; expected an object with fields such as nodes and edges, or \
                 an array of {k} numbers, or of {} with a count",
                k + 1
            ),
            Why::Id => {
                format!("\"{text}\" is not the number of a graph or node; expected whole numbers")
            }
            Why::NotUtf8 => format!("\"{text}\" is not UTF-8 text; save the file as UTF-8"),
            Why::NotJson => format!("\"{text}\" is not valid JSON; {JSON}"),
            Why::NoField(name) => format!("there is no field \"{name}\"; found: {text}"),
            Why::NoNumber(name) => {
                format!(
                    "the field \"{name}\" holds no number; found: {text}; expected a length; {WITH_JQ}"
                )
            }
            Why::UnknownFields if text.is_empty() => {
                "the object is empty; expected a field with a length".to_owned()
            }
            Why::UnknownFields => format!("no field is known to be a length; name one of: {text}"),
            Why::UnknownSizes(k) => format!(
                "no {k} fields are known to be sizes; found: {text}; choose them, or name them {}",
                super::component_names::KNOWN
            ),
            Why::Operand(name) if text.is_empty() => {
                format!("{name} is missing; it is a number in the formula of the length")
            }
            Why::Operand(name) => {
                format!("\"{text}\" in {name} is no number that a length can be computed from")
            }
            Why::NotText(field) if field.is_empty() => {
                format!(
                    "\"{text}\" is no text; choose fields of the record, or a string as the record"
                )
            }
            Why::NotText(field) => {
                format!(
                    "\"{text}\" in the field \"{field}\" is no text; expected a string or a number"
                )
            }
            Why::NoSpaces => format!("\"{text}\" {NO_SPACES}"),
            Why::Unclear(words) | Why::Refused(words) => words.clone(),
            Why::NotFasta => format!("\"{text}\" {NOT_FASTA}"),
            Why::NoColumn(name) => format!("the row ends before the column \"{name}\": \"{text}\""),
            Why::NoTokens => "the text has no tokens; sequences have at least one".to_owned(),
            Why::NotTokenized(why) => format!("the tokenizer fails on \"{text}\": {why}"),
            Why::TooLong => {
                format!("\"{text}\" is longer than 16 MiB; is a quote or a bracket left open?")
            }
            Why::TooWide => {
                format!("the row that begins with \"{text}\" has more than 65,536 cells; {WIDE}")
            }
            Why::LongLine => {
                format!("\"{text}\" is longer than 16 MiB; text has one sequence on each line")
            }
            Why::Quote => QUOTE.to_owned(),
            Why::OpenQuote => format!("the quote before \"{text}\" is never closed"),
            Why::Unfinished if text.is_empty() => {
                "the input ends before the closing bracket".to_owned()
            }
            Why::Unfinished => format!("the input ends inside \"{text}\""),
            Why::Trailing => format!("\"{text}\" {TRAILING}"),
        }
    }
}

const LENGTHS: &str = "lengths are whole numbers from 1 to 4,294,967,295";
fn sizes(of: &str, least: u32) -> String {
    format!("sizes in {of} are whole numbers from {least} to 4,294,967,295")
}

const COUNTS: &str = "counts are whole numbers from 0 to 18,446,744,073,709,551,615";
const JSON: &str = "expected a number, a string, an array or an object";

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place(), self.message())
    }
}

/// Returns the word after a number and a space: `tokens` of `512 tokens`.
fn unit(text: &str) -> Option<&str> {
    let (number, unit) = text.split_once(' ')?;
    let is_unit = !unit.is_empty() && unit.bytes().all(|b| b.is_ascii_alphabetic());
    (accepts::number(number).is_some() && is_unit).then_some(unit)
}

/// The start of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    pub line: u64,
    pub column: Option<u64>,
}

impl Place {
    /// Returns the place of a byte or a cell of a line, both from 1.
    pub fn line(line: u64, column: u64) -> Self {
        Self {
            line,
            column: Some(column),
        }
    }

    /// Returns the place of a row, from 1, in formats without lines.
    pub fn row(row: u64) -> Self {
        Self {
            line: row,
            column: None,
        }
    }
}

/// The place of the next byte; LF, CR LF and a lone CR each end a line.
#[derive(Debug)]
pub(super) struct Cursor {
    line: u64,
    column: u64,
    after_cr: bool,
}

impl Cursor {
    pub fn new() -> Self {
        Self {
            line: 1,
            column: 1,
            after_cr: false,
        }
    }

    pub fn place(&self) -> Place {
        Place::line(self.line, self.column)
    }

    /// Advances by one byte.
    pub fn advance(&mut self, byte: u8) {
        self.column += 1;
        if matches!(byte, b'\n' | b'\r') {
            // The LF of CR LF ends no further line.
            self.line += u64::from(!(byte == b'\n' && self.after_cr));
            self.column = 1;
        }
        self.after_cr = byte == b'\r';
    }

    /// Advances by bytes without a line end.
    pub fn skip(&mut self, bytes: usize) {
        self.column += bytes as u64;
        // Only if no byte was skipped may an LF still belong to the CR.
        self.after_cr &= bytes == 0;
    }
}

/// Returns at most 40 characters, harmless to the text around them.
pub(crate) fn shorten(bytes: &[u8]) -> String {
    // Four bytes per character are enough; a character cut at the end is not shown. So the cost
    // does not depend on the length of the cell, which may be 16 MiB.
    let bytes = bytes.trim_ascii();
    let head = String::from_utf8_lossy(bytes.get(..4 * QUOTED + 4).unwrap_or(bytes));
    if head.chars().count() <= QUOTED {
        return head.chars().map(harmless).collect();
    }
    head.chars()
        .take(QUOTED - 1)
        .map(harmless)
        .chain(['…'])
        .collect()
}

/// Replaces line breaks and tabs by spaces, other control and direction characters by the replacement character.
fn harmless(c: char) -> char {
    if matches!(c, '\n' | '\r' | '\t') {
        ' '
    } else {
        words::visible(c)
    }
}
