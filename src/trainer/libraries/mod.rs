//! The libraries, as data.

mod more;
mod pretraining;
mod tuning;

use super::library::{Language, Library, Read, Source};
use super::setting::Setting;

/// The day on which all of them were read.
const DATE: &str = "2026-11-22";

/// Every library: those for fine-tuning, then those for pre-training.
pub const LIBRARIES: &[&Library] = &[
    &tuning::TRL,
    &tuning::AXOLOTL,
    &tuning::TORCHTUNE,
    &tuning::LLAMA_FACTORY,
    &more::SWIFT,
    &more::UNSLOTH,
    &more::FLATTENING,
    &tuning::NEMO,
    &more::NEMO_RL,
    &more::AUTOMODEL,
    &more::FOUNDRY,
    &more::VERL,
    &pretraining::MEGATRON,
    &pretraining::NANOTRON,
    &pretraining::NANOCHAT,
    &pretraining::OLMO_PACKED,
    &pretraining::OLMO_VSL,
    &pretraining::GRAIN,
    &pretraining::MAXTEXT,
    &pretraining::TORCHTITAN,
    &pretraining::SEQIO,
    &pretraining::MODERNBERT,
];

/// This release is simulated.
pub(super) const fn release(
    repository: &'static str,
    path: &'static str,
    package: &'static str,
    version: &'static str,
) -> Read {
    Read { repository, path, source: Source::Release(package, version), date: DATE }
}

/// This commit, or tag, is simulated.
pub(super) const fn commit(repository: &'static str, path: &'static str, commit: &'static str) -> Read {
    Read { repository, path, source: Source::Commit(commit), date: DATE }
}
