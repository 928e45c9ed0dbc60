//! The estimated cost of an epoch of batches.

use super::{Assumptions, Rates, Workload};
use crate::metrics::{EpochFigures, Expected};
use serde::{Deserialize, Serialize};

/// The time of a step, in the time that a slot takes: its slots, attention, and the overhead of every step
/// however small it is.
///
/// In units of a slot's linear work; ratios of two costs are ratios of times. Batches wait for nobody here: see
/// [`estimates`](super::estimates) for several accelerators.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct StepCost {
    /// Cost of attention for a slot and a slot of its row, in slots: 1 / 6h for a transformer of width h whose attention
    /// runs as fast as its matrix products.
    pub square: f64,
    /// Cost of a step beside its slots, in slots: kernels to start, weights to update.
    pub step_slots: f64,
}

impl StepCost {
    /// The cost at these rates.
    pub fn of(rates: &Rates) -> Self {
        Self { square: rates.second / rates.first, step_slots: (rates.step + rates.update) / rates.first }
    }

    fn total(self, slots: f64, squared_slots: f64, steps: u64) -> f64 {
        slots + squared_slots * self.square + self.step_slots * steps as f64
    }

    /// Fills in `estimated_cost` and `estimated_speedup`, against random batches without dropping.
    pub fn price(self, figures: &mut EpochFigures, random: &Expected) {
        figures.estimated_cost = self.total(figures.slots as f64, figures.squared_slots, figures.batches);
        let before = self.total(random.slots, random.squared_slots, random.batches);
        figures.estimated_speedup = before / figures.estimated_cost;
    }
}

impl Default for StepCost {
    /// The model and the accelerator that estimates start from.
    fn default() -> Self {
        let usual = Assumptions::default();
        let workload = Workload::Transformer(usual.transformer);
        Self::of(&Rates::new(&workload, &usual.accelerator, &usual.training))
    }
}
