//! The choice of packs to draw.

use std::collections::BTreeMap;

/// Returns up to `n` informative strategies, given as (sizes, packs). They differ in their number of items, from few to
/// many; for each number the most frequent strategy is taken, the first of equals. The fewest and the most items are
/// always included; the numbers between are split into even runs, and the most frequent of each run is taken.
/// O(strategies × log strategies).
pub fn choose(strategies: &[(Vec<[u32; 2]>, u64)], n: usize) -> Vec<usize> {
    let count = |i: usize| strategies[i].1;
    let mut best = BTreeMap::<usize, usize>::new();
    for (i, (sizes, _)) in strategies.iter().enumerate() {
        let first = best.entry(sizes.len()).or_insert(i);
        if count(i) > count(*first) {
            *first = i;
        }
    }
    let depths: Vec<usize> = best.into_values().collect();
    if depths.len() <= n || n < 3 {
        return spread(&depths, n);
    }
    let (first, between, last) = (depths[0], &depths[1..depths.len() - 1], depths[depths.len() - 1]);
    let runs = n - 2;
    let run = |i: usize| &between[between.len() * i / runs..between.len() * (i + 1) / runs];
    // The first of equals, so that the result does not jump while counts grow together.
    let most = |run: &[usize]| run.iter().copied().reduce(|a, b| if count(b) > count(a) { b } else { a });
    std::iter::once(first).chain((0..runs).filter_map(|i| most(run(i)))).chain([last]).collect()
}

/// Returns all depths, or only the ends.
fn spread(depths: &[usize], n: usize) -> Vec<usize> {
    match (n, depths) {
        (0, _) => vec![],
        (n, _) if depths.len() <= n => depths.to_vec(),
        (1, [.., last]) => vec![*last],
        (_, [first, .., last]) => vec![*first, *last],
        _ => depths.to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strategies(depths: &[(usize, u64)]) -> Vec<(Vec<[u32; 2]>, u64)> {
        depths.iter().map(|(depth, count)| (vec![[1, 2]; *depth], *count)).collect()
    }

    #[test]
    fn depths_differ_and_both_ends_are_there() {
        let all = strategies(&[(9, 3), (9, 7), (9, 7), (1, 1), (2, 5), (4, 2), (5, 8), (6, 1), (20, 1)]);
        assert_eq!(choose(&all, 100), [3, 4, 5, 6, 7, 1, 8]);
        assert_eq!(choose(&all, 4), [3, 4, 6, 8]);
        assert_eq!(choose(&all, 5).len(), 5);
        assert_eq!([choose(&all, 0), choose(&all, 1), choose(&all, 2)], [vec![], vec![8], vec![3, 8]]);
        assert!(choose(&[], 5).is_empty());
    }

    #[test]
    fn as_many_as_are_asked_for() {
        let all = strategies(&(1..=27).map(|depth| (depth, depth as u64 % 7)).collect::<Vec<_>>());
        for n in 1..=30 {
            let chosen = choose(&all, n);
            assert_eq!(chosen.len(), n.min(27));
            assert!(chosen.windows(2).all(|w| all[w[0]].0.len() < all[w[1]].0.len()));
        }
    }
}
