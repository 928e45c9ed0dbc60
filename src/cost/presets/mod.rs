//! Models, accelerators and published measurements, each with its source.

mod accelerators;
mod models;
mod published;

pub use accelerators::ACCELERATORS;
pub use models::{GNNS, TRANSFORMERS};
pub use published::{Measurement, PUBLISHED, Setup};

use super::Overhead;
use crate::error::Result;

/// A known value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Preset<T> {
    /// The name on the command line and in the URL.
    pub id: &'static str,
    /// The name shown to people.
    pub name: &'static str,
    /// Where the numbers come from.
    pub source: &'static str,
    /// Values that are not published, but follow from something else or are assumed; empty where there are none.
    pub note: &'static str,
    /// The numbers.
    pub value: T,
}

/// The preset of an id.
pub fn named<T>(presets: &'static [Preset<T>], id: &str) -> Option<&'static Preset<T>> {
    presets.iter().find(|preset| preset.id == id)
}

/// The same, or an error that names those there are.
///
/// # Errors
/// [`Error::UnknownName`](crate::error::Error::UnknownName).
pub fn find<T>(kind: &'static str, presets: &'static [Preset<T>], id: &str) -> Result<&'static Preset<T>> {
    let all: Vec<&'static Preset<T>> = presets.iter().collect();
    crate::error::named(kind, id, &all, |preset| preset.id)
}

/// The preset that a value is, unless it was changed.
pub fn find_value<T: PartialEq>(presets: &'static [Preset<T>], value: &T) -> Option<&'static Preset<T>> {
    presets.iter().find(|preset| preset.value == *value)
}

/// The value of an id, for assumptions to start from; where there is none the first.
pub(super) fn usual<T: Copy>(presets: &'static [Preset<T>], id: &str) -> T {
    named(presets, id).unwrap_or(&presets[0]).value
}

/// The overhead of masking as measured on an accelerator, where it was.
pub fn overhead_of(accelerator: &str) -> Option<Overhead> {
    (accelerator == "ipu").then_some(Overhead::Ipu)
}
