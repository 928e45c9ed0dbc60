//! The fields of a record, as text.

use super::columns;
use super::options::TextField;
use super::template::{Template, TemplatePiece};
use super::walk;
use crate::ingest::Why;
use crate::ingest::parts::{RawRecord, Record, shorten};
use serde_json::Value;
use std::borrow::Cow;

/// A record with access to its fields.
pub(super) enum Fields<'a> {
    /// A line of text.
    Line(&'a str),
    /// A row of a table, and the names of its columns, if they have any.
    Row(&'a Record, &'a [String]),
    /// A JSON value, and its text.
    Json(Value, &'a [u8]),
}

/// The offending text, unless it is the whole record, and the reason.
pub(super) type Wrong = (Option<String>, Why);

impl<'a> Fields<'a> {
    /// Parses a record.
    ///
    /// # Errors
    /// When the record is not UTF-8, or not valid JSON in a JSON format.
    pub fn parse(raw: RawRecord<'a>, names: &'a [String]) -> Result<Self, Wrong> {
        match raw {
            RawRecord::Line(line) => std::str::from_utf8(line)
                .map(Self::Line)
                .map_err(|_| (None, Why::NotUtf8)),
            RawRecord::Row(row) => Ok(Self::Row(row, names)),
            RawRecord::Json(text) if std::str::from_utf8(text).is_err() => {
                Err((None, Why::NotUtf8))
            }
            RawRecord::Json(text) => match serde_json::from_slice(text) {
                Ok(value) => Ok(Self::Json(value, text)),
                Err(_) => Err((None, Why::NotJson)),
            },
        }
    }

    /// Returns the text of a record under a template, and its pair.
    ///
    /// # Errors
    /// If a field is missing, or does not hold text.
    pub fn fill(&self, template: &Template) -> Result<(Cow<'_, str>, Option<Cow<'_, str>>), Wrong> {
        let pair = template
            .pair
            .as_ref()
            .map(|pair| self.joined(pair))
            .transpose()?;
        Ok((self.joined(&template.text)?, pair))
    }

    /// Returns the record as JSON: a row as an object of texts.
    pub fn json(&self) -> Cow<'_, [u8]> {
        match self {
            Self::Json(_, text) => Cow::Borrowed(text),
            Self::Line(line) => Cow::Owned(Value::from(*line).to_string().into_bytes()),
            Self::Row(row, names) => {
                let cell = |(i, name): (usize, &String)| {
                    (
                        name.clone(),
                        Value::from(String::from_utf8_lossy(row.get(i)).into_owned()),
                    )
                };
                Cow::Owned(
                    names
                        .iter()
                        .enumerate()
                        .map(cell)
                        .collect::<Value>()
                        .to_string()
                        .into_bytes(),
                )
            }
        }
    }

    /// Returns the number of messages of a conversation; of an instruction and its output, these are two.
    pub fn messages(&self) -> u64 {
        let of_pair =
            |has: &dyn Fn(&str) -> bool| 2 * u64::from(has("instruction") && has("output"));
        match self {
            Self::Line(_) => 0,
            Self::Row(_, names) => of_pair(&|name| names.iter().any(|known| known == name)),
            Self::Json(Value::Array(list), _) => list.len() as u64,
            Self::Json(value, _) => {
                let lists = ["messages", "conversations", "prompt", "completion"];
                let messages = lists
                    .iter()
                    .filter_map(|name| value.get(*name)?.as_array())
                    .map(|list| list.len() as u64);
                match messages.sum() {
                    0 => of_pair(&|name| value.get(name).is_some()),
                    messages => messages,
                }
            }
        }
    }

    fn joined(&self, pieces: &[TemplatePiece]) -> Result<Cow<'_, str>, Wrong> {
        // The usual case, a single field, is not copied.
        if let [TemplatePiece::Field(name)] = pieces {
            return self.get(name);
        }
        let mut text = String::new();
        for piece in pieces {
            match piece {
                TemplatePiece::Literal(literal) => text.push_str(literal),
                TemplatePiece::Field(name) => text.push_str(&self.get(name)?),
            }
        }
        Ok(Cow::Owned(text))
    }

    fn get(&self, name: &str) -> Result<Cow<'_, str>, Wrong> {
        match self {
            Self::Line(line) if name.is_empty() => Ok(Cow::Borrowed(line)),
            Self::Line(_) => Err((
                Some("lines of text, which {} stands for".to_owned()),
                no_field(name),
            )),
            Self::Row(row, names) => cell(row, names, name),
            Self::Json(value, _) if name.is_empty() => {
                scalar(value).ok_or_else(|| (None, Why::NotText(String::new())))
            }
            Self::Json(value, _) => in_json(value, name),
        }
    }

    /// Returns the fields that hold text.
    pub fn texts(&self) -> Vec<TextField> {
        let field = |name: String, text: &str| TextField {
            name,
            example: shorten(text.as_bytes()),
        };
        match self {
            Self::Line(line) => vec![field(String::new(), line)],
            Self::Row(row, names) => {
                let cells = row.cells();
                let number =
                    |i: usize| names.get(i).cloned().unwrap_or_else(|| (i + 1).to_string());
                let text = |(i, cell): (usize, &&[u8])| {
                    let cell = String::from_utf8_lossy(cell);
                    // Numbers have no tokens to count.
                    cell.chars()
                        .any(char::is_alphabetic)
                        .then(|| field(number(i), &cell))
                };
                cells.iter().enumerate().filter_map(text).collect()
            }
            Self::Json(_, json) => walk::texts(json),
        }
    }
}

