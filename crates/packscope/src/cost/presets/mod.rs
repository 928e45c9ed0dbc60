//! Models, accelerators and published measurements, each with its source.

mod accelerators;
mod models;
mod published;

pub use accelerators::ACCELERATORS;
pub use models::{GNNS, TRANSFORMERS};
pub use published::{Measurement, PUBLISHED, Setup};

use super::{Accelerator, Assumptions, Gnn, Overhead, Training, Transformer};
use crate::error::Result;

/// A known value, such as a model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Preset<T> {
    /// The name on the command line and in the URL.
    pub id: &'static str,
    /// The name shown to people.
    pub name: &'static str,
    /// The numbers.
    pub value: T,
}

/// A preset with its source and its note.
type SourcedPreset<T> = (Preset<T>, [&'static str; 2]);

const fn sourced<T>(
    id: &'static str,
    name: &'static str,
    source: &'static str,
    note: &'static str,
    value: T,
) -> SourcedPreset<T> {
    (Preset { id, name, value }, [source, note])
}

/// Returns the first of each pair: what the part of the page that is loaded first needs.
pub(super) const fn firsts<A: Copy, B, const N: usize>(pairs: &[(A, B)]) -> [A; N] {
    // A loop by hand, because constants cannot use iterators.
    let (mut all, mut at) = ([pairs[0].0; N], 0);
    while at < N {
        all[at] = pairs[at].0;
        at += 1;
    }
    all
}

/// Returns the second of each pair.
pub(super) const fn seconds<A, B: Copy, const N: usize>(pairs: &[(A, B)]) -> [B; N] {
    let (mut all, mut at) = ([pairs[0].1; N], 0);
    while at < N {
        all[at] = pairs[at].1;
        at += 1;
    }
    all
}

impl<T> Preset<T> {
    /// Returns the source of the numbers.
    pub fn source(&self) -> &'static str {
        source_and_note(self.id)[0]
    }

    /// Returns a note on values that are not published, but derived or assumed; empty if there are none.
    pub fn note(&self) -> &'static str {
        source_and_note(self.id)[1]
    }
}

fn source_and_note(id: &str) -> [&'static str; 2] {
    let of_models = TRANSFORMERS
        .iter()
        .map(|preset| preset.id)
        .zip(&models::SOURCES);
    let of_gnns = GNNS
        .iter()
        .map(|preset| preset.id)
        .zip(&models::GNN_SOURCES);
    let of_accelerators = ACCELERATORS
        .iter()
        .map(|preset| preset.id)
        .zip(&accelerators::SOURCES);
    let mut all = of_models.chain(of_gnns).chain(of_accelerators);
    all.find(|(named, _)| *named == id)
        .map_or(["", ""], |(_, words)| *words)
}

/// Returns the preset of an id.
pub fn named<T>(presets: &'static [Preset<T>], id: &str) -> Option<&'static Preset<T>> {
    presets.iter().find(|preset| preset.id == id)
}

/// Returns the preset of an id, or an error with the known ones.
///
/// # Errors
/// [`Error::UnknownName`](crate::error::Error::UnknownName).
pub fn find<T>(
    kind: &'static str,
    presets: &'static [Preset<T>],
    id: &str,
) -> Result<&'static Preset<T>> {
    let all: Vec<&'static Preset<T>> = presets.iter().collect();
    crate::error::named(kind, id, &all, |preset| preset.id)
}

/// Returns the preset with this value, unless it was changed.
pub fn find_value<T: PartialEq>(
    presets: &'static [Preset<T>],
    value: &T,
) -> Option<&'static Preset<T>> {
    presets.iter().find(|preset| preset.value == *value)
}

/// Words in the names of published weights that say nothing of their shape.
const NO_SHAPE: [&str; 12] = [
    "base", "bf16", "cased", "chat", "hf", "instruct", "it", "meta", "pt", "sft", "thinking",
    "uncased",
];

/// Returns the model whose weights a hub, or a folder, has under this name: `meta-llama/Llama-3.1-8B-Instruct` is
/// `llama-3.1-8b`. `None` if it is not among the presets.
pub fn of_weights(name: &str) -> Option<&'static Preset<Transformer>> {
    let shape_of = |name: &str| -> String {
        let is_version = |word: &str| {
            word.strip_prefix('v')
                .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        };
        // OLMo's have the month between the generation and the size.
        let is_month =
            |word: &str| word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_digit());
        let words = name.split(['-', '_', ' ']);
        words
            .filter(|word| !NO_SHAPE.contains(word) && !is_version(word) && !is_month(word))
            .collect()
    };
    let last = name
        .trim_end_matches('/')
        .rsplit('/')
        .next()
        .unwrap_or(name);
    let asked = shape_of(&last.to_ascii_lowercase());
    TRANSFORMERS
        .iter()
        .find(|preset| shape_of(preset.id) == asked)
}

/// Returns the value of an id, as a default for assumptions; the first preset if there is none.
pub(super) fn usual<T: Copy>(presets: &'static [Preset<T>], id: &str) -> T {
    named(presets, id).unwrap_or(&presets[0]).value
}

/// Returns the overhead of masking measured on an accelerator, if any.
pub fn overhead_of(accelerator: &str) -> Option<Overhead> {
    // The paper measured it on the IPU alone.
    (accelerator == "ipu").then_some(Overhead::Ipu)
}

/// The presets that a visitor or a command has chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PresetChoice {
    /// The model for sequences.
    pub transformer: &'static Preset<Transformer>,
    /// The model for graphs.
    pub gnn: &'static Preset<Gnn>,
    /// The accelerator.
    pub accelerator: &'static Preset<Accelerator>,
}

impl Default for PresetChoice {
    /// Returns the presets of the default [`Assumptions`].
    fn default() -> Self {
        let assumptions = Assumptions::default();
        Self {
            transformer: find_value(TRANSFORMERS, &assumptions.transformer)
                .unwrap_or(&TRANSFORMERS[0]),
            gnn: find_value(GNNS, &assumptions.gnn).unwrap_or(&GNNS[0]),
            accelerator: find_value(ACCELERATORS, &assumptions.accelerator)
                .unwrap_or(&ACCELERATORS[0]),
        }
    }
}

impl PresetChoice {
    /// Returns the assumptions of these presets, with the shares of the peak that are usual for this card, which may have
    /// been set by hand.
    pub fn assumptions_for(&self, card: &Accelerator, sharded: bool) -> Assumptions {
        let (preset, usual) = (self.accelerator.value, Assumptions::default());
        Assumptions {
            transformer: self.transformer.value,
            gnn: self.gnn.value,
            accelerator: preset.with_shares_of(&preset.set_by_hand(card.peak, card.bandwidth)),
            training: Training {
                sharded,
                ..usual.training
            },
            ..usual
        }
    }
}
