//! Detects the format of an input from its beginning.

use super::column_stats::{self, Cell, OFFSETS};
use super::columns;
use super::columns_of_words;
use super::dialect::Dialect;
use super::formats::{Delimiter, Format};
use super::histograms;
use super::lines::{self, lossy};
use super::named_records;
use super::names;
use super::notes::Note;
use super::number;
use super::options::{Column, Options};
use super::prose;
use super::recognised;
use super::refuse::{refuse_binary, refuse_controls, refuse_others};
use super::spaced::{THOUSANDS, TITLES, cells, is_uniq, may_be_thousands, outside, spaced};
use super::split::JsonShape;
use crate::config;
use packscope_core::error::{ChoiceNeeded, Error, Result};
use serde::de::IgnoredAny;
use std::sync::Arc;

/// The most lines that are examined.
const LINES: usize = 20;

pub(super) struct InputHead<'a> {
    /// All complete lines.
    pub all: &'a [&'a [u8]],
    /// The first lines that are not blank or comments.
    pub lines: &'a [&'a [u8]],
    /// The same without titles above a table.
    pub below: &'a [&'a [u8]],
    pub delimiter: Delimiter,
    pub options: &'a Options,
}

/// Refuses lists of offsets, and asks about lines that may be a table or a list of numbers.
fn refuse_unclear(
    text: &[u8],
    InputHead {
        all,
        lines,
        below,
        delimiter,
        options,
    }: &InputHead<'_>,
    format: Format,
) -> Result<()> {
    let place = "line 1".to_owned();
    if format == Format::Table && options.format.is_none() && *delimiter != Delimiter::Space {
        columns_of_words::ask(lines, options)?;
    }
    if format == Format::Numbers && are_offsets(all) {
        return Err(Error::Input {
            place,
            message: format!("this list {OFFSETS}"),
        });
    }
    let may_ask = options.format.is_none();
    let question = match format {
        Format::Table
            if may_ask
                && options.delimiter.is_none()
                && may_be_thousands(below)
                && !is_uniq(text) =>
        {
            THOUSANDS
        }
        Format::Numbers if may_ask && number::may_be_thousands(all) => LIST_THOUSANDS,
        Format::Table
            if may_ask
                && options.delimiter.is_none()
                && *delimiter == Delimiter::Comma
                && number::are_thousands_below(lines) =>
        {
            COLUMN_THOUSANDS
        }
        Format::Numbers if may_ask && are_rows(lines) => ROWS,
        _ => return Ok(()),
    };
    let is_marked = lines.iter().any(|line| line.contains(&delimiter.byte()));
    let by = if is_marked {
        *delimiter
    } else {
        Delimiter::Space
    };
    let layouts = [Format::Numbers.name(), by.name()]
        .map(str::to_owned)
        .to_vec();
    let asked = Arc::new(ChoiceNeeded {
        layouts,
        ..ChoiceNeeded::default()
    });
    Err(Error::Unclear {
        place,
        message: question.to_owned(),
        asked,
    })
}

