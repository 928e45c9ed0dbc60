//! The assumptions of an estimate, all of which are adjustable.

use super::{Accelerator, Gnn, Transformer, calibrated, presets};
use serde::{Deserialize, Serialize};

/// How a training uses an accelerator.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Training {
    /// Cost of a step in forward passes: 3 with the backward pass, 4 with activation recomputation.
    pub passes: f64,
    /// Bytes kept for each parameter: weights, gradients, optimiser state.
    pub state_bytes: f64,
    /// Bytes that an update moves for each parameter.
    pub update_bytes: f64,
    /// Bytes kept for each token, layer and feature until the backward pass.
    pub activation_bytes: f64,
    /// Whether weights and their state are sharded over the accelerators.
    pub sharded: bool,
    /// Fixed cost of a pack, seconds.
    pub pack_seconds: f64,
    /// Which weights are trained.
    pub tuning: Tuning,
    /// Bytes that a pass moves for each token, layer and feature, beside matrix products: norms, activation functions,
    /// residuals, dropout.
    pub traffic_bytes: f64,
    /// Bytes that a pass over a batch moves for each trained parameter, regardless of the number of tokens.
    pub weight_bytes: f64,
    /// Additional bytes that a batch moves for each parameter if weights are sharded: communication as memory traffic.
    pub gather_bytes: f64,
    /// Additional bytes if weights have 4 bits: unpacking them.
    pub unpack_bytes: f64,
    /// Additional bytes if weights have 4 bits and are sharded, in place of both.
    pub unpack_gather_bytes: f64,
}

impl Training {
    /// The usual set-up: all weights trained in mixed precision with Adam.
    pub const USUAL: Self = Self {
        passes: 3.0,
        // Weights, gradients and Adam's state in mixed precision: Rajbhandari et al. 2020, ZeRO,
        // §3.1.
        state_bytes: 16.0,
        // Adam reads and writes three numbers of 4 bytes, reads a gradient of 2 and writes a weight
        // of 2.
        update_bytes: 28.0,
        // Korthikanti et al. 2022, Eq. (1), without attention scores, which today's kernels do not
        // keep.
        activation_bytes: 34.0,
        sharded: false,
        pack_seconds: 0.0,
        tuning: Tuning::All,
        traffic_bytes: calibrated::TRAFFIC_BYTES,
        weight_bytes: calibrated::WEIGHT_BYTES,
        gather_bytes: calibrated::GATHER_BYTES,
        unpack_bytes: calibrated::UNPACK_BYTES,
        unpack_gather_bytes: calibrated::UNPACK_GATHER_BYTES,
    };

    /// Returns the cost of a step in forward passes: one less if weights are not trained, since they need no gradients.
    pub fn passes_made(&self) -> f64 {
        match self.tuning {
            Tuning::All => self.passes,
            Tuning::Adapters | Tuning::Quantised => (self.passes - 1.0).max(1.0),
        }
    }

    /// Whether weights are trained; a single pass is inference.
    pub fn trains(&self) -> bool {
        self.passes > 1.0
    }

    /// Returns the same training's forward pass alone: no backward pass, no updates.
    pub const fn inference(self) -> Self {
        Self {
            passes: 1.0,
            update_bytes: 0.0,
            ..self
        }
    }

    /// Returns the bytes that a pass over a batch moves for each parameter: 2 for weights that are not trained.
    pub fn pass_bytes(&self) -> f64 {
        if self.tuning == Tuning::All {
            self.weight_bytes
        } else {
            2.0
        }
    }

    /// Returns the bytes that a batch moves for each parameter beside its passes.
    pub fn batch_bytes(&self) -> f64 {
        match (self.tuning, self.sharded) {
            (Tuning::Quantised, true) => self.unpack_gather_bytes,
            (Tuning::Quantised, false) => self.unpack_bytes,
            (_, true) => self.gather_bytes,
            (_, false) => 0.0,
        }
    }

    /// Returns the bytes that an update moves for each parameter. Adapters are below 1 % of the weights and left out.
    pub fn moved_by_update(&self) -> f64 {
        if self.tuning == Tuning::All {
            self.update_bytes
        } else {
            0.0
        }
    }

    /// Returns the bytes kept for each parameter. Weights that are not trained have neither gradients nor optimiser
    /// state: 2 bytes, or half a byte at 4 bits.
    pub fn kept_bytes(&self) -> f64 {
        match self.tuning {
            Tuning::All => self.state_bytes,
            Tuning::Adapters => 2.0,
            Tuning::Quantised => 0.5,
        }
    }
}

/// The weights that are trained.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tuning {
    /// All weights.
    #[default]
    All,
    /// Small matrices beside them, as in LoRA (Hu et al. 2021).
    Adapters,
    /// Adapters, with the weights kept at 4 bits, as in QLoRA (Dettmers et al. 2023).
    Quantised,
}

impl Tuning {
    /// All variants, in the order of their numbers.
    pub const ALL: [Self; 3] = [Self::All, Self::Adapters, Self::Quantised];

    /// The names of the variants, as displayed and typed.
    pub const NAMES: [&str; 3] = ["all", "lora", "qlora"];

    /// Returns the index in [`ALL`](Self::ALL).
    pub fn number(self) -> f64 {
        // `ALL` is in the order of the declaration.
        self as u8 as f64
    }

    /// Returns the variant at an index in [`ALL`](Self::ALL); all weights if there is none.
    pub fn of_number(number: f64) -> Self {
        Self::ALL.get(number as usize).copied().unwrap_or_default()
    }
}

/// How rows of a batch without padding run on one accelerator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RowExecution {
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
    /// The number of accelerators.
    pub accelerators: u32,
    /// Batches of an accelerator before the weights are updated.
    pub accumulation: u32,
    /// How rows without padding run.
    pub rows: RowExecution,
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
    /// Returns BERT large on 8 A100 of 80 GB.
    fn default() -> Self {
        Self {
            transformer: presets::usual(presets::TRANSFORMERS, "bert-large"),
            gnn: presets::usual(presets::GNNS, "gin"),
            accelerator: presets::usual(presets::ACCELERATORS, "a100-80gb"),
            accelerators: 8,
            accumulation: 1,
            rows: RowExecution::Added,
            training: Training::USUAL,
            // An example, as its description says.
            price: 2.0,
            beta1: 0.9,
            beta2: 0.999,
        }
    }
}
