//! The cost of a plan or an epoch on accelerators, and the savings. Re-prices figures; never packs.
//!
//! [`Work`] counts the work of an epoch, by [`Method`]; [`Rates`] are the seconds for a unit of it; [`waiting`]
//! computes how long accelerators wait for each other; [`estimates`] combines them. Only work and waiting depend on the
//! plan, so every other assumption can be changed at once.

mod accelerator;
pub mod accuracy;
pub mod arithmetic;
mod assumptions;
pub mod calibrated;
mod estimate;
pub mod fields;
mod memory;
mod optimiser;
mod overhead;
pub mod presets;
mod rates;
pub mod waiting;
mod work;
mod workload;

pub use accelerator::Accelerator;
pub use assumptions::{Assumptions, RowExecution, Training, Tuning};
pub use estimate::{Bill, EpochTime, Estimate, TimeParts, Wait, estimates};
pub use fields::{CostField, FieldGroup, FieldUnit};
pub use memory::{FittingBatch, Memory, largest_batch};
pub use optimiser::{Epoch, Regime, Regimes, TRIED};
pub use overhead::Overhead;
pub use rates::Rates;
pub use work::{Method, Work};
pub use workload::{Gnn, Transformer, Workload};

use crate::metrics::Figures;

/// Fills in `overhead` and `realised_speedup` = packing factor / (1 + overhead).
///
/// The overhead is that of the deepest pack in the plan. Source: the arithmetic behind the last column of Krell et al.
/// 2022, *Efficient Sequence Packing without Cross-contamination*, Table 1. Its text calls the overhead a decrease in
/// throughput, which would be a factor of 1 − overhead, but its numbers do not follow from that. Rows that are
/// shortened, not filled (sorted batches), get no estimate: their shapes change from step to step.
pub fn price(figures: &mut Figures, overhead: Overhead) {
    let overhead = figures
        .lower_bound
        .map(|_| overhead.at_depth(figures.max_depth));
    figures.overhead = overhead;
    figures.realised_speedup = overhead.map(|o| figures.packing_factor / (1.0 + o));
}