/// Detects the dialect of an input from its beginning, `head`, which is all of it if `complete`.
///
/// # Errors
/// [`Error::Input`] for bytes that are not UTF-8 text: compressed, binary, UTF-16.
pub(super) fn dialect(
    head: &[u8],
    complete: bool,
    options: &Options,
    components: usize,
) -> Result<Dialect> {
    // Only the mark of UTF-8: UTF-16 with a mark is refused below, unless `Stream` has converted
    // it.
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    refuse_binary(text)?;
    // Options about columns say that it is a table, whatever it looks like.
    let is_free =
        options.delimiter.is_none() && options.header.is_none() && options.count.is_none();
    if options.format == Some(Format::Histogram)
        || (is_free
            && options.format.is_none()
            && histograms::is_held(text, complete, !options.sizes.is_empty()))
    {
        return Ok(Dialect::histogram(head.len() - text.len()));
    }
    let all = whole(text, complete);
    let lines = beginning(&all);
    // A chosen format is read as such, even if it looks like another one.
    if options.format.is_none() {
        columns_of_words::ask_by_kind(&lines, options)?;
        refuse_config(text)?;
        refuse_others(&lines, &all)?;
    }
    let words = columns_of_words::chosen(&lines, options);
    let delimiter = match words {
        Some(_) => Delimiter::Space,
        None => options.delimiter.unwrap_or_else(|| delimiter(&lines)),
    };
    let titles = match words {
        Some(_) => 0,
        None => titles_above(&lines, delimiter, options),
    };
    // A title over lines without numbers may be the first of several sentences.
    let is_above = lines
        .get(titles + 1)
        .is_some_and(|line| has_number(line, delimiter));
    let below = &lines[if is_above { titles } else { 0 }..];
    let beginning = InputHead {
        all: &all,
        lines: &lines,
        below,
        delimiter,
        options,
    };
    let is_line = |line: &&&[u8]| serde_json::from_slice::<IgnoredAny>(line).is_ok();
    // A record on a line may have objects in it; so may one that is alone, but then their names differ.
    let are_named = !(lines.len() > 1 && lines.first().filter(is_line).is_some())
        && named_records::are_named(body(text));
    let are_records = are_named || first_value(body(text)) == Some(b'{');
    // Only lengths can be the keys of an object, or stand alone; records can have any number of sizes.
    let shape = match shape(text, options) {
        _ if are_named => JsonShape::Map,
        JsonShape::Map if components > 1 && !are_records => JsonShape::Values,
        shape => shape,
    };
    let seen = format(&lines, shape, delimiter, options);
    let has_columns = |line: &&[u8]| cells(line, delimiter) > 1;
    let found = match recognised(&beginning, seen) {
        Some(format) => format,
        // Pairs without a header: "12 5" would be a list of lengths for one component.
        None if seen == Format::Numbers
            && components > 1
            && lines.first().is_some_and(has_columns) =>
        {
            Format::Table
        }
        None => seen,
    };
    // Formats by first bytes are not chosen here: `open` has recognised them.
    let format = options
        .format
        .filter(|format| format.is_text())
        .unwrap_or(found);
    refuse_format(text, &beginning, format, components)?;
    if words.is_none_or(|words| words < 2) {
        refuse_unclear(text, &beginning, format)?;
    }
    let note = match format {
        Format::Numbers if lines.len() > 1 && number::pieces(lines[0]).count() > 1 => {
            Some(Note::EachNumber)
        }
        Format::Json if shape == JsonShape::Map && !are_records => Some(Note::Map),
        Format::Text => Some(Note::Words),
        _ => None,
    };
    Ok(Dialect {
        format,
        delimiter,
        shape,
        mark: head.len() - text.len(),
        titles,
        words,
        note,
    })
}

/// Refuses the configuration of a training, which is of use beside data.
fn refuse_config(text: &[u8]) -> Result<()> {
    let library = std::str::from_utf8(body(text))
        .ok()
        .and_then(config::library_of);
    library.map_or(Ok(()), |library| {
        Err(Error::Input {
            place: "line 1".to_owned(),
            message: format!(
                "this is the configuration of a training with {library}, which has no lengths; give it beside the data: packscope \
                 advise DATA --config FILE"
            ),
        })
    })
}

/// Refuses a text that cannot have the format, or that has too few sizes in it.
fn refuse_format(text: &[u8], of: &InputHead<'_>, format: Format, components: usize) -> Result<()> {
    let InputHead {
        lines,
        delimiter,
        options,
        ..
    } = *of;
    let is_named = || {
        lines
            .first()
            .is_some_and(|line| prose::has_known_name(line, delimiter))
    };
    if options.format.is_none()
        && (format == Format::Text || (format == Format::Table && !is_named()))
    {
        refuse_controls(text)?;
    }
    match format {
        Format::Text if components > 2 => Err(no_sizes(components)),
        Format::Numbers if components > 1 && !lines.is_empty() => Err(no_numbers()),
        _ => Ok(()),
    }
}

/// The question about lines with equally many numbers each.
const ROWS: &str = "lines of several numbers may be rows of a table, or lengths one after the other; of rows, write the column of the \
                    lengths: awk '{print $2}' FILE > lengths.txt, if it is the second; of lengths, write one a line: tr -s ' ,;\\t' \
                    '\\n' < FILE > lengths.txt";

