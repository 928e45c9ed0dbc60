//! Megatron-LM: packs dealt in turn, or a group of ranks for each sequence. Source: NVIDIA/Megatron-LM@d2e7ec5b
//! megatron/core/datasets/data_schedule.py, data_schedule_utils.py.

use super::{Assignment, Task, capped, longest_first, refused, split_singles};
use crate::error::Result;

/// `DpBalancedScheduler`: next-fit in order of arrival; then the last sequence of the last packs becomes a pack of its
/// own, until ranks have as many. Its name aside, nothing is balanced.
pub(super) fn dp_balanced(lengths: &[u32], task: &Task) -> Result<Assignment> {
    let (cap, ranks) = (capped(task)?, task.ranks as usize);
    let (mut packs, mut open, mut used) = (Vec::new(), Vec::new(), 0u64);
    for (at, &length) in lengths.iter().enumerate() {
        if used + u64::from(length) > cap {
            packs.push(std::mem::take(&mut open));
            used = 0;
        }
        open.push(at as u32);
        used += u64::from(length);
    }
    if !open.is_empty() {
        packs.push(open);
    }
    let (sources, target) = ((0..packs.len()).rev(), packs.len().next_multiple_of(ranks));
    if !split_singles(&mut packs, sources, target) {
        let expected = "enough to give each rank the same number of packs";
        return Err(refused("number of sequences", &lengths.len().to_string(), expected));
    }
    Ok(Assignment { ranks: super::in_turn(packs, task.ranks), dropped: Vec::new() })
}

/// The slack of the cap on the work of a rank: `_DYNAMIC_CP_WORKLOAD_CAP_DELTA`.
const SLACK: f64 = 0.05;

/// A group of consecutive ranks that share their sequences.
#[derive(Debug)]
struct Group {
    first: usize,
    size: usize,
    sequences: Vec<u32>,
    /// Tokens of a rank, and its work: Σ L² ÷ ranks.
    tokens: f64,
    work: f64,
}

/// A micro-batch that is being made: groups in order of creation, which is the order of their ranks.
struct Open<'a> {
    lengths: &'a [u32],
    ranks: usize,
    most: f64,
    least: usize,
    groups: Vec<Group>,
}

impl Open<'_> {
    fn length(&self, at: u32) -> f64 {
        f64::from(self.lengths[at as usize])
    }

    /// Returns the ranks that are used: groups take them from the first on.
    fn used(&self) -> usize {
        self.groups.iter().map(|group| group.size).sum()
    }

    /// `dcp_gpus_needed`: the next power of two of length ÷ most tokens of a rank, or the least.
    fn needed(&self, length: f64) -> usize {
        let mut ranks = 1;
        while ranks as f64 * self.most < length {
            ranks *= 2;
        }
        ranks.max(self.least)
    }

    fn put(&mut self, at: u32, place: Place) {
        let length = self.length(at);
        let number = match place {
            Place::In(group) => group,
            Place::New(size) => {
                let first = self.used();
                self.groups.push(Group { first, size, sequences: Vec::new(), tokens: 0.0, work: 0.0 });
                self.groups.len() - 1
            }
        };
        let group = &mut self.groups[number];
        group.sequences.push(at);
        group.tokens += length / group.size as f64;
        group.work += length * length / group.size as f64;
    }

    /// Returns the place that keeps the slowest rank fastest: of equals the smallest group, an older one first.
    fn place(&self, at: u32, cap: f64) -> Option<Place> {
        let (length, slowest) = (self.length(at), self.groups.iter().map(|g| g.work).fold(0.0, f64::max));
        let free = self.ranks - self.used();
        let (mut size, mut best) = (self.needed(length), None);
        let mut offer = |time: f64, place| {
            if time <= cap && best.is_none_or(|(least, _)| time < least) {
                best = Some((time, place));
            }
        };
        while size <= self.ranks {
            let (own, tokens) = (length * length / size as f64, length / size as f64);
            for (number, group) in self.groups.iter().enumerate() {
                if group.size == size && group.tokens + tokens <= self.most {
                    offer(slowest.max(group.work + own), Place::In(number));
                }
            }
            if free >= size {
                offer(slowest.max(own), Place::New(size));
            }
            size *= 2;
        }
        best.map(|(_, place)| place)
    }

    /// Doubles the first of the smallest groups whose own ranks then are there; returns `false` if there is none.
    ///
    /// # Errors
    /// Where groups behind it, which move on, would have ranks that are not there: Megatron-LM stops with an `IndexError`.
    fn expand(&mut self) -> Result<bool> {
        let used = self.used();
        let Some(least) = self.groups.iter().map(|group| group.size).min() else { return Ok(false) };
        let size = (2 * least).min(self.ranks);
        let more = size - least;
        let fits = |group: &Group| group.size == least && group.first + size <= self.ranks;
        let Some(number) = self.groups.iter().position(fits) else { return Ok(false) };
        if used + more > self.ranks {
            let expected = "a power of two: on others Megatron-LM can stop with an IndexError, as here";
            return Err(refused("number of ranks", &self.ranks.to_string(), expected));
        }
        self.groups[number].size = size;
        self.groups[number + 1..].iter_mut().for_each(|group| group.first += more);
        let group = &mut self.groups[number];
        let square = |at: &u32| f64::from(self.lengths[*at as usize]) * f64::from(self.lengths[*at as usize]);
        group.work = group.sequences.iter().map(|at| square(at) / size as f64).sum();
        Ok(true)
    }
}

