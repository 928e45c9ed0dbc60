//! A plan says which sizes share a pack, and how often. It is recounted before it leaves the engine.

mod listing;

pub use listing::{PlanListing, Recount};

use crate::error::{Error, Result};
use crate::histogram::{Histogram, Size, is_free};
use crate::order::{self, Map};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The shape of a pack and how many packs have it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Strategy<const K: usize> {
    /// Sizes, largest first, each with how often it occurs in one pack. Runs keep a pack of four
    /// billion items of length 1 as small as any other.
    pub runs: Vec<(Size<K>, u32)>,
    /// Number of packs of this shape.
    pub count: u64,
}

impl<const K: usize> Strategy<K> {
    /// Runs largest first, equal ones merged.
    pub(crate) fn canonical(mut self) -> Self {
        self.runs.sort_unstable_by(|a, b| b.cmp(a));
        self.runs.dedup_by(|later, first| {
            let same = later.0 == first.0;
            if same {
                first.1 += later.1;
            }
            same
        });
        self
    }

    /// Items in one pack.
    pub fn depth(&self) -> u64 {
        self.runs.iter().map(|(_, n)| u64::from(*n)).sum()
    }

    /// Sum of the sizes in one pack, per component; saturates at 2^64 − 1, which only a malformed file reaches.
    pub fn used(&self) -> [u64; K] {
        let mut used = [0u64; K];
        for (size, n) in &self.runs {
            for (u, s) in used.iter_mut().zip(size) {
                *u = u.saturating_add(u64::from(*s) * u64::from(*n));
            }
        }
        used
    }

    /// The sizes of one pack one by one, largest first.
    pub fn sizes(&self) -> impl Iterator<Item = Size<K>> {
        self.runs
            .iter()
            .flat_map(|(size, n)| std::iter::repeat_n(*size, *n as usize))
    }
}

/// Packs of all strategies together.
pub(crate) fn packs<const K: usize>(strategies: &[Strategy<K>]) -> u64 {
    strategies
        .iter()
        .fold(0, |packs, s| packs.saturating_add(s.count))
}

/// Strategies with their counts, under fixed limits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan<const K: usize> {
    limits: Size<K>,
    strategies: Vec<Strategy<K>>,
}

impl<const K: usize> Plan<K> {
    /// Brings strategies into the canonical form: runs and strategies largest first, equal ones merged. Counts saturate at
    /// 2^64 − 1, which no data reach. O(total runs · log strategies).
    pub fn new(limits: Size<K>, strategies: impl IntoIterator<Item = Strategy<K>>) -> Self {
        let mut strategies: Vec<Strategy<K>> = strategies
            .into_iter()
            // Algorithms may leave shapes behind of which no pack is left.
            .filter(|s| s.count > 0)
            .map(Strategy::canonical)
            .collect();
        strategies.sort_unstable_by(|a, b| b.runs.cmp(&a.runs));
        strategies.dedup_by(|later, first| {
            let same = later.runs == first.runs;
            if same {
                first.count = first.count.saturating_add(later.count);
            }
            same
        });
        Self { limits, strategies }
    }

    /// Returns the slots of a pack, per component.
    pub fn limits(&self) -> Size<K> {
        self.limits
    }

    /// The strategies, largest first.
    pub fn strategies(&self) -> &[Strategy<K>] {
        &self.strategies
    }

    /// Returns the packs of all strategies; saturates at 2^64 − 1.
    pub fn packs(&self) -> u64 {
        packs(&self.strategies)
    }

    /// Items in the deepest pack.
    pub fn max_depth(&self) -> u64 {
        self.strategies
            .iter()
            .map(Strategy::depth)
            .max()
            .unwrap_or(0)
    }

    /// The largest sum of a pack per component.
    pub fn largest(&self) -> [u64; K] {
        let mut largest = [0; K];
        for strategy in &self.strategies {
            largest
                .iter_mut()
                .zip(strategy.used())
                .for_each(|(l, u)| *l = u.max(*l));
        }
        largest
    }

    /// Returns the largest sum of a pack divided by the mean of all packs, per component: 1 if all packs have the same, or
    /// nothing. O(total runs).
    pub fn unevenness(&self) -> [f64; K] {
        let (packs, mut total) = (self.packs() as f64, [0.0; K]);
        for strategy in &self.strategies {
            let add = |(t, used): (&mut f64, u64)| *t += used as f64 * strategy.count as f64;
            total.iter_mut().zip(strategy.used()).for_each(add);
        }
        let largest = self.largest();
        std::array::from_fn(|k| {
            if total[k] > 0.0 {
                largest[k] as f64 * packs / total[k]
            } else {
                1.0
            }
        })
    }