/// The question about commas in a list.
const LIST_THOUSANDS: &str = "the commas may part thousands, as in 1,519, or lengths; write numbers without commas, one a line: \
                              tr -d ',' < FILE > lengths.txt of thousands, or tr ',' '\\n' < FILE > lengths.txt of lengths";

/// The question about commas below a header without one.
const COLUMN_THOUSANDS: &str = "the first line has one name, and the commas below may part thousands, as in 1,519, or columns; of \
                                thousands, write numbers without commas: tr -d ',' < FILE > lengths.csv; of columns, name each \
                                in the first line";

/// Whether lines of several numbers may be rows: a single list fills all lines but the last.
fn are_rows(lines: &[&[u8]]) -> bool {
    let count = |line: &&[u8]| number::pieces(line).count();
    let Some((last, filled)) = lines.split_last() else {
        return false;
    };
    let (most, least) = (
        filled.iter().map(count).max(),
        filled.iter().map(count).min(),
    );
    let (longest, shortest) = (
        filled.iter().map(|l| l.len()).max(),
        filled.iter().map(|l| l.len()).min(),
    );
    // Wrapped lines, as numpy prints them, have equally many numbers or nearly the same width.
    let is_wrapped = most == least
        || longest
            .zip(shortest)
            .is_some_and(|(most, least)| most - least < 12);
    let singles = lines.iter().filter(|line| count(line) == 1).count();
    // The last line of a wrapped list is shorter; of a table it is like the others.
    !filled.is_empty() && 2 * singles <= lines.len() && (!is_wrapped || Some(count(last)) >= most)
}

/// Whether the numbers of a list begin with 0 and never fall.
fn are_offsets(lines: &[&[u8]]) -> bool {
    let numbers = lines
        .iter()
        .filter(|line| !lines::is_silent(line))
        .flat_map(|line| number::pieces(line));
    column_stats::are_offsets(&numbers.map(Cell::from).collect::<Vec<_>>())
}

/// Returns the number of titles above a table, without the last if it must be the header: numbers follow it.
fn titles_above(lines: &[&[u8]], delimiter: Delimiter, options: &Options) -> usize {
    let titles = titles(lines, delimiter, options);
    let is_header = |line: &&[u8]| {
        let cells: Vec<&[u8]> = line.split(|b| *b == delimiter.byte()).collect();
        columns::is_header(&cells, options, |_| true)
    };
    let is_last = options.header == Some(true) && !lines.get(titles).is_some_and(is_header);
    titles.saturating_sub(usize::from(is_last))
}

/// Returns the number of lines of one cell above at least two lines with the same number of cells.
fn titles(lines: &[&[u8]], delimiter: Delimiter, options: &Options) -> usize {
    if delimiter == Delimiter::Space {
        return spaced(lines).unwrap_or(0);
    }
    // Delimiters within quotes are no borders of cells.
    let is_mark = |b: &u8| *b == delimiter.byte();
    let widths = |line: &[u8]| {
        let line = outside(line);
        let end = line
            .iter()
            .rposition(|b| !is_mark(b) && !b.is_ascii_whitespace())
            .map_or(0, |at| at + 1);
        let count = |line: &[u8]| 1 + line.iter().filter(|b| is_mark(b)).count();
        (count(&line[..end]), count(&line))
    };
    let is_title = |(at, line): &(usize, &&[u8])| {
        let alone = line.split(is_mark).next().unwrap_or_default();
        let alone = lossy(alone).trim_matches('"').to_owned();
        let (filled, all) = widths(line);
        // Spreadsheets pad a title with delimiters like other rows; headers with empty names look the same.
        let is_header = || {
            lines
                .get(at + 1)
                .is_none_or(|next| has_number(next, delimiter))
        };
        let is_chosen = || options.names().any(|name| name == alone) && is_header();
        let is_other =
            number::is_number(alone.as_bytes()) || names::is_known(&alone) || is_chosen();
        filled == 1 && !is_other && (all == 1 || !is_header())
    };
    let titles = lines.iter().enumerate().take_while(is_title).count();
    let width = |at: usize| lines.get(titles + at).map_or(0, |line| widths(line).1);
    // One cell less in the header than in the rows: the index of a table written by R or pandas.
    let is_table = width(0) > 1 && (width(0) == width(1) || width(0) + 1 == width(1));
    if titles <= TITLES && is_table {
        titles
    } else {
        0
    }
}

