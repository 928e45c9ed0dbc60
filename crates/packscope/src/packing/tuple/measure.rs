//! A heuristic prepared for given limits: weights, and the way in which weighted components are combined.

use super::Heuristic;
use crate::histogram::{Size, is_free};

/// The combination of weighted components.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MeasureKind {
    Sum,
    Squares,
    Product,
    Maximum,
    Minimum,
}

/// Maps sizes and spaces to numbers. Monotone: more in a component never gives a smaller number. Never NaN, because
/// weights and sizes are finite and at least 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Measure<const K: usize> {
    kind: MeasureKind,
    weights: [f64; K],
}

impl<const K: usize> Measure<K> {
    /// Prepares a heuristic. Components without a limit do not count, unless the heuristic names one.
    pub fn new(heuristic: Heuristic, limits: &Size<K>) -> Self {
        let limited = limits.map(|limit| !is_free::<K>(limit));
        let ones = limited.map(f64::from);
        // A limit may be 0 where no item has anything.
        let shares = std::array::from_fn(|k| ones[k] / f64::from(limits[k].max(1)));
        let (kind, weights) = match heuristic {
            Heuristic::Product => (MeasureKind::Product, ones),
            Heuristic::Sum => (MeasureKind::Sum, ones),
            Heuristic::Maximum => (MeasureKind::Maximum, ones),
            Heuristic::Minimum => (MeasureKind::Minimum, ones),
            Heuristic::Component(c) => (
                MeasureKind::Sum,
                std::array::from_fn(|k| f64::from(k == usize::from(c).min(K - 1))),
            ),
            Heuristic::Weighted(w) => (
                MeasureKind::Sum,
                std::array::from_fn(|k| w.get(k).map_or(0.0, |w| ones[k] * w)),
            ),
            Heuristic::Shares => (MeasureKind::Sum, shares),
            Heuristic::LargestShare => (MeasureKind::Maximum, shares),
            Heuristic::Squares => (MeasureKind::Squares, shares),
        };
        Self { kind, weights }
    }

    /// Returns a weighted sum.
    pub fn sum(weights: [f64; K]) -> Self {
        Self {
            kind: MeasureKind::Sum,
            weights,
        }
    }

    /// Returns the number for a size.
    pub fn value(&self, size: &Size<K>) -> f64 {
        let parts = size
            .iter()
            .zip(&self.weights)
            .map(|(s, w)| (f64::from(*s) * w, *w));
        match self.kind {
            MeasureKind::Sum => parts.map(|(part, _)| part).sum(),
            MeasureKind::Squares => parts.map(|(part, _)| part * part).sum(),
            // Components that do not count are left out: as a factor of 0 they would decide
            // everything.
            MeasureKind::Product => parts
                .filter(|(_, w)| *w > 0.0)
                .map(|(part, _)| part)
                .product(),
            MeasureKind::Maximum => parts.map(|(part, _)| part).fold(0.0, f64::max),
            MeasureKind::Minimum => parts
                .filter(|(_, w)| *w > 0.0)
                .map(|(part, _)| part)
                .fold(f64::INFINITY, f64::min),
        }
    }

    /// Returns the component that changes the number most over the whole of a pack.
    pub fn leading(&self, limits: &Size<K>) -> usize {
        let reach = |k: usize| {
            if is_free::<K>(limits[k]) {
                -1.0
            } else {
                f64::from(limits[k]) * self.weights[k]
            }
        };
        // Of equals the first component, so that nothing is exchanged without need.
        (1..K).fold(0, |best, k| if reach(k) > reach(best) { k } else { best })
    }

    /// Returns the measure with two components exchanged.
    pub fn swapped(mut self, a: usize, b: usize) -> Self {
        self.weights.swap(a, b);
        self
    }
}
