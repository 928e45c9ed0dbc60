//! Which axis of lengths shows most of the data.

use super::Histogram;
use crate::names::names;

/// How lengths are spread along an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Spread {
    /// Equal steps are equal differences.
    #[default]
    Linear,
    /// Equal steps are equal factors.
    Log,
    /// Equal steps have about equally many items.
    Even,
}

names! {
    Spread, "a scale of lengths";
    Linear: "linear", "Equal differences";
    Log: "log", "Equal factors";
    Even: "even", "Equal numbers of items";
}

/// Parts of equally many items, in which the data are looked at.
const PARTS: u32 = 16;
/// Fewer lengths than this have gaps on any axis.
const FEW: usize = 32;

impl Histogram<1> {
    /// Returns the first spread with which the data fill a drawing. Linear: unless they are
    /// [long-tailed](Self::is_long_tailed), or a sixteenth of the items takes three quarters of the axis. Log: unless
    /// one takes half of it. Fewer than 32 lengths are never spread evenly. O(log distinct).
    pub fn spread(&self) -> Spread {
        let at = |k: u32| f64::from(self.quantile(f64::from(k) / f64::from(PARTS)));
        let ends: Vec<f64> = (0..=PARTS).map(at).collect();
        let (shortest, longest) = (at(0), at(PARTS));
        let few = self.distinct() < FEW;
        let fills =
            |is: &dyn Fn(f64, f64) -> bool| few || ends.windows(2).all(|part| is(part[0], part[1]));
        if !self.is_long_tailed() && fills(&|from, to| to - from <= 0.75 * longest) {
            Spread::Linear
        } else if fills(&|from, to| (to / from).powi(2) <= longest / shortest) {
            // The logarithm of a part against half of that of the axis, without logarithms. Lengths
            // are at least 1, so nothing divides by 0.
            Spread::Log
        } else {
            Spread::Even
        }
    }
}
