//! A table of known counts in a dialect by chance: the same histogram comes out, or it is refused.

use crate::make::{byte, number, pick};
use arbitrary::Unstructured;
use packscope::ingest::{self, Ingested, Options};
use std::collections::BTreeMap;

const LENGTH: [&str; 10] = [
    "length",
    "len",
    "Seq-Len",
    "num_tokens",
    "n_atoms",
    "nchar",
    "token_length",
    "bin",
    "Länge",
    "size",
];
/// Names of counts that are known, that may be others, and that nobody knows.
const COUNT: [&str; 24] = [
    "count",
    "counts",
    "freq",
    "count_star()",
    "count(*)",
    "COUNT(1)",
    "f0_",
    "cnt",
    "num_examples",
    "doc_count",
    "Anzahl",
    "n",
    "num",
    "items",
    "total",
    "size",
    "number",
    "samples",
    "records",
    "0",
    "zahl",
    "how many",
    "x",
    "",
];
const TITLES: [&str; 3] = [
    "All of my data\n",
    "Lengths of my data\n",
    "Report\nas of today\n\n",
];
const SPLITS: [&str; 3] = ["train", "test", "dev"];

/// How rows are laid out.
#[derive(Clone, Copy, PartialEq)]
enum Layout {
    Comma,
    Semicolon,
    Tab,
    Pipe,
    Space,
    Box,
    Psql,
    Records,
    Lines,
    Columns,
    Split,
    Arrays,
    Map,
    Python,
    Uniq,
}

const LAYOUTS: [Layout; 15] = [
    Layout::Comma,
    Layout::Semicolon,
    Layout::Tab,
    Layout::Pipe,
    Layout::Space,
    Layout::Box,
    Layout::Psql,
    Layout::Records,
    Layout::Lines,
    Layout::Columns,
    Layout::Split,
    Layout::Arrays,
    Layout::Map,
    Layout::Python,
    Layout::Uniq,
];

/// A column with its name and its cells.
type Column = (String, Vec<String>);

/// The table of counts, in the words of some tool.
struct Dialect {
    layout: Layout,
    header: bool,
    text: bool,
    columns: Vec<Column>,
}

/// Reads a table by chance: never another histogram without a word.
pub fn dialects(bytes: &[u8]) {
    let mut u = Unstructured::new(bytes);
    let (input, truth) = table(&mut u);
    let Ok(read) = ingest::read::<1>(input.as_bytes(), Options::default()) else {
        return;
    };
    if !is_same(&read, &truth) {
        // What the command line refuses is refused.
        assert!(
            read.description.doubt().is_some(),
            "{input}\nis read as {:?}",
            read.histogram.entries()
        );
    }
}

fn is_same(read: &Ingested, truth: &BTreeMap<u32, u64>) -> bool {
    let read: BTreeMap<u32, u64> = read.histogram.lengths().into_iter().collect();
    read == *truth
}

