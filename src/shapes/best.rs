//! The least wasteful lengths, by dynamic programming. If `p(k, j)` is the smallest number of slots of the `j` shortest
//! distinct lengths in `k` shapes, `p(k, j) = min over i < j of p(k − 1, i) + l(j) · (n(j) − n(i))`, where `n` counts
//! sequences: all choices have the same tokens, so the fewest slots have the least padding. The start of the last
//! shape, `i`, never falls as `j` rises (the cost of a shape satisfies the quadrangle inequality), so each row takes
//! O(n log n) by halving.

use super::rounded;
use crate::histogram::Histogram;

/// The least wasteful lengths, for every number of shapes up to one.
pub(super) struct Best {
    /// The lengths of sequences, each rounded up.
    lengths: Vec<u32>,
    /// The start of the last shape, for each number of shapes after the first, and each number of shortest lengths.
    starts: Vec<Vec<u32>>,
}

impl Best {
    /// Finds the multiples of `multiple` with the least padding. O(distinct · shapes · log distinct).
    pub(super) fn new(lengths: &Histogram<1>, shapes: usize, multiple: u32) -> Self {
        let (mut rounds, mut sums) = (Vec::new(), vec![0]);
        let mut sum = 0;
        for ([length], count) in lengths.entries() {
            sum += u128::from(*count);
            let length = rounded(*length, multiple);
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
            Ok(_) => starts(&rounds, &sums.iter().map(|sum| *sum as u64).collect::<Vec<_>>(), shapes),
            Err(_) => starts(&rounds, &sums, shapes),
        };
        Self { lengths: rounds, starts }
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
        + std::ops::Mul<Output = N>,
{
    let n = lengths.len();
    let slots = |i: usize, j: usize| {
        if j == 0 { N::default() } else { N::from(lengths[j - 1]) * (sums[j] - sums[i]) }
    };
    let mut least: Vec<N> = (0..=n).map(|j| slots(0, j)).collect();
    let mut rows = Vec::new();
    for _ in 1..shapes.min(n) {
        let (mut next, mut row) = (least.clone(), vec![0; n + 1]);
        // (first and last number of lengths to find, first and last start)
        let mut open = vec![(1, n, 0, n - 1)];
        while let Some((from, to, low, high)) = open.pop() {
            let middle = usize::midpoint(from, to);
            let cost = |i: usize| least[i] + slots(i, middle);
            let start = (low..=high.min(middle - 1)).min_by_key(|i| cost(*i)).unwrap_or(low);
            (next[middle], row[middle]) = (cost(start), start as u32);
            if from < middle {
                open.push((from, middle - 1, low, start));
            }
            if middle < to {
                open.push((middle + 1, to, start, high));
            }
        }
        least = next;
        rows.push(row);
    }
    rows
}
