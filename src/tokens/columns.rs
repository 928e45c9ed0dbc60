//! The columns of a table of texts.

use crate::ingest::parts::{Record, is_header};

/// What the first row says of the columns.
#[derive(Debug, Clone)]
pub(super) struct Columns {
    /// Whether the first row names them, where the visitor says so.
    wanted: Option<bool>,
    names: Option<Vec<String>>,
    /// Whether the first row names them.
    pub header: Option<bool>,
}

impl Columns {
    pub fn new(wanted: Option<bool>) -> Self {
        Self { wanted, names: None, header: None }
    }

    /// Whether no row has come.
    pub fn are_unknown(&self) -> bool {
        self.names.is_none()
    }

    /// Their names; their numbers from 1 where they have none.
    pub fn names(&self) -> &[String] {
        self.names.as_deref().unwrap_or_default()
    }

    /// Learns the names from the first row, and says whether it is a header.
    pub fn learn(&mut self, row: &Record) -> bool {
        let header = self.wanted.unwrap_or_else(|| is_header(row));
        let name = |(i, cell): (usize, &&[u8])| match header {
            true => String::from_utf8_lossy(cell.trim_ascii()).into_owned(),
            false => (i + 1).to_string(),
        };
        self.names = Some(row.all().iter().enumerate().map(name).collect());
        self.header = Some(header);
        header
    }

    /// The place of a column.
    pub fn place(&self, name: &str) -> Option<usize> {
        place(self.names(), name)
    }
}

/// The place of a column: by its name, or by its number from 1; the only one is also the whole record.
pub(super) fn place(names: &[String], name: &str) -> Option<usize> {
    let number = || name.parse::<usize>().ok().and_then(|n| n.checked_sub(1)).filter(|at| *at < names.len());
    let only = || (name.is_empty() && names.len() == 1).then_some(0);
    names.iter().position(|n| n == name).or_else(number).or_else(only)
}
