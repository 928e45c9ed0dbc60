//! The measure of a JSON value, found without building the value.
//!
//! A record of a tokenised data set is an array of thousands of numbers; `serde_json::Value` would
//! allocate for each. The visitor here only counts.

use super::component_names;
use super::names;
use super::nested::Inner;
use super::split::{Element, JsonShape, Splitter};
use super::text;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt;

/// A field of an object: its name, or the path to it, and its value.
pub(super) type ObjectField = (String, Value);

/// A value found where a number is expected.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Value {
    Whole(u64),
    /// Negative or fractional, as JSON numbers may be.
    Real(f64),
    /// An array, by its number of elements.
    Elements(u64),
    /// An array whose elements are not tokens, and their number.
    Nested(Inner, u64),
    /// A text, by its number of words and punctuation marks.
    Words(u64),
    /// A text without spaces, whose length in words is unknown.
    NoSpaces,
    /// A text that is a whole number.
    Quoted(u64),
    /// A text that is another number, a list or a record.
    Data,
    Object,
    Null,
    Bool(bool),
    Missing,
}

impl Value {
    /// Whether it can be a length.
    pub fn is_measure(self) -> bool {
        self.is_number()
            || matches!(
                self,
                Self::Elements(_) | Self::Words(_) | Self::NoSpaces | Self::Quoted(_) | Self::Data
            )
    }

    /// Measures a text.
    pub fn of_text(text: &[u8]) -> Self {
        let is_whole = !text.is_empty() && text.len() < 20 && text.iter().all(u8::is_ascii_digit);
        let whole = || std::str::from_utf8(text).ok()?.parse().ok();
        match text::count(text) {
            _ if is_whole && let Some(n) = whole() => Self::Quoted(n),
            _ if text::is_data(text) => Self::Data,
            None => Self::NoSpaces,
            Some(words) => Self::Words(words),
        }
    }

    /// Whether it is a number.
    pub fn is_number(self) -> bool {
        matches!(self, Self::Whole(_) | Self::Real(_))
    }
}

/// Returns JSON text with replacement characters for lone surrogates, which Python's `json.dumps`
/// writes and no UTF-8 has: they are parts of texts, and the numbers beside them are sound. Nothing
/// is copied without one.
pub(super) fn without_surrogates(text: &[u8]) -> Cow<'_, [u8]> {
    let unit = |at: usize| {
        let digits = text.get(at..at + 6)?.strip_prefix(b"\\u")?;
        u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
    };
    let (mut at, mut copy) = (0, None::<Vec<u8>>);
    while let Some(found) = text.get(at..).and_then(|rest| memchr::memchr(b'\\', rest)) {
        at += found;
        at += match (unit(at), unit(at + 6)) {
            (Some(0xd800..0xdc00), Some(0xdc00..0xe000)) => 12,
            (Some(0xd800..0xe000), _) => {
                // Six bytes by six, so that positions in the text stay.
                copy.get_or_insert_with(|| text.to_vec())[at + 2..at + 6].copy_from_slice(b"fffd");
                6
            }
            // Another escape, of which the second byte may be a backslash.
            _ => 2,
        };
    }
    copy.map_or(Cow::Borrowed(text), Cow::Owned)
}

/// A path into a value.
#[derive(Debug, Clone, Copy)]
pub(super) enum Pick<'a> {
    /// The value itself.
    All,
    /// The value itself; an array counts by its elements of any kind, since nodes may be objects, and edges pairs.
    Outer,
    /// The value itself, whose arrays hold lengths, not tokens.
    Lengths,
    /// The element of an array, from 1.
    Nth(u32),
    /// A field of an object: its name, or the names on the path to it, joined by dots.
    Field(&'a str),
    /// The first of the arrays in an array: of an `edge_index`, which lists the ends of edges in two rows.
    Row,
}

impl Pick<'_> {
    /// Returns the path into the value of a field of this name.
    fn new(name: &str) -> Pick<'static> {
        match () {
            () if component_names::is_edge_index(name) => Pick::Row,
            () if component_names::is_part_of_graph(name) => Pick::Outer,
            () if names::are_lengths(name) => Pick::Lengths,
            () => Pick::All,
        }
    }
}

impl Pick<'_> {
    /// Extracts the value from one JSON text.
    pub fn look(self, text: &[u8]) -> serde_json::Result<Value> {
        let mut json = serde_json::Deserializer::from_slice(text);
        let value = self.deserialize(&mut json)?;
        // `end` refuses anything after the value.
        json.end().map(|()| value)
    }

    fn is_whole(self) -> bool {
        matches!(self, Self::All | Self::Outer | Self::Lengths)
    }

    fn scalar(self, value: Value) -> Value {
        if self.is_whole() {
            value
        } else {
            Value::Missing
        }
    }

    /// Measures an array by its number of elements and its first element that is not null.
    fn array(self, elements: u64, first: Value) -> Value {
        match (self, first) {
            // The number of messages in a conversation would else be read as its tokens.
            (Self::All, Value::Object) => Value::Nested(Inner::Objects, elements),
            // A batch of one, as a tokenizer returns it for a single text.
            (Self::All, Value::Elements(_)) if elements == 1 => first,
            (Self::All, Value::Elements(_) | Value::Nested(..)) => {
                Value::Nested(Inner::Lists, elements)
            }
            (Self::All, Value::Real(_)) => Value::Nested(Inner::Fractions, elements),
            (Self::Lengths, _) if elements > 0 => Value::Nested(Inner::Lengths, elements),
            _ => self.scalar(Value::Elements(elements)),
        }
    }
}

