//! Data that are loaded, and where they come from.

use super::custom::{Carried, Custom, Sizes};
use crate::histogram::{Histogram, Preset};
use crate::ingest::Description;
use std::rc::Rc;

/// Where the data come from.
#[derive(Debug, Clone, PartialEq)]
pub enum Source {
    /// A built-in set.
    Preset(&'static Preset),
    /// The visitor's own: name of the file, or "pasted numbers", and what was read.
    Own {
        /// Shown as text, never as markup.
        name: String,
        /// What was read, and what was not.
        description: Rc<Description>,
    },
    /// Sizes without the file they were read from: they came in a link, or with a result that was pinned.
    Kept {
        /// Shown as text, never as markup.
        name: String,
        /// What their components are called, where the file said.
        components: Vec<String>,
    },
}

impl Source {
    /// What the data are called.
    pub fn title(&self) -> &str {
        match self {
            Self::Preset(preset) => preset.title,
            Self::Own { name, .. } | Self::Kept { name, .. } => name,
        }
    }

    /// What the components are called, where the data say.
    pub fn components(&self) -> Vec<String> {
        match self {
            Self::Preset(preset) => preset.components.iter().map(|name| (*name).to_owned()).collect(),
            Self::Own { description, .. } => description.components.clone(),
            Self::Kept { components, .. } => components.clone(),
        }
    }

    /// The same, without the file.
    pub fn without_file(&self) -> Self {
        match self {
            Self::Preset(preset) => Self::Preset(preset),
            own => Self::Kept { name: own.title().to_owned(), components: own.components() },
        }
    }
}

/// Data that are loaded. `version` counts loads, so that answers about older data are known.
#[derive(Debug, Clone, PartialEq)]
pub struct Data<const K: usize = 1> {
    /// Counts loads.
    pub version: u64,
    /// Where they come from.
    pub source: Source,
    /// The sizes.
    pub histogram: Rc<Histogram<K>>,
    /// (length, stopwords) of each sequence, where the stopwords were counted.
    pub texts: Option<Rc<Histogram<2>>>,
    /// How they travel in a link; built-in sets travel by name.
    pub carried: Carried,
}

impl Data {
    pub(super) fn new(
        version: u64,
        source: Source,
        histogram: Rc<Histogram<1>>,
        texts: Option<Rc<Histogram<2>>>,
    ) -> Self {
        let lengths = || Sizes::Lengths(Rc::clone(&histogram));
        let carried = carried(&source, || texts.clone().map_or_else(lengths, Sizes::Texts));
        Self { version, source, histogram, texts, carried }
    }
}

impl Data<2> {
    pub(super) fn graphs(version: u64, source: Source, histogram: Rc<Histogram<2>>) -> Self {
        let carried = carried(&source, || Sizes::Graphs(Rc::clone(&histogram)));
        Self { version, source, histogram, texts: None, carried }
    }
}

impl<const K: usize> Data<K> {
    /// What the address says of them, with data of one's own in at most so many characters.
    pub(super) fn named(&self, characters: usize) -> String {
        let characters = match self.source {
            Source::Preset(preset) => return preset.id.to_owned(),
            Source::Own { .. } => characters,
            // They are nowhere else.
            Source::Kept { .. } => super::custom::LINK,
        };
        self.carried.within(characters).unwrap_or(super::hash::OWN).to_owned()
    }

    /// Whether these are the same sizes, whenever they were loaded.
    pub fn is_same(&self, other: &Self) -> bool {
        match (&self.source, &other.source) {
            (Source::Preset(one), Source::Preset(two)) => one == two,
            _ if Rc::ptr_eq(&self.histogram, &other.histogram) => true,
            _ => self.carried.value.is_some() && self.carried == other.carried,
        }
    }
}

fn carried(source: &Source, sizes: impl FnOnce() -> Sizes) -> Carried {
    if matches!(source, Source::Preset(_)) {
        return Carried::default();
    }
    Custom { name: source.title().to_owned(), components: source.components(), sizes: sizes() }.carried()
}
