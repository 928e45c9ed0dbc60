//! Which layout the first bytes have.

use super::Format;
use crate::error::Error;

/// Kinds of files that are no text, by their first bytes.
const BINARY: [(&[u8], &str); 8] = [
    (b"\x1f\x8b", "gzip"),
    (b"PK\x03\x04", "zip (or a spreadsheet)"),
    (b"PAR1", "Parquet"),
    (b"\x93NUMPY", "NumPy"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"\xff\xfe", "UTF-16 text"),
    (b"\xfe\xff", "UTF-16 text"),
    (b"%PDF", "PDF"),
];

/// An error for what cannot be text.
pub(super) fn refuse(head: &[u8]) -> Option<Error> {
    let (_, kind) = BINARY.iter().find(|(magic, _)| head.starts_with(magic))?;
    Some(Error::Input {
        place: "the first bytes".to_owned(),
        message: format!("this is a {kind} file; expected UTF-8 text: CSV, TSV, numbers, JSON or JSON Lines"),
    })
}

/// The most likely layout of a text that begins so.
pub(super) fn format(head: &[u8]) -> Format {
    let text = String::from_utf8_lossy(head);
    let lines = || text.split(['\n', '\r']).map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#'));
    match lines().next().and_then(|line| line.bytes().next()) {
        Some(b'[' | b'{') => json(lines()),
        _ => table_or_numbers(&lines().take(20).collect::<Vec<_>>()),
    }
}

/// A first line that is a value of its own makes JSON Lines, unless it is the whole text.
fn json<'t>(mut lines: impl Iterator<Item = &'t str>) -> Format {
    let first = lines.next().and_then(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    match (first, lines.next()) {
        (Some(_), Some(_)) => Format::JsonLines,
        (Some(serde_json::Value::Object(map)), None) if !map.keys().any(|k| k.parse::<f64>().is_ok()) => {
            Format::JsonLines
        }
        _ => Format::Json,
    }
}

fn table_or_numbers(lines: &[&str]) -> Format {
    let tables = [('\t', Format::Tsv), (',', Format::Csv), (';', Format::Semicolons)];
    let separator = |c: char| c.is_whitespace() || c == ',' || c == ';';
    let numeric = |line: &&str| line.split(separator).all(|t| t.is_empty() || t.parse::<f64>().is_ok());
    if !lines.iter().all(numeric) {
        if is_list(lines, separator) {
            return Format::Numbers;
        }
        let widest = tables.iter().max_by_key(|(d, f)| (cells(lines, *d), *f == Format::Csv));
        return widest.map_or(Format::Csv, |(_, format)| *format);
    }
    // Two numbers on each of several lines are a table of length and count.
    let pairs =
        |d: char| lines.len() > 1 && lines.iter().all(|l| l.trim_end_matches(d).matches(d).count() == 1);
    tables.into_iter().find(|(d, _)| pairs(*d)).map_or(Format::Numbers, |(_, format)| format)
}

/// Numbers with something wrong among them: no table has a row of numbers first and no delimiter in it,
/// and a single line that is mostly numbers is no row.
fn is_list(lines: &[&str], separator: impl Fn(char) -> bool) -> bool {
    let Some(first) = lines.first() else { return false };
    let tokens: Vec<&str> = first.split(separator).filter(|t| !t.is_empty()).collect();
    let numbers = tokens.iter().filter(|t| t.parse::<f64>().is_ok()).count();
    let bare = !first.contains([',', '\t', ';']);
    numbers > 0 && (bare || lines.len() == 1) && 2 * numbers > tokens.len()
}

/// Cells in the first line: the header, if there is one.
fn cells(lines: &[&str], delimiter: char) -> usize {
    lines.first().map_or(0, |line| line.matches(delimiter).count())
}
