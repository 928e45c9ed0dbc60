//! Configurations of trainings: the library, the limit, the batch and the packing that a YAML, JSON or script sets.
//!
//! ```
//! let config = packscope_files::config::read("base_model: Qwen/Qwen3-8B\nsequence_len: 4096\nsample_packing: true\n")?;
//! assert_eq!((config.library.as_str(), config.limit), ("axolotl", Some(4096)));
//! assert_eq!(config.sentence(), "axolotl: base_model Qwen/Qwen3-8B, sequence_len 4096, sample_packing true");
//! # Ok::<(), packscope_core::error::Error>(())
//! ```

mod keys;
mod model;

pub use model::{ModelShape, model_shape};

use keys::Entry;
use packscope_core::error::{Error, Result};
use packscope_core::words::{capped, plural};
use serde::{Deserialize, Serialize};

/// The settings of a training that packing depends on, by the names that the tables of training libraries have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrainingConfig {
    /// The library, by its id in the tables.
    pub library: String,
    /// The maximum sequence length, tokens; `None` if the file does not say.
    pub limit: Option<u32>,
    /// Settings of the library, each with its value, both as the tables write them.
    pub settings: Vec<(String, String)>,
    /// Batches between two steps of the optimiser.
    pub accumulation: Option<u32>,
    /// The model that is trained, by its path or its name on a hub.
    pub model: Option<String>,
    /// Each key that was taken, in the order of the file.
    pub taken: Vec<TakenKey>,
    /// Number of the other keys, which say nothing of packing.
    pub left: u64,
}

/// A key of a configuration that was taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TakenKey {
    /// Its path, such as `policy.sequence_packing.enabled`.
    pub key: String,
    /// Its value, as the tables write it.
    pub value: String,
    /// The setting that it gives.
    pub gives: ConfigSetting,
}

/// A setting that a configuration gives.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum ConfigSetting {
    /// The maximum sequence length.
    Limit,
    /// A setting of the library, by its name in the tables.
    Setting(String),
    /// Batches between two steps of the optimiser.
    Accumulation,
    /// The model.
    Model,
}

/// How the configuration of a library names its settings.
struct Names {
    id: &'static str,
    /// Keys of which one is enough to tell the library; a path that begins with one that ends in a dot is one, too.
    marks: &'static [&'static str],
    limit: &'static [&'static str],
    /// The keys of settings, and their names in the tables.
    settings: &'static [(&'static str, &'static str)],
    accumulation: &'static str,
    model: &'static [&'static str],
}

