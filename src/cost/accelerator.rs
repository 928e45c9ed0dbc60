//! Accelerators.

use serde::{Deserialize, Serialize};

/// One accelerator: figures of its maker, and the shares of them that a training reaches.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Accelerator {
    /// Operations per second at most, dense, 16 bits.
    pub peak: f64,
    /// Bytes per second to and from its memory.
    pub bandwidth: f64,
    /// Bytes of memory.
    pub memory: f64,
    /// Watts.
    pub power: f64,
    /// Share of the peak that matrix products reach.
    pub utilisation: f64,
    /// Share of the peak that attention reaches in a kernel that knows where sequences end.
    pub attention_utilisation: f64,
    /// Share of the peak that attention reaches with a mask that says which pairs count.
    pub masked_utilisation: f64,
    /// Whether shapes may change from step to step: batches of other lengths, and kernels that skip what lies between
    /// sequences (block-diagonal, unpadded). Where they are compiled once there are padded rows, and packs with a mask.
    pub dynamic: bool,
    /// Seconds a step takes beside its work: the loader, the host.
    pub step_seconds: f64,
    /// Seconds a pass takes for each layer beside its work, however small the batch: starting kernels. None where a whole
    /// step is compiled.
    pub layer_seconds: f64,
}
