//! Accelerators.

use super::calibrated::{A100_ATTENTION, A100_PRODUCTS};
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

/// Operations for each byte of memory traffic above which a peak is taken for that of tensor cores. Of the cards in
/// `measured.csv`, those with 16 bits have 139 (V100) to 295 (H100), those with single precision at most 24.
const TENSOR_CORES: f64 = 50.0;

impl Accelerator {
    /// Returns this preset with the peak and the bandwidth of another card, and the shares of the peak that a card of that
    /// kind reaches.
    ///
    /// Tensor cores keep the preset's shares. A peak of single precision is small beside the bandwidth and easier to
    /// reach: trainings in single precision on V100, RTX 2080 Ti, Titan RTX and P100 reach A100's share of theirs, where
    /// the first tensor cores (V100 with 16 bits) reach a third of it. Accelerators of static shapes keep their shares.
    pub fn set_by_hand(&self, peak: f64, bandwidth: f64) -> Self {
        let with_tensor_cores = |peak: f64, bandwidth: f64| peak / bandwidth > TENSOR_CORES;
        let other = Self {
            peak,
            bandwidth,
            ..*self
        };
        let same =
            with_tensor_cores(self.peak, self.bandwidth) == with_tensor_cores(peak, bandwidth);
        if same || !self.dynamic {
            return other;
        }
        Self {
            utilisation: A100_PRODUCTS,
            attention_utilisation: A100_ATTENTION,
            // Half of attention's share, as the presets assume for a mask.
            masked_utilisation: 0.5 * A100_ATTENTION,
            ..other
        }
    }

    /// Returns this card with the shares of the peak of another.
    pub const fn with_shares_of(self, other: &Self) -> Self {
        Self {
            utilisation: other.utilisation,
            attention_utilisation: other.attention_utilisation,
            masked_utilisation: other.masked_utilisation,
            ..self
        }
    }
}
