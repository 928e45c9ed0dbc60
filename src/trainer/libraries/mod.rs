//! The libraries, as data.

mod tuning;

use super::library::{Language, Library, Read, Setting};

/// The day on which all of them were read.
const DATE: &str = "2026-11-22";

/// Every library.
pub const LIBRARIES: &[&Library] =
    &[&tuning::TRL, &tuning::AXOLOTL, &tuning::TORCHTUNE, &tuning::LLAMA_FACTORY, &tuning::NEMO];

const fn read(
    repository: &'static str,
    path: &'static str,
    commit: &'static str,
    package: Option<(&'static str, &'static str)>,
) -> Read {
    Read { repository, path, commit, package, date: DATE }
}
