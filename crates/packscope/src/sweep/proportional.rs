//! Sweeps of all limits together, then one by one.

use super::{Range, SweepPoint, SweepResults};
use crate::histogram::Size;

/// A component is efficient within this distance of the best efficiency that any component reaches on the diagonal.
const HAIR: f64 = 0.002;

/// All limits grow in proportion from the first to the last of their ranges. The limit of the first component to become
/// efficient is kept; the others are refined one after another, each over its whole range.
///
/// Source: Krell et al. 2022, *Tuple Packing*, §2.5, which leaves "high efficiency" undefined.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Proportional<const K: usize> {
    /// The limits of the present stage.
    asked: Vec<Size<K>>,
    /// Components whose limit is not settled; all of them while limits grow together.
    open: Vec<usize>,
}

impl<const K: usize> Default for Proportional<K> {
    fn default() -> Self {
        Self {
            asked: Vec::new(),
            open: (0..K).collect(),
        }
    }
}

impl<const K: usize> Proportional<K> {
    pub(super) fn next(
        &mut self,
        ranges: &[Range; K],
        evaluated: &SweepResults<K>,
    ) -> Option<Vec<Size<K>>> {
        if self.asked.is_empty() {
            self.asked = diagonal(ranges);
            return Some(self.asked.clone());
        }
        let limits = if self.open.len() == K {
            let (limits, kept) = efficient(self.asked.iter().filter_map(|l| evaluated.at(l)))?;
            self.open.retain(|k| *k != kept);
            limits
        } else {
            evaluated.best_of(&self.asked)?.limits
        };
        if self.open.is_empty() {
            return None;
        }
        let refined = self.open.remove(0);
        let with = |limit| std::array::from_fn(|k| if k == refined { limit } else { limits[k] });
        self.asked = ranges[refined].values().map(with).collect();
        Some(self.asked.clone())
    }
}

/// Returns points along the diagonal, as many as the longest range has limits.
fn diagonal<const K: usize>(ranges: &[Range; K]) -> Vec<Size<K>> {
    let points = ranges.iter().map(Range::len).max().unwrap_or(1);
    let last = f64::from(points.max(2) - 1);
    let index =
        |range: &Range, t: u32| (f64::from(range.len() - 1) * f64::from(t) / last).round() as u32;
    (0..points)
        .map(|t| std::array::from_fn(|k| ranges[k].value(index(&ranges[k], t))))
        .collect()
}

/// Returns the first limits at which a component is efficient, and this component.
fn efficient<'a, const K: usize>(
    points: impl Iterator<Item = &'a SweepPoint<K>> + Clone,
) -> Option<(Size<K>, usize)> {
    let highest =
        |p: &SweepPoint<K>| (0..K).max_by(|a, b| p.efficiency[*a].total_cmp(&p.efficiency[*b]));
    let best = points
        .clone()
        .flat_map(|p| p.efficiency)
        .fold(0.0, f64::max);
    points
        .filter_map(|p| highest(p).map(|k| (p.limits, k, p.efficiency[k])))
        // Limits grow along the diagonal, so that the first ones found are the smallest.
        .find(|(.., efficiency)| *efficiency >= best - HAIR)
        .map(|(limits, k, _)| (limits, k))
}
