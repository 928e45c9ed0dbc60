//! The formats. A format is a file with its reader, its lines here, and its lines in [`recognised`](super::recognised)
//! and [`decoder`](fn@super::decoder); the page, the command line and the fuzzer list the formats of this table.

use packscope_core::names::names;
use serde::{Deserialize, Serialize};

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
    /// FASTA: sequences of letters after lines that begin with `>`.
    Fasta,
    /// An index of Megatron or fairseq, with the length of each sequence.
    Index,
    /// Columns of Arrow, as a file or as a stream.
    Arrow,
    /// Counts in bins, printed counts, or counts by length from 0.
    Histogram,
}

names! { Format, "format";
    Table: "table", "table";
    Numbers: "numbers", "plain numbers";
    Json: "json", "JSON";
    JsonLines: "json-lines", "JSON Lines";
    Text: "text", "text, a sequence on each line";
    Array: "array", "NumPy arrays";
    Parquet: "parquet", "Parquet";
    Tu: "tu", "TU folder";
    Edges: "edges", "edges with their graphs";
    Fasta: "fasta", "FASTA, a sequence behind each >";
    Index: "index", "index of Megatron or fairseq";
    Arrow: "arrow", "Arrow";
    Histogram: "histogram", "histogram: bins, printed counts, counts by length";
}

/// The way in which columns of a format are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// Not at all: the format determines the sizes.
    Fixed,
    /// From the fields of the first records, or by name if none were found.
    Fields,
    /// From the columns of a file.
    Listed,
}

impl Format {
    /// Whether it is a text format, which can be chosen; other formats are recognised by first bytes and names.
    pub fn is_text(self) -> bool {
        !matches!(
            self,
            Self::Array | Self::Parquet | Self::Tu | Self::Index | Self::Arrow
        )
    }

    /// Returns the way in which columns are chosen.
    pub fn choice(self) -> Choice {
        match self {
            Self::Table | Self::Array | Self::Parquet | Self::Arrow | Self::Histogram => {
                Choice::Listed
            }
            Self::Json | Self::JsonLines => Choice::Fields,
            Self::Numbers | Self::Text | Self::Tu | Self::Edges => Choice::Fixed,
            Self::Fasta | Self::Index => Choice::Fixed,
        }
    }

    /// Returns the word for a record of this format.
    pub(super) fn record(self) -> &'static str {
        match self {
            Self::Fasta | Self::Index => "sequence",
            Self::Numbers => "value",
            Self::Histogram => "bin",
            Self::Json => "element",
            Self::Array | Self::Parquet | Self::Arrow => "row",
            Self::Table | Self::JsonLines | Self::Text | Self::Tu | Self::Edges => "line",
        }
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
    /// `|`, possibly also around a row, as databases print tables.
    Pipe,
    /// Spaces, one or more.
    Space,
}

names! { Delimiter, "delimiter";
    Comma: "csv", "commas";
    Semicolon: "semicolons", "semicolons";
    Tab: "tsv", "tabs";
    Pipe: "pipes", "vertical bars";
    Space: "spaces", "spaces";
}

impl Delimiter {
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
