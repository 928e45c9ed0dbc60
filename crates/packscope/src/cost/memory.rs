//! Memory: bytes on one accelerator, and whether they fit.

use super::{Assumptions, Training, Transformer, Workload};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// Bytes that a training keeps on one accelerator.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// Weights, gradients, optimiser state.
    pub state: f64,
    /// Activations of the largest batch.
    pub activations: f64,
    /// Total / memory of the accelerator; above 1 it does not fit.
    pub share: f64,
    /// The maximum number of slots of a batch.
    pub most_slots: f64,
}

impl Memory {
    /// Returns the bytes for a batch of `slots` slots (nodes).
    ///
    /// State: bytes for each parameter (Rajbhandari et al. 2020, *ZeRO*, §3.1: 16 for Adam in mixed precision).
    /// Activations: [`Training::activation_bytes`](super::Training::activation_bytes), 34 by default, for each slot,
    /// layer and feature (Korthikanti et al. 2022, *Reducing Activation Recomputation in Large Transformer Models*,
    /// §4.1, Eq. (1), without the scores 5 a s / h, which today's kernels do not keep) in blocks like BERT's; for
    /// others in proportion to the same count. And 6 for each predicted slot and entry of the vocabulary, by our own
    /// count.
    pub fn new(workload: &Workload, assumptions: &Assumptions, slots: f64) -> Self {
        let training = &assumptions.training;
        let shared = if training.sharded {
            f64::from(assumptions.accelerators.max(1))
        } else {
            1.0
        };
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

/// A batch that fits the memory of an accelerator.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FittingBatch {
    /// Rows of the batch, at least one.
    pub rows: u32,
    /// Share of the memory that it needs.
    pub memory: f64,
    /// Whether the weights have to be sharded for it, which the assumptions do not.
    pub shards: bool,
}

/// Returns the largest batch that fits, with at most `rows.end()` rows of `slots` slots. Weights are sharded only where
/// fewer than `rows.start()` rows fit otherwise; from 0 on, never. `None` if not one row fits.
pub fn largest_batch(
    workload: &Workload,
    assumptions: &Assumptions,
    slots: u32,
    rows: RangeInclusive<u32>,
) -> Option<FittingBatch> {
    let slots = f64::from(slots.max(1));
    let fit = |sharded: bool| {
        let training = Training {
            sharded,
            ..assumptions.training
        };
        let assumed = Assumptions {
            training,
            ..*assumptions
        };
        // How many slots fit does not depend on the slots of the batch, so that 0 will do.
        let most = Memory::new(workload, &assumed, 0.0).most_slots / slots;
        let rows = most.min(f64::from(*rows.end())) as u32;
        let memory = Memory::new(workload, &assumed, f64::from(rows) * slots).share;
        FittingBatch {
            rows,
            memory,
            shards: sharded && !assumptions.training.sharded,
        }
    };
    // The setting as it is comes first: weights are sharded only where that is not enough.
    let both = [fit(assumptions.training.sharded), fit(true)];
    let suits = both.iter().find(|batch| batch.rows >= *rows.start());
    suits
        .or_else(|| both.iter().find(|batch| batch.rows > 0))
        .filter(|batch| batch.rows > 0)
        .copied()
}

/// Bytes of a logit, its share in the loss, and its gradient, at 16 bits each.
const LOGIT: f64 = 6.0;

/// Returns the bytes that a block keeps, relative to one with an inner width of 4 h and no gate, by the items of
/// Korthikanti et al. 2022, §4.1: 4 h for two norms; 3 h + 4 q + 4 k around attention with q features of queries and k
/// of keys and values; 3 h + 4 f for a feed-forward part of f features, or 2 h + 8 f if it is gated: gate, activation, other half and product
/// are kept, and there is no dropout.
fn of_block(model: &Transformer) -> f64 {
    let (h, k, f) = (model.width, model.key_width, model.feed_forward);
    let feed_forward = if model.matrices > 2.0 {
        2.0 * h + 8.0 * f
    } else {
        3.0 * h + 4.0 * f
    };
    let around = 3.0 * h + 4.0 * model.queries * h + 4.0 * k;
    // The paper's block has q = k = h and f = 4 h: 4 + 11 + 3 + 16 = 34.
    (4.0 * h + around + feed_forward) / (34.0 * h)
}
