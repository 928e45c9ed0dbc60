//! The first records of a table, which say what its columns hold.

use super::choose::CONTENTS;
use super::columns::lossy;
use super::kinds::plain;
use super::lines;
use super::names;
use super::number;
use super::options::Delimiter;
use super::seen::{Cell, Holds, ROWS, Seen};
use super::table::Rows;

/// Columns that are looked at.
const COLUMNS: usize = 256;
/// The most lines above a table that are its title.
const TITLES: usize = 5;

/// A cell as it was found: empty ones say nothing about their column.
#[derive(Debug, Clone, Copy)]
struct Found {
    cell: Cell,
    empty: bool,
}

/// The first records.
#[derive(Debug, Default)]
pub(super) struct Sample {
    records: Vec<Vec<Found>>,
    /// Lines above the table.
    pub titles: usize,
    /// Whether they are as `uniq -c` prints them.
    pub uniq: bool,
}

impl Sample {
    /// Looks at the beginning of a table.
    pub fn new(delimiter: Delimiter, head: &[u8], complete: bool) -> Self {
        let mut rows = Rows::new(delimiter, lines::is_silent);
        let (mut records, mut widths) = (Vec::new(), Vec::new());
        let mut each = |_, row: &super::table::Record, why: Option<super::problem::Why>| {
            if why.is_some() || records.len() > ROWS {
                return;
            }
            let all = row.all();
            let named = all.len() == 1 && (number::is_number(all[0]) || names::is_known(&lossy(all[0])));
            widths.push(if named { 0 } else { all.len() });
            let found = |cell: &&[u8]| Found { cell: Cell::from(*cell), empty: cell.trim_ascii().is_empty() };
            records.push(all.iter().take(COLUMNS).map(found).collect());
        };
        let whole =
            if complete { head.len() } else { memchr::memrchr2(b'\n', b'\r', head).map_or(0, |at| at + 1) };
        rows.push(&head[..whole], &mut each);
        rows.finish(&mut each);
        let uniq = delimiter == Delimiter::Space && is_uniq(head);
        Self { records, titles: titles(&widths), uniq }
    }

    /// Returns the most cells of a record.
    pub fn width(&self) -> usize {
        self.records.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// Returns the columns of these names, from this record on.
    pub fn columns(&self, names: &[String], from: usize) -> Vec<Seen> {
        names.iter().enumerate().map(|(i, name)| self.column(name, i, from)).collect()
    }

    fn column(&self, name: &str, at: usize, from: usize) -> Seen {
        let found = || self.records.iter().skip(from).take(ROWS).map(|record| record.get(at));
        let filled = || found().flatten().filter(|found| !found.empty);
        let numbers = filled().filter(|found| !matches!(found.cell, Cell::Else | Cell::Text(_))).count();
        let holds = match filled().count() {
            0 => Holds::Numbers,
            // A length that is no number is a fault.
            _ if names::is_known(name) && !CONTENTS.contains(&plain(name).as_str()) => Holds::Numbers,
            all if 2 * numbers >= all => Holds::Numbers,
            _ => Holds::Texts,
        };
        let cells = found().map(|found| found.map_or(Cell::Else, |found| found.cell)).collect();
        Seen { name: name.to_owned(), holds, cells }
    }
}

/// Returns the number of lines of one cell above at least two lines with as many cells as each other.
fn titles(widths: &[usize]) -> usize {
    let titles = widths.iter().take_while(|width| **width == 1).count();
    let alike = |rest: &[usize]| rest.len() >= 2 && rest[0] > 1 && rest[0] == rest[1];
    if (1..=TITLES).contains(&titles) && alike(&widths[titles..]) { titles } else { 0 }
}

/// Whether lines begin with a number at the right of a column of 4 or 7 characters.
fn is_uniq(head: &[u8]) -> bool {
    let ends = |line: &[u8]| {
        let spaces = line.iter().take_while(|b| **b == b' ').count();
        let digits = line[spaces..].iter().take_while(|b| b.is_ascii_digit()).count();
        (spaces, spaces + digits)
    };
    let lines = || head.split(|b| *b == b'\n').filter(|line| !line.trim_ascii().is_empty()).take(20);
    let width = |width: usize| {
        lines().all(|line| matches!(ends(line), (0, end) if end >= width) || ends(line).1 == width)
    };
    lines().any(|line| ends(line).0 > 0) && (width(7) || width(4))
}
