//! Dealing: which rank of a step gets which unit of work, and in which of its micro-batches.

use crate::names::names;
use crate::packing::differencing;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A way to deal the units of a step to ranks. Deterministic: ties go by the position of units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Dealing {
    /// As they come: each rank takes its number of consecutive units.
    #[default]
    AsDrawn,
    /// Sorted, then dealt forwards and backwards in turn.
    Snake,
    /// The heaviest first, each to the rank with the least work (LPT): at most 4/3 − 1/(3 · ranks) times the best.
    Greedy,
    /// The largest differencing method for any number of units of a rank.
    KarmarkarKarp,
    /// The largest differencing method with the same number of units for each rank.
    EqualSize,
    /// Sorted, then dealt so that ranks have units of like weight at the same time.
    Groups,
}

names! { Dealing, "dealing";
    AsDrawn: "as-drawn", "arrival order", "In arrival order", "Consecutive units, unsorted: no balancing", "the baseline";
    Snake: "snake", "zigzag", "Zigzag", "Sorted, assigned forwards and backwards in turn", "the usual draft order";
    Greedy: "greedy", "heaviest first", "Heaviest first (LPT)", "The heaviest first, to the rank with the least work", "Graham 1969, Bounds on multiprocessing timing anomalies";
    KarmarkarKarp: "karmarkar-karp", "Karmarkar–Karp", "Karmarkar–Karp", "Largest differences cancelled; ranks differ in number", "Karmarkar and Karp 1982; verl, karmarkar_karp";
    EqualSize: "equal-size", "Karmarkar–Karp of equal size", "Karmarkar–Karp, equal size", "The same, with equal numbers of units for all ranks", "Michiels et al. 2003; verl, karmarkar_karp with equal_size";
    Groups: "groups", "sorting into groups", "Sorted into groups", "Units of like weight at the same time", "group_by_length of Transformers";
}

impl Dealing {
    /// Whether units stay as they come, so that no weight has an effect.
    pub fn is_blind(self) -> bool {
        self == Self::AsDrawn
    }

    /// Returns the part of each item, 0 to `parts` − 1; no part is empty if there are at least
    /// `parts` items.
    ///
    /// O(items · log items), and for Karmarkar–Karp at worst O(items · parts).
    pub fn partition(self, weights: &[f64], parts: usize) -> Vec<u32> {
        let order = if self.is_sorted() {
            descending(weights)
        } else {
            Vec::new()
        };
        self.parts(weights, &order, parts)
    }

    /// Whether units are dealt in their order by weight.
    pub(super) fn is_sorted(self) -> bool {
        matches!(self, Self::Snake | Self::Greedy | Self::Groups)
    }

    /// Returns the part of each item; `order` is [`descending`], which only those that are sorted need.
    fn parts(self, weights: &[f64], order: &[u32], parts: usize) -> Vec<u32> {
        let parts = parts.max(1);
        match self {
            Self::AsDrawn => (0..weights.len())
                .map(|item| (item * parts / weights.len().max(1)) as u32)
                .collect(),
            // Both deal ranks back and forth; they differ in the micro-batches of a rank: `micro_batches_of_rank`.
            Self::Snake | Self::Groups => {
                let mut part = vec![0; weights.len()];
                order
                    .iter()
                    .enumerate()
                    .for_each(|(at, item)| part[*item as usize] = snake(at, parts));
                part
            }
            Self::Greedy => greedy(weights, order, parts),
            Self::KarmarkarKarp => differencing::partition(weights, parts, false),
            Self::EqualSize => differencing::partition(weights, parts, true),
        }
    }
}

/// Returns the rank that gets the item at this place, back and forth.
fn snake(place: usize, parts: usize) -> u32 {
    let (round, at) = (place / parts, place % parts);
    (if round.is_multiple_of(2) {
        at
    } else {
        parts - 1 - at
    }) as u32
}

/// Returns the items by weight, the heaviest first; of equals the first.
pub(super) fn descending(weights: &[f64]) -> Vec<u32> {
    // Bits of numbers from 0 are in the order of the numbers; keys beside each other sort several times as fast as
    // numbers that are looked up.
    let mut keys: Vec<(u64, u32)> = (0..)
        .zip(weights)
        // The complement turns the order of weights round, while positions of equal ones still
        // ascend.
        .map(|(at, weight)| (!weight.to_bits(), at))
        .collect();
    keys.sort_unstable();
    keys.into_iter().map(|(_, at)| at).collect()
}

