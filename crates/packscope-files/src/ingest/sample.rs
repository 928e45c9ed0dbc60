//! The first records of a table, which show the contents of its columns.

use super::column_choice::CONTENTS;
use super::column_stats::{Cell, ColumnStats, Holds, ROWS};
use super::component_names::plain;
use super::formats::Delimiter;
use super::names;
use super::rows::RowSplitter;
use super::spaced::is_uniq;

/// A cell of a record; empty ones say nothing about their column.
#[derive(Debug, Clone, Copy)]
struct CellKind {
    cell: Cell,
    empty: bool,
}

#[derive(Debug, Default)]
pub(super) struct Sample {
    records: Vec<Vec<CellKind>>,
    /// Whether they have the form of `uniq -c`.
    pub uniq: bool,
}

impl Sample {
    /// Examines the beginning of a table.
    pub fn new(
        (delimiter, mut rows): (Delimiter, RowSplitter),
        head: &[u8],
        complete: bool,
    ) -> Self {
        let mut records = Vec::new();
        let mut each = |_, row: &super::rows::Record, why: Option<super::problem::Why>| {
            // One record more than ROWS: the first may be a header.
            if why.is_some() || records.len() > ROWS {
                return;
            }
            let all = row.cells();
            let found = |cell: &&[u8]| CellKind {
                cell: Cell::from(*cell),
                empty: cell.trim_ascii().is_empty(),
            };
            records.push(all.iter().map(found).collect());
        };
        // A row cut by the end of the head would have too few cells.
        let whole = if complete {
            head.len()
        } else {
            memchr::memrchr2(b'\n', b'\r', head).map_or(0, |at| at + 1)
        };
        rows.push(&head[..whole], &mut each);
        rows.finish(&mut each);
        let uniq = delimiter == Delimiter::Space && is_uniq(head);
        Self { records, uniq }
    }

    /// Returns the most cells of a record.
    pub fn width(&self) -> usize {
        self.records.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// Whether all records, from this one on, have a name before as many cells as the header, as R writes tables.
    /// `None` if all have one cell more, which may be before or after the others.
    pub fn names_rows(&self, header: usize, from: usize) -> Option<bool> {
        let mut rows = self.records.iter().skip(from).peekable();
        if rows.peek().is_none() || !rows.all(|row| row.len() == header + 1) {
            return Some(false);
        }
        // R writes the names of rows without a name for their column.
        let [first, last] = [0, header].map(|at| self.column("", at, from));
        let are_names =
            first.is_row_number() || (first.holds, last.holds) == (Holds::Texts, Holds::Numbers);
        (are_names || last.holds != Holds::Numbers).then_some(are_names)
    }

    /// Returns the columns of these names, from this record on.
    pub fn columns(&self, names: &[String], from: usize) -> Vec<ColumnStats> {
        names
            .iter()
            .enumerate()
            .map(|(i, name)| self.column(name, i, from))
            .collect()
    }

    /// Returns a column with this name, from a record on.
    pub fn column(&self, name: &str, at: usize, from: usize) -> ColumnStats {
        let (mut cells, mut filled, mut numbers) = (Vec::new(), 0, 0);
        for record in self.records.iter().skip(from).take(ROWS) {
            let found = record.get(at);
            cells.push(found.map_or(Cell::Else, |found| found.cell));
            if let Some(found) = found.filter(|found| !found.empty) {
                filled += 1;
                numbers += usize::from(matches!(found.cell, Cell::Whole(_) | Cell::Real(_)));
            }
        }
        let holds = match filled {
            0 => Holds::Numbers,
            // A text under the name of a length is a fault, and is to be reported; a setting such
            // as "len: 5" is no name.
            _ if names::is_known(name)
                && !name.contains(['^', ':', '=', '~'])
                && !CONTENTS.contains(&plain(name).as_str()) =>
            {
                Holds::Numbers
            }
            all if 2 * numbers >= all => Holds::Numbers,
            _ => Holds::Texts,
        };
        ColumnStats {
            name: name.to_owned(),
            holds,
            cells,
        }
    }
}
