//! Detection of the columns of sizes and counts in a table.

use super::kinds::{self, plain};
use super::note::Note;
use super::number;
use super::options::{Column, Counts, Options};
use super::problem::shorten;
use crate::error::{Error, Result};

/// Column names for lengths, the surest first.
pub(super) const LENGTHS: [&str; 24] = [
    "length",
    "len",
    "lengths",
    "n_tokens",
    "num_tokens",
    "tokens",
    "token_count",
    "total_tokens",
    "seq_len",
    "seq_length",
    "seqlen",
    "sequence_length",
    "sequence_len",
    "input_length",
    "input_len",
    "input_tokens",
    "context_length",
    "contexttokens",
    "size",
    "sizes",
    "n_atoms",
    "num_atoms",
    "num_nodes",
    "nodes",
];

/// Column names for counts, the surest first.
pub(super) const COUNTS: [&str; 8] =
    ["count", "counts", "freq", "frequency", "frequencies", "num", "n", "items"];

/// The columns to read, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Columns<const K: usize> {
    pub sizes: [usize; K],
    pub count: Option<usize>,
}

impl<const K: usize> Columns<K> {
    /// Takes one place per component, and a count that is none of them.
    fn new(places: &[usize], count: Option<usize>) -> Option<Self> {
        let sizes: [usize; K] = places.try_into().ok()?;
        Some(Self { sizes, count: count.filter(|c| !sizes.contains(c)) })
    }
}

/// Whether a first record is a header: no cell is a number, or one has a known name.
pub(super) fn is_header(cells: &[&[u8]], options: &Options) -> bool {
    let named = options.sizes.iter().any(|c| matches!(c, Column::Name(_)))
        || matches!(options.count, Some(Counts::Column(Column::Name(_))));
    let known = |cell: &&[u8]| is_known(&lossy(cell));
    let filled = |cell: &&[u8]| !cell.trim_ascii().is_empty();
    let numbers = cells.iter().any(|cell| number::is_number(cell));
    named || cells.iter().any(known) || (!numbers && cells.iter().any(filled))
}

/// Whether a name is a known one for a length or a count, in any case.
pub(super) fn is_known(name: &str) -> bool {
    let name = plain(name);
    LENGTHS.contains(&name.as_str()) || COUNTS.contains(&name.as_str())
}

/// Finds the columns of a table with a header.
///
/// # Errors
/// [`Error::Input`] when a chosen column does not exist, or none is chosen and not all can be found by name.
pub(super) fn named<const K: usize>(
    names: &[String],
    options: &Options,
    line: u64,
) -> Result<(Columns<K>, Option<Note>)> {
    let missing =
        |what: String| Error::Input { place: format!("line {line}"), message: what + &listed(names) };
    let find = |column: &Column| {
        place(names, column).ok_or_else(|| missing(format!("there is no column {}", bare(column))))
    };
    let count = match &options.count {
        Some(Counts::One) => None,
        Some(Counts::Column(column)) => Some(find(column)?),
        None => known(names, &COUNTS),
    };
    let (sizes, note) = match &options.sizes[..] {
        [] => guess(names, count, K).ok_or_else(|| missing(unknown(names, K)))?,
        chosen => (chosen.iter().map(find).collect::<Result<Vec<_>>>()?, None),
    };
    let columns = Columns::new(&sizes, count).ok_or_else(|| missing(unknown(names, K)))?;
    Ok((columns, note))
}

