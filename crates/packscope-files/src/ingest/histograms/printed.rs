//! Printed histograms: Series of pandas, boxes of Polars and DuckDB, dictionaries of several languages, arrays.

use super::super::column_stats::{NUMBERED, may_number_rows};
use super::super::{bins, number};
use super::Span;
use super::json::exact;
use super::whole;

/// The message for tables printed in part, with the remedy.
const CUT: &str = "a printed table from which rows are left out; write all of them: in pandas \
                   lengths.value_counts().to_csv(\"lengths.csv\"), in Polars .write_csv(\"lengths.csv\")";
const SUMMARY: &str = "a summary, as of describe(), which says nothing of how often each length comes; write the counts: \
                       lengths.value_counts().to_csv(\"lengths.csv\")";
const SERIES: &str = "a printed pandas Series, of lengths or of counts; write counts with a name: \
                      lengths.value_counts().to_csv(\"lengths.csv\")";

const DIMENSIONS: &str = "a printed array of several dimensions; write it as a table: \
                          numpy.savetxt(\"lengths.csv\", array, fmt=\"%d\", delimiter=\",\")";

/// Beginnings of printed text before a dictionary, and before a list.
const WRAPPED: [&str; 4] = [
    "OrderedDict(",
    "defaultdict(<class 'int'>,",
    "dict_items(",
    "dict(",
];
const COUNTER: &str = "Counter(";
const ARRAYS: [&str; 2] = ["tensor(", "array("];

/// Whether a text begins like a printed dictionary, list of pairs, or array.
pub(super) fn begins(head: &str) -> bool {
    let head = head.trim_start();
    // JSON would have quotes around its keys.
    let key = |rest: &str| {
        let after = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        after.len() < rest.len() && after.trim_start().starts_with([':', '='])
    };
    let from = ["Dict{", "[(", COUNTER];
    WRAPPED
        .iter()
        .chain(&ARRAYS)
        .chain(&from)
        .any(|from| head.starts_with(from))
        || is_printed_array(head)
        || head
            .strip_prefix('{')
            .is_some_and(|rest| key(rest.trim_start()))
}

/// Whether a text begins like an array as NumPy prints it: numbers in brackets with spaces between, and no commas.
fn is_printed_array(head: &str) -> bool {
    let Some(list) = head.strip_prefix('[') else {
        return false;
    };
    let list = list.split(']').next().unwrap_or_default();
    let mut pieces = list.split_whitespace();
    let is_number =
        |piece: &str| piece == "..." || piece.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    pieces.clone().count() > 1 && pieces.all(is_number)
}

/// Returns the counts of a dictionary, a list of pairs, a Series, or an array of counts by length.
pub(super) fn find(text: &str, said: bool) -> Option<Result<Vec<Span>, String>> {
    // NumPy 2 prints its scalars with their type: `np.int64(12)`.
    let plain = ["np.int64(", "np.int32("]
        .iter()
        .fold(text.trim().to_owned(), |text, before| {
            match text.contains(before) {
                true => text.replace(before, "").replace(')', ""),
                false => text,
            }
        });
    dictionary(&plain)
        .or_else(|| series(text))
        .or_else(|| array(text, said))
}

/// Parses `{12: 5, 16: 2}`, `{12=5}`, `[(12, 5), (16, 2)]`, lines of `12 => 5`, with the wrappers that Python prints
/// around them; also in quotes below a header.
fn dictionary(text: &str) -> Option<Result<Vec<Span>, String>> {
    let quoted = || {
        text.split_once('\n')
            .map(|(_, below)| below.trim())
            .filter(|below| below.starts_with("\"{"))
    };
    let text = quoted().map_or(text, |below| below.trim_matches('"'));
    if !begins(text) {
        return None;
    }
    let body = unwrapped(text);
    let pairs = match body.chars().next()? {
        '{' => body
            .trim_matches(['{', '}'])
            .split(',')
            .filter(|pair| !pair.trim().is_empty())
            .map(pair)
            .collect(),
        '[' | '(' => {
            let numbers = |c: char| matches!(c, '[' | ']' | '(' | ')' | ',' | ' ' | '\n');
            let all: Vec<&str> = body.split(numbers).filter(|one| !one.is_empty()).collect();
            // Each pair has a parenthesis; a plain list has none.
            let are_pairs = 2 * body.matches('(').count() == all.len();
            are_pairs.then(|| {
                all.chunks_exact(2)
                    .map(|two| Some((real(two[0])?, real(two[1])?)))
                    .collect()
            })?
        }
        _ => body
            .lines()
            // Julia prints the type of a Dict on a line of its own.
            .skip(1)
            .filter(|line| !line.trim().is_empty())
            .map(pair)
            .collect::<Option<Vec<_>>>(),
    };
    match pairs {
        Some(pairs) if body.starts_with('{') && number_rows(&pairs) => {
            Some(Err(NUMBERED.to_owned()))
        }
        // Keys 0, 1, 2 … may be row numbers, also in forms that are no dictionary.
        Some(pairs)
            if pairs
                .iter()
                .zip(0u32..)
                .all(|((key, _), at)| *key == f64::from(at)) =>
        {
            None
        }
        // Pairs by falling count or by length are (length, count); any others may be (count, length).
        Some(pairs)
            if text.starts_with("[(")
                && !falls(&pairs)
                && !pairs.is_sorted_by(|a, b| a.0 < b.0) =>
        {
            None
        }
        Some(pairs) => Some(spans_of_pairs(pairs)),
        None if body.contains("...") || body.contains('…') || body.contains('⋮') => {
            Some(Err(format!("this is {CUT}")))
        }
        None => None,
    }
}

