//! Sizes and counts from typed columns, such as those of NumPy and Parquet.

use super::columns::{COUNTS, LENGTHS, place, unknown};
use super::course::Course;
use super::kinds;
use super::note::Note;
use super::options::{Column, Counts, Format, Options};
use super::problem::{Place, shorten};
use super::records::{CONTENTS, count, measured};
use super::tally::Tally;
use super::value::Value;
use super::{Ingested, number};
use crate::error::{Error, Result};

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

/// A column.
#[derive(Debug, Clone)]
pub(super) struct Field {
    pub name: String,
    pub holds: Holds,
}

/// A consumer of rows.
pub(super) trait Rows {
    /// Receives the cells of the next row, in the order of the requested columns.
    fn row(&mut self, cells: &[Value]);
    /// Receives the position, in bytes of the file; returns whether the reading ends here.
    fn reached(&mut self, position: u64) -> bool;
}

/// An input with columns.
pub(super) trait Cells {
    fn format(&self) -> Format;
    fn fields(&self) -> &[Field];
    /// Returns the size of the file in bytes.
    fn size(&self) -> u64;
    /// Whether the columns have names, not just numbers.
    fn is_named(&self) -> bool;
    /// Passes all rows of these columns to `to`.
    ///
    /// # Errors
    /// When the bytes are malformed.
    fn rows(&mut self, wanted: &[usize], to: &mut dyn Rows) -> Result<()>;
}

