//! The rows that packing is compared with.

use super::{ExpectedPadding, Figures};
use crate::histogram::Histogram;
use serde::{Deserialize, Serialize};

/// Sequences that are padded, not packed: the rows that packs are compared with.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PaddedBaseline {
    /// Slots of an epoch; for random batches on average over all orders.
    pub slots: f64,
    /// The share of these slots that is empty.
    pub padding_share: f64,
}

impl PaddedBaseline {
    /// Pads every item to the limit, in a row of its own.
    pub fn to_limit(f: &Figures) -> Self {
        Self {
            // Efficiency is tokens ÷ slots.
            slots: f.real_tokens[0] as f64 / f.baseline_efficiency[0],
            padding_share: f.baseline_padding_share(),
        }
    }

    /// Pads random batches, each to its longest item. O(distinct · batch) at most.
    pub fn in_batches(lengths: &Histogram<1>, batch: u32) -> Self {
        let ExpectedPadding {
            slots,
            padding_share,
            ..
        } = ExpectedPadding::random(lengths, batch);
        Self {
            slots,
            padding_share,
        }
    }

    /// Returns padded slots / packed slots.
    pub fn factor(&self, f: &Figures) -> f64 {
        self.slots / f.slots[0] as f64
    }

    /// Returns [`factor`](Self::factor) / (1 + overhead): the speed-up if a step takes as long as it has slots. `None`
    /// without an overhead.
    pub fn realised_speedup(&self, f: &Figures) -> Option<f64> {
        Some(self.factor(f) / (1.0 + f.overhead?))
    }
}
