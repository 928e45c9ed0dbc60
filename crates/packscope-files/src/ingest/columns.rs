//! The columns of sizes and counts in a table.

use super::column_choice::{self, ColumnChoice, Unclear};
use super::column_stats::{ColumnStats, Holds};
use super::component_names;
use super::formulae;
use super::lines::lossy;
use super::names;
use super::notes::Note;
use super::number;
use super::options::{Column, FLAGS, Options};
use super::problem::shorten;
use super::tally::Tally;
use packscope_core::error::{ChoiceNeeded, Error, Result};

/// The columns to read, by index from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ColumnIndices<const K: usize> {
    pub sizes: [usize; K],
    pub count: Option<usize>,
    /// Whether the column is a count only if no size comes twice.
    pub if_distinct: bool,
}

impl<const K: usize> ColumnIndices<K> {
    /// Takes one column per component, and a count that is not one of them; `None` for another
    /// number of columns.
    fn new(chosen: &ColumnChoice) -> Option<Self> {
        let sizes: [usize; K] = chosen.sizes.as_slice().try_into().ok()?;
        let count = chosen.count.filter(|c| !sizes.contains(c));
        Some(Self {
            sizes,
            count,
            if_distinct: chosen.if_distinct && count.is_some(),
        })
    }
}

/// Whether a first record is a header: no cell is a number, or one has a known name. pandas writes 0 for a missing
/// name, so a 0 may stand beside a name over `whole` numbers.
pub(super) fn is_header(cells: &[&[u8]], options: &Options, whole: impl Fn(usize) -> bool) -> bool {
    let named = options.names().next().is_some();
    let known = |cell: &&[u8]| names::is_known(&lossy(cell));
    let filled = |cell: &&[u8]| !cell.trim_ascii().is_empty();
    let is_zero = |cell: &&[u8]| cell.trim_ascii() == b"0";
    let numbers = cells
        .iter()
        // A 0 is no number here, see above.
        .any(|cell| number::is_number(cell) && !is_zero(cell));
    let is_name = |at: usize| filled(&cells[at]) && !is_zero(&cells[at]);
    let zeros = cells.iter().any(is_zero);
    let is_above = |at: usize| is_name(at) && (!zeros || whole(at));
    // An option that names a column means that there are names.
    named || cells.iter().any(known) || (!numbers && (0..cells.len()).any(is_above))
}

/// Finds the columns of a table with a header.
///
/// # Errors
/// [`Error::Input`] if a chosen column does not exist, or none is chosen and the choice is unclear.
pub(super) fn named<const K: usize>(
    columns: &[ColumnStats],
    options: &Options,
    line: u64,
    tally: &mut Tally<K>,
) -> Result<ColumnIndices<K>> {
    let names: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
    let listed = listed(columns, &tally.asked);
    let missing = |what: String| Error::Input {
        place: format!("line {line}"),
        message: what + &listed,
    };
    let find = |column: &Column| {
        place(&names, column).ok_or_else(|| missing(format!("there is no column {}", bare(column))))
    };
    let (given, count) = options.chosen(find)?;
    let chosen = column_choice::choose(columns, given, count, options, K)
        .map_err(|unclear| missing(words(formulae::offered(unclear, columns, K), &names, tally)))?;
    let columns: ColumnIndices<K> =
        ColumnIndices::new(&chosen).ok_or_else(|| missing(unknown(&names, K)))?;
    if let Some(count) = columns.count.filter(|_| columns.if_distinct) {
        tally.note(Note::Counted {
            name: shorten(names[count].as_bytes()),
        });
    }
    Ok(columns)
}

/// Returns the message for an unclear choice of columns, without the list of columns.
pub(super) fn words<const K: usize>(
    unclear: Unclear,
    names: &[String],
    tally: &mut Tally<K>,
) -> String {
    match unclear {
        Unclear::NoSizes => format!("{}; {FLAGS}", unknown(names, K)),
        Unclear::Question(question) => {
            // The answers of a question are column numbers, from 1: a name may stand twice.
            let number = |at: &usize| (at + 1).to_string();
            tally.asks(
                question.lengths(number),
                question.counts.iter().map(number).collect(),
            );
            format!("{}; {FLAGS}", question.words)
        }
        Unclear::Refused(words) => words,
    }
}

