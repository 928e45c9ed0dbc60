//! Options of the reader that override detection.

use super::formats::{Delimiter, Format};
use super::stopwords::Stopwords;
use crate::formula::{Formula, Operand};
use packscope_core::error::{Error, Result};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The flags that answer a question about columns on the command line.
pub(super) const FLAGS: &str = "say which: --length-column or --size-columns, and --count-column, which is empty if there is none";

/// Options of the reader. `None`, the default of each field, means detection from the beginning of the input.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// The format.
    pub format: Option<Format>,
    /// The delimiter of a table.
    pub delimiter: Option<Delimiter>,
    /// Whether the first record of a table names its columns.
    pub header: Option<bool>,
    /// The sizes, one column per component: columns of a table, fields of JSON objects, elements of JSON arrays; or
    /// formulae over them, given as a name that no column has: `end - start`. If empty, they are found by name.
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
    /// Whether to accept a histogram from which so many records were skipped that it may be wrong. Readers must ask
    /// [`judge`](super::Description::judge).
    pub allow_skipped: bool,
}

impl Options {
    /// Returns the columns that are chosen by name.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        let count = self.count.iter().filter_map(|count| match count {
            Counts::Column(column) => Some(column),
            Counts::One => None,
        });
        self.sizes
            .iter()
            .chain(count)
            .filter_map(|column| match column {
                // A formula over numbered columns is given as a name, but needs no header.
                Column::Name(name) if !is_numbered(name) => Some(name.as_str()),
                Column::Name(_) | Column::Number(_) => None,
            })
    }

    /// Finds the chosen columns: those of the sizes, `None` if none were chosen, and the column of the count.
    ///
    /// # Errors
    /// The first error of `find`.
    pub(super) fn chosen(
        &self,
        find: impl Fn(&Column) -> Result<usize>,
    ) -> Result<(Option<Vec<usize>>, Option<usize>)> {
        let count = match &self.count {
            Some(Counts::Column(column)) => Some(find(column)?),
            Some(Counts::One) | None => None,
        };
        let sizes = self.sizes.iter().map(find).collect::<Result<Vec<_>>>()?;
        Ok(((!sizes.is_empty()).then_some(sizes), count))
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

impl Column {
    /// Returns the text that chooses it: its number, or its name.
    pub fn choice(&self) -> String {
        match self {
            Self::Number(n) => n.to_string(),
            Self::Name(name) => name.clone(),
        }
    }

    /// Returns the formula in a name, unless the name is `known` as a column.
    ///
    /// # Errors
    /// If it is meant as a formula but is not a valid one.
    pub(super) fn formula(&self, known: impl Fn(&str) -> bool) -> Result<Option<Formula>> {
        match self {
            Self::Name(text) if Formula::is_meant(text) && !known(text) => {
                let wrong = |message| Error::Input {
                    place: "the length".to_owned(),
                    message,
                };
                Formula::parse(text).map(Some).map_err(wrong)
            }
            _ => Ok(None),
        }
    }
}

/// Whether a formula uses numbered columns alone, and so needs no header.
fn is_numbered(text: &str) -> bool {
    let numbered = |formula: Formula| {
        formula
            .fields()
            .iter()
            .all(|of| matches!(of, Operand::Number(_)))
    };
    Formula::is_meant(text) && Formula::parse(text).is_ok_and(numbered)
}

impl From<&Operand> for Column {
    fn from(operand: &Operand) -> Self {
        match operand {
            Operand::Name(name) => Self::Name(name.clone()),
            Operand::Number(number) => Self::Number(*number),
        }
    }
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
    /// Parses digits as a number, anything else as a name.
    fn from(s: &str) -> Self {
        s.parse()
            .map_or_else(|_| Self::Name(s.to_owned()), Self::Number)
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
