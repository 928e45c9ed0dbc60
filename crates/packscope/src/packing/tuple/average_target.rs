//! Average target for several components: packs are filled one after the other with sizes near the average that still
//! fits.
//!
//! A pack begins with the largest size left. With room `R` and, by the mean of the items left, about `k` places, the
//! next item is one near θ·R/k in every component; the last place takes the largest that fits. So the mixture of the
//! items left stays the same, and the last item of a pack can still be chosen among many. The pattern is repeated as
//! often as the counts allow.
//!
//! Source: ours, after the packer of the same name for one component.
//! Complexity: O(patterns · items in a pack · rows near the target); counted in steps and stopped by them.

use super::best_fit::{self, Choice, Rules};
use super::items::SortedItems;
use super::measure::Measure;
use super::open::TupleRunArena;
use super::stock::{RemainingStock, Stock};
use crate::histogram::{Histogram, Size};

/// The parameters of the choice of sizes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Target<const K: usize> {
    /// The weight of a slot, per component.
    pub weights: [f64; K],
    /// The part of the average that is the target.
    pub theta: f64,
    /// Whether to take the size nearest to the target, not the largest within it in every component.
    pub nearest: bool,
}

/// With more places than this, several items of a size are taken at once.
const PLACES: f64 = 32.0;

/// The most portions in which a size is added to a pack: one that takes little of the scarce
/// component would fit item by item for very long.
const MANY: u32 = 1024;

/// Targets for one set of items.
#[derive(Debug)]
pub(super) struct Filler<'h, const K: usize> {
    histogram: &'h Histogram<K>,
    limits: Size<K>,
    depth: u32,
    stock: Stock<K>,
}

impl<'h, const K: usize> Filler<'h, K> {
    pub fn new(histogram: &'h Histogram<K>, limits: &Size<K>, depth: u32) -> Self {
        Self {
            histogram,
            limits: *limits,
            depth,
            stock: Stock::new(histogram, limits),
        }
    }

    /// Makes one plan; `None` if it cannot have fewer packs than `beat`. Reduces `steps` by the steps taken; when they
    /// are spent, best fit packs the rest.
    pub fn fill(&self, target: &Target<K>, beat: u64, steps: &mut u64) -> Option<TupleRunArena> {
        let measure = Measure::sum(target.weights);
        let (mut left, mut arena) = (RemainingStock::new(&self.stock), TupleRunArena::default());
        for first in self.stock.order(&measure) {
            while left.counts[first] > 0 {
                let pattern = TargetPattern {
                    depth: self.depth,
                    target,
                    measure: &measure,
                }
                .take(first, &mut left);
                self.repeat(&pattern, &mut left, &mut arena);
                if arena.packs.saturating_add(left.needs()) >= beat {
                    *steps = steps.saturating_sub(left.steps);
                    return None;
                }
                if left.steps > *steps {
                    *steps = 0;
                    return Some(self.finish(&left, &measure, arena));
                }
            }
        }
        *steps -= left.steps;
        Some(arena)
    }

    /// Packs a pattern, whose items are already taken for one pack, as often as possible.
    fn repeat(
        &self,
        pattern: &[(usize, u32)],
        left: &mut RemainingStock<K>,
        arena: &mut TupleRunArena,
    ) {
        let again = pattern
            .iter()
            .map(|&(i, n)| left.counts[i] / u64::from(n))
            .min()
            .unwrap_or(0);
        let mut group = arena.fresh(self.stock.limits, again + 1);
        for &(i, n) in pattern {
            group = arena.add(
                &group,
                (&self.stock.sizes[i], self.stock.entries[i]),
                n,
                again + 1,
            );
            left.take(i, again * u64::from(n));
        }
        arena.close(&group);
    }

    fn finish(
        &self,
        left: &RemainingStock<K>,
        measure: &Measure<K>,
        arena: TupleRunArena,
    ) -> TupleRunArena {
        let mut counts = vec![0; self.histogram.distinct()];
        for (entry, count) in self.stock.entries.iter().zip(&left.counts) {
            counts[*entry as usize] = *count;
        }
        let mut items = SortedItems::new(
            self.histogram,
            &self.limits,
            measure,
            measure.leading(&self.limits),
        );
        items.keep(&counts);
        best_fit::fill(
            &items,
            &Rules {
                depth: self.depth,
                fit: *measure,
                choice: Choice::Tightest,
            },
            arena,
            &mut |_| true,
        )
    }
}

struct TargetPattern<'a, const K: usize> {
    depth: u32,
    target: &'a Target<K>,
    measure: &'a Measure<K>,
}

impl<const K: usize> TargetPattern<'_, K> {
    /// Takes the sizes of one pack and returns them with their multiplicities.
    fn take(&self, first: usize, left: &mut RemainingStock<K>) -> Vec<(usize, u32)> {
        let mut pattern = Vec::<(usize, u32)>::new();
        let (mut room, mut free) = (left.stock.limits, self.depth);
        let mut next = Some((first, 1));
        while let Some((i, repeat)) = next {
            left.take(i, u64::from(repeat));
            let size = &left.stock.sizes[i];
            room.iter_mut()
                .zip(size)
                .for_each(|(r, s)| *r -= s * repeat);
            free -= repeat;
            match pattern.iter_mut().find(|(other, _)| *other == i) {
                Some((_, n)) => *n += repeat,
                None => pattern.push((i, repeat)),
            }
            next = self.next(&room, free, left);
        }
        pattern
    }

    /// Returns the next size and its multiplicity.
    fn next(
        &self,
        room: &Size<K>,
        free: u32,
        left: &mut RemainingStock<K>,
    ) -> Option<(usize, u32)> {
        let mean = left.mean().filter(|_| free > 0)?;
        let by_room = room
            .iter()
            .zip(&mean)
            .filter(|(_, m)| **m > 0.0)
            .map(|(r, m)| f64::from(*r) / m);
        let places = by_room.fold(f64::from(free), f64::min).round().max(1.0);
        let i = self.choose(room, places, left)?;
        let size = &left.stock.sizes[i];
        let fit = size
            .iter()
            .zip(room)
            .filter(|(s, _)| **s > 0)
            .fold(free, |n, (s, r)| n.min(r / s));
        // A size that takes nothing of the scarce component fits again and again.
        let at_once = ((places / PLACES) as u32).max(fit / MANY).max(1);
        Some((i, u64::from(fit.min(at_once)).min(left.counts[i]) as u32))
    }

    fn choose(&self, room: &Size<K>, places: f64, left: &mut RemainingStock<K>) -> Option<usize> {
        if places < 1.5 {
            return left.largest(room, self.measure);
        }
        let aim = room.map(|r| (f64::from(r) * self.target.theta / places).ceil());
        if self.target.nearest {
            return left.nearest(&aim, room, &self.target.weights);
        }
        // Whole, because of `ceil`, and at most the room: θ is below 2, and there are at least two
        // places.
        let below = aim.map(|a| a as u32);
        left.largest(&below, self.measure)
            .or_else(|| left.largest(room, self.measure))
    }
}
