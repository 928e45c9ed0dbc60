//! Tables as CSV with exact values, and as Markdown and aligned text for people.

use crate::accepts::number;
use crate::metrics::{Column, FigureValue};
use crate::words::{singular, visible};
use serde::{Deserialize, Serialize};

/// A cell: the exact value, and its display.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cell {
    /// The value for machines; empty if there is none.
    pub exact: String,
    /// The value as people read it: rounded, with units.
    pub shown: String,
}

impl Cell {
    /// Creates a cell from a value and its display.
    pub fn new(exact: impl ToString, shown: impl Into<String>) -> Self {
        Self {
            exact: exact.to_string(),
            shown: shown.into(),
        }
    }

    /// Creates a cell of words, the same for machines and people.
    pub fn words(words: impl Into<String>) -> Self {
        let words = words.into();
        Self {
            exact: words.clone(),
            shown: words,
        }
    }
}

impl From<Option<FigureValue>> for Cell {
    fn from(value: Option<FigureValue>) -> Self {
        let [exact, shown] =
            value.map_or_else(|| [String::new(), "–".to_owned()], FigureValue::read);
        Self { exact, shown }
    }
}

/// A table of cells under columns named for machines and for people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Table {
    /// The title; may be empty.
    pub title: String,
    /// (name in CSV, name for people).
    pub columns: Vec<(String, String)>,
    /// The rows, each with a cell for every column, or only for the first few.
    pub rows: Vec<Vec<Cell>>,
}

impl Table {
    /// Begins a table with a row for each of `rows`; the builder adds its columns.
    pub fn of<R>(title: impl Into<String>, rows: &[R]) -> TableBuilder<'_, R> {
        let empty = rows.iter().map(|_| Vec::new()).collect();
        TableBuilder {
            table: Self {
                title: title.into(),
                columns: Vec::new(),
                rows: empty,
            },
            rows,
        }
    }

    /// Creates a table of words, without a title.
    pub fn of_words<H: Into<String>>(
        columns: impl IntoIterator<Item = H>,
        rows: impl IntoIterator<Item = Vec<String>>,
    ) -> Self {
        let columns = columns
            .into_iter()
            .map(Into::into)
            .map(|words: String| (words.clone(), words));
        let row = |cells: Vec<String>| cells.into_iter().map(Cell::words).collect();
        Self {
            title: String::new(),
            columns: columns.collect(),
            rows: rows.into_iter().map(row).collect(),
        }
    }

    /// Returns CSV as in RFC 4180: exact values under the names of the report's fields. Words that a spreadsheet would
    /// compute get an apostrophe before them.
    pub fn csv(&self) -> String {
        let head = self.columns.iter().map(|(name, _)| quoted(name)).collect();
        let rows = self
            .rows
            .iter()
            .map(|row| row.iter().map(|cell| quoted(&cell.exact)).collect());
        let lines: Vec<String> = std::iter::once(head)
            .chain(rows)
            .map(|cells: Vec<String>| cells.join(","))
            .collect();
        lines.join("\n") + "\n"
    }

    /// Returns Markdown: the title if any, then the table; the first column aligned left, the others right.
    pub fn markdown(&self) -> String {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let mut text = match self.title.as_str() {
            "" => String::new(),
            title => format!("**{}**\n\n", escaped(title)),
        };
        text += &line(
            self.columns
                .iter()
                .map(|(_, words)| escaped(words))
                .collect(),
        );
        text += &format!(
            "|---|{}\n",
            "---:|".repeat(self.columns.len().saturating_sub(1))
        );
        for row in &self.rows {
            text += &line(row.iter().map(|cell| escaped(&cell.shown)).collect());
        }
        text
    }

    /// Returns text in columns as wide as their contents, the first aligned left, the others right; without the title.
    pub fn text(&self) -> String {
        self.aligned(|column| column == 0)
    }

    /// Returns the same for columns of words, all aligned left.
    pub fn text_of_words(&self) -> String {
        let lines = self.aligned(|_| true);
        lines
            .lines()
            .map(str::trim_end)
            .collect::<Vec<_>>()
            .join("\n")
    }

    fn aligned(&self, left: impl Fn(usize) -> bool) -> String {
        let head: Vec<&str> = self
            .columns
            .iter()
            .map(|(_, words)| words.as_str())
            .collect();
        let rows = self
            .rows
            .iter()
            .map(|row| row.iter().map(|cell| cell.shown.as_str()).collect());
        let lines: Vec<Vec<&str>> = std::iter::once(head).chain(rows).collect();
        let width = |i: usize| {
            lines
                .iter()
                .filter_map(|line| line.get(i))
                // Characters, not bytes: `–` and `×` have three and two.
                .map(|c| c.chars().count())
                .max()
        };
        let widths: Vec<usize> = (0..self.columns.len()).map_while(width).collect();
        let line = |cells: &Vec<&str>| {
            let cells = cells.iter().zip(&widths).enumerate();
            let padded = cells.map(|(i, (text, &width))| match left(i) {
                true => format!("{text:<width$}"),
                false => format!("{text:>width$}"),
            });
            padded.collect::<Vec<_>>().join("  ")
        };
        lines.iter().map(line).collect::<Vec<_>>().join("\n")
    }
}

