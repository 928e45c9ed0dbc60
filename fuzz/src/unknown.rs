//! A file of fields, layouts and kinds by chance of which nothing is known to be a length, or two things are: it is refused, and
//! whoever follows the advice of the refusal gets the numbers that it names.

use crate::make::{byte, number, pick};
use arbitrary::Unstructured;
use packscope::error::{ChoiceNeeded, Error};
use packscope::ingest::{self, Column, Counts, Ingested, Options};
use std::collections::BTreeMap;

/// Names that no tool gives to lengths or counts.
const NAMES: [&str; 36] = [
    "loss",
    "stars",
    "price",
    "speaker",
    "year",
    "step",
    "score",
    "alpha",
    "usd",
    "duration",
    "width",
    "height",
    "percent",
    "share",
    "weight",
    "speed",
    "temperature",
    "label",
    "user",
    "lr",
    "epoch",
    "accuracy",
    "zip",
    "age",
    "x",
    "y",
    "city",
    "when",
    "max_length",
    "mean_tokens",
    "log2_length",
    "tokens_per_second",
    "reward",
    "rank",
    "n_speakers",
    "histogram",
];
/// Names of lengths, of which two in one table are two readings.
const LENGTHS: [&str; 6] = [
    "length",
    "n_tokens",
    "seq_len",
    "input_tokens",
    "token_count",
    "len",
];
/// Names of what may be a count, and what may not.
const OTHERS: [&str; 8] = [
    "zahl",
    "loss_sum",
    "stars",
    "num_sentences",
    "num_rows",
    "cumulative",
    "total",
    "ppm",
];
const WORDS: [&str; 8] = [
    "amber",
    "north",
    "x1",
    "left-hand",
    "a_b",
    "ÄÖ",
    "o'clock",
    "none",
];
const BY: [&str; 9] = [",", ";", "\t", "|", "^", "~", ":", "=", " & "];

/// The number of kinds of cells.
const KINDS: u8 = 9;

/// The columns of a table: names, and cells as JSON has them.
type Columns = Vec<(String, Vec<String>)>;

/// Reads such a file: it is an error, or in doubt, which the command line refuses too. Then does as the refusal says.
pub fn unknown(bytes: &[u8]) {
    let mut u = Unstructured::new(bytes);
    let (input, columns) = file(&mut u);
    match accepted(&input, &Options::default()) {
        Ok(read) => panic!("{input}\nis read as {}", read.description.account()),
        Err(Error::Unclear { asked, .. }) => follow(&input, &columns, &asked),
        Err(_) => {}
    }
}

/// Reads as the command line does, which refuses what is in doubt.
fn accepted(input: &str, options: &Options) -> packscope::error::Result<Ingested> {
    let read = ingest::read(input.as_bytes(), options.clone())?;
    read.description.judge(options)?;
    Ok(read)
}

/// Chooses each length on offer, alone and with each count on offer.
fn follow(input: &str, columns: &Columns, asked: &ChoiceNeeded) {
    for length in &asked.lengths {
        let counts = asked.counts.iter().filter(|count| *count != length);
        for count in std::iter::once(None).chain(counts.map(Some)) {
            let options = Options {
                sizes: vec![Column::from(length.as_str())],
                count: Some(count.map_or(Counts::One, |c| Counts::Column(c.as_str().into()))),
                ..Options::default()
            };
            let Ok(read) = accepted(input, &options) else {
                continue;
            };
            let Some(want) = counted(columns, length, count) else {
                continue;
            };
            let found: BTreeMap<u32, u64> = read
                .histogram
                .entries()
                .iter()
                .map(|([length], n)| (*length, *n))
                .collect();
            assert_eq!(found, want, "{input}\nby {length} and {count:?}");
        }
    }
}

