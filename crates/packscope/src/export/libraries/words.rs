//! The words for libraries of each kind in comparisons.

use super::{LibraryReport, Sheet};
use crate::api::trainer::LibraryKind;
use crate::histogram::FREE;
use crate::metrics::Column;
use crate::trainer::batches::{SAMPLERS, SamplerLibraries};
use crate::trainer::graphs::{GraphLibraries, LOADERS};
use crate::trainer::{LIBRARIES, LibraryFamily, PackingLibraries};
use crate::words::{count, percent};

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
    /// The figure on the horizontal axis of the plot.
    pub x: &'static str,
    /// Whether `x` is a share, for the marks of its axis.
    pub shares: bool,
    /// The caption of the plot.
    pub caption: &'static str,
    /// The text alternative of the plot; `{}` stands for the number of libraries.
    pub label: &'static str,
    range: fn(&[&Sheet]) -> String,
}

impl Words {
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

const fn heads<T, const N: usize>(columns: &[Column<T>]) -> [(&'static str, &'static str); N] {
    let mut heads = [("", ""); N];
    // A constant has neither `for` nor iterators.
    let mut k = 0;
    while k < N {
        heads[k] = (columns[k].id, columns[k].head);
        k += 1;
    }
    heads
}

const SEQUENCES: Words = Words {
    columns: &heads::<_, { PackingLibraries::COLUMNS.len() }>(PackingLibraries::COLUMNS),
    first: LIBRARIES[0].id,
    nouns: "tokens",
    packs: true,
    x: "tokens lost",
    shares: true,
    caption: "slots computed above the best plan, by share of the tokens that is lost; the best is at the lower left",
    label: "Slots computed above the best plan against tokens lost, by {} libraries",
    range: |sheets| {
        let lost = sheets
            .iter()
            .filter_map(|sheet| Some((&sheet.about.title, sheet.lost?)));
        let above = sheets
            .iter()
            .filter_map(|sheet| Some((&sheet.about.title, sheet.above?)));
        let above = above
            .max_by(|a, b| a.1.total_cmp(&b.1))
            .filter(|(_, above)| *above > 0.001);
        let lost = lost
            .max_by(|a, b| a.1.total_cmp(&b.1))
            .filter(|(_, lost)| *lost > 0.001);
        let above = above.map(|(name, above)| {
            format!(
                "up to {} more is computed than in the best plan ({name})",
                percent(above)
            )
        });
        let lost =
            lost.map(|(name, lost)| format!("up to {} of the tokens lost ({name})", percent(lost)));
        let longer: Vec<&str> = sheets
            .iter()
            .filter(|s| s.longer.is_some())
            .map(|s| s.about.title.as_str())
            .collect();
        let longer = (!longer.is_empty()).then(|| {
            format!(
                "rows longer than the limit, which are not drawn ({})",
                longer.join(", ")
            )
        });
        match above
            .into_iter()
            .chain(lost)
            .chain(longer)
            .collect::<Vec<_>>()
            .as_slice()
        {
            [] => {
                "With packing switched on all of them do about as well as the best plan".to_owned()
            }
            parts => format!("With packing switched on: {}", parts.join(", ")),
        }
    },
};

const BATCHES: Words = Words {
    columns: &heads::<_, { SamplerLibraries::COLUMNS.len() }>(SamplerLibraries::COLUMNS),
    first: SAMPLERS[0].id,
    nouns: "tokens",
    packs: false,
    x: "slots of the largest batch",
    shares: false,
    caption: "Padding, by slots of the largest batch",
    label: "Padding, by slots of the largest batch: {} libraries",
    range: |sheets| ends(sheets, "of the slots are padding"),
};

const GRAPHS: Words = Words {
    columns: &heads::<_, { GraphLibraries::COLUMNS.len() }>(GraphLibraries::COLUMNS),
    first: LOADERS[0].id,
    nouns: "graphs",
    packs: false,
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

/// Returns limits in words, as written after “at”.
pub(super) fn limits(given: LibraryKind) -> String {
    match given {
        LibraryKind::Sequences(room) | LibraryKind::Batches(room) => {
            format!("a limit of {}", count(u64::from(room.limit)))
        }
        LibraryKind::Graphs(limits) => {
            let [nodes, edges] = limits.map(|limit| match limit {
                FREE => "any number of".to_owned(),
                limit => count(u64::from(limit)),
            });
            format!("limits of {nodes} nodes and {edges} edges")
        }
    }
}
