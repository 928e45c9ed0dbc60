//! From patterns with exchanges to strategies: places of a size are assigned to items of that size or to smaller ones.

use super::givers::{EMPTY, Givers};
use crate::histogram::{Histogram, Size};
use crate::lp::{LpProblem, Pattern};
use crate::plan::Strategy;

/// Returns the items left when patterns are used this often; spare places count for smaller items.
pub(super) fn left_over<const K: usize>(
    problem: &LpProblem<K>,
    used: &[(Pattern, u64)],
) -> Vec<u64> {
    Givers::new(problem, &problem.counts, used).wanting
}

/// Returns strategies in which every place holds an item of its size or the next smaller one that needs it; other
/// places stay empty. `counts` are covered; a row occurs once in a pattern. O(runs + rows) more strategies than
/// patterns.
pub(super) fn strategies<const K: usize>(
    problem: &LpProblem<K>,
    counts: &[u64],
    used: &[(Pattern, u64)],
) -> Vec<Strategy<K>> {
    Givers::new(problem, counts, used).deal(used, &problem.sizes)
}

/// Turns strategies of one component into strategies of several: a place of a size in that component is given to any
/// item that has it.
pub(in crate::packing) fn expand<const K: usize>(
    histogram: &Histogram<K>,
    component: usize,
    strategies: Vec<Strategy<1>>,
) -> Vec<Strategy<K>> {
    let sizes: Vec<Size<K>> = histogram.entries().iter().map(|(size, _)| *size).collect();
    let mut lengths: Vec<u32> = sizes.iter().map(|size| size[component]).collect();
    lengths.sort_unstable();
    lengths.dedup();
    let row = |length: u32| lengths.partition_point(|l| *l < length);
    let mut portions = vec![Vec::new(); lengths.len()];
    for (i, (size, count)) in histogram.entries().iter().enumerate() {
        portions[row(size[component])].push((i, *count));
    }
    let pattern = |s: &Strategy<1>| s.runs.iter().map(|([l], n)| (row(*l) as u32, *n)).collect();
    let used: Vec<(Pattern, u64)> = strategies
        .into_iter()
        .map(Strategy::canonical)
        .map(|s| (pattern(&s), s.count))
        .collect();
    Givers {
        portions,
        wanting: Vec::new(),
    }
    .deal(&used, &sizes)
}

impl Givers {
    /// Returns the strategies for patterns used this often; items are rows of `sizes`.
    fn deal<const K: usize>(
        mut self,
        used: &[(Pattern, u64)],
        sizes: &[Size<K>],
    ) -> Vec<Strategy<K>> {
        let mut strategies = Vec::new();
        for (pattern, times) in used {
            let mut left = *times;
            while left > 0 {
                // As many equal packs as the shortest supply of one of their places allows.
                let mut together = left;
                for &(row, n) in pattern {
                    together = together.min(self.alike(row as usize, u64::from(n)));
                }
                let mut runs = Vec::new();
                for &(row, n) in pattern {
                    self.take(row as usize, u64::from(n), together, &mut runs);
                }
                let runs: Vec<_> = runs.into_iter().map(|(item, n)| (sizes[item], n)).collect();
                if !runs.is_empty() {
                    strategies.push(Strategy {
                        runs,
                        count: together,
                    });
                }
                left -= together;
            }
        }
        strategies
    }

    /// Returns the number of packs with `n` places of a row that can hold the same items.
    fn alike(&self, row: usize, n: u64) -> u64 {
        // A row whose items are all dealt limits nothing: its places stay empty.
        self.portions[row]
            .last()
            .map_or(u64::MAX, |(_, left)| (left / n).max(1))
    }

    /// Takes items for `n` places of a row in each of `packs` packs; where portions end, of one pack.
    fn take(&mut self, row: usize, n: u64, packs: u64, runs: &mut Vec<(usize, u32)>) {
        let mut wanted = n * packs;
        while wanted > 0
            && let Some((item, left)) = self.portions[row].last_mut()
        {
            let given = wanted.min(*left);
            if *item != EMPTY {
                // Divides exactly: where several packs are dealt together, `alike` made sure of one
                // portion for all.
                runs.push((*item, (given / packs) as u32));
            }
            *left -= given;
            wanted -= given;
            if *left == 0 {
                self.portions[row].pop();
            }
        }
    }
}
