//! A training as the optimiser sees it: sequences per update, and the decay of momentum.

use crate::learn::{ChapterContext, data};
use packscope::cost::{Epoch, Regimes};

/// Rows of a batch, enough to fill the accelerator.
pub const BATCH: u32 = 250;
/// Decay of the second moment before packing.
pub const BETA2: f64 = 0.999;
/// The number of sequences after which the rest of a gradient is compared: ten updates before packing.
pub const LATER: f64 = 15_000.0;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Training {
    /// Batches per update.
    pub accumulated: u32,
    /// Mean number of sequences per update.
    pub sequences: f64,
    /// Decay of the first moment.
    pub beta: f64,
}

/// Before packing: six batches of 250 rows, a sequence in each.
pub const BEFORE: Training = Training {
    accumulated: 6,
    sequences: 1500.0,
    beta: 0.9,
};

impl Training {
    /// Returns the weight in momentum of a sequence seen `k` updates ago: an update adds 1 − β of its gradient, which
    /// is a mean over its sequences, and keeps β of all before.
    pub fn weight(&self, k: u32) -> f64 {
        (1.0 - self.beta) * self.beta.powf(f64::from(k)) / self.sequences
    }

    /// Returns the share of a gradient that is left after a number of sequences.
    pub fn share_left(&self, sequences: f64) -> f64 {
        self.beta.powf(sequences / self.sequences)
    }

    /// Returns the memory relative to another training: the ratio of sequences after which the same share is left.
    pub fn memory(&self, other: &Self) -> f64 {
        // From β^(n / s) = const follows n ∝ s ÷ ln β, for each training with its own β and s. The
        // sign of ln β cancels.
        self.sequences * other.beta.ln() / (other.sequences * self.beta.ln())
    }
}

/// The reader's settings: the packed training, and the tool's options after packing.
#[derive(Debug, Clone, Copy)]
pub struct OptimiserSettings {
    /// Mean number of sequences in a pack.
    pub factor: f64,
    pub packed: Training,
    /// Regimes before packing, with the same sequences, and with the same rows.
    pub regimes: Regimes,
    pub updates: u64,
}

impl OptimiserSettings {
    /// Reads the knobs and computes the regimes for Wikipedia.
    pub fn new(here: &ChapterContext<'_>) -> Self {
        let counts = data::lengths("wikipedia_bert_512");
        let epoch = Epoch {
            items: counts.iter().map(|(_, n)| n).sum(),
            tokens: counts
                .iter()
                .map(|(length, n)| u64::from(*length) * n)
                .sum(),
            packing_factor: f64::from(here.number("factor")) / 10.0,
        };
        let accumulated = here.number("accumulation");
        let beta = f64::from(here.number("beta")) / 1000.0;
        let regimes =
            |batches: u32| Regimes::new(&epoch, u64::from(BATCH * batches), BEFORE.beta, BETA2);
        let set = regimes(accumulated).same_rows;
        Self {
            factor: epoch.packing_factor,
            packed: Training {
                accumulated,
                sequences: set.sequences,
                beta,
            },
            // Before packing always with six batches, whatever is accumulated now: it is what the
            // options are compared with.
            regimes: regimes(BEFORE.accumulated),
            updates: set.updates,
        }
    }
}
