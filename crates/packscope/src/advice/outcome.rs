//! Changes, and their outcomes: every candidate is described by the same figures.

use crate::api::batch::{self, BatchCap};
use crate::packing::{Algorithm, Depth};
use crate::sampler::Sampler;
use crate::trainer::SettingValue;
use serde::{Deserialize, Serialize};

/// Where a change has to be made, the smaller change first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Effort {
    /// Nothing is changed.
    Nothing,
    /// One setting, or the limit.
    Setting,
    /// Several settings.
    Settings,
    /// Another sampler in the loader of the data.
    Loader,
    /// Data that are prepared in another way before the training.
    Data,
    /// Rows of several sequences, which attention has to keep apart.
    Model,
}

/// A sampler with the settings that keep the tokens of its steps.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SamplerChoice {
    /// The sampler.
    pub sampler: Sampler,
    /// Slots of a batch, of samplers that count slots and not rows.
    pub tokens: Option<u64>,
    /// The cap on batches, of [`Sampler::Bucket`].
    pub batch_cap: Option<BatchCap>,
}

/// The way from what is set now to a candidate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// Where it has to be made.
    pub effort: Effort,
    /// Number of settings that change; without a library, the most sequences in a row.
    pub size: u64,
    /// The change in words, as sentences name it: "`packing=True`", "a limit of 8,192". Empty for what is set now.
    pub words: String,
    /// Another library or loader in place of the one of now, by its name on the command line.
    pub library: Option<String>,
    /// The settings that differ from those of now, by the names of the library; empty without one.
    pub settings: Vec<SettingValue>,
    /// The sampler, where no library is used and batches are drawn by another one.
    pub sampler: Option<SamplerChoice>,
    /// The packing, where no library is used and sequences are packed.
    pub packing: Option<(Algorithm, Depth)>,
    /// The needs of the change beside its settings, such as data in other files; empty if it has none.
    pub needs: String,
    /// The lines to paste, with the limit and all settings of the candidate; empty where there is no library.
    pub lines: String,
    /// The language of the lines; empty without them.
    pub language: String,
}

impl SamplerChoice {
    /// Returns the choice of settings, with those fields alone that decide its batches.
    pub(super) fn of(settings: &batch::Settings) -> Self {
        let (sampler, tokens) = (settings.sampler, settings.tokens);
        Self {
            sampler,
            tokens: tokens.filter(|_| sampler == Sampler::TokenBudget),
            batch_cap: settings.batch_cap.filter(|_| sampler == Sampler::Bucket),
        }
    }
}

impl Change {
    /// Returns what is set now, with its lines.
    pub(super) fn none((lines, language): (String, String)) -> Self {
        Self {
            effort: Effort::Nothing,
            size: 0,
            words: String::new(),
            library: None,
            settings: Vec::new(),
            sampler: None,
            packing: None,
            needs: String::new(),
            lines,
            language,
        }
    }

    /// Returns a rank, lower for smaller changes; of packs of the same depth, lower for simpler algorithms.
    pub(super) fn rank(&self) -> (Effort, u64, Option<usize>) {
        let simple = self.packing.and_then(|(algorithm, _)| {
            let mut preferred = Algorithm::PREFERRED.into_iter().flatten();
            preferred.position(|other| *other == algorithm)
        });
        (self.effort, self.size, simple)
    }
}

