//! The fields of one record: lengths, labels and masks, read without keeping lists.

use super::{CountText, FieldKind, Labels, TOKENS};
use crate::ingest::Why;
#[cfg(feature = "parquet")]
use crate::ingest::parts::FieldValue;
use crate::ingest::parts::RawRecord;
use crate::tokens::columns;
use crate::tokens::fields::Fields;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

/// The content of a record.
pub(super) struct FieldValues<'r> {
    pub tokens: u32,
    /// Where it is from; empty where it does not say.
    pub source: Cow<'r, str>,
}

/// The fields that are read.
pub(super) struct Wanted<'w> {
    labels: &'w Labels,
    source: Option<&'w str>,
}

/// Returns the beginning of a record, for a message.
pub(super) fn begun(raw: RawRecord<'_>) -> &[u8] {
    match raw {
        RawRecord::Line(text) | RawRecord::Json(text) => text,
        RawRecord::Row(row) => row.begun(),
    }
}

impl<'w> Wanted<'w> {
    pub fn new(labels: &'w Labels, source: Option<&'w str>) -> Self {
        Self { labels, source }
    }

    /// Returns the values of a record, and writes its spans.
    pub fn values<'r>(
        &self,
        raw: RawRecord<'r>,
        names: &[String],
        spans: &mut Vec<Range<u32>>,
    ) -> Result<FieldValues<'r>, Why> {
        spans.clear();
        let json = match raw {
            RawRecord::Json(json) => json,
            RawRecord::Row(_) => return self.of_row(raw, names, spans),
            RawRecord::Line(_) => return Err(Why::UnknownFields),
        };
        let mut seen = FoundFields::default();
        let scan = Record {
            wanted: self,
            seen: &mut seen,
            spans,
        };
        let mut deserializer = serde_json::Deserializer::from_slice(json);
        let scanned = scan
            .deserialize(&mut deserializer)
            .and_then(|()| deserializer.end());
        scanned.map_err(|_| Why::NotJson)?;
        if let Some(why) = seen.refused {
            return Err(Why::Refused(why));
        }
        let no_field = |name: &String| Why::NoField(name.clone());
        let tokens = match self.labels {
            Labels::Pair { prompt, response } => {
                let first = seen.prompt.ok_or_else(|| no_field(prompt))?;
                let second = seen.response.ok_or_else(|| no_field(response))?;
                return Ok(FieldValues {
                    tokens: pair(first, second, spans)?,
                    source: seen.source.unwrap_or_default(),
                });
            }
            Labels::Ignored { labels: name } | Labels::Mask { mask: name } => {
                seen.list.ok_or_else(|| no_field(name))?
            }
            Labels::Texts => return Err(Why::UnknownFields),
        };
        Ok(FieldValues {
            tokens: labelled(tokens, seen.tokens)?,
            source: seen.source.unwrap_or_default(),
        })
    }

    /// Returns the values of a record of texts, which are counted.
    pub fn counted<'r>(
        &self,
        raw: RawRecord<'r>,
        names: &[String],
        count: &CountText<'_>,
        spans: &mut Vec<Range<u32>>,
    ) -> Result<FieldValues<'r>, Why> {
        let fields = Fields::parse(raw, names).map_err(|(_, why)| why)?;
        let (tokens, found) = count(&fields.json()).map_err(Why::Refused)?;
        let tokens = u32::try_from(tokens).map_err(|_| Why::TooLong)?;
        if tokens == 0 {
            return Err(Why::NoTokens);
        }
        *spans = found;
        let source = match (raw, self.source) {
            (_, None) => Cow::Borrowed(""),
            (RawRecord::Json(_), Some(name)) => match &fields {
                Fields::Json(value, _) => Cow::Owned(text_of(value.get(name))),
                _ => Cow::Borrowed(""),
            },
            (raw, Some(name)) => {
                Cow::Owned(cell(raw, names, name).unwrap_or_default().into_owned())
            }
        };
        Ok(FieldValues { tokens, source })
    }

    /// Returns the values of a row, which has the lengths of a prompt and its response.
    fn of_row<'r>(
        &self,
        raw: RawRecord<'r>,
        names: &[String],
        spans: &mut Vec<Range<u32>>,
    ) -> Result<FieldValues<'r>, Why> {
        let Labels::Pair { prompt, response } = self.labels else {
            return Err(Why::UnknownFields);
        };
        let number = |name: &String| {
            let cell = cell(raw, names, name).ok_or_else(|| Why::NoColumn(name.clone()))?;
            let number = cell.trim().parse::<f64>().ok().and_then(whole);
            number.ok_or_else(|| Why::NoNumber(name.clone()))
        };
        let (first, second) = (number(prompt)?, number(response)?);
        let source = self.source.and_then(|name| cell(raw, names, name));
        Ok(FieldValues {
            tokens: pair(first, second, spans)?,
            source: source.unwrap_or_default(),
        })
    }
}

