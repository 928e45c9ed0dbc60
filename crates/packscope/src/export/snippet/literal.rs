//! Literals: names come from visitors and must not become code.

use crate::words::is_hidden;
pub(super) use crate::words::literal as string;

/// Returns an expression of SQL for a text: a literal, with `chr` for the invisible characters in it.
pub(super) fn sql(text: &str) -> String {
    let mut literal = String::new();
    for c in text.chars().filter(|c| *c != '\0') {
        match c {
            '\'' => literal.push_str("''"),
            c if is_hidden(c) => literal.push_str(&format!("' || chr({}) || '", u32::from(c))),
            c => literal.push(c),
        }
    }
    format!("'{literal}'")
}

/// Returns an identifier of SQL, for a column. SQL has no escapes there: an invisible character becomes a visible one, and
/// the database says that it has no such column.
pub(super) fn name(text: &str) -> String {
    let shown = |c: char| if is_hidden(c) { '\u{fffd}' } else { c };
    let text: String = text.chars().filter(|c| *c != '\0').map(shown).collect();
    format!("\"{}\"", text.replace('"', "\"\""))
}

/// Returns text for a comment after `#` or `--`: nothing in it ends the line or is invisible.
pub(in crate::export) fn comment(text: &str) -> String {
    text.chars()
        .map(|c| if is_hidden(c) { ' ' } else { c })
        .collect()
}

pub(super) fn truth(is: bool) -> &'static str {
    if is { "True" } else { "False" }
}

/// Returns a number, or the literal for a missing one.
pub(super) fn maybe(number: Option<impl ToString>) -> String {
    number.map_or_else(|| "None".to_owned(), |n| n.to_string())
}

/// Returns a number as people type it: without needless digits, never infinite.
pub(super) fn number(x: f64) -> String {
    if x.is_finite() {
        // `Debug` writes the fewest digits that read back as the same number, and always a point.
        format!("{x:?}")
    } else {
        "0.0".to_owned()
    }
}
