//! The part of an answer that every kind of library has.

use crate::error::Result;
use crate::histogram::Size;
use crate::packing::{Progress, Step};
use crate::trainer::batches::Room;
use crate::trainer::{Chosen, Field, Kind, Library};
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

/// The outcome of one seed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Seeded<T> {
    /// The seed.
    pub seed: u64,
    /// Where the items went.
    pub tally: T,
}

/// Which libraries, at which settings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Which {
    /// One, by its name.
    One {
        /// Its name.
        library: String,
        /// Values in place of the initial ones.
        settings: Vec<Field>,
        /// Whether batches are listed: for small data.
        packs: bool,
    },
    /// Each at its initial values.
    All,
}

impl Which {
    /// Answers about each of the libraries. `answer` takes a library at its settings, and whether its batches are
    /// listed; `advise` adds advice to an answer without these.
    ///
    /// # Errors
    /// For unknown names and values, and those of the two functions.
    pub(super) fn each<K: Kind, A>(
        &self,
        limits: K::Limits,
        progress: &mut Progress,
        answer: impl Fn(&Chosen<K>, bool, &mut Progress) -> Result<A>,
        advise: impl Fn(&Chosen<K>, &mut A, &mut Progress) -> Result<()>,
    ) -> Result<Vec<A>> {
        if let Self::One { library, settings, packs } = self {
            let chosen = Library::find(library)?.with(limits, settings)?;
            let mut one = answer(&chosen, *packs, progress)?;
            if !packs {
                advise(&chosen, &mut one, progress)?;
            }
            return Ok(vec![one]);
        }
        let of = K::ALL.len() as u64;
        let one = |(done, library): (u64, &&'static Library<K>)| {
            // The progress of one of several is none of the whole.
            let chosen = library.start(limits);
            let within = &mut |_| progress(Step::Done { done, of });
            let mut one = answer(&chosen, false, within)?;
            advise(&chosen, &mut one, within)?;
            Ok(one)
        };
        (0..).zip(K::ALL).map(one).collect()
    }
}

/// A question of a page about samplers or loaders.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wanted {
    /// The limits.
    pub given: Given,
    /// The library, by its name in addresses; `None` for all at its initial values.
    pub library: Option<String>,
    /// Values in place of the initial ones.
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