/// Finds the columns of a table without a header.
///
/// # Errors
/// [`Error::Input`] for a column 0, or when there are fewer columns than components.
pub(super) fn unnamed<const K: usize>(
    width: usize,
    options: &Options,
    line: u64,
) -> Result<(Columns<K>, Option<Note>)> {
    let without = |what: String| Error::Input {
        place: format!("line {line}"),
        message: format!("{what} {width} columns"),
    };
    let find = |column: &Column| match column {
        Column::Number(n) if *n > 0 => Ok(*n as usize - 1),
        other => Err(without(format!("there is no column {}; the table has no header and", bare(other)))),
    };
    let few = || {
        without(format!("sizes of {K} components take {K} columns, or {} with a count; the table has", K + 1))
    };
    let detect = options.sizes.is_empty();
    let count = match &options.count {
        Some(Counts::One) => None,
        Some(Counts::Column(column)) => Some(find(column)?),
        None => (width == K + 1 && detect).then_some(K),
    };
    let note = detect.then(|| assumed(width, K, options.count.is_none() && count.is_some())).flatten();
    let sizes = match &options.sizes[..] {
        [] if width < K => return Err(few()),
        [] => (0..K).collect(),
        chosen => chosen.iter().map(find).collect::<Result<Vec<_>>>()?,
    };
    Ok((Columns::new(&sizes, count).ok_or_else(few)?, note))
}

/// Returns the note about assumptions on columns without names.
fn assumed(width: usize, components: usize, count: bool) -> Option<Note> {
    let columns = u32::try_from(width).unwrap_or(u32::MAX);
    match (components, width) {
        (1, 1) => None,
        (1, _) if count => Some(Note::Pairs),
        (1, _) => Some(Note::FirstColumn { columns }),
        (sizes, _) => Some(Note::Columns { columns, sizes: sizes as u32, count }),
    }
}

/// Finds columns with known names, or takes the first free column for a length, with a note so that a visitor can
/// correct it.
fn guess(names: &[String], count: Option<usize>, components: usize) -> Option<(Vec<usize>, Option<Note>)> {
    if components > 1 {
        return kinds::find(&all(names), components).map(|sizes| (sizes, None));
    }
    if let Some(length) = known(names, &LENGTHS) {
        return Some((vec![length], None));
    }
    let first = (0..names.len()).find(|i| Some(*i) != count)?;
    Some((vec![first], Some(Note::Guessed { name: shorten(names[first].as_bytes()) })))
}

/// Returns the message that no columns can be recognised as the sizes.
pub(super) fn unknown(names: &[String], components: usize) -> String {
    match kinds::missing(&all(names), components) {
        _ if components == 1 => "no column is known to be a length".to_owned(),
        Some(called) => format!("no column is known to hold {called}; name or choose one"),
        None => format!(
            "no {components} columns are known to hold sizes; choose them, or name them {}",
            kinds::KNOWN
        ),
    }
}

fn all(names: &[String]) -> Vec<&str> {
    names.iter().map(String::as_str).collect()
}

fn known(names: &[String], list: &[&str]) -> Option<usize> {
    let names: Vec<String> = names.iter().map(|n| plain(n)).collect();
    list.iter().find_map(|known| names.iter().position(|name| name == known))
}

pub(super) fn place(names: &[String], column: &Column) -> Option<usize> {
    match column {
        Column::Number(n) => (*n as usize).checked_sub(1).filter(|i| *i < names.len()),
        Column::Name(wanted) => names
            .iter()
            .position(|name| name == wanted)
            .or_else(|| names.iter().position(|name| plain(name) == plain(wanted)))
            // As descriptions have it.
            .or_else(|| names.iter().position(|name| shorten(name.as_bytes()) == *wanted)),
    }
}

/// Returns the text of a cell that may not be UTF-8.
pub(super) fn lossy(cell: &[u8]) -> String {
    String::from_utf8_lossy(cell.trim_ascii()).into_owned()
}

fn bare(column: &Column) -> String {
    match column {
        Column::Number(n) => n.to_string(),
        Column::Name(_) => column.to_string(),
    }
}

fn listed(names: &[String]) -> String {
    let shown: Vec<String> = names.iter().take(20).map(|n| shorten(n.as_bytes())).collect();
    let more = if names.len() > 20 { ", …" } else { "" };
    format!("; the columns are: {}{more}", shown.join(", "))
}