#[derive(Clone, Copy)]
enum Place {
    In(usize),
    New(usize),
}

/// `DefaultDynamicCPScheduler`: micro-batch by micro-batch from the longest sequences left, each on the ranks that keep
/// the slowest one fastest, as `next_hdp_group_packing_aware` places them. Work is L² ÷ ranks.
pub(super) fn dynamic_cp(lengths: &[u32], task: &Task) -> Result<Assignment> {
    let (most, ranks, least) = (capped(task)? as f64, task.ranks as usize, task.least as usize);
    let mut all = Assignment { ranks: vec![Vec::new(); ranks], dropped: Vec::new() };
    let mut left = longest_first(lengths);
    while let Some(&longest) = left.first() {
        let mut open = Open { lengths, ranks, most, least, groups: Vec::new() };
        let length = open.length(longest);
        if open.needed(length) > ranks {
            let expected =
                "one with which the longest sequence, and the fewest ranks of a sequence, fit all ranks";
            return Err(refused("cap on tokens", &most.to_string(), expected));
        }
        let cap = length * most * (1.0 + SLACK);
        open.put(longest, Place::New(open.needed(length)));
        let mut later = Vec::new();
        for &at in &left[1..] {
            match open.place(at, cap) {
                Some(place) => open.put(at, place),
                None => later.push(at),
            }
        }
        while open.used() < ranks {
            if !open.expand()? {
                (open.groups, later) = on_all(&open, &left);
            }
        }
        for group in &open.groups {
            let members = all.ranks[group.first..group.first + group.size].iter_mut();
            members.for_each(|rank| rank.push(group.sequences.clone()));
        }
        left = later;
    }
    Ok(all)
}

/// Returns one group of all ranks with the sequences that fit it, the longest first, and the others.
fn on_all(open: &Open, left: &[u32]) -> (Vec<Group>, Vec<u32>) {
    let mut group = Group { first: 0, size: open.ranks, sequences: Vec::new(), tokens: 0.0, work: 0.0 };
    let mut later = Vec::new();
    for &at in left {
        let tokens = open.length(at) / open.ranks as f64;
        if group.tokens + tokens <= open.most {
            group.tokens += tokens;
            group.sequences.push(at);
        } else {
            later.push(at);
        }
    }
    (vec![group], later)
}
