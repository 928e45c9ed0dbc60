//! JSON values into sizes and counts, for the elements of an array and for lines.

use super::columns;
use super::kinds;
use super::note::Note;
use super::number::{self, Fault};
use super::options::{Column, Counts, Options};
use super::problem::{Place, Why};
use super::split::{Element, Shape};
use super::tally::Tally;
use super::value::{self, Pick, Value};
use crate::histogram::Size;

/// Fields measured by their contents, tried after those that hold a length.
pub(super) const CONTENTS: [&str; 8] =
    ["input_ids", "token_ids", "ids", "tokens", "text", "content", "prompt", "sequence"];

/// The reader of JSON values.
#[derive(Debug)]
pub(super) struct Records {
    /// The columns of the sizes; empty until the first record is read, and where whole values are lengths.
    sizes: Vec<Column>,
    count: Option<Column>,
    /// Whether the sizes of the first record were numbers: then a text or a list is not a size.
    numbers: bool,
    /// Whether the choice of the count is left to detection.
    free_count: bool,
    scratch: Vec<u8>,
}

impl Records {
    pub fn new<const K: usize>(options: &Options, tally: &mut Tally<K>) -> Self {
        let count = match &options.count {
            Some(Counts::Column(column)) => Some(column.clone()),
            _ => None,
        };
        tally.selected(options.sizes.clone(), count.clone());
        let sizes = options.sizes.clone();
        let free_count = options.count.is_none();
        Self { sizes, count, numbers: false, free_count, scratch: Vec::new() }
    }

    /// Counts an element found by the splitter.
    pub fn element<const K: usize>(&mut self, shape: Shape, element: Element<'_>, tally: &mut Tally<K>) {
        let Element { text, place, .. } = element;
        match element.fault() {
            Some(why) => tally.problem(place, text, why),
            None if text.is_empty() => tally.problem(place, text, tally.wrong(0, Fault::Missing)),
            None if shape == Shape::Map => self.member(text, place, tally),
            None => self.record(text, place, tally),
        }
    }

    /// Counts one JSON text.
    pub fn record<const K: usize>(&mut self, text: &[u8], place: Place, tally: &mut Tally<K>) {
        match self.measure(text, tally) {
            Ok((size, count)) => tally.add(size, count),
            Err((found, why)) => tally.problem(place, found.as_deref().unwrap_or(text), why),
        }
    }

    /// Counts a member `"length": count` of an object.
    fn member<const K: usize>(&mut self, text: &[u8], place: Place, tally: &mut Tally<K>) {
        self.scratch.clear();
        self.scratch.extend_from_slice(b"{");
        self.scratch.extend_from_slice(text);
        self.scratch.extend_from_slice(b"}");
        let fields = value::fields(&self.scratch).unwrap_or_default();
        let [(name, value)] = fields.as_slice() else {
            return tally.problem(place, text, Why::NotJson);
        };
        match (number::size(name.as_bytes(), 1), count(*value)) {
            // Only lengths are keys, so there is one component.
            (Ok(length), Ok(count)) => tally.add([length; K], count),
            (Err(fault), _) => tally.problem(place, name.as_bytes(), tally.wrong(0, fault)),
            (_, Err((found, why))) => tally.problem(place, found.as_deref().unwrap_or(text), why),
        }
    }

    fn measure<const K: usize>(
        &mut self,
        text: &[u8],
        tally: &mut Tally<K>,
    ) -> Result<(Size<K>, u64), Found> {
        let whole = if self.sizes.is_empty() { self.detect(text, tally)? } else { None };
        let mut size = [0; K];
        for (k, slot) in size.iter_mut().enumerate() {
            let column = self.sizes.get(k);
            let value = whole.map_or_else(|| look(text, column), Ok)?;
            let by_place = K > 1 && matches!(column, Some(Column::Number(_)));
            *slot = measured(value, k, !by_place && !self.numbers, tally)
                .map_err(|found| self.missing(found, text, column))?;
        }
        let Some(column) = &self.count else {
            return Ok((size, 1));
        };
        let count = count(look(text, Some(column))?);
        Ok((size, count.map_err(|found| self.missing(found, text, Some(column)))?))
    }

    /// Decides on the columns of the sizes from the first record, or returns a value that is the length itself.
    fn detect<const K: usize>(&mut self, text: &[u8], tally: &mut Tally<K>) -> Result<Option<Value>, Found> {
        match look(text, None)? {
            Value::Object => self.fields(text, tally).map(|()| None),
            value if K == 1 => {
                self.numbers |= value.is_number();
                Ok(Some(value))
            }
            Value::Elements(n) if n >= K as u64 => {
                self.elements(n, tally);
                Ok(None)
            }
            _ => Err((None, Why::NoSizes(K as u32))),
        }
    }

    /// Takes the first elements of arrays for the sizes; one more is the count.
    fn elements<const K: usize>(&mut self, elements: u64, tally: &mut Tally<K>) {
        let sizes = K as u32;
        let count = self.free_count && elements == K as u64 + 1;
        if count {
            self.count = Some(Column::Number(sizes + 1));
        }
        self.sizes = (1..=sizes).map(Column::Number).collect();
        tally.note(Note::Arrays { elements, sizes, count });
        tally.selected(self.sizes.clone(), self.count.clone());
    }