fn table(u: &mut Unstructured<'_>) -> (String, BTreeMap<u32, u64>) {
    let layout = pick(u, &LAYOUTS);
    let is_json = matches!(
        layout,
        Layout::Records | Layout::Lines | Layout::Columns | Layout::Split
    );
    let bare = matches!(
        layout,
        Layout::Arrays | Layout::Map | Layout::Python | Layout::Uniq
    );
    let splits = !bare && byte(u) % 4 == 3;
    let mut rows = rows(u, splits);
    // A line of two numbers is two lengths, but for the spaces with which `uniq -c` begins it.
    let alone = rows.len() == 1;
    if alone && layout == Layout::Uniq {
        rows[0].2 %= 1_000_000;
    }
    let mut truth = BTreeMap::new();
    rows.iter()
        .for_each(|(_, length, count)| *truth.entry(*length).or_default() += count);
    truth.retain(|_, count| *count > 0);
    let (length, mut count) = (pick(u, &LENGTH), pick(u, &COUNT));
    // In JSON the texts beside are not looked at, so that nobody can say what an unknown name means.
    if splits && is_json && COUNT[11..].contains(&count) {
        count = "count";
    }
    // A column of that name is the length.
    if length == "size" && count == "size" {
        count = "count";
    }
    // Without a name they are the numbers that R writes before its rows; or they are called so.
    let numbered = |from: u64| rows.iter().zip(from..).all(|(row, n)| row.2 == n);
    if ["", "n", "num", "number"].contains(&count) && (numbered(0) || numbered(1)) {
        count = "count";
    }
    let header = !bare && (is_json || byte(u) % 8 != 7 || splits || alone);
    let grouped = !is_json && byte(u) % 4 == 3 && matches!(layout, Layout::Comma | Layout::Tab);
    let number = |n: u64| {
        if grouped {
            in_thousands(n)
        } else {
            n.to_string()
        }
    };
    let mut columns: Vec<Column> = vec![
        (
            length.to_owned(),
            rows.iter().map(|row| number(row.1.into())).collect(),
        ),
        (
            count.to_owned(),
            rows.iter().map(|row| number(row.2)).collect(),
        ),
    ];
    if header {
        beside(u, &rows, splits, is_json, &mut columns);
    }
    let text = byte(u) % 4 == 3;
    let dialect = Dialect {
        layout,
        header,
        text,
        columns,
    };
    let mut written = dialect.write();
    if header && !is_json && byte(u) % 8 == 7 && dialect.columns.len() > 1 && rows.len() > 1 {
        written.insert_str(0, pick(u, &TITLES));
    }
    if byte(u) % 8 == 7 {
        written = written.replace('\n', "\r\n");
    }
    (written, truth)
}

/// Rows of a split, a length and a count: each length once, or once in each split.
fn rows(u: &mut Unstructured<'_>, splits: bool) -> Vec<(usize, u32, u64)> {
    let many = 1 + usize::from(byte(u) % 12);
    let mut rows = Vec::new();
    let mut length = 1 + u32::from(byte(u)) * 3;
    for _ in 0..many {
        let count = match byte(u) % 4 {
            0 => 1 + u64::from(byte(u) % 4),
            1 => u64::from(byte(u)),
            _ => u64::from(number(u) % 2_000_000),
        };
        rows.push((0, length, count));
        if splits && byte(u) % 2 == 1 {
            rows.push((1 + usize::from(byte(u) % 2), length, 1 + u64::from(byte(u))));
        }
        length += 1 + u32::from(byte(u)) * u32::from(byte(u) % 8);
    }
    match byte(u) % 3 {
        0 => {}
        1 => rows.sort_by_key(|row| std::cmp::Reverse(row.2)),
        _ => rows.reverse(),
    }
    rows
}

/// Adds columns that are neither length nor count, and puts all of them in some order.
fn beside(
    u: &mut Unstructured<'_>,
    rows: &[(usize, u32, u64)],
    splits: bool,
    is_json: bool,
    columns: &mut Vec<Column>,
) {
    if splits {
        let named = rows.iter().map(|row| SPLITS[row.0].to_owned());
        columns.push(("split".to_owned(), named.collect()));
    }
    let number = |from: usize| (0..rows.len()).map(|i| (i + from).to_string()).collect();
    match byte(u) % 8 {
        5 if !is_json => columns.insert(0, (String::new(), number(0))),
        6 => columns.insert(0, ("id".to_owned(), number(1))),
        7 => {
            let all: u64 = rows.iter().map(|row| row.2).sum();
            let share =
                |row: &(usize, u32, u64)| format!("{:.6}", row.2 as f64 / all.max(1) as f64);
            columns.push(("share".to_owned(), rows.iter().map(share).collect()));
        }
        _ => {}
    }
    let by = usize::from(byte(u)) % columns.len();
    columns.rotate_left(by);
}