/// A table in the making: a row for each of `R`.
#[derive(Debug)]
pub struct TableBuilder<'r, R> {
    /// The table with the columns so far.
    pub table: Table,
    rows: &'r [R],
}

impl<R> TableBuilder<'_, R> {
    /// Adds a column: (name in CSV, name for people).
    pub fn column(self, head: (&str, &str), cell: impl Fn(&R) -> Cell) -> Self {
        self.add(head, &cell)
    }

    // Not generic over the cell, so that it is compiled once for each kind of rows.
    fn add(mut self, (name, words): (&str, &str), cell: &dyn Fn(&R) -> Cell) -> Self {
        self.table.columns.push((name.to_owned(), words.to_owned()));
        self.table
            .rows
            .iter_mut()
            .zip(self.rows)
            .for_each(|(cells, row)| cells.push(cell(row)));
        self
    }

    /// Adds a column for each of these figures; `of` finds their source in a row.
    pub fn figures<T>(self, columns: &[Column<T>], of: impl Fn(&R) -> &T) -> Self {
        columns.iter().fold(self, |making, column| {
            making.add((column.id, column.head), &|row| {
                (column.get)(of(row)).into()
            })
        })
    }

    /// Adds a column for each of these components: `efficiency_nodes`, for people “node efficiency”.
    pub fn each(
        self,
        what: &str,
        names: &[String],
        value: impl Fn(&R, usize) -> Option<FigureValue>,
    ) -> Self {
        names.iter().enumerate().fold(self, |making, (k, name)| {
            let (name, words) = (
                format!("{what}_{name}"),
                format!("{} {what}", singular(name)),
            );
            making.add((&name, &words), &|row| value(row, k).into())
        })
    }

    /// Adds a column of words, with one name for machines and people.
    pub fn words(self, head: &str, words: impl Fn(&R) -> String) -> Self {
        self.add((head, head), &|row| Cell::words(words(row)))
    }

    /// The same, but only where it has something to say.
    pub fn words_if(self, some: bool, head: &str, words: impl Fn(&R) -> String) -> Self {
        if some { self.words(head, words) } else { self }
    }
}

/// A cell of CSV. Spreadsheets compute text that begins like a formula; an apostrophe before it
/// makes it words. Numbers stay as they are.
pub(super) fn quoted(text: &str) -> String {
    // A negative number begins with a minus, too, and must stay a number.
    let computes = text.starts_with(['=', '+', '-', '@', '\t', '\r']) && number(text).is_none();
    let text = if computes {
        format!("'{text}")
    } else {
        text.to_owned()
    };
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}

/// Escapes whatever would end a cell or be read as markup. A `<` before a space or a `*` between spaces is left alone.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    let mut before = ' ';
    while let Some(c) = rest.next() {
        let alone = rest.peek().is_none_or(|next| next.is_whitespace());
        match c {
            // A cell ends with its line.
            '\n' | '\r' | '\t' => escaped.push(' '),
            // Nothing that is followed by a space begins a tag or emphasis.
            '<' if alone => escaped.push(c),
            '*' if alone && before.is_whitespace() => escaped.push(c),
            '|' | '*' | '`' | '<' | '\\' | '[' => escaped.extend(['\\', c]),
            c => escaped.push(visible(c)),
        }
        before = c;
    }
    escaped
}