    /// Slots of all packs together per component; a component without a limit has as many in each pack as its largest
    /// sum.
    ///
    /// # Errors
    /// [`Error::TooLarge`] when they overflow 64 bits.
    pub fn slots(&self) -> Result<[u64; K]> {
        let (packs, largest) = (self.packs(), self.largest());
        let mut slots = [0; K];
        for (k, slots) in slots.iter_mut().enumerate() {
            let each = if is_free::<K>(self.limits[k]) {
                largest[k]
            } else {
                u64::from(self.limits[k])
            };
            *slots = packs.checked_mul(each).ok_or(Error::TooLarge {
                what: "the number of slots",
            })?;
        }
        Ok(slots)
    }

    /// Packs by the number of items in them.
    pub fn packs_by_depth(&self) -> Map<u64, u64> {
        let mut by_depth = Map::new();
        for strategy in &self.strategies {
            *by_depth.entry(strategy.depth()).or_default() += strategy.count;
        }
        by_depth
    }

    /// Returns the `at_most` strategies with the most packs, most first; of equals, the largest
    /// sizes first. O(strategies · log at_most).
    pub fn by_count(&self, at_most: usize) -> Vec<&Strategy<K>> {
        let least = self.nth_count(at_most);
        let mut order: Vec<_> = self.strategies.iter().filter(|s| s.count > least).collect();
        order::sort_by_key(&mut order, |s| Reverse(s.count));
        // Fewer than `at_most` strategies have more packs than the last one listed.
        let left = at_most - order.len();
        // In the order of the plan, so that among equals the largest sizes come first.
        order.extend(
            self.strategies
                .iter()
                .filter(|s| s.count == least)
                .take(left),
        );
        order
    }

    /// Returns the packs of the `n`th strategy, most packs first; 0 if there are not more. Only those above it need be
    /// sorted: of very many sizes most strategies have one pack.
    fn nth_count(&self, n: usize) -> u64 {
        if self.strategies.len() <= n {
            return 0;
        }
        let mut most = BinaryHeap::with_capacity(n + 1);
        for strategy in &self.strategies {
            if most.len() < n
                || most
                    .peek()
                    .is_some_and(|Reverse(least)| strategy.count > *least)
            {
                most.push(Reverse(strategy.count));
            }
            if most.len() > n {
                most.pop();
            }
        }
        // Nothing is left to compare with only if n is 0: then no strategy is listed.
        most.peek().map_or(u64::MAX, |Reverse(least)| *least)
    }

    /// Recounts the plan: every item of the histogram is placed exactly once, no pack exceeds a
    /// limit, or holds more than `depth` items where that is given. Called on every plan before it leaves the engine.
    /// O(runs · log distinct).
    ///
    /// # Errors
    /// [`Error::InvalidPlan`] says what does not add up.
    pub fn validate(&self, histogram: &Histogram<K>, depth: Option<u64>) -> Result<()> {
        let positions = histogram.positions();
        // In 128 bits, because the counts of a plan that was read from a file can be anything.
        let mut placed = vec![0u128; histogram.distinct()];
        for strategy in &self.strategies {
            // A sum that saturates is still above every limit, which has 32 bits.
            let used = strategy.used();
            let exceeds =
                |(used, limit): (&u64, &u32)| *used > u64::from(*limit) && !is_free::<K>(*limit);
            if used.iter().zip(&self.limits).any(exceeds) {
                return Err(Error::InvalidPlan(format!(
                    "a pack of {used:?} exceeds {:?}",
                    self.limits
                )));
            }
            if depth.is_some_and(|d| strategy.depth() > d) {
                return Err(Error::InvalidPlan(format!(
                    "a pack holds {} items",
                    strategy.depth()
                )));
            }
            for (size, n) in &strategy.runs {
                let Some(at) = positions.index_of(size) else {
                    return Err(Error::InvalidPlan(format!("there is no item of {size:?}")));
                };
                placed[at] += u128::from(*n) * u128::from(strategy.count);
            }
        }
        let wanted = histogram.entries().iter().map(|(_, n)| u128::from(*n));
        if placed.into_iter().eq(wanted) {
            Ok(())
        } else {
            Err(Error::InvalidPlan(
                "it does not place every item exactly once".to_owned(),
            ))
        }
    }
}
