//! Tables of bins: a range and a count in each row, or both edges and a count.

use super::super::bins::{self, BinRange};
use super::super::{names, number};
use super::{Span, whole};

/// Returns the bins of a table with commas, semicolons, tabs or bars, or of a printed one.
pub(super) fn find(text: &str) -> Option<Result<Vec<Span>, String>> {
    let lines = text
        .lines()
        .filter(|line| !super::super::lines::is_silent(line.as_bytes()));
    let is_kept = |line: &&str| !line.starts_with("Name: ") && !line.starts_with("dtype: ");
    let mut rows: Vec<Vec<String>> = lines.filter(is_kept).map(cells).collect();
    let is_body = |row: &[String]| row.iter().any(|cell| number::is_number(cell.as_bytes()));
    let first = rows.first()?;
    // A first line without a number is the header.
    let names = (!is_body(first)).then(|| rows.remove(0));
    // The name of an index stands alone on its line.
    let names = names.filter(|names| names.len() > 1);
    of_rows(names.as_deref(), &rows)
}

/// Splits a line after an interval, or at its delimiter.
fn cells(line: &str) -> Vec<String> {
    let line = line.trim();
    // An interval contains a comma of its own, so it is cut off before any delimiter is looked for.
    let end = line.find([')', ']']).map_or(0, |at| at + 1);
    let (interval, rest) = line.split_at(end);
    if interval.starts_with(['[', '(']) && bins::range(interval.as_bytes()).is_some() {
        let rest = rest.trim_start_matches([',', ';', '\t', '|', ' ']);
        return [interval, rest].map(|cell| cell.trim().to_owned()).into();
    }
    let mut quoted = false;
    // Commas last: they may stand within numbers.
    let marks = ['\t', '|', ';', ','];
    let mark = marks
        .into_iter()
        .find(|mark| line.contains(*mark))
        .unwrap_or(' ');
    let mut cells = vec![String::new()];
    for c in line.chars() {
        quoted ^= c == '"';
        match cells.last_mut() {
            Some(cell) if c != mark || quoted => cell.push(c),
            _ => cells.push(String::new()),
        }
    }
    cells
        .iter()
        .map(|cell| cell.trim().trim_matches('"').to_owned())
        .collect()
}

/// Returns the bins in rows of cells, below names if there are any.
pub(super) fn of_rows(
    names: Option<&[String]>,
    rows: &[Vec<String>],
) -> Option<Result<Vec<Span>, String>> {
    let width = names.map_or_else(|| rows.first().map_or(0, Vec::len), <[String]>::len);
    if rows.is_empty() || width < 2 || rows.iter().any(|row| row.len() != width) {
        return None;
    }
    let range = |row: &[String], at: usize| bins::range(row[at].as_bytes());
    let ranges = (0..width).find(|at| rows.iter().all(|row| range(row, *at).is_some()));
    let edges = names.and_then(edges);
    let used = |at: usize| ranges == Some(at) || edges.is_some_and(|edges| edges.contains(&at));
    let all: Vec<BinRange> = match (ranges, edges) {
        (Some(at), _) => rows
            .iter()
            .map(|row| range(row, at))
            .collect::<Option<_>>()?,
        (None, Some([low, high])) => {
            let edge = |cell: &String| number::real(cell.as_bytes());
            let range = |row: &Vec<String>| {
                Some(BinRange {
                    low: edge(&row[low])?,
                    high: edge(&row[high])?,
                    closed: [true, true],
                    marked: false,
                })
            };
            rows.iter().map(range).collect::<Option<_>>()?
        }
        (None, None) => return None,
    };
    let counts = names.and_then(|names| {
        (0..width).find(|at| !used(*at) && names::count_rank(&names[*at]).is_some())
    });
    // Brackets mark bins; other ranges may be seasons or pages.
    let are_sure = all.iter().all(|range| range.marked) || names.is_none();
    let other = || {
        (0..width)
            .find(|at| !used(*at))
            .filter(|_| are_sure && width == 2)
    };
    let counts = counts.or_else(other)?;
    let all = between(all)?;
    let count = |row: &Vec<String>| {
        number::real(row[counts].replace(['_', ','], "").as_bytes()).map_or_else(
            || {
                Err(format!(
                    "\"{}\" is no count of items; expected whole numbers",
                    row[counts]
                ))
            },
            whole,
        )
    };
    Some(
        all.into_iter()
            .zip(rows)
            .map(|(range, row)| Ok((range, count(row)?)))
            .collect(),
    )
}

/// Returns the columns of the lower and upper edges.
pub(super) fn edges(names: &[String]) -> Option<[usize; 2]> {
    const ENDS: [[&str; 7]; 2] = [
        ["start", "low", "lower", "left", "min", "from", "begin"],
        ["end", "high", "upper", "right", "max", "to", "stop"],
    ];
    let is_edge = |name: &String, which: usize| {
        let words = names::words(name);
        let known = |word: &String| ENDS[which].contains(&word.as_str());
        let of_bin = |word: &String| {
            ["bin", "bucket", "interval", "range", "edge", "bound"].contains(&word.as_str())
        };
        words.iter().any(known)
            // Alone only low, lower, left and high, upper, right count: "start" or "min" may be
            // anything.
            && (words.iter().any(of_bin)
                || (words.len() == 1 && ENDS[which][1..4].contains(&words[0].as_str())))
    };
    let at = |which| names.iter().position(|name| is_edge(name, which));
    Some([at(0)?, at(1)?])
}

/// Returns ranges without brackets, with each end that begins another range excluded, except the last. `None` if ranges
/// overlap otherwise, as bins do not; the same range may come more than once.
pub(super) fn between(mut all: Vec<BinRange>) -> Option<Vec<BinRange>> {
    let mut order: Vec<BinRange> = all.clone();
    // Floats need `total_cmp`; an open end is infinite.
    order.sort_unstable_by(|a, b| a.low.total_cmp(&b.low).then(a.high.total_cmp(&b.high)));
    order.dedup();
    if order.windows(2).any(|two| two[1].low < two[0].high) {
        return None;
    }
    // If bins touch (0–128, 128–256), edges are shared, and the upper one belongs to the next bin.
    let touch = order.windows(2).any(|two| two[1].low == two[0].high);
    let last = order.last()?.high;
    for range in all.iter_mut().filter(|range| !range.marked && touch) {
        range.closed[1] = range.high == last;
    }
    Some(all)
}
