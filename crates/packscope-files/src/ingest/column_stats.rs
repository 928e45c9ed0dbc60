//! A column as shown by the beginning of an input: its name, and its first cells.

use super::description::Contents;
use super::number;
use super::problem::shorten;
use super::value::Value;
use packscope_core::error::ColumnOffer;

/// The most cells of a column that are examined. Rules that need distinct values are only as sure
/// as these.
pub(super) const ROWS: usize = 4096;

/// The most columns that are listed for a choice, and the most cells shown of each.
pub(super) const LISTED: usize = 100;
pub(super) const SHOWN: usize = 10;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holds {
    Numbers,
    /// Lists, measured by their number of elements.
    Lists,
    /// Texts, measured in words.
    Texts,
    /// Anything that cannot be a size.
    Other(&'static str),
}

impl Holds {
    /// The contents of a column from which a length is computed; it can no longer be a count.
    pub const PART: Self = Self::Other("a part of the length");

    /// Returns the same in the form of descriptions.
    pub fn contents(self) -> Contents {
        match self {
            Self::Numbers => Contents::Number,
            Self::Lists => Contents::List,
            Self::Texts => Contents::Text,
            Self::Other(_) => Contents::Other,
        }
    }

    /// Returns the word for the contents.
    pub fn words(self) -> &'static str {
        match self {
            Self::Numbers => "numbers",
            Self::Lists => "lists",
            Self::Texts => "text",
            Self::Other(what) => what,
        }
    }
}

/// A cell: a whole number from 0, another number, a text by its hash, or none of these.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Cell {
    Whole(u64),
    Real(f64),
    Text(u64),
    Else,
}

impl Cell {
    /// Returns a text as its hash (FNV-1a): a cell takes 16 bytes whatever its text, and only
    /// equality matters.
    fn of_text(text: &[u8]) -> Self {
        let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        Self::Text(text.trim_ascii().iter().fold(0xcbf2_9ce4_8422_2325, step))
    }

    /// Returns a key that distinguishes it from other cells of its column.
    fn key(self) -> u64 {
        match self {
            Self::Whole(n) | Self::Text(n) => n,
            Self::Real(x) => x.to_bits(),
            Self::Else => 0,
        }
    }

    /// Returns a number in digits, and nothing for any other cell.
    fn digits_of_number(self) -> String {
        match self {
            Self::Whole(n) => n.to_string(),
            Self::Real(x) => x.to_string(),
            Self::Text(_) | Self::Else => String::new(),
        }
    }

    pub fn whole(self) -> Option<u64> {
        match self {
            Self::Whole(n) => Some(n),
            Self::Real(_) | Self::Text(_) | Self::Else => None,
        }
    }
}

impl From<Value> for Cell {
    fn from(value: Value) -> Self {
        match value {
            Value::Whole(n) | Value::Quoted(n) => Self::Whole(n),
            Value::Real(x) => number::integral(x).map_or(Self::Real(x), Self::Whole),
            _ => Self::Else,
        }
    }
}

impl From<&[u8]> for Cell {
    fn from(text: &[u8]) -> Self {
        match number::count(text) {
            Ok(n) => Self::Whole(n),
            Err(_) => number::real(text).map_or_else(|| Self::of_text(text), Self::Real),
        }
    }
}

/// A column, as far as it was examined.
#[derive(Debug, Clone)]
pub(super) struct ColumnStats {
    /// Its name; empty if it has none.
    pub name: String,
    pub holds: Holds,
    /// Its first cells, at most [`ROWS`]. Empty if not examined.
    pub cells: Vec<Cell>,
}

impl ColumnStats {
    /// Whether the cells are 0, 1, 2 … or 1, 2, 3 …, like row numbers.
    pub fn is_row_number(&self) -> bool {
        let first = match self.cells.first() {
            Some(Cell::Whole(first @ 0..=1)) => *first,
            _ => return false,
        };
        // Two rows may have lengths 1 and 2, unless the column has no name; a length of 0 does not
        // exist.
        let long_enough = self.cells.len()
            >= if first == 0 || self.name.is_empty() {
                2
            } else {
                3
            };
        long_enough
            && self
                .cells
                .iter()
                .zip(first..)
                .all(|(cell, n)| cell.whole() == Some(n))
    }

    /// Whether most of its cells are whole numbers from 0.
    pub fn is_whole(&self) -> bool {
        let whole = self
            .cells
            .iter()
            .filter(|cell| cell.whole().is_some())
            .count();
        // Half of the cells may be damaged: they are reported as problems when they are read.
        self.holds == Holds::Numbers && (self.cells.is_empty() || 2 * whole >= self.cells.len())
    }

    /// Whether some records lack it, and all others have whole numbers in it.
    pub fn is_partial(&self) -> bool {
        let lacks = |cell: &Cell| matches!(cell, Cell::Else);
        let others = self.cells.iter().filter(|cell| !lacks(cell));
        self.holds == Holds::Numbers
            && self.cells.iter().any(lacks)
            && others.clone().count() > 0
            && others.clone().all(|cell| cell.whole().is_some())
    }

