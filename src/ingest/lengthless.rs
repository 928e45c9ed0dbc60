//! JSON records that have no lengths: bins, and lists whose elements are no tokens.

use super::bins;
use super::choose::{Chosen, Unclear};
use super::nested::Inner;
use super::options::Column;
use super::problem::Why;
use super::value::{Field, Value};

/// Refuses a record of bins: its names are ranges, or it has no length, and a range or edges of bins in it, as in the statistics of Hugging Face's dataset viewer.
pub(super) fn checked(
    chosen: Result<Chosen, Unclear>,
    record: &[u8],
    fields: &[Field],
) -> Result<Chosen, Unclear> {
    let refused = || Err(Unclear::Refused(format!("this is {}", bins::BINS)));
    if fields.len() > 1 && fields.iter().all(|(name, _)| bins::range(name.as_bytes()).is_some()) {
        return refused();
    }
    let has_range = || fields.iter().any(|field| holds_range(record, field));
    let is_binned = chosen == Err(Unclear::NoSizes) && (bins::has_edges(record) || has_range());
    if is_binned { refused() } else { chosen }
}

fn holds_range(record: &[u8], (name, value): &Field) -> bool {
    let text =
        || serde_json::from_slice::<serde_json::Value>(record).ok()?.get(name)?.as_str().map(str::to_owned);
    matches!(value, Value::Words(_) | Value::Data)
        && text().is_some_and(|text| bins::range(text.as_bytes()).is_some())
}

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