/// Whether the keys may be row numbers.
fn number_rows(pairs: &[(f64, f64)]) -> bool {
    let whole = |pair: &(f64, f64)| Some([number::integral(pair.0)?, number::integral(pair.1)?]);
    let is_counted = |(at, pair): (usize, &[u64; 2])| pair[0] == at as u64;
    pairs
        .iter()
        .map(whole)
        .collect::<Option<Vec<_>>>()
        .is_some_and(|pairs| {
            let has_nothing = pairs.iter().any(|[key, _]| *key == 0);
            pairs.iter().enumerate().all(is_counted) || (!has_nothing && may_number_rows(&pairs))
        })
}

fn unwrapped(text: &str) -> &str {
    let mut before = WRAPPED.iter().chain(&ARRAYS).chain([&COUNTER]);
    before
        .find_map(|before| text.strip_prefix(before))
        .map_or(text, |body| body.trim().trim_end_matches(')'))
}

fn real(text: &str) -> Option<f64> {
    number::real(text.trim().trim_matches(['"', '\'']).as_bytes())
}

fn pair(text: &str) -> Option<(f64, f64)> {
    let (length, count) = ["=>", ":", "="]
        .iter()
        .find_map(|mark| text.split_once(mark))?;
    Some((real(length)?, real(count)?))
}

fn spans_of_pairs(pairs: Vec<(f64, f64)>) -> Result<Vec<Span>, String> {
    pairs
        .into_iter()
        .map(|(length, count)| Ok((exact(length), whole(count)?)))
        .collect()
}

/// Whether the counts fall, as in `most_common()`.
fn falls(pairs: &[(f64, f64)]) -> bool {
    pairs.is_sorted_by(|one, next| one.1 >= next.1)
}

/// Parses a Series named as counts: any other may hold lengths.
fn series(text: &str) -> Option<Result<Vec<Span>, String>> {
    let mut lines: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    let last = lines
        .pop()
        .filter(|line| line.starts_with("Name: ") || line.starts_with("dtype: "))?;
    if !last.contains("dtype: ") || lines.is_empty() {
        return None;
    }
    let pair = |line: &&str| {
        let (key, value) = line.split_once(char::is_whitespace)?;
        Some((real(key)?, real(value)?))
    };
    // The name of the index may stand on a line of its own.
    let header = usize::from(!lines[0].contains(char::is_whitespace));
    // pandas prints dots in place of the middle rows, and then the length in the last line.
    if lines
        .iter()
        .any(|line| line.starts_with("...") || line.starts_with(".."))
        || last.contains("Length: ")
    {
        return Some(Err(format!("this is {CUT}")));
    }
    let pairs = lines[header..]
        .iter()
        .map(pair)
        .collect::<Option<Vec<_>>>()?;
    match last.starts_with("Name: count") {
        true => Some(spans_of_pairs(pairs)),
        false => Some(Err(format!("this is {SERIES}"))),
    }
}

/// Parses a printed array of lengths or of counts by length, or a list of these.
fn array(text: &str, said: bool) -> Option<Result<Vec<Span>, String>> {
    let (body, is_array) = (
        unwrapped(text),
        ARRAYS.iter().any(|before| text.starts_with(before)) || is_printed_array(text.trim_start()),
    );
    // A list in brackets, or a number on each line.
    let body = match body.strip_prefix('[') {
        Some(list) => list.split_once(']')?.0,
        None => Some(body).filter(|body| body.lines().all(|line| real(line).is_some()))?,
    };
    let mut pieces = body
        .split(|c: char| c == ',' || c.is_whitespace())
        .filter(|piece| !piece.is_empty())
        .peekable();
    // Any list of numbers may be lengths; one that begins with 0 cannot, or is offsets.
    let is_begun = said || is_array || pieces.peek().copied().and_then(real) == Some(0.0);
    if is_array && text.matches('[').count() > 1 {
        return Some(Err(format!("this is {DIMENSIONS}")));
    }
    if text.matches('[').count() > 1 || !is_begun {
        return None;
    }
    // NumPy abbreviates arrays of more than 1,000 elements.
    if is_array && body.contains("...") {
        return Some(Err(format!("this is {CUT}")));
    }
    let all = pieces.map(real).collect::<Option<Vec<_>>>()?;
    let lengths = || {
        (is_array && all[0] != 0.0)
            .then(|| Ok(all.iter().map(|length| (exact(*length), 1)).collect()))
    };
    // An array that was read as lengths is read so again.
    lengths().or_else(|| by_length(&all, said))
}

