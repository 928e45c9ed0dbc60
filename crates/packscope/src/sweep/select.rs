//! Selection among the points of a sweep. All functions are pure and independent of the order of the points. Points
//! with a free component are intermediate steps and never selected.

use super::SweepPoint;
use crate::histogram::Size;
use crate::order::{self, Set};
use std::cmp::Ordering;

fn limited<'a, const K: usize>(
    points: impl IntoIterator<Item = &'a SweepPoint<K>>,
) -> impl Iterator<Item = &'a SweepPoint<K>> {
    points
        .into_iter()
        .filter(|p| p.is_limited() && p.harmonic.is_finite())
}

/// Orders points by the product of their limits, then by the limits.
fn smaller<const K: usize>(a: &SweepPoint<K>, b: &SweepPoint<K>) -> Ordering {
    a.area()
        .total_cmp(&b.area())
        .then_with(|| a.limits.cmp(&b.limits))
}

/// Returns the point with the highest harmonic mean of the efficiencies; of equals, the one with the smallest product
/// of limits. O(n).
pub fn best<'a, const K: usize>(
    points: impl IntoIterator<Item = &'a SweepPoint<K>>,
) -> Option<&'a SweepPoint<K>> {
    limited(points).min_by(|a, b| {
        b.harmonic
            .total_cmp(&a.harmonic)
            .then_with(|| smaller(a, b))
    })
}

/// Returns the point with the highest efficiency of one component; of equals, the [`best`] one. `None` for a component
/// that does not exist. O(n).
pub fn best_by<'a, const K: usize>(
    points: impl IntoIterator<Item = &'a SweepPoint<K>>,
    component: usize,
) -> Option<&'a SweepPoint<K>> {
    limited(points).filter(|_| component < K).min_by(|a, b| {
        let own = b.efficiency[component].total_cmp(&a.efficiency[component]);
        own.then_with(|| b.harmonic.total_cmp(&a.harmonic))
            .then_with(|| smaller(a, b))
    })
}

/// Returns the point with the smallest product of limits and an efficiency of at least `target` in every component; of
/// equals, the one with the highest harmonic mean. O(n).
///
/// Efficiency counts only the tokens that are kept: with a policy that drops or truncates, small limits look good.
/// Begin the range at the largest item ([`Histogram::max`](crate::Histogram::max)), or reject items above the limits
/// ([`Overlong::Reject`](crate::Overlong::Reject)).
pub fn smallest<'a, const K: usize>(
    points: impl IntoIterator<Item = &'a SweepPoint<K>>,
    target: f64,
) -> Option<&'a SweepPoint<K>> {
    let reaches = |p: &&SweepPoint<K>| p.efficiency.iter().all(|e| *e >= target);
    limited(points).filter(reaches).min_by(|a, b| {
        let area = a.area().total_cmp(&b.area());
        area.then_with(|| b.harmonic.total_cmp(&a.harmonic))
            .then_with(|| a.limits.cmp(&b.limits))
    })
}

/// Returns the Pareto front, ascending by limits (the first component first): the points for which no other point has
/// all limits at most as large and a harmonic mean at least as high. Of several points at the same limits, only one
/// with the highest harmonic mean counts.
///
/// O(n log n) for one or two components, O(n × points of the front) for more.
pub fn front<'a, const K: usize>(
    points: impl IntoIterator<Item = &'a SweepPoint<K>>,
) -> Vec<&'a SweepPoint<K>> {
    let mut sorted: Vec<_> = limited(points).collect();
    order::sort_by(&mut sorted, |a, b| {
        a.limits
            .cmp(&b.limits)
            .then_with(|| b.harmonic.total_cmp(&a.harmonic))
    });
    // Of points at the same limits the highest comes first, and the others go.
    sorted.dedup_by_key(|p| p.limits);
    // A point that beats another precedes it.
    if K <= 2 {
        // Points come by ascending first limit, so that of two limits only the last is left to
        // compare.
        let mut stairs = Stairs::default();
        sorted.retain(|p| stairs.rises(p.limits[K - 1], p.harmonic));
        return sorted;
    }
    let mut front: Vec<&SweepPoint<K>> = Vec::new();
    for point in sorted {
        let beats = |p: &&SweepPoint<K>| {
            p.harmonic >= point.harmonic && p.limits.iter().zip(&point.limits).all(|(a, b)| a <= b)
        };
        if !front.iter().any(beats) {
            front.push(point);
        }
    }
    front
}

/// Maximum number of limits within `REACH` of the target.
const NEAR: usize = 8;
/// The largest share that a better plan is expected to add to an efficiency.
const REACH: f64 = 0.03;

/// Returns the limits whose results decide the selection, the most important first: those of the [`best`] point, of the
/// [`smallest`] with `target`, of points with smaller limits slightly below it, and of the [`front`], the fullest
/// first. Without duplicates. A sweep by a fast heuristic whose decisive limits are packed again by a slow search
/// usually finds the same as a sweep by that search. `target`: an efficiency, 0 to 1. O(n log n) for one or two
/// components.
pub fn decisive<'a, const K: usize>(
    points: impl IntoIterator<Item = &'a SweepPoint<K>> + Clone,
    target: f64,
) -> Vec<Size<K>> {
    let reached = smallest(points.clone(), target);
    let mut near: Vec<_> = limited(points.clone())
        .filter(|p| {
            p.efficiency.iter().all(|e| *e >= target - REACH)
                && p.efficiency.iter().any(|e| *e < target)
        })
        .filter(|p| reached.is_none_or(|r| p.area() < r.area()))
        .collect();
    // The nearest to the target first: a better plan reaches it most easily.
    let least = |p: &SweepPoint<K>| p.efficiency.iter().copied().fold(1.0, f64::min);
    order::sort_by(&mut near, |a, b| {
        least(b).total_cmp(&least(a)).then_with(|| smaller(a, b))
    });
    let mut seen = Set::new();
    let first = best(points.clone())
        .into_iter()
        .chain(reached)
        .chain(near.into_iter().take(NEAR));
    let all = first.chain(front(points).into_iter().rev());
    all.map(|p| p.limits)
        .filter(|limits| seen.insert(*limits, ()).is_none())
        .collect()
}

/// (last limit, the best harmonic mean up to it) so far; both ascend.
#[derive(Default)]
struct Stairs(Vec<(u32, f64)>);

impl Stairs {
    /// Whether the harmonic mean is above those of all limits up to this one; if so, inserts it. O(log n), and O(n) to
    /// insert.
    fn rises(&mut self, limit: u32, harmonic: f64) -> bool {
        let up_to = self.0.partition_point(|(at, _)| *at <= limit);
        if self.0[..up_to]
            .last()
            .is_some_and(|(_, best)| *best >= harmonic)
        {
            return false;
        }
        let below = self.0.partition_point(|(at, _)| *at < limit);
        // Steps behind the new one that are no higher can beat nothing any more.
        let worse = self.0[below..].partition_point(|(_, best)| *best <= harmonic);
        self.0.splice(below..below + worse, [(limit, harmonic)]);
        true
    }
}
