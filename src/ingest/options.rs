//! What a visitor may decide instead of leaving it to detection.

use super::stopwords::Stopwords;
use crate::error::{Error, Result, named};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// How the bytes are to be read. `None` everywhere, the default, means: look at the beginning and decide.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// The format.
    pub format: Option<Format>,
    /// What separates the cells of a table.
    pub delimiter: Option<Delimiter>,
    /// Whether the first record of a table names its columns.
    pub header: Option<bool>,
    /// Where the sizes are, a place for each component: columns of a table, fields of JSON objects, elements
    /// of JSON arrays. Empty: they are found by their names.
    ///
    /// Without it a JSON array is, for one component, a list of token ids, so its number of elements is the
    /// length. With `Number(1)` the first element is the length; add `count: Column(Number(2))` for
    /// `[length, count]` pairs. For more components an array holds the sizes and, where it has one more
    /// element, the count.
    pub sizes: Vec<Column>,
    /// Where the count is, or that there is none.
    pub count: Option<Counts>,
    /// Which words of a text are stopwords.
    pub stopwords: Stopwords,
    /// Only so many records from the beginning; what comes of it is labelled as a sample.
    pub sample: Option<u64>,
}

/// The formats. CSV, TSV and semicolons are one format, told apart by [`Delimiter`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Format {
    /// Records of cells, with or without a header.
    Table,
    /// Numbers separated by white space, commas or semicolons; each is a length.
    Numbers,
    /// A JSON array of lengths or records, an object `{length: count, …}`, or objects one after the other.
    Json,
    /// One JSON value on each line.
    JsonLines,
    /// One sequence of words on each line, counted in words and punctuation marks; for two components words and
    /// stopwords.
    Text,
    /// Arrays of NumPy: one, or several in an archive, each a column.
    Array,
    /// Columns of Parquet.
    Parquet,
    /// A TU folder: the graph of each node, and the edges.
    Tu,
    /// An edge on each line, with its graph.
    Edges,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 9] = [
        Self::Table,
        Self::Numbers,
        Self::Json,
        Self::JsonLines,
        Self::Text,
        Self::Array,
        Self::Parquet,
        Self::Tu,
        Self::Edges,
    ];

    /// Whether it is a way to read text, which can be chosen; the others are known by their first bytes and names.
    pub fn is_text(self) -> bool {
        !matches!(self, Self::Array | Self::Parquet | Self::Tu)
    }

    /// The name on the command line, in the URL and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Table => "table",
            Self::Numbers => "numbers",
            Self::Json => "json",
            Self::JsonLines => "json-lines",
            Self::Text => "text",
            Self::Array => "array",
            Self::Parquet => "parquet",
            Self::Tu => "tu",
            Self::Edges => "edges",
        }
    }

    /// What a record of this format is called.
    pub(super) fn record(self) -> &'static str {
        match self {
            Self::Table | Self::JsonLines | Self::Text | Self::Tu | Self::Edges => "line",
            Self::Numbers => "value",
            Self::Json => "element",
            Self::Array | Self::Parquet => "row",
        }
    }
}

impl FromStr for Format {
    type Err = Error;
    fn from_str(s: &str) -> Result<Self> {
        named("format", s, &Self::ALL, Self::name)
    }
}

/// What separates the cells of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Delimiter {
    /// `,`
    Comma,
    /// `;`
    Semicolon,
    /// The tabulator of TSV.
    Tab,
    /// `|`
    Pipe,
}

impl Delimiter {
    /// Every delimiter; the first wins when nothing tells them apart.
    pub const ALL: [Self; 4] = [Self::Comma, Self::Semicolon, Self::Tab, Self::Pipe];

    /// The byte in the file.
    pub fn byte(self) -> u8 {
        match self {
            Self::Comma => b',',
            Self::Semicolon => b';',
            Self::Tab => b'\t',
            Self::Pipe => b'|',
        }
    }
}

/// A column of a table, a field of JSON objects, or an element of JSON arrays.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Column {
    /// By place, counted from 1.
    Number(u32),
    /// By name; in JSON `a.b.c` reaches into objects, unless a field is called just that.
    Name(String),
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(n) => write!(f, "column {n}"),
            Self::Name(name) => write!(f, "\"{}\"", super::problem::shorten(name.as_bytes())),
        }
    }
}

impl From<&str> for Column {
    /// Digits are a number, all else is a name.
    fn from(s: &str) -> Self {
        s.parse().map_or_else(|_| Self::Name(s.to_owned()), Self::Number)
    }
}

/// Where counts come from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Counts {
    /// Each record is one item.
    One,
    /// From this column.
    Column(Column),
}
