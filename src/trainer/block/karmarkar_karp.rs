//! As many parts as the tokens need, balanced by Karmarkar and Karp's differencing; one more until all keep to the
//! capacity.
//!
//! The weight of a sequence is the work of a 7B model: 24,576 · L + L². Source: verl 0.9.1
//! verl/utils/seqlen_balancing.py `rearrange_micro_batches`; before August 2026 parts could exceed the capacity.
//! O(items · parts · log) a try.

use super::Packer;
use super::bins::Bin;
use crate::error::Result;
use crate::trainer::tally::Rows;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

pub(super) struct KarmarkarKarp {
    capacity: u32,
    window: Vec<u32>,
}

/// A part: its weight, and its items as (number, weight).
#[derive(Clone, Default, PartialEq, Eq)]
struct Part {
    sum: u128,
    items: Vec<(u32, u128)>,
}

impl Ord for Part {
    fn cmp(&self, other: &Self) -> Ordering {
        let key = |part: &Self| (part.sum, part.items.len());
        key(self).cmp(&key(other)).then_with(|| self.items.cmp(&other.items))
    }
}

impl PartialOrd for Part {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Parts, the heaviest first, and only those that have items: the others weigh nothing.
#[derive(PartialEq, Eq)]
struct State {
    parts: Vec<Part>,
    spread: u128,
}

impl Ord for State {
    fn cmp(&self, other: &Self) -> Ordering {
        self.spread.cmp(&other.spread).then_with(|| self.parts.first().cmp(&other.parts.first()))
    }
}

impl PartialOrd for State {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl State {
    fn new(mut parts: Vec<Part>, k: usize) -> Self {
        parts.retain(|part| !part.items.is_empty());
        parts.sort_unstable_by(|a, b| b.cmp(a));
        let last = if parts.len() == k { parts.last().map_or(0, |part| part.sum) } else { 0 };
        let spread = parts.first().map_or(0, |part| part.sum) - last;
        Self { parts, spread }
    }

    /// Joins the heaviest of the one with the lightest of the other.
    fn merge(mut self, mut other: Self, k: usize) -> Self {
        let mut joined = Vec::with_capacity(k.min(self.parts.len() + other.parts.len()));
        self.parts.resize(k, Part::default());
        other.parts.resize(k, Part::default());
        for (mut one, two) in self.parts.into_iter().zip(other.parts.into_iter().rev()) {
            one.sum += two.sum;
            one.items.extend(two.items);
            joined.push(one);
        }
        Self::new(joined, k)
    }
}

/// Returns the parts of the differencing method.
fn partition(weights: &[u128], k: usize) -> Vec<Part> {
    let single = |(at, weight): (usize, &u128)| {
        State::new(vec![Part { sum: *weight, items: vec![(at as u32, *weight)] }], k)
    };
    let mut heap: BinaryHeap<State> = weights.iter().enumerate().map(single).collect();
    while let (Some(one), Some(two)) = (heap.pop(), heap.pop()) {
        let merged = one.merge(two, k);
        if heap.is_empty() {
            return merged.parts;
        }
        heap.push(merged);
    }
    weights.iter().enumerate().map(|(at, w)| Part { sum: *w, items: vec![(at as u32, *w)] }).collect()
}

impl KarmarkarKarp {
    pub fn new(capacity: u32) -> Self {
        Self { capacity, window: Vec::new() }
    }

    fn used(&self, part: &Part) -> u64 {
        part.items.iter().map(|(at, _)| u64::from(self.window[*at as usize])).sum()
    }
}

impl Packer for KarmarkarKarp {
    fn item(&mut self, length: u32, _: &mut Rows) {
        self.window.push(length);
    }

    fn end(&mut self, _: bool, rows: &mut Rows) -> Result<()> {
        if self.window.is_empty() {
            return Ok(());
        }
        let weigh = |length: &u32| 24_576 * u128::from(*length) + u128::from(*length) * u128::from(*length);
        let weights: Vec<u128> = self.window.iter().map(weigh).collect();
        let total: u64 = self.window.iter().map(|length| u64::from(*length)).sum();
        let capacity = u64::from(self.capacity);
        let mut k = (total.div_ceil(capacity) as usize).clamp(1, self.window.len());
        let parts = loop {
            let parts = partition(&weights, k);
            if k >= self.window.len() || parts.iter().all(|part| self.used(part) <= capacity) {
                break parts;
            }
            k += 1;
        };
        // The light ones at both ends, where a pipeline fills and empties.
        let mut order: Vec<(Reverse<(u128, Reverse<u32>)>, Bin)> = Vec::new();
        for part in parts {
            let mut items: Vec<u32> = part.items.iter().map(|(at, _)| *at).collect();
            items.sort_unstable();
            let mut bin = Bin::default();
            items.iter().for_each(|at| bin.add(self.window[*at as usize], rows));
            order.push((Reverse((part.sum, Reverse(items[0]))), bin));
        }
        order.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        let even = order.iter().step_by(2).rev().map(|(_, bin)| bin.clone());
        let odd = order.iter().skip(1).step_by(2).map(|(_, bin)| bin.clone());
        even.chain(odd).collect::<Vec<_>>().iter_mut().for_each(|bin| bin.close(rows));
        self.window.clear();
        Ok(())
    }
}
