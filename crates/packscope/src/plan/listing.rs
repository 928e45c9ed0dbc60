//! Packs that come one by one, recounted as they come; the first distinct shapes are kept.

use super::{Plan, Strategy};
use crate::error::{Error, Result};
use crate::histogram::{Histogram, Size};
use crate::order::Map;
use std::collections::BTreeMap;

/// A plan whose strategies may be too many to keep: those kept are counted exactly, the others are
/// counted together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanListing<const K: usize> {
    /// The strategies that were kept.
    pub plan: Plan<K>,
    /// All packs.
    pub packs: u64,
    /// Packs whose strategy was not kept.
    pub unlisted: u64,
    /// Packs by the number of items in them.
    pub by_depth: Map<u64, u64>,
}

impl<const K: usize> PlanListing<K> {
    /// A plan that was kept whole.
    pub fn whole(plan: Plan<K>) -> Self {
        Self {
            packs: plan.packs(),
            unlisted: 0,
            by_depth: plan.packs_by_depth(),
            plan,
        }
    }

    /// Items in the deepest pack of all.
    pub fn max_depth(&self) -> u64 {
        self.by_depth.last().map_or(0, |(depth, _)| *depth)
    }
}

/// Takes packs one by one and counts that every item is placed exactly once within the limits.
#[derive(Debug)]
pub struct Recount<'h, const K: usize> {
    histogram: &'h Histogram<K>,
    limits: Size<K>,
    depth: u64,
    placed: Vec<u64>,
    packs: u64,
    by_depth: Map<u64, u64>,
    /// Shapes as runs of indices with how often each occurs: a pack of a hundred million items is as small as any other.
    kept: BTreeMap<Box<[(u32, u32)]>, u64>,
    keep: usize,
    unlisted: u64,
    /// The pack that is being counted.
    runs: Vec<(u32, u32)>,
}

impl<'h, const K: usize> Recount<'h, K> {
    /// Nothing placed yet; `keep` distinct strategies are kept at most.
    pub fn new(histogram: &'h Histogram<K>, limits: Size<K>, depth: u64, keep: usize) -> Self {
        Self {
            placed: vec![0; histogram.distinct()],
            kept: BTreeMap::new(),
            histogram,
            limits,
            depth,
            keep,
            packs: 0,
            by_depth: Map::new(),
            unlisted: 0,
            runs: Vec::new(),
        }
    }

    /// Counts one pack, given as indices into the histogram's entries (sorted in place).
    /// O(items in the pack + log kept).
    ///
    /// # Panics
    /// For an index beyond the entries.
    ///
    /// # Errors
    /// [`Error::InvalidPlan`] when the pack exceeds a limit or the depth.
    pub fn pack(&mut self, items: &mut [u32]) -> Result<()> {
        let mut used = [0u64; K];
        for &item in items.iter() {
            let (size, _) = self.histogram.entries()[item as usize];
            used.iter_mut()
                .zip(size)
                .for_each(|(u, s)| *u += u64::from(s));
            self.placed[item as usize] += 1;
        }
        let depth = items.len() as u64;
        if depth > self.depth || used.iter().zip(self.limits).any(|(u, l)| *u > u64::from(l)) {
            return Err(Error::InvalidPlan(format!(
                "a pack of {depth} items holds {used:?}"
            )));
        }
        self.packs += 1;
        *self.by_depth.entry(depth).or_default() += 1;
        // Entries ascend by size: descending indices are the canonical order of a strategy.
        items.sort_unstable_by(|a, b| b.cmp(a));
        self.runs.clear();
        self.runs.extend(
            items
                .chunk_by(|a, b| a == b)
                .map(|run| (run[0], run.len() as u32)),
        );
        // Looked up as a slice, so that only a new shape is allocated.
        if let Some(count) = self.kept.get_mut(&*self.runs) {
            *count += 1;
        } else if self.kept.len() < self.keep {
            self.kept.insert((&*self.runs).into(), 1);
        } else {
            self.unlisted += 1;
        }
        Ok(())
    }

    /// The strategies kept, and the totals.
    ///
    /// # Errors
    /// [`Error::InvalidPlan`] when an item was placed twice or not at all.
    pub fn finish(self) -> Result<PlanListing<K>> {
        let wanted = self.histogram.entries().iter().map(|(_, n)| n);
        if !self.placed.iter().eq(wanted) {
            return Err(Error::InvalidPlan(
                "it does not place every item exactly once".to_owned(),
            ));
        }
        let size =
            |(item, times): &(u32, u32)| (self.histogram.entries()[*item as usize].0, *times);
        let strategies = self.kept.iter().map(|(runs, count)| Strategy {
            runs: runs.iter().map(size).collect(),
            count: *count,
        });
        let plan = Plan::new(self.limits, strategies);
        Ok(PlanListing {
            plan,
            packs: self.packs,
            unlisted: self.unlisted,
            by_depth: self.by_depth,
        })
    }
}
