//! Whether it fits: bytes on one accelerator.

use super::{Assumptions, Training, Transformer, Workload};
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
    /// Activations: [`Training::activation_bytes`](super::Training::activation_bytes), 34 by default, for each slot,
    /// layer and feature (Korthikanti et al. 2022, *Reducing Activation Recomputation in Large Transformer Models*,
    /// §4.1, Eq. (1), without the scores 5 a s / h, which today's kernels do not keep) in blocks as BERT's; in others
    /// in proportion to what the same count gives for them. And 6 for each slot that is predicted and entry of the
    /// vocabulary, which is our own count.
    pub fn new(workload: &Workload, assumptions: &Assumptions, slots: f64) -> Self {
        let training = &assumptions.training;
        let shared = if training.sharded { f64::from(assumptions.accelerators.max(1)) } else { 1.0 };
        let state = workload.parameters() * training.kept_bytes() / shared;
        let slot = match workload {
            Workload::Transformer(model) => {
                training.activation_bytes * model.layers * model.width * of_block(model)
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

/// The largest batch, of at most so many rows of so many slots each, that fits, and whether weights have to be shared out
/// for it: tried only where one row does not fit otherwise. `None` where nothing fits.
pub fn largest_batch(
    workload: &Workload,
    assumptions: &Assumptions,
    [rows, slots]: [u32; 2],
) -> Option<(u32, bool)> {
    let fits = |sharded: bool| {
        let training = Training { sharded, ..assumptions.training };
        let memory = Memory::new(workload, &Assumptions { training, ..*assumptions }, 0.0);
        let largest = (memory.most_slots / f64::from(slots.max(1))).min(f64::from(rows)) as u32;
        (largest > 0).then_some((largest, sharded))
    };
    fits(assumptions.training.sharded).or_else(|| fits(true))
}

/// Bytes of a logit, its share in the loss, and its gradient, at 16 bits each.
const LOGIT: f64 = 6.0;

/// Bytes that a block keeps, in relation to one with 4 times the width inside and no gate, by the items of Korthikanti et
/// al. 2022, §4.1: 4 h for two norms; 7 h + 4 k around attention, where keys and values have k features; 3 h + 4 f for a
/// feed-forward part of f features, or 2 h + 8 f where it is gated, for gate, its activation, the other half and their
/// product are kept, and there is no dropout.
fn of_block(model: &Transformer) -> f64 {
    let (h, k, f) = (model.width, model.key_width, model.feed_forward);
    let feed_forward = if model.matrices > 2.0 { 2.0 * h + 8.0 * f } else { 3.0 * h + 4.0 * f };
    (4.0 * h + 7.0 * h + 4.0 * k + feed_forward) / (34.0 * h)
}