/// Finds the columns of a table without a header.
///
/// # Errors
/// [`Error::Input`] for a column 0, for fewer columns than components, or if their meaning is unclear.
pub(super) fn unnamed<const K: usize>(
    columns: &[ColumnStats],
    options: &Options,
    line: u64,
    tally: &mut Tally<K>,
) -> Result<ColumnIndices<K>> {
    let width = columns.len();
    let without = |what: String| Error::Input {
        place: format!("line {line}"),
        message: format!("{what} {width} columns"),
    };
    let find = |column: &Column| match column {
        // Computed columns have names, and no number.
        Column::Number(n)
            if *n > 0
                && columns
                    .get(*n as usize - 1)
                    .is_none_or(|c| c.name.is_empty()) =>
        {
            Ok(*n as usize - 1)
        }
        // Only computed columns have names here.
        Column::Name(name) if columns.iter().any(|column| column.name == *name) => Ok(columns
            .iter()
            .position(|column| column.name == *name)
            .unwrap_or(width)),
        other => Err(without(format!(
            "there is no column {}; the table has no header and",
            bare(other)
        ))),
    };
    let few = || {
        without(format!(
            "sizes of {K} components take {K} columns, or {} with a count; the table has",
            K + 1
        ))
    };
    let (given, count) = options.chosen(find)?;
    let chosen = match given {
        None if width < K => return Err(few()),
        None => column_choice::unnamed(columns, K, count, options).map_err(|unclear| {
            let by = if matches!(unclear, Unclear::Question(_)) {
                ", by their numbers from 1"
            } else {
                ""
            };
            Error::Input {
                place: format!("line {line}"),
                message: words(formulae::offered(unclear, columns, K), &[], tally) + by,
            }
        })?,
        Some(sizes) => ColumnChoice {
            sizes,
            count,
            if_distinct: false,
        },
    };
    if K > 1 && options.sizes.is_empty() {
        tally.note(Note::columns(width, K, chosen.if_distinct));
    }
    ColumnIndices::new(&chosen).ok_or_else(few)
}

/// Returns the message that no columns are recognised as sizes.
pub(super) fn unknown(names: &[String], components: usize) -> String {
    let all: Vec<&str> = names.iter().map(String::as_str).collect();
    match component_names::missing(&all, components) {
        _ if components == 1 => "no column is known to be a length".to_owned(),
        Some(called) => format!("no column is known to hold {called}; name or choose one"),
        None => format!(
            "no {components} columns are known to hold sizes; choose them, or name them {}",
            component_names::KNOWN
        ),
    }
}

/// Whether the columns of sizes are texts, to be measured.
pub(super) fn are_texts<const K: usize>(
    columns: &[ColumnStats],
    chosen: &ColumnIndices<K>,
) -> bool {
    chosen.sizes.iter().all(|i| {
        columns
            .get(*i)
            .is_some_and(|column| column.holds == Holds::Texts)
    })
}

pub(super) fn place(names: &[String], column: &Column) -> Option<usize> {
    use component_names::plain;
    match column {
        Column::Number(n) => (*n as usize).checked_sub(1).filter(|i| *i < names.len()),
        Column::Name(wanted) => names
            .iter()
            .position(|name| name == wanted)
            .or_else(|| names.iter().position(|name| plain(name) == plain(wanted)))
            // Descriptions shorten names, and a choice may be made from one.
            .or_else(|| {
                names
                    .iter()
                    .position(|name| shorten(name.as_bytes()) == *wanted)
            }),
    }
}

fn bare(column: &Column) -> String {
    match column {
        Column::Number(n) => n.to_string(),
        Column::Name(_) => column.to_string(),
    }
}

/// Lists the columns, for a message about a choice among them.
fn listed(columns: &[ColumnStats], asked: &ChoiceNeeded) -> String {
    let text = match columns {
        [only] if only.holds == Holds::Texts => {
            "; if each line is a text, its words are counted by --input-format text, and its tokens by packscope tokens"
        }
        _ => "",
    };
    format!("; the columns are: {}{text}", asked.listed())
}
