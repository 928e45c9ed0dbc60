//! Whether it fits: bytes on one accelerator.

use super::{Assumptions, Workload};
use serde::{Deserialize, Serialize};

/// Bytes that a training keeps on one accelerator.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// Weights, gradients, state of the optimiser.
    pub state: f64,
    /// Activations of the largest batch.
    pub activations: f64,
    /// All of it / what the accelerator has; above 1 it does not fit.
    pub share: f64,
    /// The most slots a batch could have.
    pub most_slots: f64,
}

impl Memory {
    /// Bytes for a batch of so many slots (nodes).
    ///
    /// State: bytes for each parameter (Rajbhandari et al. 2020, *ZeRO*, §3.1: 16 for Adam in mixed precision).
    /// Activations: 34 bytes for each slot, layer and feature (Korthikanti et al. 2022, *Reducing Activation
    /// Recomputation in Large Transformer Models*, §4.1, Eq. (1), without the scores 5 a s / h, which today's kernels do
    /// not keep), and 6 for each slot that is predicted and entry of the vocabulary, which is our own count.
    pub fn new(workload: &Workload, assumptions: &Assumptions, slots: f64) -> Self {
        let training = &assumptions.training;
        let shared = if training.sharded { f64::from(assumptions.accelerators.max(1)) } else { 1.0 };
        let state = workload.parameters() * training.state_bytes / shared;
        let slot = match workload {
            Workload::Transformer(model) => {
                training.activation_bytes * model.layers * model.width
                    + LOGIT * model.predicted * model.vocabulary
            }
            Workload::Gnn(model) => 2.0 * model.layers * model.width * model.feature_bytes,
        };
        let memory = assumptions.accelerator.memory;
        let activations = slot * slots;
        Self {
            state,
            activations,
            share: (state + activations) / memory,
            most_slots: ((memory - state) / slot).floor().max(0.0),
        }
    }
}

/// Bytes of a logit, its share in the loss, and its gradient, at 16 bits each.
const LOGIT: f64 = 6.0;