/// Returns the tokens of a prompt with its response, of which the response bears loss.
pub(super) fn pair(prompt: u64, response: u64, spans: &mut Vec<Range<u32>>) -> Result<u32, Why> {
    let tokens = prompt
        .checked_add(response)
        .and_then(|sum| u32::try_from(sum).ok());
    let tokens = tokens.ok_or(Why::TooLong)?;
    if tokens == 0 {
        return Err(Why::NoTokens);
    }
    if response > 0 {
        spans.push(prompt as u32..tokens);
    }
    Ok(tokens)
}

/// Returns the tokens of a record from its number of labels, and of tokens if they are there too.
pub(super) fn labelled(labels: u64, tokens: Option<u64>) -> Result<u32, Why> {
    if tokens.is_some_and(|tokens| tokens != labels) {
        let message = "there are not as many labels as tokens; expected a list with an element for each token";
        return Err(Why::Refused(message.to_owned()));
    }
    match u32::try_from(labels) {
        Ok(0) => Err(Why::NoTokens),
        Ok(labels) => Ok(labels),
        Err(_) => Err(Why::TooLong),
    }
}

/// Adds a token to spans before it.
pub(super) fn add_to(spans: &mut Vec<Range<u32>>, at: u32) {
    match spans.last_mut() {
        Some(last) if last.end == at => last.end = at.saturating_add(1),
        _ => spans.push(at..at.saturating_add(1)),
    }
}

/// Returns the length that a value of a typed column is, or that a list has.
#[cfg(feature = "parquet")]
pub(super) fn length(value: &FieldValue) -> Option<u64> {
    match value {
        FieldValue::Number(x) => whole(*x),
        FieldValue::Numbers(list) => Some(list.len() as u64),
        FieldValue::Text(_) | FieldValue::Other => None,
    }
}

/// Returns a number that is whole and not negative.
fn whole(x: f64) -> Option<u64> {
    (x >= 0.0 && x <= f64::from(u32::MAX) && x.fract() == 0.0).then_some(x as u64)
}

/// Returns a cell of a row by the name of its column.
fn cell<'r>(raw: RawRecord<'r>, names: &[String], name: &str) -> Option<Cow<'r, str>> {
    let RawRecord::Row(row) = raw else {
        return None;
    };
    let at = columns::place(names, name).filter(|at| *at < row.len())?;
    Some(String::from_utf8_lossy(row.get(at)))
}

fn text_of(value: Option<&serde_json::Value>) -> String {
    match value {
        Some(serde_json::Value::String(text)) => text.clone(),
        None | Some(serde_json::Value::Null) => String::new(),
        Some(other) => other.to_string(),
    }
}

/// Returns the fields of a record with what they hold.
pub(super) fn kinds(raw: RawRecord<'_>, names: &[String]) -> Vec<(String, FieldKind)> {
    if let RawRecord::Row(row) = raw {
        let kind = |cell: &[u8]| {
            let text = String::from_utf8_lossy(cell);
            match text.trim().parse::<f64>() {
                Ok(_) => FieldKind::Number,
                Err(_) => FieldKind::Text,
            }
        };
        let cells = names.iter().enumerate().filter(|(at, _)| *at < row.len());
        return cells
            .map(|(at, name)| (name.clone(), kind(row.get(at))))
            .collect();
    }
    let Ok(serde_json::Value::Object(record)) = serde_json::from_slice(begun(raw)) else {
        return Vec::new();
    };
    let kind = |value: &serde_json::Value| match value {
        serde_json::Value::Number(_) => FieldKind::Number,
        serde_json::Value::String(_) => FieldKind::Text,
        serde_json::Value::Array(list)
            if list.first().is_some_and(serde_json::Value::is_object) =>
        {
            FieldKind::Objects
        }
        serde_json::Value::Array(list) if list.iter().all(|e| e.is_number() || e.is_boolean()) => {
            FieldKind::List
        }
        _ => FieldKind::Other,
    };
    record
        .iter()
        .map(|(name, value)| (name.clone(), kind(value)))
        .collect()
}

