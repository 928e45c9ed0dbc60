//! A column as the beginning of an input shows it: its name, and what its first cells hold.

use super::bins;
use super::number;
use super::problem::shorten;
use super::value::Value;

/// Cells of a column that are looked at.
pub(super) const ROWS: usize = 4096;

/// The contents of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    Numbers,
    /// Lists, measured by their number of elements.
    Lists,
    /// Texts, measured in words.
    Texts,
    /// Anything that cannot be a size.
    Other(&'static str),
}

/// A cell: a whole number from 0, another number, a range, a text by its hash, or none of these.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Cell {
    Whole(u64),
    Real(f64),
    Range(f32, f32),
    Text(u64),
    Else,
}

impl Cell {
    /// Tells texts apart by their hash (FNV-1a).
    fn of_text(text: &[u8]) -> Self {
        let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        Self::Text(text.trim_ascii().iter().fold(0xcbf2_9ce4_8422_2325, step))
    }

    /// Returns what tells it from other cells of its column.
    fn key(self) -> u64 {
        match self {
            Self::Whole(n) | Self::Text(n) => n,
            Self::Real(x) => x.to_bits(),
            Self::Range(low, high) => u64::from(low.to_bits()) << 32 | u64::from(high.to_bits()),
            Self::Else => 0,
        }
    }

    pub fn whole(self) -> Option<u64> {
        match self {
            Self::Whole(n) => Some(n),
            Self::Real(_) | Self::Range(..) | Self::Text(_) | Self::Else => None,
        }
    }
}

impl From<Value> for Cell {
    fn from(value: Value) -> Self {
        match value {
            Value::Whole(n) => Self::Whole(n),
            Value::Real(x) => number::integral(x).map_or(Self::Real(x), Self::Whole),
            _ => Self::Else,
        }
    }
}

impl From<&[u8]> for Cell {
    fn from(text: &[u8]) -> Self {
        match number::count(text) {
            Ok(n) => Self::Whole(n),
            Err(_) => match (number::real(text), bins::range(text)) {
                (Some(number), _) => Self::Real(number),
                (None, Some(range)) => Self::Range(range.low as f32, range.high as f32),
                (None, None) => Self::of_text(text),
            },
        }
    }
}

/// A column, as far as it was looked at.
#[derive(Debug, Clone)]
pub(super) struct Seen {
    /// Its name; empty if it has none.
    pub name: String,
    pub holds: Holds,
    /// Its first cells, at most [`ROWS`]. Empty where nobody looked.
    pub cells: Vec<Cell>,
}

impl Seen {
    /// Whether the cells are 0, 1, 2 … or 1, 2, 3 …, as the numbers of rows are.
    pub fn is_row_number(&self) -> bool {
        let first = match self.cells.first() {
            Some(Cell::Whole(first @ 0..=1)) => *first,
            _ => return false,
        };
        // Two rows may be of lengths 1 and 2, unless nobody has named them.
        let long_enough = self.cells.len() >= if first == 0 || self.name.is_empty() { 2 } else { 3 };
        long_enough && self.cells.iter().zip(first..).all(|(cell, n)| cell.whole() == Some(n))
    }

    /// Whether most of its cells are whole numbers from 0.
    pub fn is_whole(&self) -> bool {
        let whole = self.cells.iter().filter(|cell| cell.whole().is_some()).count();
        self.holds == Holds::Numbers && (self.cells.is_empty() || 2 * whole >= self.cells.len())
    }

    /// Whether its cells are shares: from 0 to 1, and some neither.
    pub fn is_share(&self) -> bool {
        let is_part = |cell: &Cell| matches!(cell, Cell::Real(x) if *x > 0.0 && *x < 1.0);
        let is_other =
            |cell: &Cell| matches!(cell, Cell::Whole(1..)) || matches!(cell, Cell::Real(x) if *x > 1.0);
        self.cells.iter().any(is_part) && !self.cells.iter().any(is_other)
    }
}

/// Whether no two rows have the same cells in these columns.
pub(super) fn are_apart(columns: &[&Seen]) -> bool {
    let rows = columns.iter().map(|column| column.cells.len()).min().unwrap_or(0);
    let key = |row: usize| columns.iter().map(|column| column.cells[row].key()).collect::<Vec<_>>();
    let mut all: Vec<Vec<u64>> = (0..rows).map(key).collect();
    all.sort_unstable();
    all.dedup();
    rows > 1 && all.len() == rows
}

/// Whether cells are ranges, of which no two overlap; the same may come more than once.
pub(super) fn are_ranges(cells: &[Cell], filled: usize) -> bool {
    let range = |cell: &Cell| match cell {
        Cell::Range(low, high) => Some((*low, *high)),
        _ => None,
    };
    let mut ranges: Vec<(f32, f32)> = cells.iter().filter_map(range).collect();
    let are_most = 2 * ranges.len() > filled;
    ranges.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    ranges.dedup();
    are_most && ranges.windows(2).all(|two| two[0].1 <= two[1].0)
}

/// Refuses columns of bins, of which one holds ranges or is called so; if `sure`, only ranges that differ in all rows.
///
/// # Errors
/// With what they are, and the way out.
pub(super) fn bins_among(columns: &[Seen], sure: bool) -> Result<(), String> {
    let are_ranges = |column: &Seen| column.holds == Holds::Other(bins::RANGES);
    if columns.iter().any(|column| are_ranges(column) && (!sure || are_apart(&[column]))) {
        return Err(format!("a column holds ranges: this is {}", bins::BINS));
    }
    let Some(bin) = columns.iter().find(|column| !sure && bins::are_bins(&column.name)) else {
        return Ok(());
    };
    Err(format!(
        "\"{}\" is a name of bins: this is {}; or say which column holds lengths: --length-column",
        shorten(bin.name.as_bytes()),
        bins::BINS
    ))
}

/// Whether no two rows have the same sizes in these columns; `None` for fewer than two rows.
pub(super) fn are_distinct(sizes: &[&Seen]) -> Option<bool> {
    let rows = sizes.iter().map(|column| column.cells.len()).min()?;
    let mut all: Vec<Vec<u64>> =
        (0..rows).filter_map(|row| sizes.iter().map(|column| column.cells[row].whole()).collect()).collect();
    let counted = all.len();
    all.sort_unstable();
    all.dedup();
    (counted >= 2).then_some(all.len() == counted)
}
