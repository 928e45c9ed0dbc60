//! Tables with spaces between their cells, as written by R, pandas, `np.savetxt` and `uniq -c`.

use super::formats::Delimiter;
use super::lines::lossy;
use super::names;
use super::number;

/// The question about a space in every line.
pub(super) const THOUSANDS: &str = "the spaces may part columns, or thousands from the rest; write commas between \
                                    columns, or no space in a number";

/// The most title lines above a table.
pub(super) const TITLES: usize = 5;

/// Splits a line at white space that is not in quotes.
pub(super) fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut quoted = false;
    let parts = move |b: &u8| {
        quoted ^= *b == b'"';
        !quoted && b.is_ascii_whitespace()
    };
    line.split(parts).filter(|piece| !piece.is_empty())
}

fn is_quoted(piece: &[u8]) -> bool {
    piece.len() > 1 && piece.starts_with(b"\"") && piece.ends_with(b"\"")
}

/// Whether a piece is a number without quotes.
pub(super) fn is_bare(piece: &[u8]) -> bool {
    !piece.contains(&b',') && number::is_number(piece)
}

/// Whether the lines are rows with spaces between their cells, as written by R, `np.savetxt` and `uniq -c`: after a
/// header in quotes, or one with a known name and numbers below it; or two numbers each. Rows may begin with a name
/// that has no column in the header.
fn are_spaced(lines: &[&[u8]]) -> bool {
    let Some((first, rest)) = lines.split_first() else {
        return false;
    };
    let (header, row) = (
        words(first).count(),
        rest.first().map_or(0, |row| words(row).count()),
    );
    // Names may be empty, and the header may lack a name for the first cells.
    let fits = header == row || header + 1 == row || strict(first) == row;
    let in_quotes = words(first).all(is_quoted);
    let is_cell = |piece: &[u8]| is_bare(piece) || is_quoted(piece);
    let numbers = |line: &&[u8]| words(line).all(is_bare);
    // One line may be anything; only quotes or the form of `uniq -c` make it a row.
    if rest.is_empty() {
        let are_numbers = in_quotes
            && words(first)
                .all(|piece| number::is_number(lossy(piece).trim_matches('"').as_bytes()));
        return header == 2
            && !has_mark(&outside(first))
            && (are_numbers || (numbers(first) && is_uniq(first)));
    }
    let is_row = |line: &&[u8]| words(line).count() == row;
    if row < 2
        || !fits
        || lines.iter().any(|line| has_mark(&outside(line)))
        || !rest.iter().all(is_row)
    {
        return false;
    }
    if in_quotes {
        let are_cells =
            |line: &&[u8]| words(line).all(is_cell) && (header > 1 || line.starts_with(b"\""));
        return rest.iter().all(are_cells);
    }
    let is_number = |line: &[u8], at: usize| words(line).nth(at).is_some_and(is_bare);
    let has_column = || (0..row).any(|at| rest.iter().all(|line| is_number(line, at)));
    // pandas writes 0 for a missing name.
    let is_free = || words(first).all(|name| !is_bare(name) || name == b"0");
    let is_named = || {
        (header > 1 || strict(first) == row)
            && words(first).any(is_name)
            && is_free()
            && has_column()
    };
    // As written by Kaldi: utt2num_frames has a name and a number.
    let is_name_and_number =
        |line: &&[u8]| words(line).next().is_some_and(|name| !is_bare(name)) && is_number(line, 1);
    row == 2 && (lines.iter().all(numbers) || lines.iter().all(is_name_and_number)) || is_named()
}

/// Counts the cells of a line in which every single space separates two cells, which may be empty.
pub(super) fn strict(line: &[u8]) -> usize {
    1 + outside(line).iter().filter(|b| **b == b' ').count()
}

/// Whether a line has a delimiter other than spaces.
pub(super) fn has_mark(line: &[u8]) -> bool {
    line.iter().any(|b| matches!(b, b',' | b';' | b'\t' | b'|'))
}

/// Whether a piece is in quotes, or is a known name.
fn is_name(piece: &[u8]) -> bool {
    let name = lossy(piece);
    is_quoted(piece) || names::is_known(&name) || names::is_weak_count(&name)
}

/// Whether rows of numbers with spaces between them may be columns, or numbers with separated thousands: `1 234`.
pub(super) fn may_be_thousands(lines: &[&[u8]]) -> bool {
    let Some((first, rest)) = lines.split_first() else {
        return false;
    };
    let is_known = |piece: &[u8]| names::is_known(&lossy(piece));
    let is_count = |piece: &[u8]| names::count_rank(&lossy(piece)).is_some();
    let are_columns = words(first).all(is_known) && words(first).any(is_count);
    let rows = if is_bare(first) { lines } else { rest };
    let is_one = |line: &&[u8]| {
        let cells = words(line).count();
        cells > 1 && (cells == words(first).count() || cells == strict(first)) && is_bare(line)
    };
    !are_columns && !words(first).all(is_quoted) && !rows.is_empty() && rows.iter().all(is_one)
}

/// Returns the number of lines above a table with spaces between its cells, or `None` if there is no such table. A line
/// of words over numbers does not make a table.
pub(super) fn spaced(lines: &[&[u8]]) -> Option<usize> {
    let is_below = |at: usize| lines.len() > at + 1 && !words(lines[at]).all(is_bare);
    let is_table = |at: &usize| are_spaced(&lines[*at..]) && (*at == 0 || is_below(*at));
    (0..lines.len().min(TITLES + 1)).find(is_table)
}

/// Returns a line without the parts in double quotes, if these come in pairs.
pub(super) fn outside(line: &[u8]) -> Vec<u8> {
    let quotes = line.iter().filter(|b| **b == b'"').count();
    // An odd quote is an inch or an apostrophe, and opens nothing.
    if quotes % 2 == 1 {
        return line.to_vec();
    }
    // Every second part is outside of quotes.
    line.split(|b| *b == b'"')
        .step_by(2)
        .collect::<Vec<_>>()
        .concat()
}

/// Whether lines begin with a right-aligned number in 7 characters, as GNU `uniq -c` prints it, or
/// in 4, as that of BSD does; longer numbers fill more.
pub(super) fn is_uniq(head: &[u8]) -> bool {
    let ends = |line: &[u8]| {
        let spaces = line.iter().take_while(|b| **b == b' ').count();
        let digits = line[spaces..]
            .iter()
            .take_while(|b| b.is_ascii_digit())
            .count();
        (spaces, spaces + digits)
    };
    let lines = || {
        head.split(|b| *b == b'\n')
            .filter(|line| !line.trim_ascii().is_empty())
            .take(20)
    };
    let width = |width: usize| {
        lines().all(|line| matches!(ends(line), (0, end) if end >= width) || ends(line).1 == width)
    };
    lines().any(|line| ends(line).0 > 0) && (width(7) || width(4))
}

/// Counts the cells of a line, without an empty one after a trailing delimiter.
pub(super) fn cells(line: &[u8], delimiter: Delimiter) -> usize {
    let line = line.trim_ascii();
    let line = line.strip_suffix(&[delimiter.byte()]).unwrap_or(line);
    line.split(|b| *b == delimiter.byte()).count()
}
