//! The words for libraries of each kind in comparisons.

use super::Sheet;
use crate::api::trainer::{LibraryKind, Pass};
use crate::trainer::batches::{SAMPLERS, SamplerLibraries};
use crate::trainer::graphs::{GraphLibraries, LOADERS};
use crate::trainer::{LIBRARIES, LibraryFamily, PackingLibraries};
use crate::words::percent;

/// The words for libraries of a kind.
pub struct Words {
    /// Columns of the table after the common ones: (name in CSV, name for people).
    pub columns: &'static [(&'static str, &'static str)],
    /// The library of the headline: the first of its list, as the most used one.
    pub(super) first: &'static str,
    /// The unit of the loss: tokens, or graphs.
    pub(super) nouns: &'static str,
    /// Whether libraries of the kind pack, so that packing can be switched on.
    pub packs: bool,
    /// The plot of all libraries of the kind; `None` where the judge's verdicts are drawn instead.
    pub picture: Option<PictureWords>,
}

/// The words for a plot of all libraries.
pub struct PictureWords {
    /// The figure on the horizontal axis.
    pub x: &'static str,
    /// Whether `x` is a share, for the marks of its axis.
    pub shares: bool,
    /// The caption.
    pub caption: &'static str,
    /// The text alternative; `{}` stands for the number of libraries.
    pub label: &'static str,
    range: fn(&[&Sheet]) -> String,
}

impl PictureWords {
    /// Returns a sentence with the range over these libraries.
    pub fn range(&self, sheets: &[&Sheet]) -> String {
        (self.range)(sheets)
    }
}

impl LibraryKind {
    /// Returns the words for libraries of the kind.
    pub fn words(self) -> &'static Words {
        match self {
            Self::Sequences(_) => &SEQUENCES,
            Self::Batches(_) => &BATCHES,
            Self::Graphs(_) => &GRAPHS,
        }
    }
}

/// Returns the number of figures with a column in tables.
const fn tabulated<K: Pass>() -> usize {
    let (mut columns, mut at) = (0, 0);
    // A constant has neither `for` nor iterators.
    while at < K::PRESENTATION.figures.len() {
        columns += K::PRESENTATION.figures[at].column().is_some() as usize;
        at += 1;
    }
    columns
}

/// Returns name and head of each of these columns. The page has these alone: figures are in another part of it.
const fn heads<K: Pass, const N: usize>() -> [(&'static str, &'static str); N] {
    let (mut heads, mut columns, mut at) = ([("", ""); N], 0, 0);
    while at < K::PRESENTATION.figures.len() {
        if let Some(column) = K::PRESENTATION.figures[at].column() {
            heads[columns] = (column.id, column.head);
            columns += 1;
        }
        at += 1;
    }
    heads
}

const SEQUENCES: Words = Words {
    columns: &heads::<PackingLibraries, { tabulated::<PackingLibraries>() }>(),
    first: LIBRARIES[0].id,
    nouns: "tokens",
    packs: true,
    picture: None,
};

const BATCHES: Words = Words {
    columns: &heads::<SamplerLibraries, { tabulated::<SamplerLibraries>() }>(),
    first: SAMPLERS[0].id,
    nouns: "tokens",
    packs: false,
    picture: Some(PictureWords {
        x: "slots of the largest batch",
        shares: false,
        caption: "Padding, by slots of the largest batch",
        label: "Padding, by slots of the largest batch: {} libraries",
        range: |sheets| ends(sheets, "of the slots are padding"),
    }),
};

const GRAPHS: Words = Words {
    columns: &heads::<GraphLibraries, { tabulated::<GraphLibraries>() }>(),
    first: LOADERS[0].id,
    nouns: "graphs",
    packs: false,
    picture: Some(PictureWords {
        x: "graphs skipped",
        shares: true,
        caption: "Batches above the best plan, by graphs skipped",
        label: "Batches above the best plan, by graphs skipped: {} libraries",
        range: |sheets| {
            ends(
                sheets,
                "more batches than the best plan found in batches of the same size",
            )
        },
    }),
};

/// Returns the minimum and maximum of the figure on the vertical axis, with their libraries.
fn ends(sheets: &[&Sheet], what: &str) -> String {
    let places = || {
        sheets
            .iter()
            .filter_map(|sheet| Some((&sheet.about.title, sheet.place?.1)))
    };
    let least = places().min_by(|a, b| a.1.total_cmp(&b.1));
    let most = places().max_by(|a, b| a.1.total_cmp(&b.1));
    let Some(((least, from), (most, to))) = least.zip(most) else {
        return "All of them refuse these data".to_owned();
    };
    format!(
        "At their defaults, from {} ({least}) to {} ({most}) {what}",
        percent(from),
        percent(to)
    )
}

/// Returns a sentence on the libraries that pack only once it is switched on; empty for kinds without any.
pub fn off<K: LibraryFamily>() -> String {
    let off: Vec<&str> = K::ALL
        .iter()
        .filter(|one| !one.packing().is_empty())
        .map(|one| one.id)
        .collect();
    match (off.len(), K::ALL.len()) {
        (0, _) => String::new(),
        (some, all) => format!(
            "Packing is switched on here; as installed it is off in {some} of these {all} ({}).",
            off.join(", ")
        ),
    }
}
