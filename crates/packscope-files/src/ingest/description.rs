//! A description of the input as it was understood, for the visitor to check.

use super::component_names;
use super::computed_length::ComputedLength;
use super::formats::{Delimiter, Format};
use super::notes::Note;
use super::options::{Column, Counts, Options};
use super::problem::{KEPT, Problem, shorten};
use super::stopwords::Stopwords;
use crate::formula::{Formula, Operand};
use packscope_core::histogram::{Attention, Bin, Histogram, Size};
use packscope_core::words::{count, mean, percent, plural};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The interpretation of an input, and statistics of its items. Its fields are those of JSON output
/// (`Account`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Description {
    /// The format, chosen or detected.
    pub format: Format,
    /// The delimiter of a table.
    pub delimiter: Option<Delimiter>,
    /// The names of the columns, in a table with a header, or of the fields of the first JSON records, with paths for
    /// fields of nested objects (the first 100).
    pub columns: Option<Vec<String>>,
    /// The contents of the fields of JSON records, in the order of [`columns`](Self::columns); empty for tables.
    pub contents: Vec<Contents>,
    /// The number of columns in a table.
    pub width: u32,
    /// The columns, fields or elements read as sizes, one per component; empty where whole values are lengths.
    pub sizes: Vec<Column>,
    /// The names of the components: `nodes` and `edges` (and `triplets`), or the names in the file; `words` (and
    /// `stopwords`) for text, and for lengths their unit. Empty if unknown, and for lengths in tokens.
    pub components: Vec<String>,
    /// The column, field or element read as count; `None` if each record is one item.
    pub count: Option<Column>,
    /// The stopwords, in text.
    pub stopwords: Option<Stopwords>,
    /// Records read, including skipped ones, without blank lines, comments and the header.
    pub records: u64,
    /// Records skipped, one for each problem.
    pub skipped: u64,
    /// The first 20 problems.
    pub problems: Vec<Problem>,
    /// Assumptions made.
    pub notes: Vec<Note>,
    /// Bytes read.
    pub bytes: u64,
    /// Number of items.
    pub items: u64,
    /// Sum of the sizes of all items, for each component.
    pub total: Vec<u64>,
    /// The smallest size in each component.
    pub smallest: Vec<u32>,
    /// The largest size in each component.
    pub largest: Vec<u32>,
    /// The bins over which items were spread, since their exact sizes are unknown.
    pub bins: Vec<Bin>,
}

impl Description {
    /// Describes the input in one line: `88,641 sequences, 36–384 tokens, mean 151; 12 lines skipped`, or
    /// `32,901 graphs, 2–222 nodes (mean 25.3), 2–502 edges (mean 54.1)`.
    pub fn sentence(&self) -> String {
        let ranges: Vec<SizeRange> = (0..self.largest.len()).map(|k| self.range(k)).collect();
        let names: Vec<String> = match ranges.len() {
            1 => vec![self.unit().to_owned()],
            more => (0..more).map(|k| self.component(k)).collect(),
        };
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut text = words(self.items, &ranges, &names);
        if self.skipped > 0 {
            text += &format!("; {} skipped", plural(self.skipped, self.format.record()));
        }
        if self.is_estimated() {
            text += "; estimated from characters";
        }
        let samples = self.notes.iter().filter_map(Note::sample);
        text + &samples
            .map(|sample| format!("; a sample: {sample}"))
            .collect::<String>()
    }

    /// Whether the lengths are estimated from the characters of texts, and not counted.
    pub fn is_estimated(&self) -> bool {
        self.notes
            .iter()
            .any(|note| matches!(note, Note::Estimated { .. }))
    }

    /// Returns the units in a second, of lengths that are computed from times: 100 for frames of 10 ms.
    pub fn per_second(&self) -> Option<f64> {
        match &self.sizes[..] {
            [Column::Name(text)] => ComputedLength::of(text)?.per_second,
            _ => None,
        }
    }

    /// Returns the unit of the sizes of the first component, in the plural.
    pub fn unit(&self) -> &str {
        self.components.first().map_or("tokens", String::as_str)
    }