/// The libraries, those with the surest marks first.
const LIBRARIES: [Names; 6] = [
    Names {
        id: "verl",
        marks: &["actor_rollout_ref."],
        limit: &["actor_rollout_ref.actor.ppo_max_token_len_per_gpu"],
        settings: &[
            ("actor_rollout_ref.actor.use_dynamic_bsz", "use_dynamic_bsz"),
            (
                "actor_rollout_ref.actor.ppo_mini_batch_size",
                "ppo_mini_batch_size",
            ),
            (
                "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu",
                "ppo_micro_batch_size_per_gpu",
            ),
        ],
        accumulation: "",
        model: &["actor_rollout_ref.model.path"],
    },
    Names {
        id: "nemo-rl",
        marks: &[
            "policy.max_total_sequence_length",
            "policy.sequence_packing.",
        ],
        limit: &["policy.max_total_sequence_length"],
        settings: &[
            (
                "policy.sequence_packing.enabled",
                "policy.sequence_packing.enabled",
            ),
            (
                "policy.sequence_packing.algorithm",
                "policy.sequence_packing.algorithm",
            ),
            (
                "policy.dynamic_batching.enabled",
                "policy.dynamic_batching.enabled",
            ),
            (
                "policy.dynamic_batching.sequence_length_round",
                "policy.dynamic_batching.sequence_length_round",
            ),
            (
                "policy.train_global_batch_size",
                "policy.train_global_batch_size",
            ),
            (
                "policy.train_micro_batch_size",
                "policy.train_micro_batch_size",
            ),
            (
                "policy.make_sequence_length_divisible_by",
                "policy.make_sequence_length_divisible_by",
            ),
        ],
        accumulation: "",
        model: &["policy.model_name"],
    },
    Names {
        id: "torchtune",
        marks: &["tokenizer.max_seq_len", "dataset.packed"],
        limit: &["tokenizer.max_seq_len"],
        settings: &[
            ("dataset.packed", "packed"),
            ("dataset.split_across_pack", "split_across_pack"),
            ("batch_size", "batch_size"),
        ],
        accumulation: "gradient_accumulation_steps",
        model: &["checkpointer.checkpoint_dir"],
    },
    Names {
        id: "axolotl",
        marks: &["sequence_len", "sample_packing", "base_model"],
        limit: &["sequence_len"],
        settings: &[
            ("sample_packing", "sample_packing"),
            ("excess_length_strategy", "excess_length_strategy"),
            ("sample_packing_sequentially", "sample_packing_sequentially"),
            ("sample_packing_group_size", "sample_packing_group_size"),
            ("sample_packing_bin_size", "sample_packing_bin_size"),
            ("micro_batch_size", "micro_batch_size"),
            ("pad_to_sequence_len", "pad_to_sequence_len"),
        ],
        accumulation: "gradient_accumulation_steps",
        model: &["base_model"],
    },
    Names {
        id: "llama-factory",
        marks: &["cutoff_len", "neat_packing", "finetuning_type"],
        limit: &["cutoff_len"],
        settings: &[
            ("stage", "stage"),
            ("packing", "packing"),
            ("neat_packing", "neat_packing"),
            ("preprocessing_batch_size", "preprocessing_batch_size"),
            ("per_device_train_batch_size", "per_device_train_batch_size"),
        ],
        accumulation: "gradient_accumulation_steps",
        model: &["model_name_or_path"],
    },
    Names {
        id: "trl",
        // The arguments of transformers alone may be those of any trainer.
        marks: &[
            "max_length",
            "max_seq_length",
            "packing",
            "packing_strategy",
            "padding_free",
        ],
        limit: &["max_length", "max_seq_length"],
        settings: &[
            ("packing", "packing"),
            ("packing_strategy", "packing_strategy"),
            ("per_device_train_batch_size", "per_device_train_batch_size"),
        ],
        accumulation: "gradient_accumulation_steps",
        model: &["model_name_or_path"],
    },
];

/// Keys of the arguments of transformers, one of which stands in a configuration of TRL.
const ARGUMENTS: [&str; 6] = [
    "per_device_train_batch_size",
    "model_name_or_path",
    "learning_rate",
    "num_train_epochs",
    "output_dir",
    "gradient_accumulation_steps",
];

/// Reads the configuration of a training: YAML, JSON, or a script with its options. Keys that say nothing of packing are
/// counted, and values that refer to others (`${…}`) are left out.
///
/// # Errors
/// [`Error::Input`] if it is neither, if its keys are of no known library, or if the limit is no length; with the line.
pub fn read(text: &str) -> Result<TrainingConfig> {
    let entries = keys::entries(text)?;
    let Some(names) = library(&entries) else {
        return Err(Error::Input {
            place: "the configuration".to_owned(),
            message: "its keys are of no training library that is known here; expected the YAML, JSON or script of axolotl \
                      (sequence_len), LLaMA-Factory (cutoff_len), TRL (max_length), verl (actor_rollout_ref), torchtune \
                      (tokenizer.max_seq_len) or NeMo RL (policy.max_total_sequence_length)"
                .to_owned(),
        });
    };
    let mut config = TrainingConfig {
        library: names.id.to_owned(),
        limit: None,
        settings: Vec::new(),
        accumulation: None,
        model: None,
        taken: Vec::new(),
        left: 0,
    };
    for entry in &entries {
        match gives(names, entry) {
            Some(gives) => config.take(entry, gives)?,
            None => config.left += 1,
        }
    }
    Ok(config)
}

