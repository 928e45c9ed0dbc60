//! Literals: names come from visitors and must not become code.

use crate::words::is_hidden;

/// Returns a literal of Python, and of YAML: JSON's strings are strings in both. Invisible characters, and those that
/// change the direction of reading, are escaped: code must be what it looks like.
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

/// Returns a literal of SQL.
pub(super) fn sql(text: &str) -> String {
    format!("'{}'", text.replace('\0', "").replace('\'', "''"))
}

/// Returns an identifier of SQL, for a column.
pub(super) fn name(text: &str) -> String {
    format!("\"{}\"", text.replace('\0', "").replace('"', "\"\""))
}

/// Returns text for a comment after `#` or `--`: nothing in it ends the line or is invisible.
pub(in crate::export) fn comment(text: &str) -> String {
    text.chars().map(|c| if is_hidden(c) { ' ' } else { c }).collect()
}

/// Returns `True` or `False`.
pub(super) fn truth(is: bool) -> &'static str {
    if is { "True" } else { "False" }
}

/// Returns a number, or the literal for a missing one.
pub(super) fn maybe(number: Option<impl ToString>) -> String {
    number.map_or_else(|| "None".to_owned(), |n| n.to_string())
}

/// Returns a number as people type it: without needless digits, never infinite.
pub(super) fn number(x: f64) -> String {
    if x.is_finite() { format!("{x:?}") } else { "0.0".to_owned() }
}