/// Whether a cell of a line is a number, perhaps in quotes.
fn has_number(line: &[u8], delimiter: Delimiter) -> bool {
    let is_number = |cell: &[u8]| number::is_number(lossy(cell).trim_matches('"').as_bytes());
    line.split(|b| *b == delimiter.byte()).any(is_number)
}

/// Returns the error for several components in numbers without columns.
fn no_numbers() -> Error {
    let message = "numbers without columns are lengths, one for each item; expected a table with columns \
                   separated by commas, semicolons or tabs, JSON or JSON Lines";
    Error::Input {
        place: "the input".to_owned(),
        message: message.to_owned(),
    }
}

/// Returns the error for more components than words and stopwords in text.
fn no_sizes(components: usize) -> Error {
    let message = format!(
        "plain text is read as words, or as words and stopwords, not as sizes of {components} components; expected a \
         table, JSON or JSON Lines"
    );
    Error::Input {
        place: "the input".to_owned(),
        message,
    }
}

/// Returns the complete lines; an incomplete one only if it is the first.
fn whole(text: &[u8], complete: bool) -> Vec<&[u8]> {
    let mut lines: Vec<&[u8]> = text.split(|b| matches!(b, b'\n' | b'\r')).collect();
    // The last line may be cut in the middle of a number.
    if !complete && lines.len() > 1 {
        lines.pop();
    }
    lines
}

/// Returns the first lines that are not blank or comments.
fn beginning<'a>(lines: &[&'a [u8]]) -> Vec<&'a [u8]> {
    lines
        .iter()
        .copied()
        .filter(|l| !lines::is_silent(l))
        .take(LINES)
        .collect()
}

/// Returns the delimiter that most lines have; among equals, the one most frequent in the first such line.
fn delimiter(lines: &[&[u8]]) -> Delimiter {
    if spaced(lines).is_some() {
        return Delimiter::Space;
    }
    // Delimiters in quotes do not count.
    let lines: Vec<Vec<u8>> = lines.iter().map(|line| outside(line)).collect();
    let times = |d: Delimiter, line: &Vec<u8>| line.iter().filter(|b| **b == d.byte()).count();
    let rank = |d: Delimiter| {
        let of = lines.iter().filter(|line| times(d, line) > 0);
        (
            of.clone().count(),
            of.clone().next().map_or(0, |line| times(d, line)),
        )
    };
    let all = [
        Delimiter::Comma,
        Delimiter::Semicolon,
        Delimiter::Tab,
        Delimiter::Pipe,
    ];
    // `max_by_key` returns the last of equals, so the list is reversed: commas win.
    all.into_iter()
        .rev()
        .max_by_key(|d| rank(*d))
        .unwrap_or(Delimiter::Comma)
}

fn format(lines: &[&[u8]], shape: JsonShape, delimiter: Delimiter, options: &Options) -> Format {
    let first = lines.first().copied().unwrap_or_default().trim_ascii();
    match first.first() {
        None => Format::Numbers,
        // A list on a single line may be one array over the whole file.
        Some(b'[') if is_lines(lines, first, lines.len() > 1) => Format::JsonLines,
        Some(b'{') if shape != JsonShape::Map && is_lines(lines, first, true) => Format::JsonLines,
        Some(b'[' | b'{') => Format::Json,
        Some(_) if matches!(first, b"null" | b"true" | b"false") && lines.len() == 1 => {
            Format::Json
        }
        // A quoted first cell is JSON only if all lines are strings.
        Some(b'"') if are_strings(lines) => Format::JsonLines,
        Some(_) if delimiter == Delimiter::Space => Format::Table,
        Some(_) if is_list(lines, delimiter, options) => Format::Numbers,
        Some(_) => Format::Table,
    }
}

