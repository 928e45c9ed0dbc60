//! The libraries, as data.

mod both;
mod more;
mod pretraining;
mod reinforcement;
mod rollouts;
mod tuning;

use super::library::{Language, Library, Read, Source};
use super::recipe::{Block, DeviceStep, Last, Recipe};
use super::setting::Setting;
use crate::error::{Error, Result};

/// The day on which the libraries were read, the day for libraries that came later, the day for those that
/// were read again in another version, and the day for the newest.
const DATE: &str = "2026-11-22";
const LATER: &str = "2026-11-26";
const AGAIN: &str = "2026-11-28";
const NEWEST: &str = "2026-11-29";

/// Every library: those for fine-tuning and reinforcement learning, then those for pre-training.
pub const LIBRARIES: &[&Library] = &[
    // The most used one comes first: it is the one of headlines (`Words::first`).
    &tuning::TRL,
    &tuning::AXOLOTL,
    &tuning::TORCHTUNE,
    &tuning::LLAMA_FACTORY,
    &more::SWIFT,
    &more::UNSLOTH,
    &more::FLATTENING,
    &tuning::NEMO,
    &more::AUTOMODEL,
    &more::FOUNDRY,
    &both::XTUNER,
    &both::LITGPT,
    &both::OUMI,
    &reinforcement::OPEN_INSTRUCT,
    &reinforcement::NEMO_RL,
    &reinforcement::VERL,
    &reinforcement::OPENRLHF,
    &reinforcement::SLIME,
    &rollouts::SKYRL,
    &rollouts::PRIME_RL,
    &rollouts::AREAL,
    &rollouts::TUNIX,
    &pretraining::MEGATRON,
    &pretraining::NANOTRON,
    &pretraining::NANOCHAT,
    &pretraining::NANOCHAT_SFT,
    &rollouts::LEVANTER,
    &pretraining::OLMO_PACKED,
    &pretraining::OLMO_VSL,
    &pretraining::GRAIN,
    &pretraining::MAXTEXT,
    &pretraining::TORCHTITAN,
    &pretraining::TORCHTITAN_MAIN,
    &pretraining::SEQIO,
    &pretraining::MODERNBERT,
];

/// The largest number of sequences of a setting: as many as can be packed one by one.
const MANY: u64 = 1_000_000_000;

/// Returns the recipe of a collator that packs nothing: it flattens a batch, or pads it to its longest.
fn collated(flat: bool, batch: u32, limit: u32) -> Recipe {
    let block = if flat {
        Block::Flat
    } else {
        Block::Alone { batch, multiple: 1 }
    };
    Recipe {
        padded: !flat,
        // A row is one sequence, padded or flattened, so that a batch has as many rows.
        step: DeviceStep::Rows(batch),
        ..Recipe::new(block, limit)
    }
}

/// Returns the recipe of a collator that pads a batch to a multiple of so many slots.
fn padded_to(multiple: u32, batch: u32, limit: u32) -> Recipe {
    Recipe {
        block: Block::Alone { batch, multiple },
        ..collated(false, batch, limit)
    }
}

/// Returns the slots beyond `slots` of a row that is padded to a multiple.
///
/// # Errors
/// [`Error::TooLarge`].
fn beyond(slots: u32, multiple: u32) -> Result<u32> {
    let padded = slots.checked_next_multiple_of(multiple);
    padded.map(|padded| padded - slots).ok_or(Error::TooLarge {
        what: "the number of slots of a row",
    })
}

/// Returns the recipe of sequences end to end.
fn concatenated(limit: u32, last: Last) -> Recipe {
    Recipe::cutting(
        Block::Concatenate {
            last,
            label: false,
            lost: 0,
        },
        limit,
    )
}

/// Returns the setting for the batch of Hugging Face's trainer, with its default.
const fn batch_of_trainer(usual: &'static str) -> Setting {
    let about = "Sequences that are padded to one length where nothing is packed.";
    Setting::whole("per_device_train_batch_size", (1, 1_000_000), usual, about).trains()
}

/// Returns a release as the source.
pub(super) const fn release(
    repository: &'static str,
    path: &'static str,
    package: &'static str,
    version: &'static str,
) -> Read {
    Read {
        repository,
        path,
        source: Source::Release(package, version),
        date: DATE,
    }
}

/// Returns the same source with the later date.
const fn later(read: Read) -> Read {
    Read {
        date: LATER,
        ..read
    }
}

/// Returns the same source with the date of a second reading.
const fn again(read: Read) -> Read {
    Read {
        date: AGAIN,
        ..read
    }
}

/// Returns the same source with the newest date.
pub(super) const fn newest(read: Read) -> Read {
    Read {
        date: NEWEST,
        ..read
    }
}

/// Returns a commit, or a tag, as the source.
pub(super) const fn commit(
    repository: &'static str,
    path: &'static str,
    commit: &'static str,
) -> Read {
    Read {
        repository,
        path,
        source: Source::Commit(commit),
        date: DATE,
    }
}
