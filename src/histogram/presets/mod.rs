//! The built-in data: names, groups, sensible limits, and where the counts come from. The counts are
//! files in `static/datasets`, fetched when chosen; licences and doubts are in `PROVENANCE.md` there. What
//! cannot be had as a file is generated, and says so.

mod graphs;
mod lengths;

use super::{Generated, Histogram};

/// One built-in set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Preset {
    /// File name without `.csv`; the name in the URL.
    pub id: &'static str,
    /// The name people read.
    pub title: &'static str,
    /// Field, for the picker.
    pub group: &'static str,
    /// What the components are called.
    pub components: &'static [&'static str],
    /// For each component: of lengths the maximum sequence length that the data are commonly trained with, of
    /// graphs and pairs the largest value that occurs.
    pub limits: &'static [u32],
    /// What one item is and how it was counted.
    pub about: &'static str,
    /// Where the counts or the texts come from.
    pub source: &'static str,
    /// How the counts are made, where they are not a file.
    pub generated: Option<Generated>,
}

impl Preset {
    /// What a set leaves out.
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

    /// The set of lengths of that name.
    pub fn find(id: &str) -> Option<&'static Self> {
        Self::ALL.iter().find(|p| p.id == id)
    }

    /// The set of graphs or pairs of that name.
    pub fn find_graphs(id: &str) -> Option<&'static Self> {
        Self::GRAPHS.iter().find(|p| p.id == id)
    }

    /// The set the page opens on.
    pub const FIRST: &'static Self = &Self::ALL[0];

    /// Every built-in set of lengths, grouped.
    pub const ALL: &'static [Self] = lengths::ALL;

    /// Every built-in set of two components, graphs and pairs, grouped. Graphs open on the first.
    pub const GRAPHS: &'static [Self] = graphs::ALL;

    /// The limit of the first component.
    pub fn limit(&self) -> u32 {
        self.limits[0]
    }

    /// The counts, where they are made here; `None` where they are a file.
    pub fn generate(&self) -> Option<Histogram<2>> {
        self.generated?.histogram().ok()
    }
}

impl<const K: usize> Histogram<K> {
    /// The counts of a built-in file: one line of names, then the sizes and a count on every line. `None` when
    /// it is anything else, such as a page that says "not found", or does not end with its last line.
    pub fn from_built_in(csv: &str) -> Option<Self> {
        // A number that was cut short is a number.
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
