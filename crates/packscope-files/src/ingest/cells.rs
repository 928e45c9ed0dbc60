//! Sizes and counts from typed columns, such as those of NumPy and Parquet.

use super::cell_sizes::{CellFault, count, measured};
use super::column_choice;
pub(crate) use super::column_stats::Holds;
use super::column_stats::{self, Cell, ColumnStats, ROWS, is_distinct};
use super::columns::{self, place, unknown};
use super::computed::{self, FormulaColumns};
use super::formats::Format;
use super::formulae;
use super::nested;
use super::notes::Note;
use super::options::{Column, Options};
use super::problem::{Place, shorten};
use super::progress::Course;
use super::tally::Tally;
use super::value::Value;
use super::{Ingested, number};
use packscope_core::error::{ChoiceNeeded, Error, Result};
use packscope_core::histogram::Size;

/// A column of an input with typed cells.
#[derive(Debug, Clone)]
pub(crate) struct CellColumn {
    pub name: String,
    pub holds: Holds,
}

impl CellColumn {
    fn is_measure(&self) -> bool {
        matches!(self.holds, Holds::Numbers | Holds::Lists)
    }

    /// Creates a column; lists under a name for lengths do not count as tokens.
    #[cfg(feature = "parquet")]
    pub fn new(name: String, holds: Holds) -> Self {
        let are_lengths = holds == Holds::Lists && super::names::are_lengths(&name);
        Self {
            name,
            holds: if are_lengths {
                Holds::Other(nested::Inner::Lengths.words())
            } else {
                holds
            },
        }
    }
}

/// Receives rows, one after the other, with a `C` for each of their columns.
pub(crate) trait RowSink<C> {
    /// Receives the next row, in the order of the requested columns; returns whether it wants no more.
    fn row(&mut self, cells: &[C]) -> bool;
    /// Receives the position, in bytes of the file; returns whether the reading ends here.
    fn reached(&mut self, position: u64) -> bool;
}

/// The columns of an input.
pub(crate) struct Layout {
    pub format: Format,
    pub fields: Vec<CellColumn>,
    /// Bytes of the file.
    pub size: u64,
    /// Whether the columns have names, not just numbers.
    pub named: bool,
}

pub(super) trait Cells {
    fn layout(&self) -> &Layout;
    /// Passes all rows of these columns to `to`.
    ///
    /// # Errors
    /// When the bytes are malformed.
    fn rows(&mut self, wanted: &[usize], to: &mut dyn RowSink<Value>) -> Result<()>;
}

/// Returns the number of components that the columns offer. Two unnamed columns of numbers are sizes in pairs, unless
/// the first has no value twice, like lengths before their counts: then they are sizes only with `pairs`.
pub(super) fn components(cells: &mut dyn Cells, options: &Options, pairs: bool) -> usize {
    match options.sizes.len() {
        0 if !cells.layout().named && cells.layout().fields.len() == 2 => {
            let are_lengths =
                // Reads the first rows; without a header there is no other evidence.
                options.count.is_some() || is_distinct(&[&look(cells)[0]]) == Some(true);
            1 + usize::from(pairs || !are_lengths)
        }
        0 if !cells.layout().named => 1 + usize::from(pairs && cells.layout().fields.len() == 3),
        0 => 1 + usize::from(column_choice::together(&look(cells), 2).is_some()),
        n => n,
    }
}

