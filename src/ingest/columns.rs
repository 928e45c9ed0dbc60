//! Which column of a table holds lengths and which holds counts.

use super::description::Note;
use super::number;
use super::options::{Column, Counts, Options};
use super::problem::shorten;
use crate::error::{Error, Result};

/// Names that say length, the surest first.
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

/// Names that say count, the surest first.
pub(super) const COUNTS: [&str; 8] =
    ["count", "counts", "freq", "frequency", "frequencies", "num", "n", "items"];

/// The columns that are read, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Columns {
    pub length: usize,
    pub count: Option<usize>,
}

/// Whether a first record names columns: no cell is a number, or one has a known name.
pub(super) fn is_header(cells: &[&[u8]], options: &Options) -> bool {
    let named = matches!(options.length, Some(Column::Name(_)))
        || matches!(options.count, Some(Counts::Column(Column::Name(_))));
    let known = |cell: &&[u8]| is_known(&lossy(cell));
    let filled = |cell: &&[u8]| !cell.trim_ascii().is_empty();
    let numbers = cells.iter().any(|cell| number::is_number(cell));
    named || cells.iter().any(known) || (!numbers && cells.iter().any(filled))
}

/// Whether a name is one of ours, in any case.
pub(super) fn is_known(name: &str) -> bool {
    let name = plain(name);
    LENGTHS.contains(&name.as_str()) || COUNTS.contains(&name.as_str())
}

/// The columns of a table whose names are known.
///
/// # Errors
/// [`Error::Input`] when a chosen column does not exist, or none is chosen and none can be told.
pub(super) fn named(names: &[String], options: &Options, line: u64) -> Result<(Columns, Option<Note>)> {
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
    let (length, note) = match &options.length {
        Some(column) => (find(column)?, None),
        None => guess(names, count).ok_or_else(|| missing("no column is known to be a length".to_owned()))?,
    };
    let count = count.filter(|c| *c != length);
    Ok((Columns { length, count }, note))
}

/// The columns of a table without names.
///
/// # Errors
/// [`Error::Input`] for a column 0.
pub(super) fn unnamed(width: usize, options: &Options, line: u64) -> Result<(Columns, Option<Note>)> {
    let find = |column: &Column| match column {
        Column::Number(n) if *n > 0 => Ok(*n as usize - 1),
        other => Err(Error::Input {
            place: format!("line {line}"),
            message: format!(
                "there is no column {}; the table has no header and {width} columns",
                bare(other)
            ),
        }),
    };
    let count = match &options.count {
        Some(Counts::One) => None,
        Some(Counts::Column(column)) => Some(find(column)?),
        None => (width == 2 && options.length.is_none()).then_some(1),
    };
    let note = match (&options.length, &options.count, width) {
        (None, None, 2) => Some(Note::Pairs),
        (None, _, 2..) => Some(Note::FirstColumn { columns: u32::try_from(width).unwrap_or(u32::MAX) }),
        _ => None,
    };
    Ok((Columns { length: options.length.as_ref().map_or(Ok(0), find)?, count }, note))
}

/// A known name, or the first column that is left, with a note: a visitor can choose another one.
fn guess(names: &[String], count: Option<usize>) -> Option<(usize, Option<Note>)> {
    if let Some(length) = known(names, &LENGTHS) {
        return Some((length, None));
    }
    let first = (0..names.len()).find(|i| Some(*i) != count)?;
    Some((first, Some(Note::Guessed { name: shorten(names[first].as_bytes()) })))
}

fn known(names: &[String], list: &[&str]) -> Option<usize> {
    let names: Vec<String> = names.iter().map(|n| plain(n)).collect();
    list.iter().find_map(|known| names.iter().position(|name| name == known))
}

fn place(names: &[String], column: &Column) -> Option<usize> {
    match column {
        Column::Number(n) => (*n as usize).checked_sub(1).filter(|i| *i < names.len()),
        Column::Name(wanted) => names
            .iter()
            .position(|name| name == wanted)
            .or_else(|| names.iter().position(|name| plain(name) == plain(wanted))),
    }
}

/// Lower case, with underscores for what else joins words.
fn plain(name: &str) -> String {
    name.trim().to_lowercase().replace([' ', '-', '.'], "_")
}

/// The text of a cell that may not be UTF-8.
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
