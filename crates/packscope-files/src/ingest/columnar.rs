//! JSON with its records in columns, as written by pandas: `{"length": {"0": 12, …}, …}`, `{"length": [12, …], …}`,
//! `{"columns": […], "data": [[…], …]}`, `{"schema": …, "data": [{…}, …]}`; also within one object.

use super::column_choice::CONTENTS;
use super::component_names::plain;
use super::names;
use serde_json::{Map, Value};

/// Returns the records of one JSON text that holds them in columns; `None` for any other.
pub(super) fn records(text: &[u8]) -> Option<Vec<Vec<u8>>> {
    let Ok(Value::Object(mut object)) = serde_json::from_slice(text) else {
        return None;
    };
    // The forms "split" and "table" of `DataFrame.to_json`.
    if let Some(Value::Array(data)) = object.get("data")
        && (object.contains_key("schema") || object.contains_key("columns"))
    {
        let names = object.get("columns").and_then(Value::as_array);
        return data.iter().map(|row| record(row, names)).collect();
    }
    if let Some(list) = only_list(&object) {
        return Some(list.iter().map(bytes).collect());
    }
    // One column whose keys are not row numbers may be lengths with their counts.
    let is_numbered = |value: &Value| {
        value
            .as_object()
            // `contains_key` for each number, as a map sorts "10" before "2".
            .is_some_and(|rows| (0..rows.len()).all(|i| rows.contains_key(&i.to_string())))
    };
    let nested = object.values().all(Value::is_object)
        && (object.len() > 1 || object.values().all(is_numbered));
    if nested {
        object
            .values_mut()
            .for_each(|column| *column = in_order(column));
    }
    let columns: Vec<(&String, &Vec<Value>)> = object
        .iter()
        .filter_map(|(name, column)| Some((name, column.as_array()?)))
        .collect();
    let Some((_, first)) = columns.first() else {
        // Not one column here: the table may be the only object within, as under "data" or
        // "result".
        let inner = |value: &Value| value.is_object().then(|| records(&bytes(value))).flatten();
        let mut within = object.values().filter_map(inner);
        return within.next().filter(|_| within.next().is_none());
    };
    let rows = first.len();
    let alike =
        // All members must be columns: a record with two lists of tokens has other fields too.
        columns.len() == object.len() && columns.iter().all(|(_, column)| column.len() == rows);
    let is_table = nested || columns.iter().any(|(name, column)| is_column(name, column));
    (alike && rows > 0 && is_table).then(|| {
        let row = |i: usize| {
            columns
                .iter()
                .map(move |(name, column)| ((*name).clone(), column[i].clone()))
        };
        (0..rows)
            .map(|i| bytes(&Value::Object(row(i).collect())))
            .collect()
    })
}

/// Returns the only list of records in an object whose other members are no lists or objects, as `{"version": 1, "data": [{…},
/// {…}]}` has it: not the messages of a conversation, nor the log of a training.
fn only_list(object: &Map<String, Value>) -> Option<&Vec<Value>> {
    let is_nested = |value: &&Value| value.is_array() || value.is_object();
    let mut nested = object.values().filter(is_nested);
    let list = nested.next().filter(|_| nested.next().is_none())?;
    let list = list.as_array().filter(|list| list.len() > 1)?;
    let is_other = object.contains_key("log_history");
    let is_record = |value: &Value| {
        value.as_object().is_some_and(|record| {
            let has = |key: &&str| record.contains_key(*key);
            record.values().any(Value::is_number) && !["role", "content", "from"].iter().any(has)
        })
    };
    (!is_other && list.iter().all(is_record)).then_some(list)
}

/// Whether a list is a column rather than the contents of one record: a list of lists or texts, or of numbers under a
/// name of lengths or counts.
fn is_column(name: &str, list: &[Value]) -> bool {
    let nested = list
        .iter()
        .all(|value| value.is_array() || value.is_string());
    nested || (names::is_known(name) && !CONTENTS.contains(&plain(name).as_str()))
}

/// Returns the values of `{"0": 12, "1": 16, …}` in the order of their keys; objects with other keys stay as they are.
fn in_order(column: &Value) -> Value {
    let Value::Object(members) = column else {
        return column.clone();
    };
    let rows: Option<Vec<(u64, &Value)>> = members
        .iter()
        .map(|(key, value)| Some((key.parse().ok()?, value)))
        .collect();
    let Some(mut rows) = rows else {
        return column.clone();
    };
    // Keys of text are sorted as text, so "10" would come before "2".
    rows.sort_unstable_by_key(|(row, _)| *row);
    Value::Array(rows.into_iter().map(|(_, value)| value.clone()).collect())
}

fn record(row: &Value, names: Option<&Vec<Value>>) -> Option<Vec<u8>> {
    let Some(names) = names else {
        return Some(bytes(row));
    };
    let cells = row.as_array().filter(|cells| cells.len() == names.len())?;
    let name = |name: &Value| {
        name.as_str()
            .map_or_else(|| name.to_string(), str::to_owned)
    };
    let fields: Map<String, Value> = names.iter().map(name).zip(cells.iter().cloned()).collect();
    Some(bytes(&Value::Object(fields)))
}

fn bytes(value: &Value) -> Vec<u8> {
    value.to_string().into_bytes()
}
