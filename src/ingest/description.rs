//! What was read and how it was understood, for the visitor to check.

use super::options::{Column, Delimiter, Format};
use super::problem::Problem;
use crate::words::{count, mean, plural};
use serde::{Deserialize, Serialize};
use std::fmt;

/// How an input was understood and what came out of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Description {
    /// The format, chosen or detected.
    pub format: Format,
    /// What separates the cells, in a table.
    pub delimiter: Option<Delimiter>,
    /// The names of the columns, in a table with a header (the first 100).
    pub columns: Option<Vec<String>>,
    /// The column, field or element read as length; `None` where whole values are lengths.
    pub length: Option<Column>,
    /// The column, field or element read as count; `None` where each record is one item.
    pub count: Option<Column>,
    /// Records read, the skipped ones included; blank lines, comments and the header are none.
    pub records: u64,
    /// Records skipped, each for a problem.
    pub skipped: u64,
    /// The first 20 problems.
    pub problems: Vec<Problem>,
    /// What was assumed.
    pub notes: Vec<Note>,
    /// Bytes read.
    pub bytes: u64,
    /// Number of items.
    pub items: u64,
    /// Sum of the lengths of all items.
    pub tokens: u64,
    /// The smallest length.
    pub shortest: u32,
    /// The largest length.
    pub longest: u32,
}

impl Description {
    /// The input in one line: `88,641 sequences, 36–384 tokens, mean 151; 12 lines skipped`.
    pub fn sentence(&self) -> String {
        let mut text = plural(self.items, "sequence");
        if self.shortest == self.longest {
            text += &format!(", {} each", plural(u64::from(self.longest), "token"));
        } else {
            let (shortest, longest) = (count(self.shortest.into()), count(self.longest.into()));
            let average = mean(self.tokens as f64 / self.items as f64);
            text += &format!(", {shortest}–{longest} tokens, mean {average}");
        }
        if self.skipped > 0 {
            text += &format!("; {} skipped", plural(self.skipped, self.format.record()));
        }
        text
    }
}

/// Something assumed that a visitor may want to correct.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Note {
    /// Two columns without a header.
    Pairs,
    /// More columns without a header.
    FirstColumn {
        /// How many columns there are.
        columns: u32,
    },
    /// Several numbers on a line, without a header.
    EachNumber,
    /// No column has a name that says length; the first one was taken.
    Guessed {
        /// That name.
        name: String,
    },
    /// The field of JSON records that was taken for the length.
    Field {
        /// Its name.
        name: String,
    },
    /// An object with numbers as keys.
    Map,
    /// Arrays were counted.
    Elements,
    /// Strings were counted.
    Characters,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pairs => write!(f, "two columns of whole numbers without a header: read as length,count"),
            Self::FirstColumn { columns } => {
                write!(
                    f,
                    "{} columns without a header: the first is read as the length",
                    count((*columns).into())
                )
            }
            Self::EachNumber => {
                write!(f, "several numbers on a line without a header: each is read as a length")
            }
            Self::Guessed { name } => {
                write!(f, "no column is known to be a length: \"{name}\" is read as the length")
            }
            Self::Field { name } => write!(f, "the field \"{name}\" is read as the length"),
            Self::Map => write!(f, "an object with numbers as keys: read as length: count"),
            Self::Elements => write!(f, "the length of an array is the number of its elements"),
            Self::Characters => {
                write!(
                    f,
                    "the length of a string is the number of its Unicode characters, which are not tokens"
                )
            }
        }
    }
}
