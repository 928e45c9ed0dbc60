//! Whether an input that is neither JSON nor numbers is plain text rather than a table.

use super::choose::CONTENTS;
use super::columns::lossy;
use super::formats::Delimiter;
use super::kinds;
use super::lines;
use super::names;
use super::number;
use super::options::Options;
use super::rows::{Fed, Record};

/// Whether the lines are text. A damaged table of lengths must never be: known names, a line of only numbers anywhere
/// in `head`, and equally many cells on most of the first lines, `lines`, mean a table. So do options about columns.
pub(super) fn is_prose(head: &[&[u8]], lines: &[&[u8]], delimiter: Delimiter, options: &Options) -> bool {
    let asked = options.delimiter.is_some()
        || options.header.is_some()
        || !options.sizes.is_empty()
        || options.count.is_some();
    let Some(first) = lines.first() else { return false };
    !(asked
        || has_known_name(first, delimiter)
        || head.iter().any(|line| is_all_numbers(line) || is_row_of_numbers(line, delimiter))
        || is_table(&naive(lines, delimiter))
        || is_table(&records(lines, delimiter))
        || has_column_of_numbers(lines))
}

fn has_known_name(first: &[u8], delimiter: Delimiter) -> bool {
    let bare = |cell: &[u8]| lossy(cell).trim_matches('"').to_owned();
    let names: Vec<String> = first.split(|b| *b == delimiter.byte()).map(bare).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let is_content = matches!(names[..], [only] if CONTENTS.contains(&only));
    is_content || names.iter().any(|name| names::is_known(name)) || kinds::find(&names, 2).is_some()
}

/// Whether a line consists of numbers.
fn is_all_numbers(line: &[u8]) -> bool {
    !lines::is_silent(line) && number::pieces(line).all(number::is_number)
}

/// Whether all cells of a line are numbers, perhaps in quotes.
fn is_row_of_numbers(line: &[u8], delimiter: Delimiter) -> bool {
    let bare = |cell: &[u8]| {
        let cell = cell.trim_ascii();
        number::is_number(cell.strip_prefix(b"\"").and_then(|cell| cell.strip_suffix(b"\"")).unwrap_or(cell))
    };
    !lines::is_silent(line) && line.split(|b| *b == delimiter.byte()).all(bare)
}

/// The cells of a record.
struct Shape {
    width: usize,
    has_number: bool,
    /// Whether a cell begins with a space, as after a comma in a sentence.
    has_space: bool,
}

fn shape<'a>(cells: impl IntoIterator<Item = &'a [u8]>) -> Shape {
    let mut shape = Shape { width: 0, has_number: false, has_space: false };
    for cell in cells {
        shape.has_number |= number::is_number(cell);
        shape.has_space |= shape.width > 0 && cell.starts_with(b" ");
        shape.width += 1;
    }
    shape
}

/// Whether most records have as many cells as the first one, with numbers among them or without the spaces of
/// sentences.
fn is_table(shapes: &[Shape]) -> bool {
    let Some(Shape { width, .. }) = shapes.first() else { return false };
    let alike: Vec<&Shape> = shapes.iter().filter(|shape| shape.width == *width).collect();
    let cells = alike.iter().any(|shape| shape.has_number) || !alike.iter().any(|shape| shape.has_space);
    *width > 1 && 2 * alike.len() > shapes.len() && cells
}

/// Returns the shapes of lines split by delimiters alone: an unclosed quote hides all that follows it.
fn naive(lines: &[&[u8]], delimiter: Delimiter) -> Vec<Shape> {
    lines.iter().map(|line| shape(line.split(|b| *b == delimiter.byte()))).collect()
}

/// Returns the shapes of lines parsed as a table, with quotes.
fn records(lines: &[&[u8]], delimiter: Delimiter) -> Vec<Shape> {
    let mut record = Record::new(delimiter);
    let mut shapes = Vec::new();
    for line in lines {
        match record.feed(line) {
            Fed::TooLong => record.restart(),
            _ if record.feed(b"\n") == Fed::Record => {
                shapes.push(shape((0..record.len()).map(|i| record.get(i))));
                record.clear();
            }
            _ => {}
        }
    }
    shapes
}

/// Whether most lines have a number at the same position: columns separated by spaces.
fn has_column_of_numbers(lines: &[&[u8]]) -> bool {
    let words = |line: &[u8]| number::pieces(line).map(number::is_number).collect::<Vec<bool>>();
    let rows: Vec<Vec<bool>> = lines.iter().map(|line| words(line)).collect();
    let width = rows.iter().map(Vec::len).max().unwrap_or(0);
    let numbers = |at: usize| rows.iter().filter(|row| row.get(at) == Some(&true)).count();
    // Below a title there may be few: names and a row, where two may be empty, or two rows, at the end.
    let is_row = |row: &[bool]| row.len() > 1 && 2 * row.iter().filter(|is| **is).count() > row.len();
    let is_end = |a: &[bool], b: &[bool]| {
        (a.len()..a.len() + 3).contains(&b.len()) && is_row(b) && (is_row(a) || !a.contains(&true))
    };
    matches!(&rows[..], [.., a, b] if is_end(a, b))
        || rows.len() > 1 && (0..width).any(|at| 2 * numbers(at) > rows.len())
}