/// Reads the columns of sizes and the column of counts.
pub(super) fn read<const K: usize>(
    cells: &mut dyn Cells,
    options: &Options,
    mut tally: Tally<K>,
    course: &mut Course<'_>,
) -> Result<Ingested<K>> {
    super::check(options, K)?;
    let names: Vec<String> = cells
        .layout()
        .fields
        .iter()
        .map(|field| field.name.clone())
        .collect();
    let (width, mut computed) = (names.len(), FormulaColumns::find(options, &names)?);
    let chosen = choose(cells, &computed, options, &mut tally);
    let (sizes, count) = chosen.map_err(|error| tally.asking(error, tally.asked.clone()))?;
    let named = |i: usize| match cells.layout().named {
        _ if i >= width => Column::Name(computed[i - width].text.clone()),
        true => Column::Name(shorten(cells.layout().fields[i].name.as_bytes())),
        false => Column::Number(u32::try_from(i + 1).unwrap_or(u32::MAX)),
    };
    tally.selected(sizes.iter().copied().map(named).collect(), count.map(named));
    let to = &mut tally.description;
    to.format = cells.layout().format;
    to.bytes = cells.layout().size;
    to.width = u32::try_from(width).unwrap_or(u32::MAX);
    let names = || {
        names
            .iter()
            .take(100)
            .map(|name| shorten(name.as_bytes()))
            .collect()
    };
    to.columns = cells.layout().named.then(names);
    tally.computes(!computed.is_empty());
    let (wanted, places) = computed::wanted(sizes.iter().chain(&count), width, &mut computed);
    let mut sink = Sink {
        tally,
        course,
        row: 0,
        places,
        computed,
    };
    // The error comes after `tell`, so that the page has the records before the damage.
    let outcome = cells.rows(&wanted, &mut sink);
    sink.course.tell();
    outcome?;
    sink.tally.finish()
}

struct Sink<'s, 'p, const K: usize> {
    tally: Tally<K>,
    course: &'s mut Course<'p>,
    row: u64,
    /// The index of each size, and of the count: among the cells of a row, or after them for computed ones.
    places: Vec<usize>,
    computed: Vec<FormulaColumns>,
}

impl<const K: usize> Sink<'_, '_, K> {
    fn item(&mut self, cells: &[Value]) -> std::result::Result<(Size<K>, u64), CellFault> {
        let mut size = [0; K];
        for (k, (slot, at)) in size.iter_mut().zip(&self.places).enumerate() {
            // Computed columns have indices after the cells of the row.
            let value = match at.checked_sub(cells.len()) {
                Some(one) => self.computed[one].of_cells(cells),
                None => cells[*at],
            };
            *slot = measured(value, k, true, &mut self.tally)?;
        }
        Ok((
            size,
            self.places.get(K).map_or(Ok(1), |at| count(cells[*at]))?,
        ))
    }
}

impl<const K: usize> RowSink<Value> for Sink<'_, '_, K> {
    fn row(&mut self, cells: &[Value]) -> bool {
        self.row += 1;
        match self.item(cells) {
            Ok((size, count)) => self.tally.add(size, count),
            Err((found, why)) => {
                self.tally
                    .problem(Place::row(self.row), &found.unwrap_or_default(), why)
            }
        }
        false
    }

    // The caller stops here and not in `row`: between batches, at a position in the file.
    fn reached(&mut self, position: u64) -> bool {
        self.course.tell();
        self.tally.is_full() || self.course.reached(position)
    }
}

/// The most columns of numbers that are examined before the columns are chosen: each is read for
/// it.
const LOOKED_AT: usize = 32;

