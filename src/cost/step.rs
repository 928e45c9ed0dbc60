//! What an epoch of batches costs, estimated.

use crate::metrics::{EpochFigures, Expected};
use serde::{Deserialize, Serialize};

/// The time of a step, in the time that a slot takes: its slots, what attention adds, and what every step costs
/// however small it is.
///
/// A row of length L costs 24 h² L + 4 h L² operations in each layer of a transformer of width h: L · (1 + L / 6h) in
/// units of 24 h². The rest of a step (starting kernels, the optimiser) is an assumption: it depends on accelerator and
/// model. Ratios of two costs need no accelerator.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct StepCost {
    /// Width h of the model.
    pub width: u32,
    /// What a step costs beside its slots, in slots.
    pub step_slots: f64,
}

impl Default for StepCost {
    /// BERT base, and a step that takes as long as 1,000 slots: between an older accelerator (some 250) and a newer one
    /// (some 2,500).
    fn default() -> Self {
        Self { width: 768, step_slots: 1000.0 }
    }
}

impl StepCost {
    fn of(self, slots: f64, squared_slots: f64, steps: u64) -> f64 {
        slots + squared_slots / (6.0 * f64::from(self.width.max(1))) + self.step_slots * steps as f64
    }

    /// Fills in `estimated_cost` and `estimated_speedup`, against random batches without dropping.
    pub fn price(self, figures: &mut EpochFigures, random: &Expected) {
        figures.estimated_cost = self.of(figures.slots as f64, figures.squared_slots, figures.batches);
        let before = self.of(random.slots, random.squared_slots, random.batches);
        figures.estimated_speedup = before / figures.estimated_cost;
    }
}
