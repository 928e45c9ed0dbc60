//! Options of the reader that override detection.

use super::stopwords::Stopwords;
use crate::error::{Error, Result, named};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Options of the reader. `None`, the default of each field, means detection from the beginning of the input.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// The format.
    pub format: Option<Format>,
    /// The delimiter of a table.
    pub delimiter: Option<Delimiter>,
    /// Whether the first record of a table names its columns.
    pub header: Option<bool>,
    /// The sizes, one column per component: columns of a table, fields of JSON objects, elements of JSON arrays. If
    /// empty, they are found by name.
    ///
    /// If empty and with one component, a JSON array is a list of token ids, and its length is the number of elements.
    /// With `Number(1)` the first element is the length; add `count: Column(Number(2))` for `[length, count]` pairs.
    /// For more components an array holds the sizes and, where it has one more element, the count.
    pub sizes: Vec<Column>,
    /// The count, or its absence.
    pub count: Option<Counts>,
    /// The words of a text that are stopwords.
    pub stopwords: Stopwords,
    /// The number of records to read from the beginning; a shorter result is labelled as a sample.
    pub sample: Option<u64>,
    /// Whether a table with two plausible readings is read by the likelier one, with a question among its notes
    /// ([`Note::Question`](super::Note::Question)); else it is an error.
    pub guess: bool,
}

impl Options {
    /// Returns the columns that are chosen by name.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        let count = self.count.iter().filter_map(|count| match count {
            Counts::Column(column) => Some(column),
            Counts::One => None,
        });
        self.sizes.iter().chain(count).filter_map(|column| match column {
            Column::Name(name) => Some(name.as_str()),
            Column::Number(_) => None,
        })
    }
}

/// The formats. CSV, TSV and semicolons are one format with different [`Delimiter`]s.
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
    /// A sequence on each line, measured in words and punctuation marks; for two components words and stopwords.
    Text,
    /// NumPy arrays: one, or several in an archive, each a column.
    Array,
    /// Columns of Parquet.
    Parquet,
    /// A TU folder: the graph of each node, and the edges.
    Tu,
    /// An edge on each line, with its graph.
    Edges,
    /// FASTA: sequences of letters behind lines that begin with `>`.
    Fasta,
    /// A molecule on each line, as SMILES.
    Smiles,
    /// An index of Megatron, with the length of each sequence.
    Index,
    /// Columns of Arrow, as a file or as a stream.
    Arrow,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 13] = [
        Self::Table,
        Self::Numbers,
        Self::Json,
        Self::JsonLines,
        Self::Text,
        Self::Array,
        Self::Parquet,
        Self::Tu,
        Self::Edges,
        Self::Fasta,
        Self::Smiles,
        Self::Index,
        Self::Arrow,
    ];

    /// Whether it is a text format, which can be chosen; the others are recognised by their first bytes and names.
    pub fn is_text(self) -> bool {
        !matches!(self, Self::Array | Self::Parquet | Self::Tu | Self::Index | Self::Arrow)
    }

    /// Returns the name on the command line, in the URL and in JSON.
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
            Self::Fasta => "fasta",
            Self::Smiles => "smiles",
            Self::Index => "index",
            Self::Arrow => "arrow",
        }
    }

    /// Returns the word for a record of this format.
    pub(super) fn record(self) -> &'static str {
        match self {
            Self::Table | Self::JsonLines | Self::Text | Self::Tu | Self::Edges | Self::Smiles => "line",
            Self::Fasta | Self::Index => "sequence",
            Self::Numbers => "value",
            Self::Json => "element",
            Self::Array | Self::Parquet | Self::Arrow => "row",
        }
    }
}

impl FromStr for Format {
    type Err = Error;
    fn from_str(s: &str) -> Result<Self> {
        named("format", s, &Self::ALL, Self::name)
    }
}

/// The delimiter of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Delimiter {
    /// `,`
    Comma,
    /// `;`
    Semicolon,
    /// A tab, as in TSV.
    Tab,
    /// `|`, also around a row, as databases print tables.
    Pipe,
    /// Spaces, one or more.
    Space,
}

impl Delimiter {
    /// Every delimiter; the first wins a tie.
    pub const ALL: [Self; 5] = [Self::Comma, Self::Semicolon, Self::Tab, Self::Pipe, Self::Space];

    /// Returns the byte in the file.
    pub fn byte(self) -> u8 {
        match self {
            Self::Comma => b',',
            Self::Semicolon => b';',
            Self::Tab => b'\t',
            Self::Pipe => b'|',
            Self::Space => b' ',
        }
    }
}

/// A column of a table, a field of JSON objects, or an element of JSON arrays.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Column {
    /// By position, counted from 1.
    Number(u32),
    /// By name; in JSON `a.b.c` is a path into objects, unless a field has that name.
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
    /// Digits are a number, anything else is a name.
    fn from(s: &str) -> Self {
        s.parse().map_or_else(|_| Self::Name(s.to_owned()), Self::Number)
    }
}

/// The source of counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Counts {
    /// Each record is one item.
    One,
    /// The values of this column.
    Column(Column),
}
