//! Money and energy.

use super::{Assumptions, Estimate};
use serde::{Deserialize, Serialize};

/// The cost of an epoch.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Bill {
    /// Hours that the epoch takes.
    pub hours: f64,
    /// Hours of all accelerators together, which are paid for.
    pub accelerator_hours: f64,
    /// Price of the accelerator hours, in the currency of the price.
    pub money: f64,
    /// Kilowatt-hours at the accelerators' rated power, without hosts and cooling.
    pub energy: f64,
}

impl Bill {
    /// Returns the bill of an epoch.
    pub fn new(estimate: &Estimate, assumptions: &Assumptions) -> Self {
        let hours = estimate.seconds / 3600.0;
        let accelerator_hours = hours * f64::from(assumptions.accelerators.max(1));
        Self {
            hours,
            accelerator_hours,
            money: accelerator_hours * assumptions.price,
            energy: accelerator_hours * assumptions.accelerator.power / 1000.0,
        }
    }

    /// Returns the savings against another bill.
    pub fn saved_from(&self, before: &Self) -> Self {
        Self {
            hours: before.hours - self.hours,
            accelerator_hours: before.accelerator_hours - self.accelerator_hours,
            money: before.money - self.money,
            energy: before.energy - self.energy,
        }
    }
}
