//! `docs/SOURCES.md` as data: the statements of the papers, the places that have them, and the words that stand there.

/// The document, as the repository has it.
pub const SOURCES: &str = include_str!("../../../docs/SOURCES.md");

/// The beginning of the address of a chapter, which its name follows.
pub const CHAPTER: &str = "#view=learn&chapter=";

/// A row of the table.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    pub number: usize,
    /// "P1", "P2", "P3" or "B".
    pub source: &'static str,
    /// Section, table or figure of the source.
    pub at: &'static str,
    pub what: &'static str,
    /// "computed", "quoted", "in part" or "not".
    pub state: &'static str,
    /// The places with the words that stand there, and the reason of what is missing. Markdown.
    pub wherever: &'static str,
}

/// A place that an entry names: between backticks, followed by `: “words”, “more words”` where it is to be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub name: &'static str,
    pub words: Vec<&'static str>,
}

/// Returns the rows of the table.
///
/// # Panics
/// Where a row has not six cells or no number.
pub fn entries() -> Vec<Entry> {
    let row = |line: &'static str| {
        let cells: Vec<&str> = line.trim_matches(['|', ' ']).split(" | ").collect();
        let [number, source, at, what, state, wherever] = cells[..] else {
            panic!("not six cells: {line}")
        };
        Entry {
            number: number.parse().unwrap(),
            source,
            at,
            what,
            state,
            wherever,
        }
    };
    SOURCES
        .lines()
        .filter(|line| line.starts_with("| ") && line.contains(" | P") | line.contains(" | B |"))
        .map(row)
        .collect()
}

impl Entry {
    /// Returns the places of the row, in order; those without words are only named.
    pub fn places(&self) -> Vec<Place> {
        places(self.wherever)
    }
}

/// Returns the places of a cell.
///
/// # Panics
/// Where a backtick or a quotation is not closed.
pub fn places(cell: &'static str) -> Vec<Place> {
    let (mut rest, mut found) = (cell, Vec::new());
    while let Some((_, from)) = rest.split_once('`') {
        let (name, mut after) = from.split_once('`').unwrap();
        let (mut words, mut sign) = (Vec::new(), ": “");
        while let Some(quoted) = after.strip_prefix(sign) {
            let (these, behind) = quoted.split_once('”').unwrap();
            words.push(these);
            (after, sign) = (behind, ", “");
        }
        found.push(Place { name, words });
        rest = after;
    }
    found
}

/// Returns the words that do not stand in a text, whatever the spaces and line ends between them.
pub fn missing(text: &str, words: &[&'static str]) -> Vec<&'static str> {
    // A literal goes on behind a backslash at the end of its line.
    let text = spaced(&text.replace("\\\n", " "));
    let gone = |these: &&&str| !text.contains(&spaced(these));
    words.iter().filter(gone).copied().collect()
}

fn spaced(text: &str) -> String {
    // Narrow and fixed spaces are spaces to a reader.
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