/// Returns the id of the library whose configuration begins with this text; `None` for any other text.
pub fn library_of(text: &str) -> Option<&'static str> {
    // Only settings begin so, or a comment above them; records of JSON Lines are no single object.
    let first = text
        .lines()
        .map(str::trim)
        .find(|line| !line.is_empty() && !line.starts_with('#') && *line != "---")?;
    let is_key = first
        .split_once(':')
        .is_some_and(|(key, _)| !key.contains([' ', ',', '{', '\t']));
    let is_object = first.starts_with('{') && !first.ends_with('}');
    (is_key || is_object)
        .then(|| keys::entries(text).ok())?
        .and_then(|entries| Some(library(&entries)?.id))
}

/// Returns every setting that a configuration can give: the id of its library, and its name in the tables.
pub fn known_settings() -> impl Iterator<Item = (&'static str, &'static str)> {
    LIBRARIES
        .iter()
        .flat_map(|names| names.settings.iter().map(|(_, name)| (names.id, *name)))
}

impl TrainingConfig {
    fn take(&mut self, entry: &Entry, gives: ConfigSetting) -> Result<()> {
        let value = entry.value.clone();
        match &gives {
            ConfigSetting::Limit if value == "none" => return Ok(()),
            ConfigSetting::Limit => self.limit = Some(number(entry, "maximum sequence length")?),
            ConfigSetting::Accumulation => {
                self.accumulation = Some(number(entry, "number of batches for a step")?);
            }
            ConfigSetting::Model => self.model = Some(capped(&value, 200)),
            ConfigSetting::Setting(name) => {
                // The last one counts, as in the libraries.
                self.settings.retain(|(known, _)| known != name);
                self.settings.push((name.clone(), value.clone()));
            }
        }
        self.taken.push(TakenKey {
            key: entry.path.clone(),
            value: capped(&value, 200),
            gives,
        });
        Ok(())
    }

    /// Returns the setting of the library of this name, if the file has it.
    pub fn setting(&self, name: &str) -> Option<&str> {
        let mut found = self.settings.iter().filter(|(known, _)| known == name);
        found.next().map(|(_, value)| value.as_str())
    }

    /// Lists in one line what was taken: `axolotl: sequence_len 4096, sample_packing true; 12 other keys say nothing of
    /// packing`.
    pub fn sentence(&self) -> String {
        let taken: Vec<String> = self
            .taken
            .iter()
            .map(|one| format!("{} {}", one.key, one.value))
            .collect();
        let taken = if taken.is_empty() {
            "no key that says something of packing".to_owned()
        } else {
            taken.join(", ")
        };
        let left = match self.left {
            0 => String::new(),
            1 => "; 1 other key says nothing of packing".to_owned(),
            left => format!("; {} say nothing of packing", plural(left, "other key")),
        };
        format!("{}: {taken}{left}", self.library)
    }
}

fn library(entries: &[Entry]) -> Option<&'static Names> {
    let has = |mark: &str| {
        entries.iter().any(|entry| {
            entry.path == mark || (mark.ends_with('.') && entry.path.starts_with(mark))
        })
    };
    LIBRARIES.iter().find(|names| {
        let is_marked = names.marks.iter().any(|mark| has(mark));
        is_marked && (names.id != "trl" || ARGUMENTS.iter().any(|key| has(key)))
    })
}

/// Returns the setting that a key gives; `None` if it gives none, or refers to another one.
fn gives(names: &Names, entry: &Entry) -> Option<ConfigSetting> {
    let key = entry.path.as_str();
    if entry.value.contains('$') {
        return None;
    }
    let of_settings = || {
        let named = names.settings.iter().find(|(known, _)| *known == key);
        named.map(|(_, name)| ConfigSetting::Setting((*name).to_owned()))
    };
    match () {
        () if names.limit.contains(&key) => Some(ConfigSetting::Limit),
        () if names.accumulation == key => Some(ConfigSetting::Accumulation),
        () if names.model.contains(&key) => Some(ConfigSetting::Model),
        () => of_settings(),
    }
}

fn number(entry: &Entry, what: &str) -> Result<u32> {
    let number = entry.value.parse().ok().filter(|number: &u32| *number > 0);
    number.ok_or_else(|| Error::Input {
        place: entry.place(),
        message: format!(
            "{:?} is no {what}; expected a whole number from 1",
            capped(&entry.value, 60)
        ),
    })
}
