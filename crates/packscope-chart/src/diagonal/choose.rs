//! The choice of packs to draw.

use packscope::order::Map;

/// Returns up to `n` informative strategies, given as (sizes, packs). They differ in their number of items, from few to
/// many; for each number the most frequent strategy is taken, the first of equals. The fewest and the most items are
/// always included; the numbers between are split into even runs, and the most frequent of each run is taken.
/// O(strategies × log strategies).
pub fn choose(strategies: &[(Vec<[u32; 2]>, u64)], n: usize) -> Vec<usize> {
    let count = |i: usize| strategies[i].1;
    let mut best = Map::<usize, usize>::new();
    for (i, (sizes, _)) in strategies.iter().enumerate() {
        let first = best.entry(sizes.len()).or_insert(i);
        if count(i) > count(*first) {
            *first = i;
        }
    }
    // The map is sorted by its keys: from the fewest items to the most.
    let depths: Vec<usize> = best.values().copied().collect();
    // With fewer than three, only the ends are drawn.
    if depths.len() <= n || n < 3 {
        return spread(&depths, n);
    }
    let (first, between, last) = (
        depths[0],
        &depths[1..depths.len() - 1],
        depths[depths.len() - 1],
    );
    let runs = n - 2;
    let run = |i: usize| &between[between.len() * i / runs..between.len() * (i + 1) / runs];
    // The first of equals, so that the result does not jump while counts grow together.
    let most = |run: &[usize]| {
        run.iter()
            .copied()
            .reduce(|a, b| if count(b) > count(a) { b } else { a })
    };
    std::iter::once(first)
        .chain((0..runs).filter_map(|i| most(run(i))))
        .chain([last])
        .collect()
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
