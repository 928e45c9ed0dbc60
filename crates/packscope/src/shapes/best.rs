//! The least wasteful lengths, by dynamic programming. If `p(k, j)` is the smallest number of slots of the `j` shortest
//! distinct lengths in `k` shapes, `p(k, j) = min over i < j of p(k − 1, i) + l(j) · (n(j) − n(i))`, where `n` counts
//! sequences: all choices have the same tokens, so the fewest slots have the least padding. For each `i` that is
//! a line in `l(j)`, of slope `−n(i)`, and both ascend: so each row takes O(n), as the lower envelope of the lines.

use super::rounded;
use crate::histogram::Histogram;
use std::collections::VecDeque;

/// The least wasteful lengths, for every number of shapes up to one.
pub(super) struct BestShapes {
    /// The lengths of sequences, each rounded up.
    lengths: Vec<u32>,
    /// The start of the last shape, for each number of shapes after the first, and each number of shortest lengths.
    starts: Vec<Vec<u32>>,
}

impl BestShapes {
    /// Finds the multiples of `multiple` with the least padding. O(distinct · shapes).
    pub(super) fn new(lengths: &Histogram<1>, shapes: usize, multiple: u32) -> Self {
        let (mut rounds, mut sums) = (Vec::new(), vec![0]);
        let mut sum = 0;
        for ([length], count) in lengths.entries() {
            sum += u128::from(*count);
            let length = rounded(*length, multiple);
            // Lengths that are rounded to the same multiple are one length.
            if rounds.last() == Some(&length) {
                sums.pop();
            } else {
                rounds.push(length);
            }
            sums.push(sum);
        }
        let slots = u128::from(rounds.last().copied().unwrap_or(0)) * sum;
        let starts = match u64::try_from(slots) {
            // Nearly all data fit 64 bits, which is twice as fast.
            Ok(_) => starts(
                &rounds,
                &sums.iter().map(|sum| *sum as u64).collect::<Vec<_>>(),
                shapes,
            ),
            Err(_) => starts(&rounds, &sums, shapes),
        };
        Self {
            lengths: rounds,
            starts,
        }
    }

    /// Returns the lengths of at most this number of shapes, ascending. O(shapes).
    pub(super) fn of(&self, shapes: usize) -> Vec<u32> {
        let rows = &self.starts[..self.starts.len().min(shapes - 1)];
        let (mut chosen, mut end) = (Vec::new(), self.lengths.len());
        for row in rows.iter().rev() {
            if end > 0 {
                chosen.push(self.lengths[end - 1]);
                end = row[end] as usize;
            }
        }
        if end > 0 {
            chosen.push(self.lengths[end - 1]);
        }
        chosen.reverse();
        chosen
    }
}

/// Returns where the last shape begins, for each number of shapes after the first, and each number of shortest lengths.
fn starts<N>(lengths: &[u32], sums: &[N], shapes: usize) -> Vec<Vec<u32>>
where
    N: Copy
        + Ord
        + Default
        + From<u32>
        + std::ops::Add<Output = N>
        + std::ops::Sub<Output = N>
        + std::ops::Mul<Output = N>
        + std::ops::Div<Output = N>,
{
    let n = lengths.len();
    let slots = |i: usize, j: usize| {
        if j == 0 {
            N::default()
        } else {
            N::from(lengths[j - 1]) * (sums[j] - sums[i])
        }
    };
    let mut least: Vec<N> = (0..=n).map(|j| slots(0, j)).collect();
    let mut rows = Vec::new();
    for _ in 1..shapes.min(n) {
        let (mut next, mut row) = (least.clone(), vec![0; n + 1]);
        // The least length from which a start is better than an earlier one: the slots of a last shape fall in
        // proportion to its length by the sequences that are not in it.
        let better = |early: usize, late: usize| {
            (least[late] - least[early]) / (sums[late] - sums[early]) + N::from(1)
        };
        // Starts that are the best for some length, in order, and the length from which they are.
        let mut best: VecDeque<(usize, N)> = VecDeque::new();
        for j in 1..=n {
            let mut from = N::default();
            while let Some((last, since)) = best.back() {
                from = better(*last, j - 1);
                if from > *since {
                    break;
                }
                // Where it would be better than those before it, this one is better still.
                best.pop_back();
                from = N::default();
            }
            best.push_back((j - 1, from));
            while best
                .get(1)
                .is_some_and(|(_, from)| *from <= N::from(lengths[j - 1]))
            {
                best.pop_front();
            }
            let start = best.front().map_or(0, |(start, _)| *start);
            (next[j], row[j]) = (least[start] + slots(start, j), start as u32);
        }
        least = next;
        rows.push(row);
    }
    rows
}