/// An epoch under one candidate. Times and money are estimates at the tokens a step of all candidates.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The way from what is set now.
    pub change: Change,
    /// Slots of a row: one limit of sequences, two of graphs (nodes, edges).
    pub limit: Vec<u32>,
    /// Hours of an epoch on all accelerators.
    pub hours: f64,
    /// Price of an epoch, in the currency of the price of an accelerator.
    pub money: f64,
    /// Speed over what is set now, for each token that is trained; 1 for that itself.
    pub speedup: f64,
    /// The band of the speed, as [`calibrated::band`](crate::cost::calibrated::band) has it for speed-ups.
    pub band: [f64; 2],
    /// Slots computed in an epoch: tokens, or nodes.
    pub slots: f64,
    /// Share of these slots without a token.
    pub padding_share: f64,
    /// Tokens (nodes) trained in an epoch.
    pub trained_tokens: f64,
    /// Share of the tokens of the data that is not trained: cut off, dropped, or left over.
    pub lost_share: f64,
    /// Share of the tokens that is trained without the beginning of its sequence.
    pub cut_share: f64,
    /// Whether sequences that share a row are kept apart; else a token attends to those before its own.
    pub apart: bool,
    /// Whether the order of the sequences stays random.
    pub shuffles: bool,
    /// Share of an accelerator's memory that weights, optimiser and the largest batch need.
    pub memory: f64,
    /// Whether the memory holds them.
    pub fits: bool,
    /// Rows of a batch of one accelerator: sequences, packs, graphs.
    pub rows: u32,
    /// Batches of an accelerator before the weights are updated.
    pub accumulation: u32,
    /// Tokens (nodes) of a step of all accelerators, on average.
    pub step_tokens: f64,
    /// Whether that is what was asked for: no more than half as many again, unless a row of the limit for each accelerator
    /// is more, and no less than half.
    pub keeps_step: bool,
    /// Steps of an epoch: updates of the weights.
    pub steps: f64,
    /// The measure by which candidates are compared: seconds of all accelerators for each trained token, where a token
    /// that is lost is paid for like a padded slot, and half a token for each that is cut apart.
    pub charge: f64,
}

/// Loss of tokens below which two candidates lose as much.
pub(super) const LOSS: f64 = 0.0005;
/// Cut tokens below which two candidates cut as much.
pub(super) const CUT: f64 = 0.005;

impl Outcome {
    /// Whether more tokens are lost than by another candidate.
    pub fn loses_more(&self, than: &Self) -> bool {
        self.lost_share > than.lost_share + LOSS
    }

    /// Whether more tokens are cut apart than by another candidate, or sequences are no longer kept apart.
    pub fn tears_more(&self, than: &Self) -> bool {
        self.cut_share > than.cut_share + CUT || than.apart && !self.apart
    }

    /// Whether a step has other tokens than that of another candidate, by more than a tenth.
    pub fn changes_step(&self, than: &Self) -> bool {
        (self.step_tokens / than.step_tokens - 1.0).abs() > 0.1
    }
}

/// The judge's ruling on a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ruling {
    /// It is the advice.
    Advised,
    /// Another candidate that keeps to the rules is better, or as good and a smaller change.
    Beaten,
    /// It is less than a percent better than what is set.
    Little,
    /// The memory of an accelerator does not hold its batch.
    Memory,
    /// It loses more tokens than what is set.
    Loses,
    /// It cuts more sequences apart than what is set, or lets sequences see one another.
    Tears,
    /// It trains in order of length.
    Unshuffled,
    /// Its steps have other tokens than those of now, by more than rows in whole numbers ask for.
    Step,
}

impl Ruling {
    /// Returns in words how a candidate stands: that it is the advice, or why it is not. `unit`: the unit of sizes, plural.
    pub fn words(self, unit: &str) -> String {
        match self {
            Self::Advised => "advised".to_owned(),
            Self::Beaten => "a smaller change is as good".to_owned(),
            Self::Little => "less than a percent better than now".to_owned(),
            Self::Memory => "exceeds the memory".to_owned(),
            Self::Loses => format!("loses more {unit}"),
            Self::Tears => "cuts more sequences apart".to_owned(),
            Self::Unshuffled => "trains in order of length".to_owned(),
            Self::Step => "changes the size of a step".to_owned(),
        }
    }
}

/// A candidate with the ruling of the judge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Considered {
    /// The judge's ruling.
    pub ruling: Ruling,
    /// The figures.
    pub outcome: Outcome,
}
