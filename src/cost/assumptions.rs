//! The assumptions of an estimate, all of which can be changed.

use super::{Accelerator, Gnn, Transformer, presets};
use serde::{Deserialize, Serialize};

/// How a training uses an accelerator.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Training {
    /// Forward passes that a step costs: 3 with the backward one, 4 where activations are computed again.
    pub passes: f64,
    /// Bytes kept for each parameter: weights, gradients, state of the optimiser.
    pub state_bytes: f64,
    /// Bytes that an update moves for each parameter.
    pub update_bytes: f64,
    /// Bytes kept for each token, layer and feature until the backward pass.
    pub activation_bytes: f64,
    /// Whether weights and their state are shared out over the accelerators.
    pub sharded: bool,
    /// Seconds that a pack costs beside what it holds.
    pub pack_seconds: f64,
}

/// How rows of a batch without padding run on one accelerator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rows {
    /// Their times add up, as in kernels that lay them end to end.
    #[default]
    Added,
    /// Side by side: a batch takes as long as its longest (Krell et al. 2022, *Efficient Sequence Packing without
    /// Cross-contamination*, §4.4).
    Parallel,
}

/// The assumptions of an estimate.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Assumptions {
    /// The model for sequences.
    pub transformer: Transformer,
    /// The model for graphs.
    pub gnn: Gnn,
    /// The accelerator.
    pub accelerator: Accelerator,
    /// Accelerators.
    pub accelerators: u32,
    /// Batches of an accelerator before the weights are updated.
    pub accumulation: u32,
    /// How rows without padding run.
    pub rows: Rows,
    /// How the training uses the accelerator.
    pub training: Training,
    /// Price of an accelerator for an hour, in any currency.
    pub price: f64,
    /// Decay of the optimiser's first moment.
    pub beta1: f64,
    /// Decay of its second moment.
    pub beta2: f64,
}

impl Default for Assumptions {
    /// BERT large on 8 A100 of 80 GB.
    fn default() -> Self {
        Self {
            transformer: presets::usual(presets::TRANSFORMERS, "bert-large"),
            gnn: presets::usual(presets::GNNS, "gin"),
            accelerator: presets::usual(presets::ACCELERATORS, "a100-80gb"),
            accelerators: 8,
            accumulation: 1,
            rows: Rows::Added,
            training: Training {
                passes: 3.0,
                state_bytes: 16.0,
                update_bytes: 28.0,
                activation_bytes: 34.0,
                sharded: false,
                pack_seconds: 0.0,
            },
            price: 2.0,
            beta1: 0.9,
            beta2: 0.999,
        }
    }
}
