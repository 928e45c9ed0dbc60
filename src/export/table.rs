//! A table that leaves as CSV, with exact values, or as Markdown, as people read it.

/// A cell: the exact value, and how it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    /// For machines; empty where there is none.
    pub exact: String,
    /// For people.
    pub shown: String,
}

impl Cell {
    /// A value, and how it is shown.
    pub fn new(exact: impl ToString, shown: impl Into<String>) -> Self {
        Self { exact: exact.to_string(), shown: shown.into() }
    }

    /// Words, the same for both.
    pub fn words(words: impl Into<String>) -> Self {
        let words = words.into();
        Self { exact: words.clone(), shown: words }
    }

    /// A value that may be missing.
    pub fn maybe<T: Copy + ToString>(value: Option<T>, shown: impl Fn(T) -> String) -> Self {
        value.map_or_else(|| Self::new("", "–"), |value| Self::new(value, shown(value)))
    }
}

/// Columns with a name for machines and one for people; rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// What it shows.
    pub title: String,
    /// (name in CSV, name in Markdown).
    pub columns: Vec<(String, String)>,
    /// The rows, each with a cell for each column.
    pub rows: Vec<Vec<Cell>>,
}

impl Table {
    /// A table without rows.
    pub fn new<'a>(title: impl Into<String>, columns: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let columns = columns.into_iter().map(|(name, words)| (name.to_owned(), words.to_owned())).collect();
        Self { title: title.into(), columns, rows: Vec::new() }
    }

    /// CSV as RFC 4180 has it: exact values under the names of the report's fields. Words that a spreadsheet would
    /// compute have an apostrophe before them.
    pub fn csv(&self) -> String {
        let head = self.columns.iter().map(|(name, _)| quoted(name)).collect();
        let rows = self.rows.iter().map(|row| row.iter().map(|cell| quoted(&cell.exact)).collect());
        let lines: Vec<String> =
            std::iter::once(head).chain(rows).map(|cells: Vec<String>| cells.join(",")).collect();
        lines.join("\n") + "\n"
    }

    /// Markdown: the title, then the table; the first column to the left, the others to the right.
    pub fn markdown(&self) -> String {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let mut text = format!("**{}**\n\n", escaped(&self.title));
        text += &line(self.columns.iter().map(|(_, words)| escaped(words)).collect());
        text += &format!("|---|{}\n", "---:|".repeat(self.columns.len().saturating_sub(1)));
        for row in &self.rows {
            text += &line(row.iter().map(|cell| escaped(&cell.shown)).collect());
        }
        text
    }
}

/// A cell of CSV. Spreadsheets run what begins like a formula; an apostrophe before it makes it words, and numbers
/// stay as they are.
pub(super) fn quoted(text: &str) -> String {
    let computes = text.starts_with(['=', '+', '-', '@', '\t', '\r']) && text.parse::<f64>().is_err();
    let text = if computes { format!("'{text}") } else { text.to_owned() };
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

/// Nothing of a visitor's name ends a cell, or becomes markup.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\r' => escaped.push(' '),
            '|' | '*' | '`' | '<' | '\\' | '[' => escaped.extend(['\\', c]),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_is_a_formula() {
        let of = |text: &str| quoted(text);
        assert_eq!(of("=cmd|' /C calc'!A0"), "'=cmd|' /C calc'!A0");
        assert_eq!(of("@SUM(1,2)"), "\"'@SUM(1,2)\"");
        assert_eq!([of("+1+1"), of("-a"), of("\tx")], ["'+1+1", "'-a", "'\tx"]);
        assert_eq!([of("-0.25"), of("1e-9"), of("a=b"), of("")], ["-0.25", "1e-9", "a=b", ""]);
    }

    #[test]
    fn no_name_breaks_out_of_its_cell() {
        let mut table = Table::new("of a|b", [("name", "name"), ("n", "number")]);
        table.rows.push(vec![Cell::words("x,\"y\"\n|<b>"), Cell::maybe(None::<u64>, |n| n.to_string())]);
        assert_eq!(table.csv(), "name,n\n\"x,\"\"y\"\"\n|<b>\",\n");
        assert_eq!(
            table.markdown(),
            "**of a\\|b**\n\n| name | number |\n|---|---:|\n| x,\"y\" \\|\\<b> | – |\n"
        );
    }
}
