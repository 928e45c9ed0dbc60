//! The built-in data: names, groups, typical limits, and sources of the counts. The counts are files in
//! `static/datasets`, fetched when chosen; licences and caveats are in its `PROVENANCE.md`. Data not available as a
//! file are generated, and marked as such.

mod graphs;
mod lengths;

use super::{Generated, Histogram};

/// A built-in set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Preset {
    /// File name without `.csv`; the name in the URL.
    pub id: &'static str,
    /// The displayed name.
    pub title: &'static str,
    /// The field, for the picker.
    pub group: &'static str,
    /// The names of the components.
    pub components: &'static [&'static str],
    /// A limit per component: the usual maximum sequence length in training, or the largest value for graphs and pairs.
    pub limits: &'static [u32],
    /// A description of an item and of the method of counting.
    pub about: &'static str,
    /// The source of the counts or the texts.
    pub source: &'static str,
    /// The generator of the counts, if they are not a file.
    pub generated: Option<Generated>,
}

impl Preset {
    /// Defaults for the fields that a set leaves out.
    const BLANK: Self = Self {
        id: "",
        title: "",
        group: "",
        components: &[],
        limits: &[],
        about: "",
        source: "",
        generated: None,
    };

    /// Returns the set of lengths with this name.
    pub fn find(id: &str) -> Option<&'static Self> {
        Self::ALL.iter().find(|p| p.id == id)
    }

    /// Returns the set of graphs or pairs with this name.
    pub fn find_graphs(id: &str) -> Option<&'static Self> {
        Self::GRAPHS.iter().find(|p| p.id == id)
    }

    /// The set with which the page opens.
    pub const FIRST: &'static Self = &Self::ALL[0];

    /// Every built-in set of lengths, grouped.
    pub const ALL: &'static [Self] = lengths::ALL;

    /// Every built-in set of two components, graphs and pairs, grouped. The view of graphs opens with the first.
    pub const GRAPHS: &'static [Self] = graphs::ALL;

    /// Whether a language model reads the sequences, rather than sound, molecules or proteins.
    pub fn is_text(&self) -> bool {
        !matches!(self.group, "Speech" | "Molecules and proteins")
    }

    /// Returns the limit of the first component: tokens, or nodes.
    pub fn limit(&self) -> u32 {
        self.limits[0]
    }

    /// Generates the counts; `None` if they are a file.
    pub fn generate(&self) -> Option<Histogram<2>> {
        self.generated?.histogram().ok()
    }
}

impl<const K: usize> Histogram<K> {
    /// Parses a built-in file: one line of names, then lines of sizes and a count. Returns `None` for anything else,
    /// such as a "not found" page, and for a file whose last line is not terminated.
    pub fn from_built_in(csv: &str) -> Option<Self> {
        // A truncated number would still parse, so the last line must be terminated.
        let csv = csv.strip_suffix('\n')?;
        let row = |line: &str| {
            let mut cells = line.split(',').map(str::trim);
            let mut size = [0; K];
            for slot in &mut size {
                *slot = cells.next()?.parse().ok()?;
            }
            let count = cells.next()?.parse().ok()?;
            cells.next().is_none().then_some((size, count))
        };
        let rows = csv.lines().skip(1).map(row).collect::<Option<Vec<_>>>()?;
        Self::from_counts(rows).ok()
    }
}
