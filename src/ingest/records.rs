//! JSON values into lengths and counts: the same for the elements of an array and for lines.

use super::columns;
use super::description::Note;
use super::number;
use super::options::{Column, Counts, Options};
use super::problem::{Place, Why};
use super::split::{Element, Fate, Shape};
use super::tally::Tally;
use super::value::{self, Pick, Value};

/// Fields whose content is measured, tried after those that hold a length.
const CONTENTS: [&str; 8] =
    ["input_ids", "token_ids", "ids", "tokens", "text", "content", "prompt", "sequence"];

/// The reader of single JSON values.
#[derive(Debug)]
pub(super) struct Records {
    length: Option<Column>,
    count: Option<Column>,
    /// Whether the visitor left the choice of the count to us.
    free_count: bool,
    scratch: Vec<u8>,
}

impl Records {
    pub fn new(options: &Options, tally: &mut Tally) -> Self {
        let count = match &options.count {
            Some(Counts::Column(column)) => Some(column.clone()),
            _ => None,
        };
        tally.selected(options.length.clone(), count.clone());
        let length = options.length.clone();
        Self { length, count, free_count: options.count.is_none(), scratch: Vec::new() }
    }

    /// An element that the splitter found.
    pub fn element(&mut self, shape: Shape, element: Element<'_>, tally: &mut Tally) {
        let Element { text, place, fate } = element;
        match fate {
            Fate::Whole if text.is_empty() => tally.problem(place, text, Why::NoLength),
            Fate::Whole if shape == Shape::Map => self.member(text, place, tally),
            Fate::Whole => self.record(text, place, tally),
            Fate::Overlong => tally.problem(place, text, Why::TooLong),
            Fate::Unfinished => tally.problem(place, text, Why::Unfinished),
            Fate::Trailing => tally.problem(place, text, Why::Trailing),
        }
    }

    /// One JSON text.
    pub fn record(&mut self, text: &[u8], place: Place, tally: &mut Tally) {
        match self.measure(text, tally) {
            Ok((length, count)) => tally.add(length, count),
            Err((found, why)) => tally.problem(place, found.as_deref().unwrap_or(text), why),
        }
    }

    /// A member `"length": count` of an object.
    fn member(&mut self, text: &[u8], place: Place, tally: &mut Tally) {
        self.scratch.clear();
        self.scratch.extend_from_slice(b"{");
        self.scratch.extend_from_slice(text);
        self.scratch.extend_from_slice(b"}");
        let fields = value::fields(&self.scratch).unwrap_or_default();
        let [(name, value)] = fields.as_slice() else {
            return tally.problem(place, text, Why::NotJson);
        };
        match (number::length(name.as_bytes()), count(*value)) {
            (Ok(length), Ok(count)) => tally.add(length, count),
            (Err(why), _) => tally.problem(place, name.as_bytes(), why),
            (_, Err((found, why))) => tally.problem(place, found.as_deref().unwrap_or(text), why),
        }
    }

    fn measure(&mut self, text: &[u8], tally: &mut Tally) -> Result<(u32, u64), Found> {
        let mut value = look(text, self.length.as_ref())?;
        if value == Value::Object && self.length.is_none() {
            self.detect(text, tally)?;
            value = look(text, self.length.as_ref())?;
        }
        let length = length(value, tally).map_err(|found| self.missing(found, text, self.length.as_ref()))?;
        let Some(column) = &self.count else {
            return Ok((length, 1));
        };
        let count = count(look(text, Some(column))?);
        Ok((length, count.map_err(|found| self.missing(found, text, Some(column)))?))
    }

    /// The first field with a known name is the length, here and from now on.
    fn detect(&mut self, text: &[u8], tally: &mut Tally) -> Result<(), Found> {
        let fields = value::fields(text).map_err(|_| (None, Why::NotJson))?;
        let find = |name: &str| fields.iter().find(|(n, v)| n.eq_ignore_ascii_case(name) && v.is_measure());
        let mut names = columns::LENGTHS.iter().chain(&CONTENTS);
        let Some((name, value)) = names.find_map(|n| find(n)) else {
            return Err((Some(list(&fields)), Why::UnknownFields));
        };
        // Beside a text, a field called "n" is hardly its number of copies.
        if self.free_count && matches!(value, Value::Whole(_) | Value::Real(_)) {
            let counts = columns::COUNTS.iter().find_map(|n| find(n));
            self.count = counts.map(|(count, _)| Column::Name(count.clone()));
        }
        self.length = Some(Column::Name(name.clone()));
        tally.note(Note::Field { name: super::problem::shorten(name.as_bytes()) });
        tally.selected(self.length.clone(), self.count.clone());
        Ok(())
    }

    /// A field that is not there is told by the fields that are.
    fn missing(&self, found: Found, text: &[u8], column: Option<&Column>) -> Found {
        match (found, column) {
            ((None, Why::NoLength | Why::NoCount), Some(Column::Name(name))) => {
                let fields = value::fields(text).map_or_else(|_| text.to_vec(), |f| list(&f));
                (Some(fields), Why::NoField(super::problem::shorten(name.as_bytes())))
            }
            (found, _) => found,
        }
    }
}

/// What stands in the way: its text, unless the whole record is meant, and why.
type Found = (Option<Vec<u8>>, Why);

fn look(text: &[u8], column: Option<&Column>) -> Result<Value, Found> {
    let pick = match column {
        None => Pick::All,
        Some(Column::Number(n)) => Pick::Nth(*n),
        Some(Column::Name(name)) => Pick::Field(name),
    };
    pick.look(text)
        .map_err(|_| (None, if std::str::from_utf8(text).is_ok() { Why::NotJson } else { Why::NotUtf8 }))
}

fn length(value: Value, tally: &mut Tally) -> Result<u32, Found> {
    let n = match value {
        Value::Whole(n) => Some(n),
        Value::Real(x) => number::integral(x),
        Value::Elements(n) => {
            tally.note(Note::Elements);
            Some(n)
        }
        Value::Characters(n) => {
            tally.note(Note::Characters);
            Some(n)
        }
        Value::Missing => return Err((None, Why::NoLength)),
        Value::Object | Value::Null | Value::Bool(_) => None,
    };
    n.and_then(number::narrow).ok_or_else(|| (Some(shown(value)), Why::Length))
}

fn count(value: Value) -> Result<u64, Found> {
    let n = match value {
        Value::Whole(n) => Some(n),
        Value::Real(x) => number::integral(x),
        Value::Missing => return Err((None, Why::NoCount)),
        _ => None,
    };
    n.ok_or_else(|| (Some(shown(value)), Why::Count))
}

/// The value as a problem quotes it.
fn shown(value: Value) -> Vec<u8> {
    let text = match value {
        Value::Whole(n) => n.to_string(),
        // Negative whole numbers arrive as floats; nobody wrote their ".0".
        Value::Real(x) if x.fract() == 0.0 && x.abs() < 1e15 => x.to_string(),
        Value::Real(x) => format!("{x:?}"),
        Value::Elements(0) => "[]".to_owned(),
        Value::Elements(_) => "[…]".to_owned(),
        Value::Characters(0) => "an empty string".to_owned(),
        Value::Characters(_) => "a string".to_owned(),
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
