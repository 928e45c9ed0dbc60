//! The effect of packing on the optimiser: more sequences in a step, fewer steps in an epoch.
//!
//! Source: Krell et al. 2022, *Efficient Sequence Packing without Cross-contamination*, §3.3 and supplement D.

use super::Assumptions;
use crate::metrics::Figures;
use serde::{Deserialize, Serialize};

/// Packing factors up to this are near the ones with which β → β^p was tried: about 2, with LAMB (Krell et al. 2022,
/// §3.3 and §4.2). A factor of 20 would turn a β₁ of 0.9 into 0.12.
pub const TRIED: f64 = 3.0;

/// The training as the optimiser sees it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Regime {
    /// Rows of an update: of all accelerators and accumulated batches.
    pub rows: f64,
    /// Sequences of an update, on average: the effective batch.
    pub sequences: f64,
    /// Real tokens of an update, on average.
    pub tokens: f64,
    /// Updates of an epoch.
    pub updates: u64,
    /// Decay of the first moment.
    pub beta1: f64,
    /// Decay of the second moment.
    pub beta2: f64,
}

/// The epoch from which regimes are computed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Epoch {
    /// Sequences of an epoch.
    pub items: u64,
    /// Real tokens of an epoch.
    pub tokens: u64,
    /// Sequences / packs.
    pub packing_factor: f64,
}

/// Regimes before packing; packed with the same sequences per update; packed with the same rows per update.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Regimes {
    /// One sequence a row.
    pub before: Regime,
    /// Batch or accumulation divided by the packing factor: sequences, updates and all other settings are unchanged.
    pub same_sequences: Regime,
    /// Unchanged rows: with a packing factor of p, p times as many sequences in an update, 1/p as many updates, β →
    /// β^p; the learning rate is unchanged. Proposed for LAMB: see [`TRIED`].
    pub same_rows: Regime,
}

impl Regimes {
    /// Computes the regimes of a packing with `batch` rows in a batch of each accelerator. O(1).
    pub fn from_figures(figures: &Figures, batch: u32, assumptions: &Assumptions) -> Self {
        let epoch = Epoch {
            items: figures.items,
            tokens: figures.real_tokens.first().copied().unwrap_or_default(),
            packing_factor: figures.packing_factor,
        };
        let rows = [batch, assumptions.accelerators, assumptions.accumulation];
        let rows = rows.iter().map(|n| u64::from(*n)).product();
        Self::new(&epoch, rows, assumptions.beta1, assumptions.beta2)
    }

    /// Returns the packing factor if it exceeds those with which β → β^p was tried: see [`TRIED`].
    pub fn untried(&self) -> Option<f64> {
        // Regimes do not keep the packing factor; it is the ratio of these two.
        let factor = self.same_rows.sequences / self.before.sequences;
        (factor > TRIED).then_some(factor)
    }

    /// Computes the regimes from the rows of an update before packing. O(1).
    pub fn new(epoch: &Epoch, rows: u64, beta1: f64, beta2: f64) -> Self {
        let (p, items) = (epoch.packing_factor, epoch.items as f64);
        let of = |rows: f64, sequences: f64, power: f64| Regime {
            rows,
            sequences,
            tokens: sequences * epoch.tokens as f64 / items,
            updates: (items / sequences).ceil() as u64,
            beta1: decay(beta1, power),
            beta2: decay(beta2, power),
        };
        let rows = rows.max(1) as f64;
        Self {
            before: of(rows, rows, 1.0),
            same_sequences: of(rows / p, rows, 1.0),
            same_rows: of(rows, rows * p, p),
        }
    }
}

/// Returns β^p to six decimals: as typed, and the same on different machines except for rare rounding.
fn decay(beta: f64, power: f64) -> f64 {
    (beta.powf(power) * 1e6).round() / 1e6
}