/// Whether the lines are JSON values: the first one with `one_will_do`, or else at least two, as one may be damaged.
fn is_lines(lines: &[&[u8]], first: &[u8], one_will_do: bool) -> bool {
    // A single line that fills the beginning is cut: if an object, it is taken as a line; an array is one array.
    let cut = lines.len() == 1 && first.starts_with(b"{");
    let whole = |line: &&&[u8]| serde_json::from_slice::<IgnoredAny>(line).is_ok();
    let opener = |line: &&&[u8]| line.trim_ascii_start().first() == first.first();
    (one_will_do && (whole(&&first) || cut))
        || lines.iter().filter(opener).filter(whole).count() >= 2
}

/// Whether the lines are JSON strings rather than the quoted cells of a table with one column.
fn are_strings(lines: &[&[u8]]) -> bool {
    lines.iter().enumerate().all(|(i, line)| {
        serde_json::from_slice::<String>(line)
            .is_ok_and(|s| !number::is_number(s.as_bytes()) && (i > 0 || !names::is_known(&s)))
    })
}

/// Whether the lines are lists of numbers rather than rows of a table.
fn is_list(lines: &[&[u8]], delimiter: Delimiter, options: &Options) -> bool {
    // Delimiters and headers are for tables; a choice of columns, too.
    let chosen = options.header == Some(true) || options.delimiter.is_some();
    let asked = !options.sizes.is_empty() || options.count.is_some();
    if chosen || asked || !is_mostly_numbers(lines[0]) || have_names(lines) {
        return false;
    }
    // A damaged row must not turn a table into a list, so most of the rows decide.
    let pair = |line: &[u8]| cells(line, delimiter) == 2;
    let pairs = lines.iter().filter(|l| pair(l)).count();
    lines.len() == 1 || !pair(lines[0]) || 2 * pairs <= lines.len()
}

/// Whether several lines have as many cells between tabs, the first of which is never a number, as an index of FASTA has.
fn have_names(lines: &[&[u8]]) -> bool {
    let tabs = |line: &[u8]| line.iter().filter(|b| **b == b'\t').count();
    let begins = |line: &&[u8]| {
        line.split(|b| *b == b'\t')
            .next()
            .is_some_and(|cell| !number::is_number(cell))
    };
    let alike = lines.iter().all(|line| tabs(line) == tabs(lines[0]));
    lines.len() > 1 && tabs(lines[0]) > 1 && alike && lines.iter().all(begins)
}

/// Whether at least half of a line is numbers, and none of its pieces is a known column name.
fn is_mostly_numbers(line: &[u8]) -> bool {
    let known = |cell: &[u8]| std::str::from_utf8(cell).is_ok_and(names::is_known);
    let found = number::pieces(line)
        .filter(|n| number::is_number(n))
        .count();
    2 * found >= number::pieces(line).count() && !number::pieces(line).any(known)
}

/// Returns the shape of JSON text, from its first characters.
fn shape(text: &[u8], options: &Options) -> JsonShape {
    let body = body(text);
    match (body.first(), first_value(body)) {
        (Some(b'['), _) => JsonShape::Array,
        (_, Some(b'{')) => JsonShape::Map,
        // Names denote fields, which an object with lengths as keys does not have.
        (_, Some(_)) if !matches!(options.sizes[..], [Column::Name(_), ..]) => JsonShape::Map,
        _ => JsonShape::Values,
    }
}

/// Returns JSON text without leading white space.
fn body(text: &[u8]) -> &[u8] {
    let pieces = text.split_inclusive(|b| matches!(b, b'\n' | b'\r'));
    let silent: usize = pieces
        .take_while(|l| lines::is_silent(l))
        .map(<[u8]>::len)
        .sum();
    text[silent..].trim_ascii_start()
}

/// Returns the first byte of the first value of an object, if its key is a number.
fn first_value(body: &[u8]) -> Option<u8> {
    let members = body.strip_prefix(b"{")?.trim_ascii_start();
    let key = members.strip_prefix(b"\"")?;
    // Escaped quotes may stand in a key, but not in one that is a number.
    let (key, rest) = key.split_at(key.iter().position(|b| *b == b'"')?);
    let value = rest
        .iter()
        .find(|b| !matches!(b, b'"' | b':') && !b.is_ascii_whitespace());
    value.copied().filter(|_| number::is_number(key))
}