impl<'de> DeserializeSeed<'de> for Pick<'_> {
    type Value = Value;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Pick<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_u64<E: Error>(self, n: u64) -> Result<Value, E> {
        Ok(self.scalar(Value::Whole(n)))
    }

    // serde passes only negative numbers here; a length cannot be one.
    fn visit_i64<E: Error>(self, n: i64) -> Result<Value, E> {
        Ok(self.scalar(Value::Real(n as f64)))
    }

    fn visit_f64<E: Error>(self, x: f64) -> Result<Value, E> {
        Ok(self.scalar(Value::Real(x)))
    }

    fn visit_str<E: Error>(self, s: &str) -> Result<Value, E> {
        // Words that are not requested need not be counted.
        Ok(if self.is_whole() {
            Value::of_text(s.as_bytes())
        } else {
            Value::Missing
        })
    }

    fn visit_bool<E: Error>(self, b: bool) -> Result<Value, E> {
        Ok(self.scalar(Value::Bool(b)))
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(self.scalar(Value::Null))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let nth = match self {
            Self::Nth(n) => u64::from(n),
            Self::Row => 1,
            _ => 0,
        };
        let (mut found, mut first, mut elements) = (Value::Missing, Value::Null, 0);
        loop {
            elements += 1;
            if elements == nth {
                match seq.next_element_seed(Pick::All)? {
                    Some(value) => found = value,
                    None => break,
                }
            } else if matches!(self, Self::All) && first == Value::Null {
                // The kind of the first element that is not null stands for all: a list is not read
                // twice.
                match seq.next_element_seed(Pick::All)? {
                    Some(value) => first = value,
                    None => break,
                }
            } else if seq.next_element::<IgnoredAny>()?.is_none() {
                break;
            }
        }
        Ok(match (self, found) {
            (Self::Row, Value::Elements(_)) => found,
            (Self::Row, _) => Value::Missing,
            _ if nth == 0 => self.array(elements - 1, first),
            _ => found,
        })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let (mut exact, mut nested) = (None, Value::Missing);
        let Self::Field(path) = self else {
            // The rest of the object must be read, or the parser would stop in the middle.
            while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
            return Ok(self.scalar(Value::Object));
        };
        while let Some(key) = map.next_key_seed(Key(path))? {
            match key {
                // A field whose name is the whole path comes before the path into objects.
                Some("") => exact = Some(map.next_value_seed(Pick::new(path))?),
                Some(rest) => nested = map.next_value_seed(Pick::Field(rest))?,
                None => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(exact.unwrap_or(nested))
    }
}

/// Compares a key with a path: `Some("")` if it is the whole path, `Some(rest)` if it is its beginning.
struct Key<'a>(&'a str);

impl<'de, 'a> DeserializeSeed<'de> for Key<'a> {
    type Value = Option<&'a str>;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'a> Visitor<'_> for Key<'a> {
    type Value = Option<&'a str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<Self::Value, E> {
        let rest = self.0.strip_prefix(key);
        // The dot must be followed by something, or the path would match a key that it does not name.
        Ok(rest.and_then(|r| {
            if r.is_empty() {
                Some(r)
            } else {
                r.strip_prefix('.').filter(|r| !r.is_empty())
            }
        }))
    }
}

/// Returns the fields of an object and their values, in order.
pub(super) fn fields(text: &[u8]) -> serde_json::Result<Vec<ObjectField>> {
    walk(text, 1)
}

/// The maximum depth of nested objects that are listed.
const DEEP: u8 = 4;

/// As [`fields`], with the fields of nested objects in place of the objects, by their paths: `a.b.c`.
pub(super) fn paths(text: &[u8]) -> serde_json::Result<Vec<ObjectField>> {
    walk(text, DEEP)
}

fn walk(text: &[u8], depth: u8) -> serde_json::Result<Vec<ObjectField>> {
    let mut fields = Vec::new();
    list("", text, depth, &mut fields)?;
    Ok(fields)
}

/// Lists the fields of an object at this path, and of nested objects up to a depth.
fn list(
    path: &str,
    object: &[u8],
    depth: u8,
    fields: &mut Vec<ObjectField>,
) -> serde_json::Result<()> {
    let (mut splitter, mut outcome) = (Splitter::new(JsonShape::Map), Ok(()));
    let mut each = |member: Element<'_>| {
        if outcome.is_ok() {
            outcome = field(path, member.text, depth, fields);
        }
    };
    splitter.push(object, &mut each);
    splitter.finish(&mut each);
    outcome
}

fn field(
    path: &str,
    member: &[u8],
    depth: u8,
    fields: &mut Vec<ObjectField>,
) -> serde_json::Result<()> {
    let (name, value) =
        self::member(member).ok_or_else(|| Error::custom("a member has no key or no value"))?;
    let pick = Pick::new(&name);
    let path = if path.is_empty() {
        name
    } else {
        format!("{path}.{name}")
    };
    match value.first() {
        Some(b'{') if depth > 1 => list(&path, value, depth - 1, fields),
        _ => pick.look(value).map(|value| fields.push((path, value))),
    }
}

/// Splits a member of an object into its key and its value.
pub(super) fn member(text: &[u8]) -> Option<(String, &[u8])> {
    // The key is JSON on its own; the value is what follows it.
    let mut keys = serde_json::Deserializer::from_slice(text).into_iter::<String>();
    let name = keys.next()?.ok()?;
    let rest = text[keys.byte_offset()..].trim_ascii_start();
    Some((name, rest.strip_prefix(b":")?.trim_ascii()))
}