    /// Whether its cells are shares: from 0 to 1, and some strictly between.
    pub fn is_share(&self) -> bool {
        // 1 itself is a whole number; only a fraction proves shares.
        let is_part = |cell: &Cell| matches!(cell, Cell::Real(x) if *x > 0.0 && *x < 1.0);
        let is_other = |cell: &Cell| {
            matches!(cell, Cell::Whole(1..)) || matches!(cell, Cell::Real(x) if *x > 1.0)
        };
        self.cells.iter().any(is_part) && !self.cells.iter().any(is_other)
    }
}

/// Returns the first columns as choices, by their numbers or else by their names.
pub(super) fn offered(columns: &[ColumnStats], numbered: bool) -> Vec<ColumnOffer> {
    let one = |(at, column): (usize, &ColumnStats)| {
        let (number, name) = ((at + 1).to_string(), shorten(column.name.as_bytes()));
        let numbers = column
            .cells
            .iter()
            .take(SHOWN)
            .filter(|_| column.holds == Holds::Numbers);
        ColumnOffer {
            name: if name.is_empty() {
                format!("column {number}")
            } else {
                name
            },
            choice: if numbered {
                number
            } else {
                column.name.clone()
            },
            holds: column.holds.words().to_owned(),
            first: numbers.map(|cell| cell.digits_of_number()).collect(),
        }
    };
    columns.iter().take(LISTED).enumerate().map(one).collect()
}

/// Counts the rows, and the distinct ones in these columns.
pub(super) fn apart(columns: &[&ColumnStats]) -> (usize, usize) {
    // Columns of JSON may be shorter than others where records lack a field.
    let rows = columns
        .iter()
        .map(|column| column.cells.len())
        .min()
        .unwrap_or(0);
    let key = |row: usize| {
        columns
            .iter()
            .map(|column| column.cells[row].key())
            .collect::<Vec<_>>()
    };
    let mut all: Vec<Vec<u64>> = (0..rows).map(key).collect();
    all.sort_unstable();
    all.dedup();
    (rows, all.len())
}

/// Whether no two rows have the same cells in these columns.
pub(super) fn are_apart(columns: &[&ColumnStats]) -> bool {
    let (rows, distinct) = apart(columns);
    rows > 1 && distinct == rows
}

/// The message for cumulative numbers, with the remedy.
pub(super) const OFFSETS: &str = "begins with 0 and never falls, as the places do where items begin: the lengths are their \
                                  differences; write them: numpy.diff(offsets), or awk 'NR>1{print $1-last} {last=$1}' FILE > \
                                  lengths.txt";

/// The message for shares, with the remedy.
pub(super) const SHARES: &str = "shares, weights or sums of the rows before, which are no counts; write the counts themselves, \
                                 or say that each row is one item: --count-column \"\"";

/// The question about keys that may be lengths or row numbers.
pub(super) const NUMBERED: &str = "the keys 0, 1, 2 … may be lengths, or number the values; write a list of lengths, or the \
                                   counts without length 0";

/// Whether the keys of pairs may be row numbers: 0, 1, 2 …; or, after rows were left out, ascending numbers with gaps
/// that begin below 10, with values of 10 or more, which are likelier lengths than counts.
pub(super) fn may_number_rows(all: &[[u64; 2]]) -> bool {
    let has_gaps = all.windows(2).any(|two| two[1][0] > two[0][0] + 1);
    let are_left = all.is_sorted_by_key(|[key, _]| *key)
        && has_gaps
        && all[0][0] < 10
        && all.iter().all(|[_, value]| *value >= 10);
    all.len() > 1 && (all.iter().any(|[key, _]| *key == 0) || (are_left && all.len() > 2))
}

/// The question about keys that may be names.
pub(super) const NAMED: &str = "the keys may be lengths with their counts, or the names of items with their lengths; of lengths, write \
                                a table: jq -r '\"length,count\", (to_entries[] | \"\\(.key),\\(.value)\")' FILE > \
                                lengths.csv; of names, write the lengths: jq '.[]' FILE > lengths.txt";

/// Whether the keys of pairs may be names: they have as many digits each, four at least, and all are above all values,
/// half of which have two digits at least.
pub(super) fn may_be_names(all: &[[u64; 2]]) -> bool {
    // `ilog10` is one less than the number of digits.
    let digits = |n: u64| n.checked_ilog10().unwrap_or(0);
    let Some(least) = all.iter().map(|[key, _]| *key).min() else {
        return false;
    };
    let large = all.iter().filter(|[_, value]| *value >= 10).count();
    all.len() > 1
        && digits(least) > 2
        && all
            .iter()
            .all(|[key, value]| digits(*key) == digits(least) && *value < least)
        && 2 * large >= all.len()
}

