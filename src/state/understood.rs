//! One line on how a file was read, from which the choices open.

use packscope::ingest::{Column, ComputedLength, Description, Format};
use packscope::words::count;

/// The most columns that the line names as not read.
const NAMED: usize = 3;

/// Returns how a file of this name was understood: `num_tokens of lengths.csv, 50,000 rows; not read:
/// id`.
pub fn understood(name: &str, description: &Description) -> String {
    let sizes: Vec<String> = description.sizes.iter().map(size).collect();
    let sizes = if sizes.is_empty() {
        description.components.first().cloned()
    } else {
        Some(sizes.join(" and "))
    };
    // Lengths without a column are tokens as far as anybody knows, which the rest of the page says.
    let of = sizes
        .map(|sizes| format!("{sizes} of "))
        .unwrap_or_default();
    let records = records(description.format, description.records);
    let times = match &description.count {
        Some(count) => format!(", {} times each", named(count)),
        None => String::new(),
    };
    format!("{of}{name}, {records}{times}{}", unread(description))
}

/// Returns the words for a column that is read, or for the formula that is computed.
fn size(column: &Column) -> String {
    let computed = match column {
        Column::Name(text) => ComputedLength::of(text),
        Column::Number(_) => None,
    };
    computed.map_or_else(|| named(column), |computed| computed.label)
}

fn named(column: &Column) -> String {
    match column {
        Column::Name(name) => name.chars().take(60).collect(),
        number => number.to_string(),
    }
}

fn records(format: Format, number: u64) -> String {
    let one = match format {
        Format::Table | Format::Array | Format::Parquet | Format::Arrow => "row",
        Format::Text | Format::Edges | Format::Tu => "line",
        Format::Histogram => "bin",
        Format::Numbers => "number",
        _ => "record",
    };
    let ending = if number == 1 { "" } else { "s" };
    format!("{} {one}{ending}", count(number))
}

/// Returns the columns that were not read.
fn unread(description: &Description) -> String {
    let left = description.unread_columns();
    if left.is_empty() {
        return String::new();
    }
    let listed = left.iter().take(NAMED).cloned().collect::<Vec<_>>();
    let more = match left.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {} more", count(more as u64)),
    };
    format!("; not read: {}{more}", listed.join(", "))
}
