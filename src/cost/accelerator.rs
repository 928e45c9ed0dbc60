//! Accelerators.

use serde::{Deserialize, Serialize};

/// An accelerator: the maker's figures, and the shares of them that a training reaches.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Accelerator {
    /// Peak operations per second, dense, 16 bits.
    pub peak: f64,
    /// Bytes per second to and from its memory.
    pub bandwidth: f64,
    /// Bytes of memory.
    pub memory: f64,
    /// Watts.
    pub power: f64,
    /// Share of the peak that matrix products reach.
    pub utilisation: f64,
    /// Share of the peak that attention reaches in a kernel that skips pairs across sequences.
    pub attention_utilisation: f64,
    /// Share of the peak that attention reaches under a mask.
    pub masked_utilisation: f64,
    /// Whether shapes may change from step to step: batches of other lengths, and kernels that skip pairs across
    /// sequences (block-diagonal, unpadded). Without it, only padded rows and packs with a mask are possible.
    pub dynamic: bool,
    /// Fixed seconds of a step, beside its work: the loader, the host.
    pub step_seconds: f64,
    /// Fixed seconds of a pass for each layer, to start its kernels. 0 if a whole step is compiled.
    pub layer_seconds: f64,
}
