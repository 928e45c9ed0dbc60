//! Values written so that they stay values: names come from visitors.

use crate::words::is_hidden;

/// A literal of Python, and of YAML: JSON's strings are strings in both. What cannot be seen, or turns the direction in
/// which lines are read, is written as a number: code must be what it looks like.
pub(super) fn string(text: &str) -> String {
    let mut literal = String::with_capacity(text.len() + 2);
    for c in serde_json::Value::from(text).to_string().chars() {
        match c {
            c if is_hidden(c) => {
                literal.extend(c.encode_utf16(&mut [0; 2]).iter().map(|u| format!("\\u{u:04x}")))
            }
            c => literal.push(c),
        }
    }
    literal
}

/// A literal of SQL.
pub(super) fn sql(text: &str) -> String {
    format!("'{}'", text.replace('\0', "").replace('\'', "''"))
}

/// A name of SQL: a column.
pub(super) fn name(text: &str) -> String {
    format!("\"{}\"", text.replace('\0', "").replace('"', "\"\""))
}

/// Text behind a `#` or `--`: nothing in it ends the line, or hides what is in it.
pub(super) fn comment(text: &str) -> String {
    text.chars().map(|c| if is_hidden(c) { ' ' } else { c }).collect()
}

/// `True` or `False`.
pub(super) fn truth(is: bool) -> &'static str {
    if is { "True" } else { "False" }
}

/// A number that may be missing.
pub(super) fn maybe(number: Option<impl ToString>) -> String {
    number.map_or_else(|| "None".to_owned(), |n| n.to_string())
}

/// A number as it is typed: without needless digits, never infinite.
pub(super) fn number(x: f64) -> String {
    if x.is_finite() { format!("{x:?}") } else { "0.0".to_owned() }
}