    /// Takes the first fields with known names for the sizes.
    fn fields<const K: usize>(&mut self, text: &[u8], tally: &mut Tally<K>) -> Result<(), Found> {
        let fields = value::fields(text).map_err(|_| (None, Why::NotJson))?;
        let misused = columns::LENGTHS.iter().find_map(|name| called(&fields, name));
        let unknown = || match misused {
            _ if K > 1 => Why::UnknownSizes(K as u32),
            Some((name, _)) => Why::NoNumber(super::problem::shorten(name.as_bytes())),
            None => Why::UnknownFields,
        };
        let sizes = if K == 1 { length_of(&fields) } else { sizes_of(&fields, K) };
        let sizes = sizes.ok_or_else(|| (Some(list(&fields)), unknown()))?;
        self.numbers = sizes.iter().all(|(_, value)| value.is_number());
        // Beside a text, a field called "n" is hardly its number of copies.
        if self.free_count && self.numbers {
            let counts = columns::COUNTS.iter().find_map(|n| called(&fields, n));
            self.count = counts.map(|(count, _)| Column::Name(count.clone()));
        }
        self.sizes = sizes.iter().map(|(name, _)| Column::Name(name.clone())).collect();
        let names = sizes.iter().map(|(name, _)| super::problem::shorten(name.as_bytes()));
        tally.note(Note::fields(names.collect()));
        tally.selected(self.sizes.clone(), self.count.clone());
        Ok(())
    }

    /// Turns a missing field into a problem that lists the present fields.
    fn missing(&self, found: Found, text: &[u8], column: Option<&Column>) -> Found {
        match (found, column) {
            ((None, Why::NoLength | Why::NoCount | Why::NoSize { .. }), Some(Column::Name(name))) => {
                let fields = value::fields(text).map_or_else(|_| text.to_vec(), |f| list(&f));
                (Some(fields), Why::NoField(super::problem::shorten(name.as_bytes())))
            }
            (found, _) => found,
        }
    }
}

/// The offending text, unless it is the whole record, and the reason.
pub(super) type Found = (Option<Vec<u8>>, Why);

fn look(text: &[u8], column: Option<&Column>) -> Result<Value, Found> {
    let pick = match column {
        None => Pick::All,
        Some(Column::Number(n)) => Pick::Nth(*n),
        Some(Column::Name(name)) => Pick::Field(name),
    };
    pick.look(text)
        .map_err(|_| (None, if std::str::from_utf8(text).is_ok() { Why::NotJson } else { Why::NotUtf8 }))
}

type Field = (String, Value);

/// Returns the field of this name, if it can be measured.
fn called<'a>(fields: &'a [Field], name: &str) -> Option<&'a Field> {
    fields.iter().find(|(n, v)| n.eq_ignore_ascii_case(name) && v.is_measure())
}

/// Returns the field of the length.
fn length_of(fields: &[Field]) -> Option<Vec<&Field>> {
    // A list or a text called "length" is none: it may be a column of a table, or a number in quotes.
    let number = |name: &&str| called(fields, name).filter(|(_, value)| value.is_number());
    let lengths = columns::LENGTHS.iter().find_map(number);
    let field = lengths.or_else(|| CONTENTS.iter().find_map(|name| called(fields, name)));
    field.map(|field| vec![field])
}

/// Returns the fields of several sizes: numbers, or else fields that can be measured.
fn sizes_of(fields: &[Field], wanted: usize) -> Option<Vec<&Field>> {
    let among = |can: fn(Value) -> bool| {
        let fields: Vec<&Field> = fields.iter().filter(|(_, value)| can(*value)).collect();
        let names: Vec<&str> = fields.iter().map(|(name, _)| name.as_str()).collect();
        Some(kinds::find(&names, wanted)?.into_iter().map(|i| fields[i]).collect())
    };
    among(Value::is_number).or_else(|| among(Value::is_measure))
}

/// Returns the size of component `k`; arrays and strings are measured if `contents`.
pub(super) fn measured<const K: usize>(
    value: Value,
    k: usize,
    contents: bool,
    tally: &mut Tally<K>,
) -> Result<u32, Found> {
    let n = match value {
        Value::Whole(n) => Some(n),
        Value::Real(x) => number::integral(x),
        Value::Elements(n) if contents => {
            tally.note(Note::Elements);
            Some(n)
        }
        Value::Characters(n) if contents => {
            tally.note(Note::Characters);
            Some(n)
        }
        Value::Words(n) if contents => {
            tally.note(Note::Words);
            Some(n)
        }
        Value::Missing => return Err((None, tally.wrong(k, Fault::Missing))),
        _ => None,
    };
    let size = n.and_then(|n| number::narrow(n, u32::from(k == 0)));
    size.ok_or_else(|| (Some(shown(value)), tally.wrong(k, Fault::Wrong)))
}

pub(super) fn count(value: Value) -> Result<u64, Found> {
    let n = match value {
        Value::Whole(n) => Some(n),
        Value::Real(x) => number::integral(x),
        Value::Missing => return Err((None, Why::NoCount)),
        _ => None,
    };
    n.ok_or_else(|| (Some(shown(value)), Why::Count))
}

/// Returns the value as a problem quotes it.
fn shown(value: Value) -> Vec<u8> {
    let text = match value {
        Value::Whole(n) => n.to_string(),
        // Negative whole numbers arrive as floats; nobody wrote their ".0".
        Value::Real(x) if x.fract() == 0.0 && x.abs() < 1e15 => x.to_string(),
        Value::Real(x) => format!("{x:?}"),
        Value::Elements(0) => "[]".to_owned(),
        Value::Elements(_) => "[…]".to_owned(),
        Value::Characters(0) | Value::Words(0) => "an empty string".to_owned(),
        Value::Characters(_) | Value::Words(_) => "a string".to_owned(),
        Value::Object => "{…}".to_owned(),
        Value::Null => "null".to_owned(),
        Value::Bool(b) => b.to_string(),
        Value::Missing => String::new(),
    };
    text.into_bytes()
}

fn list(fields: &[(String, Value)]) -> Vec<u8> {
    let names: Vec<&str> = fields.iter().map(|(name, _)| name.as_str()).collect();
    names.join(", ").into_bytes()
}
