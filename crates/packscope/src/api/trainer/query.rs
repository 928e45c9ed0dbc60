//! Questions about one library, without the data.

use super::{LibrariesQuestion, LibrariesRequest, Pass};
use crate::error::{Error, Result};
use crate::histogram::{FREE, Size};
use crate::trainer::batches::LibraryLimits;
use crate::trainer::{Library, LibraryFamily, LibrarySettings, SettingValue};
use crate::words::count;
use serde::{Deserialize, Serialize};

/// A question about one library, for a receiver that has the data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LibraryQuery {
    /// The kind of the library, and its limits.
    pub given: LibraryKind,
    /// The library, by its name in addresses.
    pub library: String,
    /// Whether packing is switched on before, as where libraries are compared; else they begin at their defaults.
    pub packing: bool,
    /// Values that replace the ones it begins with, by name; later ones win.
    pub settings: Vec<SettingValue>,
    /// Number of orders of arrival that are drawn.
    pub seeds: u32,
    /// Whether other sizes of its window are tried.
    pub thorough: bool,
    /// Slots of the largest batch that the memory of an accelerator holds: where the library has more rows in a batch, it
    /// is answered with as many as fit. `None`: as it is set. Read by
    /// [`packing_sheets`](crate::export::libraries::packing_sheets).
    pub most_slots: Option<u64>,
}

impl LibraryQuery {
    /// Whether the answer to this question also answers `other`.
    pub fn covers(&self, other: &Self) -> bool {
        self == other
            // The thorough answer is the other one, with a curve beside.
            || self.thorough
                && Self {
                    thorough: false,
                    ..self.clone()
                } == *other
    }
}

/// A kind of libraries with its limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum LibraryKind {
    /// Libraries that pack sequences: the maximum length, and rows in a step.
    Sequences(LibraryLimits),
    /// Samplers: the maximum length, and sequences in a batch.
    Batches(LibraryLimits),
    /// Loaders: slots for nodes and edges.
    Graphs(Size<2>),
}

impl LibraryKind {
    /// Refuses limits that no library takes; each loader refuses limits of 0 by itself.
    ///
    /// # Errors
    /// [`Error::ZeroLimit`], [`Error::ZeroBatch`].
    pub fn check(self) -> Result<()> {
        match self {
            Self::Sequences(room) | Self::Batches(room) if room.limit == 0 => Err(Error::ZeroLimit),
            Self::Sequences(room) | Self::Batches(room) if room.batch == 0 => Err(Error::ZeroBatch),
            _ => Ok(()),
        }
    }

    /// Returns the limits in words, as written after “at”.
    pub fn limits(self) -> String {
        match self {
            Self::Sequences(room) | Self::Batches(room) => {
                format!("a limit of {}", count(u64::from(room.limit)))
            }
            Self::Graphs(limits) => {
                let [nodes, edges] = limits.map(|limit| match limit {
                    FREE => "any number of".to_owned(),
                    limit => count(u64::from(limit)),
                });
                format!("limits of {nodes} nodes and {edges} edges")
            }
        }
    }
}

impl LibraryQuery {
    /// Creates a question about a library with packing switched on, with these settings, at a limit.
    pub fn about(library: &str, settings: &[(&str, &str)], limit: u32, seeds: u32) -> Self {
        let field = |(name, value): &(&str, &str)| SettingValue {
            name: (*name).into(),
            value: (*value).into(),
        };
        Self {
            given: LibraryKind::Sequences(LibraryLimits { limit, batch: 1 }),
            library: library.to_owned(),
            packing: true,
            settings: settings.iter().map(field).collect(),
            seeds,
            thorough: false,
            most_slots: None,
        }
    }

    /// Returns the same question, which also asks for rows against the window.
    #[must_use]
    pub fn thoroughly(self) -> Self {
        Self {
            thorough: true,
            ..self
        }
    }

    /// Returns the values that replace the defaults.
    fn values<K: LibraryFamily>(&self) -> Vec<SettingValue> {
        let on = Library::<K>::find(&self.library)
            .ok()
            .filter(|_| self.packing)
            .map(Library::packing);
        on.into_iter()
            .flatten()
            .chain(self.settings.iter().cloned())
            .collect()
    }

    /// Returns the library that packs at its settings.
    ///
    /// # Errors
    /// Names and values that do not exist.
    pub fn at_limits(&self, given: LibraryLimits) -> Result<LibrarySettings> {
        self.chosen(given)
    }

    /// Returns the library at its settings.
    pub(super) fn chosen<K: Pass>(&self, given: K::RequestLimits) -> Result<LibrarySettings<K>> {
        Library::<K>::find(&self.library)?.with(K::limits(given), &self.values::<K>())
    }

    /// Returns the same question as a request without data, for [`LibrariesRequest::on`].
    pub fn request<K: Pass>(&self, given: K::RequestLimits) -> LibrariesRequest<K> {
        let (library, settings) = (self.library.clone(), self.values::<K>());
        LibrariesRequest {
            // The receiver has the data: `on` ignores these.
            counts: Vec::new(),
            order: Vec::new(),
            given,
            question: LibrariesQuestion::One {
                library,
                settings,
                packs: false,
            },
            seed: 0,
            seeds: self.seeds,
            optimum: false,
        }
    }
}