fn greedy(weights: &[f64], order: &[u32], parts: usize) -> Vec<u32> {
    // By the bits of the loads; of equal loads the first part is next.
    let mut loads: BinaryHeap<Reverse<(u64, u32)>> =
        (0..parts as u32).map(|part| Reverse((0, part))).collect();
    let mut part = vec![0; weights.len()];
    for &item in order {
        if let Some(mut least) = loads.peek_mut() {
            let (load, to) = least.0;
            part[item as usize] = to;
            least.0 = (
                (f64::from_bits(load) + weights[item as usize]).to_bits(),
                to,
            );
        }
    }
    part
}

/// The number of units in a micro-batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnitCount {
    /// Any number: a rank balances this many micro-batches.
    Any(u32),
    /// At most this many, in as many micro-batches as it takes: rows have slots.
    AtMost(u32),
}

/// The rank and the micro-batch of each unit of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnitAssignment {
    /// The rank of each unit.
    pub rank: Vec<u32>,
    /// The micro-batch of each unit on its rank.
    pub micro_batch: Vec<u32>,
    /// Micro-batches of the rank that has most.
    pub micro_batches: u32,
}

/// Deals the units of a step. Ranks are dealt first; then each rank makes its micro-batches in the same way, the heaviest
/// first, so that ranks have like ones at the same time. Complexity: that of [`Dealing::partition`].
pub fn deal(dealing: Dealing, weights: &[f64], ranks: u32, size: UnitCount) -> UnitAssignment {
    let order = if dealing.is_sorted() {
        descending(weights)
    } else {
        (0..weights.len() as u32).collect()
    };
    deal_in_order(dealing, weights, &order, ranks, size)
}

/// As [`deal`], with the order that it would make: [`descending`], or that of the units if the dealing sorts none.
pub(super) fn deal_in_order(
    dealing: Dealing,
    weights: &[f64],
    order: &[u32],
    ranks: u32,
    size: UnitCount,
) -> UnitAssignment {
    let rank = dealing.parts(weights, order, ranks as usize);
    let mut of_rank: Vec<Vec<u32>> = vec![Vec::new(); ranks as usize];
    // In this order, so that the units of each rank are sorted as well.
    order
        .iter()
        .for_each(|unit| of_rank[rank[*unit as usize] as usize].push(*unit));
    let (mut micro_batch, mut micro_batches) = (vec![0; weights.len()], 1);
    for units in &of_rank {
        let own: Vec<f64> = units.iter().map(|unit| weights[*unit as usize]).collect();
        for (unit, place) in units.iter().zip(micro_batches_of_rank(dealing, &own, size)) {
            micro_batch[*unit as usize] = place;
            micro_batches = micro_batches.max(place + 1);
        }
    }
    UnitAssignment {
        rank,
        micro_batch,
        micro_batches,
    }
}

/// Returns the micro-batch of each unit of a rank.
fn micro_batches_of_rank(dealing: Dealing, weights: &[f64], size: UnitCount) -> Vec<u32> {
    let sorted = |per: usize| {
        let mut place = vec![0; weights.len()];
        let order = descending(weights).into_iter().enumerate();
        order.for_each(|(at, unit)| place[unit as usize] = (at / per) as u32);
        place
    };
    match (dealing, size) {
        (Dealing::AsDrawn, UnitCount::AtMost(per)) => (0..weights.len())
            .map(|unit| unit as u32 / per.max(1))
            .collect(),
        (Dealing::Groups, UnitCount::Any(parts)) => {
            sorted(weights.len().div_ceil(parts.max(1) as usize).max(1))
        }
        (_, UnitCount::AtMost(per)) => sorted(per.max(1) as usize),
        (Dealing::AsDrawn, UnitCount::Any(parts)) => dealing.partition(weights, parts as usize),
        (_, UnitCount::Any(1)) => vec![0; weights.len()],
        (_, UnitCount::Any(parts)) => {
            let part = dealing.partition(weights, parts as usize);
            let mut sums = vec![0.0; parts as usize];
            part.iter()
                .zip(weights)
                .for_each(|(part, weight)| sums[*part as usize] += weight);
            let mut place = vec![0; sums.len()];
            descending(&sums)
                .into_iter()
                .enumerate()
                .for_each(|(at, part)| place[part as usize] = at as u32);
            part.into_iter().map(|part| place[part as usize]).collect()
        }
    }
}