fn in_thousands(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

impl Dialect {
    fn write(&self) -> String {
        let rows = 0..self.columns[0].1.len();
        let pair = |i: usize| (&self.columns[0].1[i], &self.columns[1].1[i]);
        let joined = |each: Vec<String>, by: &str| each.join(by);
        match self.layout {
            Layout::Comma => self.lines(","),
            Layout::Semicolon => self.lines(";"),
            Layout::Tab => self.lines("\t"),
            Layout::Pipe => self.lines("|"),
            Layout::Space => self.lines(" "),
            Layout::Box => self.boxed(true),
            Layout::Psql => self.boxed(false),
            Layout::Records => format!(
                "[{}]",
                joined(rows.map(|i| self.object(i)).collect(), ",\n")
            ),
            Layout::Lines => joined(rows.map(|i| self.object(i)).collect(), "\n") + "\n",
            Layout::Columns => self.by_column(),
            Layout::Split => self.in_parts(),
            Layout::Arrays => {
                format!(
                    "[{}]",
                    joined(
                        rows.map(|i| format!("[{},{}]", pair(i).0, pair(i).1))
                            .collect(),
                        ","
                    )
                )
            }
            Layout::Map => {
                format!(
                    "{{{}}}",
                    joined(
                        rows.map(|i| format!("\"{}\":{}", pair(i).0, pair(i).1))
                            .collect(),
                        ","
                    )
                )
            }
            Layout::Python => format!(
                "Counter({{{}}})",
                joined(
                    rows.map(|i| format!("{}: {}", pair(i).0, pair(i).1))
                        .collect(),
                    ", "
                )
            ),
            Layout::Uniq => {
                joined(
                    rows.map(|i| format!("{:>7} {}", pair(i).1, pair(i).0))
                        .collect(),
                    "\n",
                ) + "\n"
            }
        }
    }

    fn row(&self, cell: impl Fn(&Column) -> String, by: &str) -> String {
        self.columns.iter().map(cell).collect::<Vec<_>>().join(by)
    }

    fn lines(&self, by: &str) -> String {
        let quoted = |text: &str| match text {
            _ if self.text || text.contains([',', ' ', '"']) => format!("\"{text}\""),
            other => other.to_owned(),
        };
        let mut text = String::new();
        if self.header {
            text += &(self.row(|(name, _)| quoted(name), by) + "\n");
        }
        for i in 0..self.columns[0].1.len() {
            text += &(self.row(|(_, cells)| quoted(&cells[i]), by) + "\n");
        }
        text
    }

    fn boxed(&self, around: bool) -> String {
        let width = |(name, cells): &Column| {
            cells
                .iter()
                .chain([name])
                .map(String::len)
                .max()
                .unwrap_or(0)
        };
        let rule = self.row(|column| "-".repeat(width(column) + 2), "+");
        let line = |row: String| {
            if around {
                format!("|{row}|\n")
            } else {
                format!("{row}\n")
            }
        };
        let rule = if around {
            format!("+{rule}+\n")
        } else {
            format!("{rule}\n")
        };
        let mut text = if around { rule.clone() } else { String::new() };
        text += &line(self.row(
            |column| format!(" {:w$} ", column.0, w = width(column)),
            "|",
        ));
        text += &rule;
        for i in 0..self.columns[0].1.len() {
            text += &line(self.row(
                |column| format!(" {:>w$} ", column.1[i], w = width(column)),
                "|",
            ));
        }
        text + &if around {
            rule
        } else {
            format!("({} rows)\n", self.columns[0].1.len())
        }
    }

    fn object(&self, i: usize) -> String {
        format!(
            "{{{}}}",
            self.row(
                |(name, cells)| format!("\"{name}\":{}", json(&cells[i])),
                ","
            )
        )
    }

    fn by_column(&self) -> String {
        let column = |(name, cells): &Column| {
            let cells: Vec<String> = cells
                .iter()
                .enumerate()
                .map(|(i, cell)| format!("\"{i}\":{}", json(cell)))
                .collect();
            format!("\"{name}\":{{{}}}", cells.join(","))
        };
        format!("{{{}}}", self.row(column, ","))
    }

    fn in_parts(&self) -> String {
        let row = |i: usize| format!("[{}]", self.row(|(_, cells)| json(&cells[i]), ","));
        let rows: Vec<String> = (0..self.columns[0].1.len()).map(row).collect();
        let names = self.row(|(name, _)| format!("\"{name}\""), ",");
        format!("{{\"columns\":[{names}],\"data\":[{}]}}", rows.join(","))
    }
}

fn json(cell: &str) -> String {
    if cell.parse::<f64>().is_ok() {
        cell.to_owned()
    } else {
        format!("\"{cell}\"")
    }
}