    /// Returns the listed columns that were not read, shortened for display.
    pub fn unread_columns(&self) -> Vec<String> {
        // Any name that is no listed column may be a formula; its operands were read.
        let taken = |c: &Column| c.formula(|_| false).ok().flatten();
        let taken: Vec<Formula> = self.sizes.iter().filter_map(taken).collect();
        let is_taken = |name: &String| {
            taken
                .iter()
                .any(|formula| formula.fields().contains(&Operand::Name(name.clone())))
        };
        let read = |name: &&String| {
            let read = |c: &Column| matches!(c, Column::Name(n) if n == *name);
            self.sizes.iter().chain(&self.count).any(read) || is_taken(name)
        };
        self.columns
            .iter()
            .flatten()
            .filter(|name| !read(name))
            .map(|name| shorten(name.as_bytes()))
            .collect()
    }

    /// Returns the share of records that were skipped, from 0 to 1; 0 without records.
    pub fn skipped_share(&self) -> f64 {
        if self.records == 0 {
            0.0
        } else {
            self.skipped as f64 / self.records as f64
        }
    }

    /// Returns an account of the reading, to be printed.
    pub fn account(&self) -> Account {
        Account {
            unit: self.unit().to_owned(),
            left: self.unread_columns(),
            skipped_share: self.skipped_share(),
            description: self.clone(),
        }
    }

    /// Returns the options that read the input again in the same way.
    pub fn options(&self) -> Options {
        // The columns of an edge list are fixed and cannot be chosen.
        let sizes = if self.format == Format::Edges {
            Vec::new()
        } else {
            self.sizes.clone()
        };
        Options {
            format: Some(self.format),
            delimiter: self.delimiter,
            header: (self.format == Format::Table).then_some(self.columns.is_some()),
            sizes,
            count: Some(self.count.clone().map_or(Counts::One, Counts::Column)),
            stopwords: self.stopwords.clone().unwrap_or_default(),
            sample: None,
            // The input was accepted with the same doubt before.
            allow_skipped: self.doubt().is_some(),
        }
    }

    /// Returns the columns of a table to choose from (the first 100), by name or number, or the measurable fields of
    /// JSON.
    pub fn choices(&self) -> Vec<String> {
        let numbers = || (1..=self.width.min(100)).map(|n| n.to_string()).collect();
        let mut columns = self.columns.clone().unwrap_or_else(numbers);
        columns.retain(|name| self.holds(name) != Some(Contents::Other));
        columns
    }

    /// Returns the contents of a field of JSON records, if it is listed.
    pub fn holds(&self, name: &str) -> Option<Contents> {
        let at = self
            .columns
            .iter()
            .flatten()
            .position(|column| column == name)?;
        self.contents.get(at).copied()
    }

    /// Returns the column that a choice names: the listed one of this name, even if the name is a number.
    // A column may be called "2024"; `Column::from` would take it for a number.
    pub fn column(&self, choice: &str) -> Column {
        match self.columns.iter().flatten().any(|name| name == choice) {
            true => Column::Name(choice.to_owned()),
            false => Column::from(choice),
        }
    }

    /// Returns the options that read the input again as sizes of two components: the columns that belong together, or
    /// the length and the next column that is not the count; for JSON, the next field with the same contents. `None` if
    /// there is no such column.
    pub fn as_pairs(&self) -> Option<Options> {
        let columns = self.choices();
        // The first line may have fewer columns than the chosen one.
        let at = |column: &Column| match column {
            Column::Number(n) => (*n as usize).checked_sub(1).filter(|i| *i < columns.len()),
            Column::Name(name) => columns.iter().position(|c| c == name),
        };
        let names: Vec<&str> = columns.iter().map(String::as_str).collect();
        let next = || {
            let (first, count) = (
                self.sizes.first().and_then(at)?,
                self.count.as_ref().and_then(at),
            );
            let alike = |i: &usize| self.holds(names[*i]) == self.holds(names[first]);
            let others = (first + 1..names.len()).chain(0..first).filter(alike);
            // A table of two columns has only the one that was read as count.
            let free = others
                .clone()
                .find(|i| Some(*i) != count)
                .or_else(|| others.clone().next())?;
            Some(vec![first, free])
        };
        let places = component_names::find(&names, 2).or_else(next)?;
        let sizes = places.into_iter().map(|i| self.column(names[i])).collect();
        Some(Options {
            sizes,
            ..self.options()
        })
    }

