//! Converts values into sizes and counts.

use super::notes::Note;
use super::number::{self, Fault};
use super::problem::Why;
use super::tally::Tally;
use super::value::Value;

/// The message for a text that holds a number or a list.
pub(super) const DATA: &str = "this text is a number, a list or a record, not words; write numbers without quotes, and lists as \
                               lists: jq 'tonumber' or jq 'fromjson'";

/// The offending text, `None` if it is the whole record, and the reason.
pub(super) type CellFault = (Option<Vec<u8>>, Why);

/// Returns the size of component `k`; arrays and strings are measured if `contents`.
pub(super) fn measured<const K: usize>(
    value: Value,
    k: usize,
    contents: bool,
    tally: &mut Tally<K>,
) -> Result<u32, CellFault> {
    let n = match value {
        // Tools that know texts alone write numbers in quotes.
        Value::Whole(n) | Value::Quoted(n) => Some(n),
        Value::Real(x) => number::integral(x),
        Value::Elements(n) | Value::Nested(_, n) if contents => {
            tally.note(Note::Elements);
            Some(n)
        }
        Value::Words(n) if contents => {
            tally.words();
            Some(n)
        }
        Value::NoSpaces if contents => return Err((Some(b"a text".to_vec()), Why::NoSpaces)),
        Value::Data if contents => return Err((None, Why::Refused(DATA.to_owned()))),
        Value::Missing => return Err((None, tally.wrong(k, Fault::Missing))),
        _ => None,
    };
    // Only the first component must be at least 1: a graph may have no edges.
    let size = n.and_then(|n| number::narrow(n, u32::from(k == 0)));
    size.ok_or_else(|| (Some(quoted_value(value)), tally.wrong(k, Fault::Wrong)))
}

pub(super) fn count(value: Value) -> Result<u64, CellFault> {
    let n = match value {
        Value::Whole(n) | Value::Quoted(n) => Some(n),
        Value::Real(x) => number::integral(x),
        // A table of counts may leave a cell empty; that is another problem than a wrong number.
        Value::Missing => return Err((None, Why::NoCount)),
        _ => None,
    };
    n.ok_or_else(|| (Some(quoted_value(value)), Why::Count))
}

/// Returns the value as quoted in a problem.
pub(super) fn quoted_value(value: Value) -> Vec<u8> {
    let text = match value {
        Value::Whole(n) => n.to_string(),
        // Negative whole numbers arrive as floats, but were written without ".0". Beyond 1e15 a
        // float may not be the number that was written.
        Value::Real(x) if x.fract() == 0.0 && x.abs() < 1e15 => x.to_string(),
        Value::Real(x) => format!("{x:?}"),
        Value::Elements(0) => "[]".to_owned(),
        Value::Elements(_) | Value::Nested(..) => "[…]".to_owned(),
        Value::Words(0) => "an empty string".to_owned(),
        Value::Words(_) | Value::NoSpaces | Value::Quoted(_) | Value::Data => "a string".to_owned(),
        Value::Object => "{…}".to_owned(),
        Value::Null => "null".to_owned(),
        Value::Bool(b) => b.to_string(),
        Value::Missing => String::new(),
    };
    text.into_bytes()
}
