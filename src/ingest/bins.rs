//! Histograms in bins, and printed ones: what is in a bin has no lengths, and what is printed may be cut. Both are refused
//! with the way out.

use super::names;

/// The contents of a column of bins.
pub(super) const RANGES: &str = "ranges";

/// Bins, and what can be read in their place.
pub(super) const BINS: &str = "a histogram in bins, which has no lengths; bring the lengths themselves, or a table of how often \
                               each comes: length,count";

/// Printed histograms, each with the way out.
const PRINTED: [&str; 2] = [
    "a printed pandas Series, as of value_counts(), which may leave rows out; write all of them: \
     lengths.value_counts().to_csv(\"lengths.csv\")",
    "a printed table, which may leave rows out; write all of them as CSV, in Polars .write_csv(\"lengths.csv\")",
];

/// Returns what lines are that hold a printed or binned histogram, from the `first` that are not blank and from `all`.
pub(super) fn printed(first: &[&[u8]], all: &[&[u8]]) -> Option<&'static str> {
    let is_type =
        |line: &[u8]| line.starts_with(b"Name: ") && line.windows(8).any(|part| part == b", dtype:");
    let last =
        all.iter().rev().map(|line| line.trim_ascii()).find(|line| !line.is_empty()).unwrap_or_default();
    let is_frame = last.starts_with(b"[") && last.ends_with(b" columns]");
    let is_box = |line: &[u8]| ["┌", "╭", "╒", "╔"].iter().any(|corner| line.starts_with(corner.as_bytes()));
    // The comma may part the range from what comes next.
    let is_alone = |line: &[u8]| !line.contains(&b',') && range(line).is_some();
    let is_range = |line: &&[u8]| is_alone(line) || begins_with_interval(line);
    match first {
        [_, _, ..] if is_type(last) || last.starts_with(b"dtype: ") => Some(PRINTED[0]),
        _ if is_frame || first.iter().take(3).any(|line| is_box(line)) => Some(PRINTED[1]),
        [_, rest @ ..] if !rest.is_empty() && rest.iter().all(is_range) => Some(BINS),
        _ => None,
    }
}

/// Whether a line begins with an interval: `[0, 128),48`. It is closed at one end, as arrays of JSON never are.
fn begins_with_interval(line: &[u8]) -> bool {
    let end = line.iter().position(|b| matches!(b, b')' | b']'));
    matches!(line.first(), Some(b'[' | b'(')) && end.is_some_and(|end| range(&line[..=end]).is_some())
}

/// Parses a range: `0-127`, `0–127`, `0..127`, `0 to 127`, or closed at one end: `[0, 128)`, `(0.5, 32.0]`.
pub(super) fn range(text: &[u8]) -> Option<(f32, f32)> {
    let text = Some(text.trim_ascii()).filter(|text| text.len() <= 40)?;
    let text = std::str::from_utf8(text).ok()?;
    let within = |from, to| text.strip_prefix(from)?.strip_suffix(to);
    let ends = match within('[', ')').or_else(|| within('(', ']')) {
        Some(inner) => inner.split_once([',', ';'])?,
        // A number may begin with its sign, and a date has two marks.
        None => [" to ", "..", "–", "—", "-"].iter().find_map(|mark| text.split_once(mark))?,
    };
    let number =
        |end: &str| end.trim().replace(['_', ','], "").parse::<f32>().ok().filter(|end| !end.is_nan());
    let (low, high) = (number(ends.0)?, number(ends.1)?);
    (low <= high).then_some((low, high))
}

/// Whether a name is that of bins, such as `bins`, `bin_edges`, `bin_start`: a `bin` alone may be a length.
pub(super) fn are_bins(name: &str) -> bool {
    let words = names::words(name);
    let has = |word: &str| words.iter().any(|other| other == word);
    has("bins") || (has("bin") && words.len() > 1)
}

/// Whether a record has a list of the edges of bins, however deep in it.
pub(super) fn has_edges(record: &[u8]) -> bool {
    const KEY: &[u8] = b"\"bin_edges\"";
    record.windows(KEY.len()).enumerate().any(|(at, key)| {
        let after = record[at + KEY.len()..].trim_ascii_start();
        key == KEY && after.strip_prefix(b":").is_some_and(|after| after.trim_ascii_start().starts_with(b"["))
    })
}