/// Returns counts by length from 0 if a list holds them: it begins with 0 and has more than one 0 in twenty, unlike a
/// list of lengths; or `said` is set.
pub(super) fn by_length(all: &[f64], said: bool) -> Option<Result<Vec<Span>, String>> {
    // Numbers that ascend from 0 are offsets.
    let is_begun = all.len() > 1 && all[0] == 0.0 && !all.windows(2).all(|two| two[0] < two[1]);
    if !said && !is_begun {
        return None;
    }
    let zeros = all.iter().filter(|count| **count == 0.0).count();
    if !said && 20 * zeros <= all.len() {
        let question = "a list that begins with 0: lengths, of which some are 0, or counts by length, as of numpy.bincount? Say \
                        which: --input-format numbers, or --input-format histogram";
        return Some(Err(question.to_owned()));
    }
    let span = |(length, count): (usize, &f64)| Ok((exact(length as f64), whole(*count)?));
    Some(all.iter().enumerate().map(span).collect())
}

/// Whether a line is the upper border of a box.
fn is_box(line: &str) -> bool {
    ["┌", "╭", "╒", "╔", "┏"]
        .iter()
        .any(|corner| line.trim_start().starts_with(corner))
}

/// Returns a table in a box as CSV, without the line of its types.
pub(super) fn table(text: &str) -> Option<String> {
    let is_summary = ["mean", "std"].iter().all(|name| text.contains(name));
    if is_summary || !text.lines().take(3).any(is_box) || text.contains(['…', '·']) {
        return None;
    }
    // The line below the header of Polars and DuckDB, which names the types of the columns.
    const TYPES: [&str; 16] = [
        "---", "i64", "i32", "i16", "i8", "u64", "u32", "u16", "u8", "f64", "str", "cat", "int64",
        "int32", "uint64", "varchar",
    ];
    let row = |line: &str| {
        let inner = line
            .trim()
            .strip_prefix(['│', '┃', '║'])?
            .trim_end_matches(['│', '┃', '║']);
        Some(
            inner
                .split(['│', '┆', '┃', '║'])
                .map(|cell| cell.trim().to_owned())
                .collect::<Vec<_>>(),
        )
    };
    let is_type = |row: &Vec<String>| row.iter().all(|cell| TYPES.contains(&cell.as_str()));
    let cell = |cell: &String| {
        if cell.contains(',') {
            format!("\"{cell}\"")
        } else {
            cell.clone()
        }
    };
    let rows = text.lines().filter_map(row).filter(|row| !is_type(row));
    let lines = rows.map(|row| row.iter().map(cell).collect::<Vec<_>>().join(",") + "\n");
    Some(lines.collect::<String>()).filter(|csv| csv.lines().count() > 1)
}

/// Returns the message for printed lines that cannot be read: from the `first` that are not blank, and from `all`.
pub(in crate::ingest) fn refused(first: &[&[u8]], all: &[&[u8]]) -> Option<&'static str> {
    let last = all
        .iter()
        .rev()
        .map(|line| line.trim_ascii())
        .find(|line| !line.is_empty())
        .unwrap_or_default();
    let is_frame = last.starts_with(b"[") && last.ends_with(b" columns]");
    let is_boxed = first
        .iter()
        .take(3)
        .any(|line| is_box(&String::from_utf8_lossy(line)));
    let is_type = last.starts_with(b"dtype: ")
        || (last.starts_with(b"Name: ") && last.windows(8).any(|part| part == b", dtype:"));
    let named = |name: &str| {
        let is = |cell: &&str| cell.trim().trim_matches('"').eq_ignore_ascii_case(name);
        let cells = |line: &&[u8]| {
            String::from_utf8_lossy(line)
                .split(['│', '┆', ',', '\t', ' '])
                .filter(|cell| !cell.is_empty())
                .take(2)
                .any(|cell| is(&cell))
        };
        first.iter().any(cells)
    };
    // The comma may separate the range from the next cell, so a row of a table is no range.
    let is_range = |line: &&[u8]| !line.contains(&b',') && bins::range(line).is_some();
    match first {
        [_, _, _, ..] if named("mean") && named("std") && (named("min") || named("25%")) => {
            Some(SUMMARY)
        }
        _ if is_frame || is_boxed => Some(CUT),
        [_, _, ..] if is_type => Some(SERIES),
        [_, rest @ ..] if !rest.is_empty() && rest.iter().all(is_range) => Some(bins::BINS),
        _ => None,
    }
}
