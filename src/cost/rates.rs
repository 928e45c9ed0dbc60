//! Seconds for each token and pair, node and edge, pack and step.

use super::{Accelerator, Training, Workload};

/// What things cost on one accelerator. Times are those of one that does nothing else.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rates {
    /// Seconds for a token, or a node.
    pub first: f64,
    /// Seconds for a pair of tokens, or an edge, in a kernel that knows where sequences end.
    pub second: f64,
    /// Seconds for a pair of tokens under a mask; for graphs as [`second`](Self::second).
    pub masked: f64,
    /// Seconds for a pack beside what it holds.
    pub pack: f64,
    /// Seconds for a step beside its work.
    pub step: f64,
    /// Seconds for an update of the weights: what the optimiser moves through memory.
    pub update: f64,
}

impl Rates {
    /// Operations / (peak · share reached), and bytes / bandwidth, times the passes of a training step.
    pub fn new(workload: &Workload, accelerator: &Accelerator, training: &Training) -> Self {
        let seconds = |operations: f64, share: f64| training.passes * operations / (accelerator.peak * share);
        let moved = |bytes: f64| bytes / accelerator.bandwidth;
        let update = moved(workload.parameters() * training.update_bytes);
        let (step, pack) = (accelerator.step_seconds, training.pack_seconds);
        match workload {
            Workload::Transformer(model) => Self {
                first: seconds(model.token_operations(), accelerator.utilisation),
                second: seconds(model.pair_operations(), accelerator.attention_utilisation),
                masked: seconds(model.pair_operations(), accelerator.masked_utilisation),
                pack,
                step,
                update,
            },
            Workload::Gnn(model) => {
                let (operations, bytes) = (model.operations(), model.moved_bytes());
                let [first, second] = [0, 1].map(|k| {
                    seconds(operations[k], accelerator.utilisation) + training.passes * moved(bytes[k])
                });
                Self { first, second, masked: second, pack, step, update }
            }
        }
    }

    /// The weights of a unit of the first and of the second component in a kernel of this kind.
    pub fn weights(&self, masked: bool) -> [f64; 2] {
        [self.first, if masked { self.masked } else { self.second }]
    }
}