/// Whether cells are the offsets of items, the first of which is 0.
pub(super) fn are_offsets(cells: &[Cell]) -> bool {
    let whole: Option<Vec<u64>> = cells.iter().map(|cell| cell.whole()).collect();
    // 0, 1, … may number rows, so that the third must be above 1.
    whole.is_some_and(|all| all.len() > 2 && all[0] == 0 && all[2] > 1 && all.is_sorted())
}

/// Whether counts may be cumulative: they never fall while lengths grow, and rise with nearly every length, as each that
/// is listed adds an item; or, in bins, they end far above their number and level off. Few counts of 1, 2 and 3 do not, nor
/// does a heap at the limit, nor do counts that are all but equal: the first length would hold all but a hundredth.
pub(super) fn are_summed(lengths: &[Cell], counts: &[Cell]) -> bool {
    let whole = |cells: &[Cell]| {
        cells
            .iter()
            .map(|cell| cell.whole().unwrap_or(0))
            .collect::<Vec<_>>()
    };
    let (lengths, counts) = (whole(lengths), whole(counts));
    let [first, .., last] = counts[..] else {
        return false;
    };
    let (rows, rises) = (
        counts.len(),
        counts.windows(2).filter(|two| two[0] < two[1]).count(),
    );
    // A total hardly rises over its last quarter. Over the last step alone, a few heavy lengths after light ones do not either.
    let before_last_quarter = counts[rows - 1 - (rows / 4).max(1)];
    let levels_off = 4 * rises >= rows - 1
        && last / 10 >= rows as u64
        && last.saturating_sub(before_last_quarter) < last / 4;
    let is_grown = last.saturating_sub(first) > first / 100;
    let is_sorted = lengths.is_sorted() && counts.is_sorted();
    // Rises at three of four lengths; fewer than eight rows prove nothing.
    rows > 7 && is_sorted && is_grown && (4 * rises >= 3 * (rows - 1) || levels_off)
}

/// Whether columns are an index of FASTA or FASTQ: name, length, offset, and two widths of lines. Each sequence begins after the
/// end of the one before.
pub(super) fn index_of_fasta(columns: &[ColumnStats]) -> bool {
    // The index of samtools faidx; of FASTQ, a sixth column has the offset of the qualities.
    let [_, length, offset, bases, width, ..] = columns else {
        return false;
    };
    let whole = |column: &ColumnStats| {
        column
            .cells
            .iter()
            .map(|cell| cell.whole())
            .collect::<Option<Vec<u64>>>()
    };
    let all = [length, offset, bases, width].map(whole);
    let [Some(length), Some(offset), Some(bases), Some(width)] = all else {
        return false;
    };
    let ends = offset
        .iter()
        .zip(&length)
        .map(|(offset, length)| offset.saturating_add(*length));
    // Rows of JSON may lack a field: its column then has fewer cells, and is no column of an index.
    columns.len() < 7
        && !length.is_empty()
        && [&offset, &bases, &width]
            .iter()
            .all(|column| column.len() == length.len())
        // A line of the next name lies between two sequences, hence `<`.
        && ends.zip(&offset[1..]).all(|(end, next)| end < *next)
        && bases.iter().zip(&width).all(|(bases, width)| bases < width)
}

/// Returns the question about several columns without names.
pub(super) fn without_names(columns: &[ColumnStats]) -> String {
    let all = columns.len();
    let whole = |column: &ColumnStats| {
        column
            .cells
            .iter()
            .map(|cell| cell.whole())
            .collect::<Option<Vec<u64>>>()
    };
    match columns {
        [names, numbers] if names.holds == Holds::Texts && numbers.holds == Holds::Numbers => {
            if !numbers.is_whole() {
                return "each line has a name and a number that is not whole".to_owned();
            }
            "each line has a name and a number, which may be its length (--length-column 2), or how often it comes, which says \
             nothing of lengths"
                .to_owned()
        }
        [from, to] => match (whole(from), whole(to)) {
            (Some(from), Some(to)) if from.len() > 2 && to.split_last().is_some_and(|(_, to)| from[1..] == *to) => {
                "each line begins where the one before ends, so that lengths are the differences; write them: \
                 awk -F'[, \\t]' '{print $2-$1}' FILE > lengths.txt"
                    .to_owned()
            }
            _ => "two columns without names may be length and count, count and length (as of `uniq -c`), or two numbers of each \
                  item"
                .to_owned(),
        },
        _ => format!("{all} columns without names: nothing says which is the length"),
    }
}

/// Whether no two rows have the same sizes in these columns; `None` for fewer than two rows.
pub(super) fn is_distinct(sizes: &[&ColumnStats]) -> Option<bool> {
    let rows = sizes.iter().map(|column| column.cells.len()).min()?;
    // Rows with anything but whole numbers are left out: they are problems, and no evidence.
    let mut all: Vec<Vec<u64>> = (0..rows)
        .filter_map(|row| {
            sizes
                .iter()
                .map(|column| column.cells[row].whole())
                .collect()
        })
        .collect();
    let counted = all.len();
    all.sort_unstable();
    all.dedup();
    (counted >= 2).then_some(all.len() == counted)
}