/// The fields that were found in a record.
#[derive(Default)]
struct FoundFields {
    prompt: Option<u64>,
    response: Option<u64>,
    /// Elements of the list of labels.
    list: Option<u64>,
    /// Elements of the list of tokens.
    tokens: Option<u64>,
    source: Option<Cow<'static, str>>,
    /// The reason why the record is of no use.
    refused: Option<String>,
}

/// Scans an object for its fields.
struct Record<'s, 'w> {
    wanted: &'s Wanted<'w>,
    seen: &'s mut FoundFields,
    spans: &'s mut Vec<Range<u32>>,
}

impl<'de> DeserializeSeed<'de> for Record<'_, '_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Record<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Self {
            wanted,
            seen,
            spans,
        } = self;
        while let Some(name) = map.next_key::<Cow<'_, str>>()? {
            let name = name.as_ref();
            if wanted.source == Some(name) {
                let value: serde_json::Value = map.next_value()?;
                seen.source = Some(Cow::Owned(text_of(Some(&value))));
                continue;
            }
            match wanted.labels {
                Labels::Pair { prompt, .. } if prompt == name => {
                    seen.prompt = Some(map.next_value_seed(Measured(Elements::Any))?.0);
                }
                Labels::Pair { response, .. } if response == name => {
                    seen.response = Some(map.next_value_seed(Measured(Elements::Any))?.0);
                }
                Labels::Ignored { labels: list } | Labels::Mask { mask: list } if list == name => {
                    let ignored = wanted.labels.ignored().unwrap_or_default();
                    let (length, nested) =
                        map.next_value_seed(Measured(Elements::Unlike(ignored, spans)))?;
                    (seen.list, seen.refused) = (Some(length), nested.then(is_nested));
                }
                Labels::Ignored { .. } | Labels::Mask { .. } if TOKENS.contains(&name) => {
                    seen.tokens = Some(map.next_value_seed(Measured(Elements::Any))?.0);
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }
}

fn is_nested() -> String {
    "it holds lists in a list; expected one number for each token".to_owned()
}

/// What is asked of the elements of a list.
enum Elements<'s> {
    /// Their number alone.
    Any,
    /// The spans of those that are not this number.
    Unlike(f64, &'s mut Vec<Range<u32>>),
}

/// Measures a number, which is itself, or a list, which is as long as it has elements; and says whether elements were no
/// numbers.
struct Measured<'s>(Elements<'s>);

impl<'de> DeserializeSeed<'de> for Measured<'_> {
    type Value = (u64, bool);
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(u64, bool), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Measured<'_> {
    type Value = (u64, bool);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a length, or a list with an element for each token")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Self::Value, E> {
        Ok((number, false))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Self::Value, E> {
        Err(E::custom(format!("{number} is no length")))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Self::Value, E> {
        let whole = whole(number).ok_or_else(|| E::custom("no whole number"))?;
        Ok((whole, false))
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut seq: A) -> Result<Self::Value, A::Error> {
        let (mut length, mut nested) = (0u64, false);
        while let Some(element) = seq.next_element::<Element>()? {
            if let Elements::Unlike(ignored, spans) = &mut self.0 {
                let at = u32::try_from(length).map_err(|_| A::Error::custom("too long"))?;
                match element.0 {
                    None => nested = true,
                    Some(number) if number == *ignored => {}
                    Some(_) => add_to(spans, at),
                }
            }
            length += 1;
        }
        Ok((length, nested))
    }
}

/// An element: a number, or a truth as 1 or 0; `None` of anything else.
struct Element(Option<f64>);

impl<'de> serde::Deserialize<'de> for Element {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ElementVisitor)
    }
}

struct ElementVisitor;

impl<'de> Visitor<'de> for ElementVisitor {
    type Value = Element;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number")
    }

    fn visit_bool<E: Error>(self, truth: bool) -> Result<Element, E> {
        Ok(Element(Some(f64::from(u8::from(truth)))))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Element, E> {
        Ok(Element(Some(number as f64)))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Element, E> {
        Ok(Element(Some(number as f64)))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Element, E> {
        Ok(Element(Some(number)))
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<Element, E> {
        Ok(Element(None))
    }

    fn visit_unit<E: Error>(self) -> Result<Element, E> {
        Ok(Element(None))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Element, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Element(None))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Element, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Element(None))
    }
}
