//! Whether an input that is neither JSON nor numbers is plain text rather than a table.

use super::column_choice::CONTENTS;
use super::component_names;
use super::formats::Delimiter;
use super::lines::lossy;
use super::names;
use super::number;
use super::options::Options;
use super::rows::{FeedState, Record};

/// Whether the lines are text: nearly every line of `head` is a sentence of words. Known names, or equally many cells
/// on most of the first lines, `lines`, mean a table; so do options about columns.
pub(super) fn is_prose(
    head: &[&[u8]],
    lines: &[&[u8]],
    delimiter: Delimiter,
    options: &Options,
) -> bool {
    let asked = options.delimiter.is_some()
        || options.header.is_some()
        || !options.sizes.is_empty()
        || options.count.is_some();
    let Some(first) = lines.first() else {
        return false;
    };
    !asked
        && !has_known_name(first, delimiter)
        && !is_table(&records(lines, delimiter))
        && are_sentences(head)
}

/// Whether nine lines in ten have several words, mostly of letters, and at most one word in five has a digit.
fn are_sentences(lines: &[&[u8]]) -> bool {
    let (mut all, mut sentences, mut words, mut numbers) = (0, 0, 0, 0);
    for line in lines
        .iter()
        .filter(|line| !line.trim_ascii().is_empty() && !line.starts_with(b"#"))
    {
        let line = String::from_utf8_lossy(line);
        let of = |is: fn(char) -> bool| line.chars().filter(|c| is(*c)).count();
        let (letters, marks) = (
            of(char::is_alphabetic),
            of(|c| !c.is_whitespace() && !c.is_ascii_digit()),
        );
        let with_letters = line
            .split_whitespace()
            .filter(|word| word.contains(char::is_alphabetic))
            .count();
        // Chinese and Japanese have no spaces.
        let several = with_letters > 1 || (letters > 3 && !line.is_ascii());
        // Signs of settings, logs and code, which have words too.
        let is_mark = |word: &str| word.len() == 1 && word.contains(['&', ':', ';', '+', '/', '~']);
        let is_setting = line.split_whitespace().any(is_mark)
            || line.contains(['=', '{', '}', '<', '>', '|', '\\', '^'])
            || (with_letters < 4
                && line
                    .split_whitespace()
                    .next()
                    .is_some_and(|word| word.ends_with(':')));
        all += 1;
        // Two thirds of the signs are letters.
        sentences += usize::from(several && !is_setting && 3 * letters >= 2 * marks);
        words += line.split_whitespace().count();
        numbers += line
            .split_whitespace()
            .filter(|word| word.contains(|c: char| c.is_ascii_digit()))
            .count();
    }
    all > 0 && 10 * sentences >= 9 * all && 5 * numbers <= words
}

/// Whether a first line has a name of a length, of a count, or of texts.
pub(super) fn has_known_name(first: &[u8], delimiter: Delimiter) -> bool {
    let bare = |cell: &[u8]| lossy(cell).trim_matches('"').to_owned();
    let names: Vec<String> = first.split(|b| *b == delimiter.byte()).map(bare).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let is_content = matches!(names[..], [only] if CONTENTS.contains(&only));
    // A sentence may mention tokens.
    let is_sentence = names
        .last()
        .is_some_and(|name| name.ends_with(['.', '!', '?']));
    is_content
        || (!is_sentence && names.iter().any(|name| names::is_known(name)))
        || component_names::find(&names, 2).is_some()
}

struct CellShape {
    width: usize,
    has_number: bool,
    /// Whether a cell begins with a space, as after a comma in a sentence.
    has_space: bool,
}

fn shape<'a>(cells: impl IntoIterator<Item = &'a [u8]>) -> CellShape {
    let mut shape = CellShape {
        width: 0,
        has_number: false,
        has_space: false,
    };
    for cell in cells {
        shape.has_number |= number::is_number(cell);
        shape.has_space |= shape.width > 0 && cell.starts_with(b" ");
        shape.width += 1;
    }
    shape
}

/// Whether most records have as many cells as the first, with numbers among them or without spaces as in sentences.
fn is_table(shapes: &[CellShape]) -> bool {
    let Some(CellShape { width, .. }) = shapes.first() else {
        return false;
    };
    let alike: Vec<&CellShape> = shapes
        .iter()
        .filter(|shape| shape.width == *width)
        .collect();
    let cells =
        alike.iter().any(|shape| shape.has_number) || !alike.iter().any(|shape| shape.has_space);
    *width > 1 && 2 * alike.len() > shapes.len() && cells
}

/// Returns the shapes of lines parsed as a table, with quotes.
fn records(lines: &[&[u8]], delimiter: Delimiter) -> Vec<CellShape> {
    let mut record = Record::new(delimiter);
    let mut shapes = Vec::new();
    for line in lines {
        match record.feed(line) {
            FeedState::TooLong | FeedState::TooWide => record.restart(),
            _ if record.feed(b"\n") == FeedState::Record => {
                shapes.push(shape((0..record.len()).map(|i| record.get(i))));
                record.clear();
            }
            _ => {}
        }
    }
    shapes
}
