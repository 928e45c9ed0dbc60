//! A first solution that is nearly good: patterns by the average-target rule, each used until one of its sizes is used
//! up, in fractions. Every pattern uses up a row, so that they form a triangular basis.

use super::problem::LpProblem;
use crate::histogram::FREE;

/// A pattern as (row, multiplicity), and the row that it uses up.
pub(super) type CrashPattern = (Vec<(u32, u32)>, usize);

/// Returns patterns that form a first basis.
pub(super) fn first_basis<const K: usize>(
    problem: &LpProblem<K>,
    demand: &[f64],
) -> Vec<CrashPattern> {
    if K > 1 {
        return first_fit(problem, demand);
    }
    let lengths: Vec<u32> = problem.sizes.iter().map(|size| size[0]).collect();
    let run = |theta: f64| patterns(&lengths, demand, problem.limits[0], problem.depth, theta);
    let runs = [0.75, 0.8, 0.85, 0.9, 0.95, 1.0].map(run);
    runs.into_iter()
        .min_by(|a, b| a.1.total_cmp(&b.1))
        .map_or(Vec::new(), |best| best.0)
}

/// Returns patterns that together cover the demands, and the number of packs. `lengths` are largest first; the next
/// item of a pack has at most θ·room/places slots. O(distinct² · depth) at worst.
fn patterns(
    lengths: &[u32],
    demand: &[f64],
    limit: u32,
    depth: u32,
    theta: f64,
) -> (Vec<CrashPattern>, f64) {
    let mut left = RemainingCounts {
        lengths,
        demand: demand.to_vec(),
        next: (0..=lengths.len()).collect(),
    };
    let (mut endings, mut packs) = (Vec::new(), 0.0);
    for row in 0..lengths.len() {
        // A basis has a column for every row, also for rows that need nothing.
        if left.demand[row] <= 0.0 {
            left.close(row);
            endings.push((vec![(row as u32, 1)], row));
        }
    }
    loop {
        let longest = left.open(0);
        if longest == lengths.len() {
            return (endings, packs);
        }
        let pattern = left.pattern(longest, limit, depth, theta);
        let (times, ended) = end(pattern, &mut left.demand, &mut endings);
        packs += times;
        for row in ended {
            left.close(row);
        }
    }
}

/// Returns the same for sizes of several components: patterns by first fit, largest first. O(distinct²) at worst.
fn first_fit<const K: usize>(problem: &LpProblem<K>, demand: &[f64]) -> Vec<CrashPattern> {
    let mut demand = demand.to_vec();
    let mut endings = Vec::new();
    let none = |(row, _): (usize, &f64)| (vec![(row as u32, 1)], row);
    endings.extend(
        demand
            .iter()
            .enumerate()
            .filter(|(_, d)| **d <= 0.0)
            .map(none),
    );
    let mut order: Vec<usize> = (0..problem.rows())
        .filter(|row| demand[*row] > 0.0)
        .collect();
    let share = |row: usize| {
        let parts = problem.sizes[row]
            .iter()
            .zip(&problem.limits)
            .filter(|(_, limit)| **limit != FREE);
        parts
            .map(|(size, limit)| f64::from(*size) / f64::from((*limit).max(1)))
            .sum::<f64>()
    };
    order.sort_by(|a, b| share(*b).total_cmp(&share(*a)).then(a.cmp(b)));
    while !order.is_empty() {
        let mut room = problem.limits;
        let mut places = problem.depth;
        let mut pattern = Vec::new();
        for &row in &order {
            let size = &problem.sizes[row];
            let most = room.iter().zip(size).filter(|(room, _)| **room != FREE);
            let times = most
                .filter_map(|(room, size)| room.checked_div(*size))
                .fold(places, u32::min);
            if times > 0 {
                pattern.push((row as u32, times));
                places -= times;
                room.iter_mut()
                    .zip(size)
                    .filter(|(r, _)| **r != FREE)
                    .for_each(|(r, s)| *r -= s * times);
            }
        }
        pattern.sort_unstable();
        let (_, ended) = end(pattern, &mut demand, &mut endings);
        order.retain(|row| !ended.contains(row));
    }
    endings
}

/// Uses a pattern until some rows are used up; returns the multiplicity and those rows.
fn end(
    pattern: Vec<(u32, u32)>,
    demand: &mut [f64],
    endings: &mut Vec<CrashPattern>,
) -> (f64, Vec<usize>) {
    let ratio = |&(row, n): &(u32, u32)| demand[row as usize] / f64::from(n);
    let times = pattern.iter().map(ratio).fold(f64::INFINITY, f64::min);
    // The same division as above, so that at least the smallest ratio is found again.
    let ended: Vec<usize> = pattern
        .iter()
        .filter(|p| ratio(p) <= times)
        .map(|p| p.0 as usize)
        .collect();
    // Rounding may leave a little of a demand that ends; the caller closes its row all the same.
    for &(row, n) in &pattern {
        demand[row as usize] -= times * f64::from(n);
    }
    // Of rows that end together one belongs to the pattern; the others get columns of their own.
    if let Some((&row, others)) = ended.split_first() {
        endings.push((pattern, row));
        endings.extend(others.iter().map(|&row| (vec![(row as u32, 1)], row)));
    }
    (times, ended)
}

struct RemainingCounts<'a> {
    lengths: &'a [u32],
    demand: Vec<f64>,
    /// A row at or after each that may have demand left: union-find with path shortening.
    next: Vec<usize>,
}

impl RemainingCounts<'_> {
    fn close(&mut self, row: usize) {
        self.next[row] = row + 1;
    }

    /// Returns the first open row from `row` on.
    fn open(&mut self, row: usize) -> usize {
        let mut end = row;
        while self.next[end] != end {
            end = self.next[end];
        }
        let mut at = row;
        while at != end {
            at = std::mem::replace(&mut self.next[at], end);
        }
        end
    }

    fn pattern(&mut self, first: usize, limit: u32, depth: u32, theta: f64) -> Vec<(u32, u32)> {
        let mut pattern = vec![(first as u32, 1)];
        let (mut room, mut places) = (limit - self.lengths[first], depth - 1);
        while places > 0 {
            let fits = |length: f64| self.lengths.partition_point(|l| f64::from(*l) > length);
            let most = f64::from(room);
            let target = if places == 1 {
                most
            } else {
                (most * theta / f64::from(places)).ceil().min(most)
            };
            let (near, all) = (fits(target), fits(most));
            let (row, near) = match self.open(near) {
                end if end == self.lengths.len() => (self.open(all), false),
                row => (row, true),
            };
            let Some(&length) = self.lengths.get(row) else {
                break;
            };
            // Where nothing is as short as the target, the longest that fits is taken as often as it fits.
            let times = if near { 1 } else { (room / length).min(places) };
            match pattern.iter_mut().find(|(r, _)| *r as usize == row) {
                Some((_, n)) => *n += times,
                None => pattern.push((row as u32, times)),
            }
            room -= length * times;
            places -= times;
        }
        pattern
    }
}
