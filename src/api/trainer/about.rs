//! The part of an answer that every kind of library has.

use crate::histogram::Size;
use crate::trainer::batches::Room;
use crate::trainer::{Chosen, Field, Kind};
use serde::{Deserialize, Serialize};

/// A library at its settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct About {
    /// Its name on the command line.
    pub library: String,
    /// Its displayed name.
    pub title: String,
    /// All its settings with their values.
    pub settings: Vec<Field>,
    /// The algorithm that they give, in words.
    pub algorithm: String,
    /// Why the library refuses the data; then there are no figures.
    pub refused: Option<String>,
    /// The settings as lines to paste.
    pub lines: String,
    /// The language of these lines.
    pub language: String,
}

impl About {
    pub(super) fn new<K: Kind>(chosen: &Chosen<K>) -> Self {
        Self {
            library: chosen.library.id.to_owned(),
            title: chosen.library.title.to_owned(),
            settings: chosen.fields(),
            algorithm: String::new(),
            refused: None,
            lines: chosen.lines(),
            language: chosen.library.language.name().to_owned(),
        }
    }
}

/// Which libraries, at which settings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Which {
    /// One, by its name.
    One {
        /// Its name.
        library: String,
        /// Values instead of those to begin with.
        settings: Vec<Field>,
        /// Whether batches are listed: for small data.
        packs: bool,
    },
    /// Each at the values to begin with.
    All,
}

impl Which {
    /// Returns the libraries of a kind at their settings, and whether batches are listed.
    ///
    /// # Errors
    /// For names and values that there are not.
    pub(super) fn chosen<K: Kind>(&self, limits: K::Limits) -> crate::error::Result<(Vec<Chosen<K>>, bool)> {
        Ok(match self {
            Self::One { library, settings, packs } => {
                (vec![crate::trainer::Library::find(library)?.with(limits, settings)?], *packs)
            }
            Self::All => (K::ALL.iter().map(|library| library.start(limits)).collect(), false),
        })
    }
}

/// A question of a page about samplers or loaders.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wanted {
    /// The limits.
    pub given: Given,
    /// The library, by its name in addresses; `None` for all at the values to begin with.
    pub library: Option<String>,
    /// Values instead of those to begin with.
    pub settings: Vec<Field>,
    /// How many orders of arrival are drawn.
    pub seeds: u32,
}

/// The limits of a view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Given {
    /// Those of samplers.
    Batches(Room),
    /// Those of loaders: nodes and edges.
    Graphs(Size<2>),
}

impl Wanted {
    /// Returns the libraries as requests have them.
    pub fn which(&self) -> Which {
        match &self.library {
            Some(library) => {
                Which::One { library: library.clone(), settings: self.settings.clone(), packs: false }
            }
            None => Which::All,
        }
    }
}
