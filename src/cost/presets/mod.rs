//! Models, accelerators and published measurements, each with its source.

mod accelerators;
mod models;
mod published;

pub use accelerators::ACCELERATORS;
pub use models::{GNNS, TRANSFORMERS};
pub use published::{Measurement, PUBLISHED, Setup};

use super::Overhead;
use crate::error::Result;

/// A known value, such as a model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Preset<T> {
    /// The name on the command line and in the URL.
    pub id: &'static str,
    /// The name shown to people.
    pub name: &'static str,
    /// The source of the numbers.
    pub source: &'static str,
    /// Values that are not published, but derived or assumed; empty if there are none.
    pub note: &'static str,
    /// The numbers.
    pub value: T,
}

/// Returns the preset of an id.
pub fn named<T>(presets: &'static [Preset<T>], id: &str) -> Option<&'static Preset<T>> {
    presets.iter().find(|preset| preset.id == id)
}

/// Returns the preset of an id, or an error with the known ones.
///
/// # Errors
/// [`Error::UnknownName`](crate::error::Error::UnknownName).
pub fn find<T>(kind: &'static str, presets: &'static [Preset<T>], id: &str) -> Result<&'static Preset<T>> {
    let all: Vec<&'static Preset<T>> = presets.iter().collect();
    crate::error::named(kind, id, &all, |preset| preset.id)
}

/// Returns the preset with this value, unless it was changed.
pub fn find_value<T: PartialEq>(presets: &'static [Preset<T>], value: &T) -> Option<&'static Preset<T>> {
    presets.iter().find(|preset| preset.value == *value)
}

/// Returns the value of an id, as a default for assumptions; the first preset if there is none.
pub(super) fn usual<T: Copy>(presets: &'static [Preset<T>], id: &str) -> T {
    named(presets, id).unwrap_or(&presets[0]).value
}

/// Returns the overhead of masking measured on an accelerator, if any.
pub fn overhead_of(accelerator: &str) -> Option<Overhead> {
    (accelerator == "ipu").then_some(Overhead::Ipu)
}
