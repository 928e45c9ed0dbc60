//! The figures of a plan, and of an epoch of batches. Field names are fixed: page, command line and exports share
//! them.

mod baseline;
mod column;
mod epoch;

pub use baseline::PaddedBaseline;
pub use column::{Apart, Column, FigureValue, PinnedColumn, SECONDS};
pub use epoch::{
    BatchShape, EpochFigures, ExpectedPadding, PublishedEstimate, QUANTILES, SameSize,
    random_widths,
};

use crate::bounds::{Bound, BoundKind};
use serde::{Deserialize, Serialize};

/// The counts from which figures are derived. Figures per component have K entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanCounts<const K: usize> {
    /// Items placed.
    pub items: u64,
    /// Packs used.
    pub packs: u64,
    /// Distinct strategies, if all were kept.
    pub strategies: Option<u64>,
    /// Items in the deepest pack.
    pub max_depth: u64,
    /// Tokens trained on, per component.
    pub real_tokens: [u64; K],
    /// Slots of all rows, per component.
    pub slots: [u64; K],
    /// Tokens discarded before packing, per component.
    pub waste_tokens: [u64; K],
    /// Slots with one item a row, per component.
    pub baseline_slots: [u128; K],
}

/// Figures of a report; shares and factors are plain ratios, and are shown in percent on screen only.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    /// Items placed.
    pub items: u64,
    /// Packs used.
    pub packs: u64,
    /// Distinct shapes of packs; `None` when there were too many to keep.
    pub strategies: Option<u64>,
    /// Items in the deepest pack.
    pub max_depth: u64,
    /// Tokens (or nodes, edges) trained on, per component.
    pub real_tokens: Vec<u64>,
    /// Slots of all rows, per component.
    pub slots: Vec<u64>,
    /// Slots that are empty, per component.
    pub padding_tokens: Vec<u64>,
    /// Tokens discarded by truncating or dropping, per component. Never part of padding.
    pub waste_tokens: Vec<u64>,
    /// Real tokens / slots, per component. A component whose limit the algorithm ignores has as many slots in a pack as
    /// its largest sum; bounds are those of the limits that the algorithm keeps to.
    pub efficiency: Vec<f64>,
    /// Harmonic mean of the efficiencies.
    pub efficiency_harmonic: f64,
    /// Efficiency with one item a row, per component.
    pub baseline_efficiency: Vec<f64>,
    /// Items / packs. For rows that are shortened, not filled (sorted batches): baseline slots / slots, which equals
    /// items / packs for rows of equal length.
    pub packing_factor: f64,
    /// A lower bound: no plan has fewer packs, but the best plan may have more. `None` for rows of different lengths.
    pub lower_bound: Option<u64>,
    /// The argument that proves the bound.
    pub bound_kind: Option<BoundKind>,
    /// (packs − bound) / bound.
    pub gap: Option<f64>,
    /// Extra time for keeping packed items apart, relative to the same step without it (0.05: 5 % longer); see
    /// [`crate::cost`].
    pub overhead: Option<f64>,
    /// Packing factor / (1 + overhead).
    pub realised_speedup: Option<f64>,
    /// For NNLSHP: the packs as counted by its published repair, including items that do not exist.
    // Plans that were saved earlier lack it.
    #[serde(default)]
    pub published_packs: Option<u64>,
    /// For NNLSHP: the strategies that its least squares use, before they are rounded and repaired.
    #[serde(default)]
    pub least_squares: Option<u64>,
}

impl Figures {
    /// Derives the figures. `bound` is `None` for rows of different lengths. O(K).
    pub fn new<const K: usize>(counts: &PlanCounts<K>, bound: Option<Bound>) -> Self {
        let per = |slots: &dyn Fn(usize) -> f64| -> Vec<f64> {
            counts
                .real_tokens
                .iter()
                .enumerate()
                .map(|(k, real)| ratio(*real, slots(k)))
                .collect()
        };
        let efficiency = per(&|k| counts.slots[k] as f64);
        let packing_factor = match bound {
            Some(_) => ratio(counts.items, counts.packs as f64),
            // Without a bound rows are shortened, and only their slots tell what is saved.
            None => counts.baseline_slots[0] as f64 / counts.slots[0] as f64,
        };
        Self {
            items: counts.items,
            packs: counts.packs,
            strategies: counts.strategies,
            max_depth: counts.max_depth,
            real_tokens: counts.real_tokens.to_vec(),
            slots: counts.slots.to_vec(),
            padding_tokens: counts
                .slots
                .iter()
                .zip(&counts.real_tokens)
                // Never below 0: the plan was recounted, and holds no more than its slots.
                .map(|(s, r)| s - r)
                .collect(),
            waste_tokens: counts.waste_tokens.to_vec(),
            efficiency_harmonic: harmonic_mean(&efficiency),
            efficiency,
            baseline_efficiency: per(&|k| counts.baseline_slots[k] as f64),
            packing_factor,
            lower_bound: bound.map(|b| b.packs),
            bound_kind: bound.map(|b| b.kind),
            gap: bound.map(|b| gap(counts.packs, b.packs)),
            overhead: None,
            realised_speedup: None,
            published_packs: None,
            least_squares: None,
        }
    }

    /// Returns the bound and its kind.
    pub fn bound(&self) -> Option<Bound> {
        Some(Bound {
            packs: self.lower_bound?,
            kind: self.bound_kind?,
        })
    }

    /// Whether a bound is better than the present one; false for rows of different lengths.
    pub fn is_raised_by(&self, bound: Bound) -> bool {
        self.lower_bound.is_some_and(|known| known < bound.packs)
    }

    /// Adopts a better bound that was found elsewhere for the same data, limit and depth.
    pub fn raise(&mut self, bound: Bound) {
        if self.is_raised_by(bound) {
            self.lower_bound = Some(bound.packs);
            self.bound_kind = Some(bound.kind);
            self.gap = Some(gap(self.packs, bound.packs));
        }
    }

    /// Returns the share of slots that are empty, in the first component.
    pub fn padding_share(&self) -> f64 {
        if self.slots[0] == 0 {
            0.0
        } else {
            self.padding_tokens[0] as f64 / self.slots[0] as f64
        }
    }

    /// Returns the share of slots that are empty with one item a row, in the first component.
    pub fn baseline_padding_share(&self) -> f64 {
        1.0 - self.baseline_efficiency[0]
    }
}

/// Returns the harmonic mean of efficiencies.
pub fn harmonic_mean(efficiency: &[f64]) -> f64 {
    // By way of infinity, an efficiency of 0 gives 0.
    efficiency.len() as f64 / efficiency.iter().map(|e| 1.0 / e).sum::<f64>()
}

/// Returns real tokens / slots; 1 without slots.
fn ratio(real: u64, slots: f64) -> f64 {
    if slots == 0.0 {
        1.0
    } else {
        real as f64 / slots
    }
}

fn gap(packs: u64, bound: u64) -> f64 {
    (packs as f64 - bound as f64) / bound as f64
}