/// Counts the lengths in a column, or those that a formula makes of columns; `None` where it is not known what they are.
fn counted(columns: &Columns, length: &str, count: Option<&String>) -> Option<BTreeMap<u32, u64>> {
    let cells = |name: &str| {
        let name = name.trim_matches('`');
        let (_, cells) = columns.iter().find(|(own, _)| own == name)?;
        Some(
            cells
                .iter()
                .map(|cell| cell.trim_matches('"').parse::<f64>().ok()),
        )
    };
    let lengths: Vec<Option<f64>> = match cells(length) {
        Some(cells) => cells.collect(),
        None => computed(length, &cells)?,
    };
    let counts: Vec<Option<f64>> = match count {
        Some(count) => cells(count)?.collect(),
        None => vec![Some(1.0); lengths.len()],
    };
    let mut all = BTreeMap::new();
    for (length, count) in lengths.into_iter().zip(counts) {
        let whole = |x: &f64| x.fract() == 0.0 && *x >= 0.0;
        let (Some(length), Some(count)) = (length.filter(whole), count.filter(whole)) else {
            continue;
        };
        if length >= 1.0 && count >= 1.0 {
            *all.entry(length as u32).or_default() += count as u64;
        }
    }
    Some(all)
}

/// Computes the formulae that are offered for fields of these names: `round(a * n)`, `ceil(a / n) * ceil(b / n)`, `a + b`.
fn computed<I: Iterator<Item = Option<f64>>>(
    formula: &str,
    cells: &dyn Fn(&str) -> Option<I>,
) -> Option<Vec<Option<f64>>> {
    if let Some((name, rate)) = formula
        .strip_prefix("round(")
        .and_then(|rest| rest.strip_suffix(')'))
        .and_then(|inner| inner.split_once(" * "))
    {
        let rate: f64 = rate.parse().ok()?;
        // Half goes away from zero, as formulae promise.
        let frames = |x: Option<f64>| x.map(|x| (x * rate).round());
        return Some(cells(name)?.map(frames).collect());
    }
    let (first, second, sides) = match formula.split_once(" * ") {
        Some((first, second)) => (first, second, true),
        None => {
            let (first, second) = formula.split_once(" + ")?;
            (first, second, false)
        }
    };
    let part = |text: &str| -> Option<Vec<Option<f64>>> {
        if !sides {
            return Some(cells(text)?.collect());
        }
        let inner = text.strip_prefix("ceil(")?.strip_suffix(')')?;
        let (name, size) = inner.split_once(" / ")?;
        let size: f64 = size.parse().ok()?;
        Some(cells(name)?.map(|x| x.map(|x| (x / size).ceil())).collect())
    };
    let both = part(first)?.into_iter().zip(part(second)?);
    Some(
        both.map(|(a, b)| Some(if sides { a? * b? } else { a? + b? }))
            .collect(),
    )
}

/// A file, and its columns where it is a table.
fn file(u: &mut Unstructured<'_>) -> (String, Columns) {
    let columns = match byte(u) % 8 {
        0 => rivals(u),
        1 => beside(u),
        2 => return (matrix(u), Columns::new()),
        3 => return (log(u), Columns::new()),
        _ => columns(u),
    };
    (write(u, &columns), columns)
}

/// Columns of which no name is that of a length.
fn columns(u: &mut Unstructured<'_>) -> Columns {
    let (many, rows) = (2 + usize::from(byte(u) % 5), 2 + usize::from(byte(u) % 9));
    let mut all = Columns::new();
    let first = usize::from(byte(u));
    for at in 0..many {
        let (name, kind) = (NAMES[(first + 7 * at) % NAMES.len()], byte(u) % KINDS);
        all.push((
            name.to_owned(),
            (0..rows).map(|row| cell(u, kind, row)).collect(),
        ));
    }
    all
}

fn cell(u: &mut Unstructured<'_>, kind: u8, row: usize) -> String {
    let n = number(u) % 5000;
    match kind {
        0 | 1 => n.to_string(),
        2 => format!("{}.{}", n % 100, 1 + n % 9),
        3 => format!("\"{}\"", pick(u, &WORDS)),
        4 => format!("\"2023-11-{:02}\"", 1 + n % 28),
        5 => n.is_multiple_of(2).to_string(),
        6 => format!("\"{row}\""),
        7 => format!("[{}.5, {}, 0.25]", n % 7, n % 100),
        _ => format!("\"{}-{}\"", 10 * row, 10 * row + 9),
    }
}

