//! The columns of a table of texts.

use crate::ingest::parts::{Record, is_header};

/// The columns of a table, known from its first row on.
#[derive(Debug, Clone)]
pub(super) struct TableHeader {
    /// Whether the first row is a header, if set in the options.
    wanted: Option<bool>,
    names: Option<Vec<String>>,
    /// Whether the first row is a header.
    pub header: Option<bool>,
}

impl TableHeader {
    pub fn new(wanted: Option<bool>) -> Self {
        Self {
            wanted,
            names: None,
            header: None,
        }
    }

    /// Whether no row has been read.
    pub fn are_unknown(&self) -> bool {
        self.names.is_none()
    }

    /// Returns the names of the columns; their numbers from 1 without a header; none before the
    /// first row.
    pub fn names(&self) -> &[String] {
        self.names.as_deref().unwrap_or_default()
    }

    /// Takes the names from the first row, and returns whether it is a header.
    pub fn learn(&mut self, row: &Record) -> bool {
        let header = self.wanted.unwrap_or_else(|| is_header(row));
        let name = |(i, cell): (usize, &&[u8])| match header {
            true => String::from_utf8_lossy(cell.trim_ascii()).into_owned(),
            false => (i + 1).to_string(),
        };
        self.names = Some(row.cells().iter().enumerate().map(name).collect());
        self.header = Some(header);
        header
    }

    /// Returns the index of a column.
    pub fn place(&self, name: &str) -> Option<usize> {
        place(self.names(), name)
    }
}

/// Returns the index of a column by name, or by number from 1; the empty name means the only column.
pub(super) fn place(names: &[String], name: &str) -> Option<usize> {
    let number = || {
        name.parse::<usize>()
            .ok()
            .and_then(|n| n.checked_sub(1))
            .filter(|at| *at < names.len())
    };
    // A table of one column is a list of texts.
    let only = || (name.is_empty() && names.len() == 1).then_some(0);
    names
        .iter()
        .position(|n| n == name)
        .or_else(number)
        .or_else(only)
}