/// Returns the columns of sizes, and the column of the count if there is one.
fn choose<const K: usize>(
    cells: &mut dyn Cells,
    computed: &[FormulaColumns],
    options: &Options,
    tally: &mut Tally<K>,
) -> Result<(Vec<usize>, Option<usize>)> {
    let mut seen = look(cells);
    tally.offers(column_stats::offered(&seen, true));
    let asked = tally.asked.clone();
    let mut fields = cells.layout().fields.to_vec();
    if let Some(field) = computed
        .iter()
        .flat_map(|one| &one.of)
        .map(|at| &fields[*at])
        .find(|f| !f.is_measure())
    {
        let what = format!(
            "\"{}\" is no number to compute with",
            shorten(field.name.as_bytes())
        );
        return Err(refused(&asked, what));
    }
    fields.extend(computed.iter().map(|one| CellColumn {
        name: one.text.clone(),
        holds: Holds::Numbers,
    }));
    let names: Vec<String> = fields.iter().map(|field| field.name.clone()).collect();
    let find = |column: &Column| {
        let i = place(&names, column)
            .ok_or_else(|| refused(&asked, format!("there is no {}", described(column))))?;
        match fields[i].holds {
            Holds::Other(what) => Err(refused(
                &asked,
                format!("{} holds {what}", described(column)),
            )),
            _ => Ok(i),
        }
    };
    let (given, count) = options.chosen(find)?;
    let (is_named, unnamed) = (
        cells.layout().named,
        given.is_none() && !cells.layout().named,
    );
    if unnamed
        && fields
            .iter()
            .any(|field| matches!(field.holds, Holds::Other(_)))
    {
        return Err(refused(&asked, unknown(&names, K)));
    }
    // Names of columns without a header are their numbers, which must not be taken for names.
    if !is_named {
        seen.iter_mut().for_each(|column| column.name.clear());
    }
    computed::add_computed_columns(&mut seen, computed);
    let words = |unclear| columns::words(formulae::offered(unclear, &seen, K), &names, tally);
    let chosen = match unnamed {
        true if K == 1 || seen.len() == K || (seen.len() == K + 1 && options.count.is_none()) => {
            column_choice::unnamed(&seen, K, count, options).map_err(words)
        }
        true => Err(unknown(&names, K)),
        false => column_choice::choose(&seen, given, count, options, K).map_err(words),
    };
    let chosen = chosen.map_err(|what| refused(&asked, what))?;
    // A column named for both is a size.
    let count = chosen.count.filter(|count| !chosen.sizes.contains(count));
    match count.filter(|_| chosen.if_distinct) {
        _ if unnamed && K > 1 => tally.note(Note::columns(seen.len(), K, count.is_some())),
        Some(count) => tally.note(Note::Counted {
            name: shorten(names[count].as_bytes()),
        }),
        None => {}
    }
    tally.once |= chosen.if_distinct && count.is_some();
    Ok((chosen.sizes, count))
}

/// Returns the columns, with the first cells of columns of numbers.
fn look(cells: &mut dyn Cells) -> Vec<ColumnStats> {
    let fields = cells.layout().fields.to_vec();
    let numbers: Vec<usize> = (0..fields.len())
        .filter(|i| fields[*i].holds == Holds::Numbers)
        .take(LOOKED_AT)
        .collect();
    let mut first = FirstRows(vec![Vec::new(); numbers.len()]);
    if !numbers.is_empty() {
        // Damage is reported when a column is read: this one may not be wanted.
        if cells.rows(&numbers, &mut first).is_err() {
            first.0.iter_mut().for_each(Vec::clear);
        }
    }
    let mut seen: Vec<ColumnStats> = fields
        .into_iter()
        .map(|CellColumn { name, holds }| ColumnStats {
            name,
            holds,
            cells: Vec::new(),
        })
        .collect();
    for (at, cells) in numbers.into_iter().zip(first.0) {
        seen[at].cells = cells;
    }
    seen
}

struct FirstRows(Vec<Vec<Cell>>);

impl RowSink<Value> for FirstRows {
    fn row(&mut self, cells: &[Value]) -> bool {
        for (column, cell) in self.0.iter_mut().zip(cells) {
            column.push(Cell::from(*cell));
        }
        self.0.first().is_some_and(|column| column.len() >= ROWS)
    }

    // Checked here too: a batch of columns without rows would go on for ever.
    fn reached(&mut self, _: u64) -> bool {
        self.0.first().is_some_and(|column| column.len() >= ROWS)
    }
}

fn described(column: &Column) -> String {
    match column {
        Column::Number(_) => column.to_string(),
        Column::Name(_) => format!("column {column}"),
    }
}

/// Returns the error for columns that cannot be read, with a list of them.
fn refused(asked: &ChoiceNeeded, what: String) -> Error {
    let message = match asked.fields.len() {
        0 => format!("{what}; there are no columns"),
        _ => format!("{what}; the columns are: {}", asked.listed()),
    };
    let way = asked
        .fields
        .iter()
        .find_map(|field| nested::way(&field.holds));
    let message = message + &way.map(|way| format!("; {way}")).unwrap_or_default();
    Error::Input {
        place: "the columns".to_owned(),
        message,
    }
}

/// Returns a whole number as a cell.
pub(super) fn signed(n: i64) -> Value {
    u64::try_from(n).map_or(Value::Real(n as f64), Value::Whole)
}

/// Returns a float as a cell.
pub(super) fn real(x: f64) -> Value {
    number::integral(x).map_or(Value::Real(x), Value::Whole)
}
