//! Loaded data, and their source.

use super::custom::{Custom, LinkData};
use super::{Action, graphs};
use packscope::api::limits::practical;
use packscope::histogram::{Histogram, Preset, Sizes};
use packscope::ingest::Description;
use std::rc::Rc;

#[derive(Debug, Clone, PartialEq)]
pub enum Source {
    Preset(&'static Preset),
    /// The visitor's own: the name of the file, or "pasted numbers", and a description of the contents.
    Own {
        /// Shown as text, never as markup.
        name: String,
        /// A description of the parts that were read, and of those that were not.
        description: Rc<Description>,
    },
    /// Sizes without their file: from a link, or from a pinned result.
    Kept {
        /// Shown as text, never as markup.
        name: String,
        /// The names of the components, where the file has any.
        components: Vec<String>,
    },
}

impl Action {
    /// Returns the action that shows data: of sequences at this limit, if any; of graphs at limits of which the flagged ones
    /// start from the largest graph.
    pub fn loaded(source: Source, sizes: Sizes, limit: Option<u32>, starts: [bool; 2]) -> Self {
        match sizes {
            Sizes::Lengths(lengths) => Self::Loaded(source, lengths, limit),
            Sizes::Texts(texts) => Self::LoadedTexts(source, texts, limit),
            Sizes::Graphs(graphs) => Self::Graphs(graphs::Action::Loaded(source, graphs, starts)),
        }
    }

    /// Returns the action that shows data of a file, at a limit that suits them.
    pub fn read(source: Source, sizes: Sizes) -> Self {
        // The longest sequence of a file may be an outlier, at which nearly all of a row is
        // padding.
        let limit = sizes.lengths().map(|lengths| practical(&lengths));
        Self::loaded(source, sizes, limit, [true; 2])
    }
}

impl Source {
    pub fn title(&self) -> &str {
        match self {
            Self::Preset(preset) => preset.title,
            Self::Own { name, .. } | Self::Kept { name, .. } => name,
        }
    }

    /// Returns the names of the components, where the data have any.
    pub fn components(&self) -> Vec<String> {
        match self {
            Self::Preset(preset) => preset
                .components
                .iter()
                .map(|name| (*name).to_owned())
                .collect(),
            Self::Own { description, .. } => description.components.clone(),
            Self::Kept { components, .. } => components.clone(),
        }
    }

    /// Returns the unit of sequence lengths, in the plural: tokens, unless the data say otherwise.
    pub fn unit(&self) -> &str {
        match self {
            Self::Preset(_) => TOKENS,
            Self::Own { description, .. } => description.unit(),
            Self::Kept { components, .. } => components.first().map_or(TOKENS, String::as_str),
        }
    }

    /// Returns the same source without its file.
    pub fn without_file(&self) -> Self {
        match self {
            Self::Preset(preset) => Self::Preset(preset),
            own => Self::Kept {
                name: own.title().to_owned(),
                components: own.components(),
            },
        }
    }
}

/// The unit of lengths where no other is known.
const TOKENS: &str = "tokens";

#[derive(Debug, Clone, PartialEq)]
pub struct Data<const K: usize = 1> {
    /// Counts loads, so that answers about older data are recognised.
    pub version: u64,
    pub source: Source,
    pub histogram: Rc<Histogram<K>>,
    /// (length, stopwords) of each sequence, where the stopwords were counted.
    pub texts: Option<Rc<Histogram<2>>>,
    /// The encoding for a link; empty for built-in sets, which a link names.
    pub carried: LinkData,
}

impl Data {
    pub(super) fn new(
        version: u64,
        source: Source,
        histogram: Rc<Histogram<1>>,
        texts: Option<Rc<Histogram<2>>>,
    ) -> Self {
        let mut data = Self {
            version,
            source,
            histogram,
            texts,
            carried: LinkData::default(),
        };
        // Encoded once, at loading: addresses are written at every action.
        data.carried = carried(&data.source, || data.sizes());
        data
    }
}

impl Data<2> {
    pub(super) fn graphs(version: u64, source: Source, histogram: Rc<Histogram<2>>) -> Self {
        let carried = carried(&source, || Sizes::Graphs(Rc::clone(&histogram)));
        Self {
            version,
            source,
            histogram,
            texts: None,
            carried,
        }
    }
}

impl<const K: usize> Data<K> {
    /// Returns the value for the address: the name of a built-in set, the visitor's own data, or the name under which
    /// the browser stores them.
    pub(super) fn named(&self) -> String {
        match (&self.source, &self.carried.value) {
            (Source::Preset(preset), _) => preset.id.to_owned(),
            (_, Some(value)) => value.to_string(),
            (_, None) => self
                .carried
                .stored_as()
                .unwrap_or_else(|| super::pairs::OWN.to_owned()),
        }
    }

    /// Whether newly loaded data are these again and came without a file.
    pub(super) fn stays(&self, anew: &Self) -> bool {
        // A file that is opened again is shown anew, with what was read of it.
        !matches!(anew.source, Source::Own { .. })
            && self.texts == anew.texts
            && self.histogram == anew.histogram
            && self.is_same(anew)
    }

    /// Whether both hold the same sizes, even if they were loaded at different times.
    pub fn is_same(&self, other: &Self) -> bool {
        match (&self.source, &other.source) {
            (Source::Preset(one), Source::Preset(two)) => one == two,
            _ if Rc::ptr_eq(&self.histogram, &other.histogram) => true,
            (Source::Preset(_), _) | (_, Source::Preset(_)) => false,
            // Names and a hash of all sizes, so that millions of sizes are not compared.
            _ => self.carried == other.carried,
        }
    }
}

impl Data {
    /// Returns the lengths, with stopwords where these were counted.
    pub fn sizes(&self) -> Sizes {
        let lengths = || Sizes::Lengths(Rc::clone(&self.histogram));
        self.texts.clone().map_or_else(lengths, Sizes::Texts)
    }

    /// Returns the data for storage in the browser; `None` where the address has them.
    pub fn to_store(&self) -> Option<(String, Custom)> {
        Some((
            self.carried.stored_as()?,
            custom(&self.source, self.sizes()),
        ))
    }
}

impl Data<2> {
    pub fn sizes(&self) -> Sizes {
        Sizes::Graphs(Rc::clone(&self.histogram))
    }

    /// Returns the data for storage in the browser; `None` where the address has them.
    pub fn to_store(&self) -> Option<(String, Custom)> {
        Some((
            self.carried.stored_as()?,
            custom(&self.source, self.sizes()),
        ))
    }
}

fn custom(source: &Source, sizes: Sizes) -> Custom {
    Custom {
        name: source.title().to_owned(),
        components: source.components(),
        sizes,
    }
}

fn carried(source: &Source, sizes: impl FnOnce() -> Sizes) -> LinkData {
    if matches!(source, Source::Preset(_)) {
        return LinkData::default();
    }
    custom(source, sizes()).carried()
}
