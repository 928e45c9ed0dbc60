//! What a plan or an epoch costs on an accelerator, and what it saves. Re-prices figures; never packs.

mod overhead;
mod step;

pub use overhead::Overhead;
pub use step::StepCost;

use crate::metrics::Figures;

/// Fills in `overhead` and `realised_speedup` = packing factor / (1 + overhead).
///
/// The overhead is that of the deepest pack that occurs. Source: the arithmetic behind the last column
/// of Krell et al. 2022, *Efficient Sequence Packing without Cross-contamination*, Table 1. Rows that
/// are shortened, not filled (sorted batches), get no estimate: their shapes change from step to step.
pub fn price(figures: &mut Figures, overhead: Overhead) {
    let overhead = figures.lower_bound.map(|_| overhead.at_depth(figures.max_depth));
    figures.overhead = overhead;
    figures.realised_speedup = overhead.map(|o| figures.packing_factor / (1.0 + o));
}