/// Two columns that may both be the length.
fn rivals(u: &mut Unstructured<'_>) -> Columns {
    let rows = 2 + usize::from(byte(u) % 9);
    let first = usize::from(byte(u)) % LENGTHS.len();
    let second = (first + 1 + usize::from(byte(u)) % (LENGTHS.len() - 1)) % LENGTHS.len();
    let mut column = |name: usize, from: u32| {
        let cells = (0..rows)
            .map(|_| (from + number(u) % 4000).to_string())
            .collect();
        (LENGTHS[name].to_owned(), cells)
    };
    vec![column(first, 1), column(second, 5000)]
}

/// A length, each of which comes once, beside a number that may be its count.
fn beside(u: &mut Unstructured<'_>) -> Columns {
    let rows = 2 + u32::from(byte(u) % 9);
    let lengths = (0..rows).map(|row| (7 + 13 * row).to_string()).collect();
    let others = (0..rows)
        .map(|row| (20 + 3 * row + number(u) % 3).to_string())
        .collect();
    let mut all = vec![
        (pick(u, &LENGTHS).to_owned(), lengths),
        (pick(u, &OTHERS).to_owned(), others),
    ];
    if byte(u) % 2 == 1 {
        all.swap(0, 1);
    }
    all
}

/// Rows of as many numbers, without names.
fn matrix(u: &mut Unstructured<'_>) -> String {
    let (many, rows) = (2 + usize::from(byte(u) % 4), 2 + usize::from(byte(u) % 9));
    let by = pick(u, &[",", ";", "\t", " ", "  "]);
    let mut row = || {
        (0..many)
            .map(|_| (100_000 + number(u) % 800_000).to_string())
            .collect::<Vec<_>>()
            .join(by)
    };
    (0..rows).map(|_| row() + "\n").collect()
}

/// Lines of a log, of settings, or of marked-up text.
fn log(u: &mut Unstructured<'_>) -> String {
    let kind = byte(u) % 6;
    let mut line = |row: usize| {
        let (n, word, name) = (number(u) % 5000, pick(u, &WORDS), pick(u, &NAMES));
        match kind {
            0 => format!(
                "2023-11-16 18:15:{:02} INFO step {n}: {name} {}.{}\n",
                row % 60,
                n % 90,
                n % 7
            ),
            1 => format!("{name}: {n}\n"),
            2 => format!("{name} = \"{word}\"\n"),
            3 => format!("<row {name}=\"{n}\">{word}</row>\n"),
            4 => format!("{n} => {}\n", n % 13),
            _ => format!("{:08x}: {:04x} {:04x}  ..{word}\n", 16 * row, n, n % 255),
        }
    };
    (0..4).map(&mut line).collect()
}

fn write(u: &mut Unstructured<'_>, columns: &Columns) -> String {
    let rows = 0..columns[0].1.len();
    let bare = |cell: &str| {
        if cell.contains(',') {
            format!("\"{}\"", cell.replace('"', ""))
        } else {
            cell.replace('"', "")
        }
    };
    let object = |i: usize| {
        let fields: Vec<String> = columns
            .iter()
            .map(|(name, cells)| format!("\"{name}\": {}", cells[i]))
            .collect();
        format!("{{{}}}", fields.join(", "))
    };
    let line = |cells: Vec<String>, by: &str| cells.join(by) + "\n";
    match byte(u) % 6 {
        0 => rows.map(|i| object(i) + "\n").collect(),
        1 => format!("[{}]", rows.map(object).collect::<Vec<_>>().join(",\n ")),
        2 => {
            let column = |(name, cells): &(String, Vec<String>)| {
                format!("\"{name}\": [{}]", cells.join(", "))
            };
            format!(
                "{{{}}}",
                columns.iter().map(column).collect::<Vec<_>>().join(", ")
            )
        }
        3 => {
            // Transposed.
            let row = |(name, cells): &(String, Vec<String>)| {
                let cells = cells.iter().map(|cell| bare(cell));
                line(std::iter::once(name.clone()).chain(cells).collect(), ",")
            };
            columns.iter().map(row).collect()
        }
        _ => {
            let by = pick(u, &BY);
            let header = line(columns.iter().map(|(name, _)| name.clone()).collect(), by);
            let row = |i: usize| {
                line(
                    columns.iter().map(|(_, cells)| bare(&cells[i])).collect(),
                    by,
                )
            };
            header + &rows.map(row).collect::<String>()
        }
    }
}
