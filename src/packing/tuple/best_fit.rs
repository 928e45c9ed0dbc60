//! Best fit, repeats added at once. A first version, item by item over open packs.

use super::Heuristic;
use crate::histogram::{FREE, Histogram, Size};
use crate::plan::Strategy;

struct Open<const K: usize> {
    left: Size<K>,
    strategy: Strategy<K>,
}

pub(super) fn pack<const K: usize>(
    histogram: &Histogram<K>,
    limits: &Size<K>,
    depth: u32,
    heuristic: Heuristic,
) -> Vec<Strategy<K>> {
    let mut items = histogram.entries().to_vec();
    items.sort_by(|a, b| heuristic.of(&b.0).total_cmp(&heuristic.of(&a.0)).then_with(|| b.0.cmp(&a.0)));
    let mut open: Vec<Open<K>> = Vec::new();
    for (size, count) in items {
        let mut left = count;
        while left > 0 {
            let fits = |o: &Open<K>| {
                o.strategy.depth() < u64::from(depth)
                    && o.left.iter().zip(&size).zip(limits).all(|((l, s), limit)| *limit == FREE || l >= s)
            };
            let best = (0..open.len())
                .filter(|i| fits(&open[*i]))
                .min_by(|a, b| heuristic.of(&open[*a].left).total_cmp(&heuristic.of(&open[*b].left)));
            let mut pack = match best {
                Some(i) => open.swap_remove(i),
                None => Open { left: *limits, strategy: Strategy { runs: Vec::new(), count: left } },
            };
            let packs = pack.strategy.count.min(left);
            if pack.strategy.count > packs {
                let rest = Strategy { count: pack.strategy.count - packs, ..pack.strategy.clone() };
                open.push(Open { left: pack.left, strategy: rest });
            }
            pack.strategy.count = packs;
            pack.strategy.runs.push((size, 1));
            for ((l, s), limit) in pack.left.iter_mut().zip(&size).zip(limits) {
                *l -= if *limit == FREE { 0 } else { *s };
            }
            open.push(pack);
            left -= packs;
        }
    }
    open.into_iter().map(|o| o.strategy).collect()
}