/// Returns the number of components that the columns offer.
pub(super) fn components(cells: &dyn Cells, options: &Options) -> usize {
    match options.sizes.len() {
        0 if !cells.is_named() => 1 + usize::from(cells.fields().len() == 2),
        0 => 1 + usize::from(together(cells.fields(), 2).is_some()),
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
    let (sizes, count) = choose(cells, options, K, &mut tally)?;
    let named = |i: usize| match cells.is_named() {
        true => Column::Name(shorten(cells.fields()[i].name.as_bytes())),
        false => Column::Number(u32::try_from(i + 1).unwrap_or(u32::MAX)),
    };
    tally.selected(sizes.iter().copied().map(named).collect(), count.map(named));
    let to = &mut tally.description;
    to.format = cells.format();
    to.bytes = cells.size();
    if K == 1 && sizes.iter().all(|i| cells.fields()[*i].holds == Holds::Texts) {
        to.components = vec!["words".to_owned()];
    }
    to.width = u32::try_from(cells.fields().len()).unwrap_or(u32::MAX);
    let names = || cells.fields().iter().take(100).map(|field| shorten(field.name.as_bytes())).collect();
    to.columns = cells.is_named().then(names);
    let wanted: Vec<usize> = sizes.into_iter().chain(count).collect();
    let mut sink = Sink { tally, course, row: 0 };
    let outcome = cells.rows(&wanted, &mut sink);
    sink.course.tell();
    outcome?;
    sink.tally.finish()
}

struct Sink<'s, 'p, const K: usize> {
    tally: Tally<K>,
    course: &'s mut Course<'p>,
    row: u64,
}

impl<const K: usize> Rows for Sink<'_, '_, K> {
    fn row(&mut self, cells: &[Value]) {
        self.row += 1;
        let mut size = [0; K];
        let place = Place::row(self.row);
        for (k, (slot, cell)) in size.iter_mut().zip(cells).enumerate() {
            match measured(*cell, k, true, &mut self.tally) {
                Ok(n) => *slot = n,
                Err((found, why)) => return self.tally.problem(place, &found.unwrap_or_default(), why),
            }
        }
        match cells.get(K).map_or(Ok(1), |cell| count(*cell)) {
            Ok(count) => self.tally.add(size, count),
            Err((found, why)) => self.tally.problem(place, &found.unwrap_or_default(), why),
        }
    }

    fn reached(&mut self, position: u64) -> bool {
        self.course.tell();
        self.tally.is_full() || self.course.reached(position)
    }
}

/// Returns the columns of sizes, and that of counts if there is one.
fn choose<const K: usize>(
    cells: &dyn Cells,
    options: &Options,
    wanted: usize,
    tally: &mut Tally<K>,
) -> Result<(Vec<usize>, Option<usize>)> {
    let fields = cells.fields();
    let names: Vec<String> = fields.iter().map(|field| field.name.clone()).collect();
    let find = |column: &Column| {
        let i = place(&names, column)
            .ok_or_else(|| refused(fields, format!("there is no {}", described(column))))?;
        match fields[i].holds {
            Holds::Other(what) => Err(refused(fields, format!("{} holds {what}", described(column)))),
            _ => Ok(i),
        }
    };
    let sizes = match &options.sizes[..] {
        [] => guess(cells, wanted, tally).ok_or_else(|| refused(fields, unknown(&names, wanted)))?,
        chosen => chosen.iter().map(find).collect::<Result<Vec<_>>>()?,
    };
    let numbers = sizes.iter().all(|i| fields[*i].holds == Holds::Numbers);
    let count = match &options.count {
        Some(Counts::One) => None,
        Some(Counts::Column(column)) => Some(find(column)?),
        // Beside a text, a column called "n" is hardly its number of copies.
        None if numbers => COUNTS.iter().find_map(|name| called(fields, name, Holds::Numbers)),
        None => None,
    };
    let count = count.filter(|count| !sizes.contains(count));
    Ok((sizes, count))
}

fn guess<const K: usize>(cells: &dyn Cells, wanted: usize, tally: &mut Tally<K>) -> Option<Vec<usize>> {
    let fields = cells.fields();
    if !cells.is_named() {
        let columns = u32::try_from(fields.len()).unwrap_or(u32::MAX);
        if wanted > 1 && fields.len() == wanted {
            tally.note(Note::Columns { columns, sizes: columns, count: false });
        }
        let can = fields.iter().all(|field| !matches!(field.holds, Holds::Other(_)));
        return (can && fields.len() == wanted).then(|| (0..wanted).collect());
    }
    if wanted > 1 {
        return together(fields, wanted);
    }
    let known = LENGTHS.iter().find_map(|name| called(fields, name, Holds::Numbers));
    let content = |holds| CONTENTS.iter().find_map(move |name| called(fields, name, holds));
    let counted = |holds| LENGTHS.iter().find_map(move |name| called(fields, name, holds));
    let found = known.or_else(|| content(Holds::Lists)).or_else(|| content(Holds::Texts));
    if let Some(found) = found.or_else(|| counted(Holds::Lists)) {
        return Some(vec![found]);
    }
    // A text called "length" is a number in quotes, not words.
    let is_length = |field: &Field| LENGTHS.contains(&kinds::plain(&field.name).as_str());
    let can = |field: &Field| match field.holds {
        Holds::Other(_) => false,
        Holds::Texts => !is_length(field),
        Holds::Numbers | Holds::Lists => true,
    };
    let mut can = (0..fields.len()).filter(|i| can(&fields[*i]));
    let (only, more) = (can.next()?, can.next());
    let name = shorten(fields[only].name.as_bytes());
    more.is_none().then(|| {
        tally.note(Note::Guessed { name });
        vec![only]
    })
}

/// Returns the columns whose names belong together: numbers, or else lists and texts.
fn together(fields: &[Field], wanted: usize) -> Option<Vec<usize>> {
    let among = |can: fn(Holds) -> bool| {
        let places: Vec<usize> = (0..fields.len()).filter(|i| can(fields[*i].holds)).collect();
        let names: Vec<&str> = places.iter().map(|i| fields[*i].name.as_str()).collect();
        Some(kinds::find(&names, wanted)?.into_iter().map(|i| places[i]).collect())
    };
    among(|holds| holds == Holds::Numbers).or_else(|| among(|holds| !matches!(holds, Holds::Other(_))))
}

fn called(fields: &[Field], name: &str, holds: Holds) -> Option<usize> {
    fields.iter().position(|field| field.holds == holds && kinds::plain(&field.name) == name)
}

fn described(column: &Column) -> String {
    match column {
        Column::Number(_) => column.to_string(),
        Column::Name(_) => format!("column {column}"),
    }
}

/// Returns the error for columns that cannot be read, with a list of the columns.
fn refused(fields: &[Field], what: String) -> Error {
    let one = |field: &Field| {
        let holds = match field.holds {
            Holds::Numbers => "numbers",
            Holds::Lists => "lists",
            Holds::Texts => "text",
            Holds::Other(what) => what,
        };
        format!("{} ({holds})", shorten(field.name.as_bytes()))
    };
    let shown: Vec<String> = fields.iter().take(20).map(one).collect();
    let more = if fields.len() > 20 { ", …" } else { "" };
    let message = match shown.len() {
        0 => format!("{what}; there are no columns"),
        _ => format!("{what}; the columns are: {}{more}", shown.join(", ")),
    };
    Error::Input { place: "the columns".to_owned(), message }
}

/// Returns a whole number as a cell.
pub(super) fn signed(n: i64) -> Value {
    u64::try_from(n).map_or(Value::Real(n as f64), Value::Whole)
}

/// Returns a float as a cell.
pub(super) fn real(x: f64) -> Value {
    number::integral(x).map_or(Value::Real(x), Value::Whole)
}
