//! Parts that are balanced by Karmarkar and Karp's differencing.
//!
//! The number of parts is what the tokens need, and one more until all keep to the capacity, weighed by the work of a
//! 7B model, 24,576 · L + L²: verl 0.9.1 verl/utils/seqlen_balancing.py `rearrange_micro_batches`. Or it is the number
//! of rows of first fit, weighed by tokens, so that a part can exceed the capacity, as in verl before August 2026:
//! OpenRLHF 0.11.2 openrlhf/utils/seqlen_balancing.py `get_minimum_num_micro_batch_size`,
//! `get_seqlen_balanced_partitions`. O(items · parts · log) a try.

use super::Packer;
use super::bins::Bin;
use super::first_fit::FirstFit;
use crate::bounds::martello_toth;
use crate::error::Result;
use crate::histogram::Histogram;
use crate::trainer::tally::Rows;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

pub(super) struct KarmarkarKarp {
    capacity: u32,
    keeps: bool,
    window: Vec<u32>,
}

const NONE: u32 = u32::MAX;

/// A part: its weight, and its items as a list from the first to the last.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Part {
    sum: u128,
    count: u32,
    first: u32,
    last: u32,
}

impl Part {
    /// Returns the sort key. Parts share no items, so the first item decides between equals.
    fn key(&self) -> (u128, u32, u32) {
        (self.sum, self.count, self.first)
    }
}

/// Parts, the heaviest first, leaving out those without items, which weigh nothing.
#[derive(PartialEq, Eq)]
struct State {
    parts: Vec<Part>,
    spread: u128,
}

impl Ord for State {
    fn cmp(&self, other: &Self) -> Ordering {
        let key = |state: &Self| (state.spread, state.parts.first().map(Part::key));
        key(self).cmp(&key(other))
    }
}

impl PartialOrd for State {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl State {
    fn new(mut parts: Vec<Part>, k: usize) -> Self {
        parts.sort_by_key(|part| Reverse(part.key()));
        let last = if parts.len() == k { parts.last().map_or(0, |part| part.sum) } else { 0 };
        let spread = parts.first().map_or(0, |part| part.sum) - last;
        Self { parts, spread }
    }

    /// Joins the heaviest parts of this state with the lightest of the other: part i with part k - 1 - i. Parts without
    /// items are left out, so that the first joins are short.
    fn merge(mut self, other: &Self, next: &mut [u32], k: usize) -> Self {
        for (at, two) in other.parts.iter().enumerate().rev() {
            match self.parts.get_mut(k - 1 - at) {
                Some(one) => {
                    one.sum += two.sum;
                    one.count += two.count;
                    next[one.last as usize] = two.first;
                    one.last = two.last;
                }
                None => self.parts.push(*two),
            }
        }
        Self::new(self.parts, k)
    }
}

/// Returns the parts of the differencing method, as (weight, items).
fn partition(weights: &[u128], k: usize) -> Vec<(u128, Vec<u32>)> {
    let mut next = vec![NONE; weights.len()];
    let single = |(at, weight): (u32, &u128)| {
        State::new(vec![Part { sum: *weight, count: 1, first: at, last: at }], k)
    };
    let mut heap: BinaryHeap<State> = (0..).zip(weights).map(single).collect();
    while heap.len() > 1 {
        let (Some(one), Some(two)) = (heap.pop(), heap.pop()) else { break };
        heap.push(one.merge(&two, &mut next, k));
    }
    let parts = heap.pop().map_or_else(Vec::new, |state| state.parts);
    let items = |part: &Part| {
        let after = |at: &u32| next.get(*at as usize).copied();
        std::iter::successors(Some(part.first), after).take(part.count as usize).collect()
    };
    parts.iter().map(|part| (part.sum, items(part))).collect()
}

impl KarmarkarKarp {
    pub fn new(capacity: u32, keeps: bool) -> Self {
        Self { capacity, keeps, window: Vec::new() }
    }

    fn used(&self, items: &[u32]) -> u64 {
        items.iter().map(|at| u64::from(self.window[*at as usize])).sum()
    }

    /// Returns a partition into as many parts as first fit has rows.
    fn as_many_as_first_fit(&self) -> Vec<(u128, Vec<u32>)> {
        let (mut rows, shortest) = (Rows::default(), self.window.iter().min().copied().unwrap_or(1));
        let mut packer = FirstFit::new(self.capacity, u32::MAX, shortest.max(1));
        self.window.iter().for_each(|length| packer.item(*length, &mut rows));
        packer.close(&mut rows);
        let weights: Vec<u128> = self.window.iter().map(|length| u128::from(*length)).collect();
        partition(&weights, rows.tally.rows as usize)
    }

    /// Returns the partition into the fewest parts, from a lower bound up, that all keep to the capacity.
    fn that_keep(&self) -> Vec<(u128, Vec<u32>)> {
        let weigh = |length: &u32| 24_576 * u128::from(*length) + u128::from(*length) * u128::from(*length);
        let weights: Vec<u128> = self.window.iter().map(weigh).collect();
        let total = self.window.iter().map(|length| u64::from(*length)).sum::<u64>();
        let capacity = u64::from(self.capacity);
        let items = Histogram::from_lengths(self.window.iter().map(|length| (*length, 1)));
        let bound = items.map_or(1, |items| martello_toth(&items, self.capacity));
        let mut k = (total.div_ceil(capacity).max(bound) as usize).clamp(1, self.window.len());
        loop {
            let parts = partition(&weights, k);
            if k >= self.window.len() || parts.iter().all(|(_, items)| self.used(items) <= capacity) {
                return parts;
            }
            k += 1;
        }
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
        let parts = if self.keeps { self.that_keep() } else { self.as_many_as_first_fit() };
        for (_, mut items) in parts {
            items.sort_unstable();
            let mut bin = Bin::default();
            items.iter().for_each(|at| bin.add(self.window[*at as usize], rows));
            rows.exceed(bin.used, self.capacity);
            bin.close(rows);
        }
        self.window.clear();
        Ok(())
    }
}