    fn range(&self, k: usize) -> SizeRange {
        let mean = self.total[k] as f64 / self.items as f64;
        SizeRange {
            smallest: self.smallest[k].into(),
            largest: self.largest[k].into(),
            mean,
        }
    }

    /// Returns the displayed name of a component.
    pub(super) fn component(&self, k: usize) -> String {
        let column = || {
            self.sizes
                .get(k)
                .map_or_else(|| format!("component {}", k + 1), Column::to_string)
        };
        self.components.get(k).cloned().unwrap_or_else(column)
    }

    /// Returns the names of the components in these columns, if all have names.
    pub(super) fn called(sizes: &[Column]) -> Vec<String> {
        let name = |column: &Column| match column {
            Column::Number(_) => None,
            Column::Name(name) => Some(
                component_names::of_graph(name)
                    .map_or_else(|| shorten(name.as_bytes()), str::to_owned),
            ),
        };
        sizes
            .iter()
            .map(name)
            .collect::<Option<_>>()
            .unwrap_or_default()
    }
}

/// The contents of a field, as the first records show them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Contents {
    /// Numbers.
    Number,
    /// Lists, measured by their number of elements.
    List,
    /// Texts, measured in words.
    Text,
    /// Anything that cannot be measured.
    Other,
}

impl Contents {
    /// Returns the word for one value.
    pub fn word(self) -> &'static str {
        match self {
            Self::Number => "number",
            Self::List => "list",
            Self::Text => "text",
            Self::Other => "neither number, list nor text",
        }
    }
}

/// An account of a reading: the description, and the sentences that follow from it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Account {
    /// The unit of the first component, in the plural.
    pub unit: String,
    /// The names of the columns that were not read, shortened.
    pub left: Vec<String>,
    /// The share of records that were skipped, from 0 to 1.
    pub skipped_share: f64,
    /// The description, whose fields stand beside these in JSON.
    #[serde(flatten)]
    pub description: Description,
}

impl fmt::Display for Account {
    /// Writes one line: `read as table: length from "len", count from "n"; left: "id"; 2 records, none skipped`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let d = &self.description;
        write!(f, "read as {}", d.format.name())?;
        let sizes: Vec<String> = d.sizes.iter().map(Column::to_string).collect();
        let what = if d.largest.len() > 1 {
            "sizes"
        } else {
            "length"
        };
        match sizes.is_empty() {
            true => write!(f, ": {what} in {}", self.unit)?,
            false => write!(f, ": {what} from {}", sizes.join(", "))?,
        }
        if let Some(count) = &d.count {
            write!(f, ", count from {count}")?;
        }
        if !self.left.is_empty() {
            let shown: Vec<String> = self
                .left
                .iter()
                // One line on a terminal; JSON has all.
                .take(8)
                .map(|name| format!("\"{name}\""))
                .collect();
            let more = if self.left.len() > 8 { ", …" } else { "" };
            write!(f, "; left: {}{more}", shown.join(", "))?;
        }
        write!(f, "; {}, ", plural(d.records, "record"))?;
        match d.skipped {
            0 => f.write_str("none skipped"),
            skipped => write!(
                f,
                "{} skipped ({})",
                count(skipped),
                percent(self.skipped_share)
            ),
        }
    }
}

/// Describes a histogram in one line, as [`Description::sentence`] does; `components` are the names of the components
/// (for lengths, their unit if it is not tokens).
pub fn sentence<const K: usize>(histogram: &Histogram<K>, components: &[&str]) -> String {
    let (smallest, largest, total) = (smallest(histogram), histogram.max(), histogram.total());
    let range = |k: usize| {
        let mean = total[k] as f64 / histogram.items() as f64;
        SizeRange {
            smallest: smallest[k].into(),
            largest: largest[k].into(),
            mean,
        }
    };
    words(
        histogram.items(),
        &std::array::from_fn::<_, K, _>(range),
        components,
    )
}

/// Returns the word for an item with `number` components of these names: a graph has nodes and edges, a sequence words
/// and stopwords, or tokens and attention, as a group has.
pub fn item(number: usize, components: &[&str]) -> &'static str {
    let is_graph = components
        .iter()
        .zip(["nodes", "edges", "triplets"])
        .all(|(a, b)| *a == b);
    let attention = components.get(1).and_then(|name| Attention::named(name));
    match number {
        1 => "sequence",
        2 if attention.is_some_and(|attention| attention.grouped) => "group",
        2 if attention.is_some() || components == component_names::OF_TEXT => "sequence",
        _ if is_graph && components.len() == number => "graph",
        2 => "pair",
        _ => "triple",
    }
}

