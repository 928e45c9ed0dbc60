//! JSON records that have no lengths: lists whose elements are no tokens.

use super::nested::Inner;
use super::options::Column;
use super::problem::Why;
use super::value::{Field, Value};

/// Refuses a list whose elements are no tokens; one of lists may have an element for each node.
pub(super) fn check<const K: usize>(value: Value, text: &[u8], column: Option<&Column>) -> Result<(), Why> {
    let path = match column {
        Some(Column::Name(name)) => Some(name.as_str()),
        _ => None,
    };
    match value {
        Value::Nested(Inner::Lists, _) if K > 1 && path.is_some() => Ok(()),
        Value::Nested(inner, _) => Err(Why::Refused(inner.refusal(text, path))),
        _ => Ok(()),
    }
}

/// Returns the first field that holds such a list, with what its elements are.
pub(super) fn field(fields: &[Field]) -> Option<(Inner, &str)> {
    fields.iter().find_map(|(name, value)| match value {
        Value::Nested(inner, _) => Some((*inner, name.as_str())),
        _ => None,
    })
}
