//! Values written so that they stay values: names come from visitors.

/// A literal of Python, and of YAML: JSON's strings are strings in both.
pub(super) fn string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A literal of SQL.
pub(super) fn sql(text: &str) -> String {
    format!("'{}'", text.replace('\0', "").replace('\'', "''"))
}

/// A name of SQL: a column.
pub(super) fn name(text: &str) -> String {
    format!("\"{}\"", text.replace('\0', "").replace('"', "\"\""))
}

/// Text behind a `#` or `--`: nothing in it ends the line.
pub(super) fn comment(text: &str) -> String {
    let ends = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    text.chars().map(|c| if ends(c) { ' ' } else { c }).collect()
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