/// Merges the descriptions of several inputs: the interpretation of the first, and statistics of all.
pub(super) fn merged<const K: usize>(
    all: &[(&str, &Description)],
    histogram: &Histogram<K>,
) -> Description {
    let mut notes: Vec<Note> = Vec::new();
    for note in all.iter().flat_map(|(_, one)| &one.notes) {
        // A computed note shows the first records, which come from the first file.
        let is_first = !matches!(note, Note::Computed { .. })
            || !notes
                .iter()
                .any(|said| matches!(said, Note::Computed { .. }));
        if is_first && !notes.contains(note) {
            notes.push(note.clone());
        }
    }
    notes.push(Note::Files {
        files: all.len() as u64,
    });
    // Problems name the file, as their lines are counted in it.
    let named = |(name, one): &(&str, &Description)| {
        let file = |problem: &Problem| {
            let inner = problem.file.as_ref().map(|inner| format!(", {inner}"));
            Some((*name).to_owned() + &inner.unwrap_or_default())
        };
        one.problems
            .iter()
            .map(|p| Problem {
                file: file(p),
                ..p.clone()
            })
            .collect::<Vec<_>>()
    };
    let sum = |of: fn(&Description) -> u64| all.iter().map(|(_, one)| of(one)).sum();
    Description {
        records: sum(|one| one.records),
        skipped: sum(|one| one.skipped),
        bytes: sum(|one| one.bytes),
        problems: all.iter().flat_map(named).take(KEPT).collect(),
        notes,
        items: histogram.items(),
        total: histogram.total().to_vec(),
        smallest: smallest(histogram).to_vec(),
        largest: histogram.max().to_vec(),
        bins: all
            .iter()
            .flat_map(|(_, one)| one.bins.iter().copied())
            .collect(),
        // Files with other columns were refused before (`combine::alike`), so the first stands for
        // all.
        ..all[0].1.clone()
    }
}

/// Returns the smallest value of each component.
pub(super) fn smallest<const K: usize>(histogram: &Histogram<K>) -> Size<K> {
    let least = |a: Size<K>, b: &Size<K>| std::array::from_fn(|k| a[k].min(b[k]));
    histogram
        .entries()
        .iter()
        .fold([u32::MAX; K], |least_yet, (size, _)| least(least_yet, size))
}

/// The range and mean of one component over all items.
struct SizeRange {
    smallest: u64,
    largest: u64,
    mean: f64,
}

impl SizeRange {
    fn is_one(&self) -> bool {
        self.smallest == self.largest
    }

    fn words(&self) -> String {
        format!("{}–{}", count(self.smallest), count(self.largest))
    }
}

fn words(items: u64, ranges: &[SizeRange], components: &[&str]) -> String {
    if let [range] = ranges {
        let unit = components
            .first()
            .map_or("token", |unit| unit.strip_suffix('s').unwrap_or(unit));
        return plural(items, "sequence") + &lengths(range, unit);
    }
    let item = item(ranges.len(), components);
    let parts = ranges.iter().enumerate().map(|(k, range)| {
        let name = components.get(k).copied().unwrap_or("the rest");
        match (item, range.is_one()) {
            ("graph" | "sequence", true) => {
                format!(
                    ", {} each",
                    plural(range.largest, name.strip_suffix('s').unwrap_or(name))
                )
            }
            ("graph" | "sequence", false) => {
                format!(", {} {name} (mean {})", range.words(), mean(range.mean))
            }
            (_, true) => format!(", {} each in {name}", count(range.largest)),
            (_, false) => format!(", {} in {name} (mean {})", range.words(), mean(range.mean)),
        }
    });
    plural(items, item) + &parts.collect::<String>()
}

fn lengths(range: &SizeRange, unit: &str) -> String {
    if range.is_one() {
        return format!(", {} each", plural(range.largest, unit));
    }
    format!(", {} {unit}s, mean {}", range.words(), mean(range.mean))
}