fn no_field(name: &str) -> Why {
    Why::NoField(shorten(name.as_bytes()))
}

fn cell<'a>(row: &'a Record, names: &[String], name: &str) -> Result<Cow<'a, str>, Wrong> {
    let Some(at) = columns::place(names, name) else {
        return Err((None, Why::NotText(String::new())));
    };
    if at >= row.len() {
        return Err((None, Why::NoColumn(shorten(name.as_bytes()))));
    }
    let cell = row.get(at);
    let text = std::str::from_utf8(cell);
    text.map(Cow::Borrowed).map_err(|_| {
        (
            Some(String::from_utf8_lossy(cell).into_owned()),
            Why::NotUtf8,
        )
    })
}

fn in_json<'a>(value: &'a Value, name: &str) -> Result<Cow<'a, str>, Wrong> {
    let mut found = Vec::new();
    find(value, name, &mut found);
    let text = |value: &&'a Value| {
        let not_text = || {
            (
                Some(value.to_string()),
                Why::NotText(shorten(name.as_bytes())),
            )
        };
        scalar(value).ok_or_else(not_text)
    };
    match found.as_slice() {
        [] => Err(missing(value, name)),
        [one] => text(one),
        many => {
            // Absent parts of a chat message, such as the content of a call, have no line.
            let present = many.iter().filter(|value| !value.is_null());
            let lines: Vec<_> = present.map(text).collect::<Result<_, _>>()?;
            Ok(Cow::Owned(lines.join("\n")))
        }
    }
}

/// Returns the problem of a missing field, with a list of the present fields.
fn missing(value: &Value, name: &str) -> Wrong {
    match value {
        Value::Object(object) => {
            let names: Vec<&str> = object.keys().map(String::as_str).take(20).collect();
            (Some(names.join(", ")), no_field(name))
        }
        _ => (None, Why::NotText(String::new())),
    }
}

/// Returns the text of a value: strings, numbers and booleans as written, an empty text for null.
fn scalar(value: &Value) -> Option<Cow<'_, str>> {
    match value {
        Value::String(text) => Some(Cow::Borrowed(text)),
        Value::Null => Some(Cow::Borrowed("")),
        Value::Number(_) | Value::Bool(_) => Some(Cow::Owned(value.to_string())),
        Value::Array(_) | Value::Object(_) => None,
    }
}

/// Finds all values on a path: `a` for a field (a name with dots takes precedence), `a[]` for each element of an array.
fn find<'a>(value: &'a Value, path: &str, found: &mut Vec<&'a Value>) {
    // Names of fields may have dots, and "[]" too.
    if let Some(exact) = value.get(path) {
        return found.push(exact);
    }
    let (first, rest) = path.split_once('.').unwrap_or((path, ""));
    let each = first.strip_suffix("[]");
    let Some(inner) = value
        .get(each.unwrap_or(first))
        // `[]` alone: the record itself is the list.
        .or_else(|| each.filter(|e| e.is_empty()).and(Some(value)))
    else {
        return;
    };
    match (each, inner) {
        (Some(_), Value::Array(elements)) if rest.is_empty() => found.extend(elements),
        (Some(_), Value::Array(elements)) => elements
            .iter()
            .for_each(|element| find(element, rest, found)),
        (None, inner) if !rest.is_empty() => find(inner, rest, found),
        _ => {}
    }
}

/// Names of fields with text that is not for training.
const ASIDE: [&str; 14] = [
    "id", "_id", "uuid", "guid", "url", "source", "split", "lang", "language", "label", "role",
    "from", "type", "title",
];

/// Returns the default template: the messages of a chat, or the field named text or content, or all fields not in
/// [`ASIDE`].
pub(super) fn usual(fields: &[TextField]) -> Template {
    const ALONE: [&str; 5] = [
        "messages[].content",
        "conversations[].value",
        "conversations[].content",
        "text",
        "content",
    ];
    if let Some(alone) = ALONE
        .iter()
        .find(|name| fields.iter().any(|field| field.name == **name))
    {
        return Template::fields(&[alone]);
    }
    let names: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
    let last = |name: &str| name.rsplit('.').next().unwrap_or(name).to_ascii_lowercase();
    let meant: Vec<&str> = names
        .iter()
        .copied()
        .filter(|name| !ASIDE.contains(&last(name).as_str()))
        .collect();
    match (meant.is_empty(), names.is_empty()) {
        (false, _) => Template::fields(&meant),
        (true, false) => Template::fields(&names),
        (true, true) => Template::whole(),
    }
}
