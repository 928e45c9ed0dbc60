//! Best fit and first fit under several limits against plain ones that look at every open pack.

use crate::tuple::{pack, twin};
use packscope::histogram::{Histogram, Size};
use packscope::packing::Depth;
use packscope::packing::tuple::{Heuristic, TupleAlgorithm};
use packscope::plan::Plan;
use packscope::rng::Random;
use std::collections::BTreeMap;

/// Packs by the space that is left in them.
type Spaces<const K: usize> = BTreeMap<Size<K>, u64>;

/// Best fit, or first fit as the paper calls it, by a scan of all open packs. `None` where packs with different spaces
/// are equally good, since which of them is taken is not said.
fn scanned<const K: usize>(
    h: &Histogram<K>,
    limits: Size<K>,
    heuristic: Heuristic,
    tightest: bool,
) -> Option<Spaces<K>> {
    let value = |size: &Size<K>| heuristic.value(size, &limits);
    let mut items = h.entries().to_vec();
    items.sort_by(|(a, _), (b, _)| value(b).total_cmp(&value(a)).then(b.cmp(a)));
    let mut open = Spaces::<K>::new();
    for (size, count) in items {
        let mut left = count;
        while left > 0 {
            let fits = |space: &&Size<K>| space.iter().zip(&size).all(|(l, s)| l >= s);
            let mut fitting: Vec<(f64, Size<K>)> =
                open.keys().filter(fits).map(|s| (value(s), *s)).collect();
            fitting.sort_by(|a, b| {
                if tightest {
                    a.0.total_cmp(&b.0)
                } else {
                    b.0.total_cmp(&a.0)
                }
            });
            if fitting.len() > 1 && fitting[0].0 == fitting[1].0 {
                return None;
            }
            let found = fitting.first().map(|(_, space)| *space);
            let (room, there) = found.map_or((limits, left), |space| (space, open[&space]));
            let most = size
                .iter()
                .zip(room)
                .filter(|(s, _)| **s > 0)
                .map(|(s, l)| l / s)
                .min()
                .unwrap();
            let repeat = u64::from(most).min(left);
            let packs = there.min(left / repeat);
            if found.is_some() {
                open.insert(room, there - packs);
                open.retain(|_, packs| *packs > 0);
            }
            let filled = std::array::from_fn(|k| room[k] - size[k] * repeat as u32);
            *open.entry(filled).or_default() += packs;
            left -= packs * repeat;
        }
    }
    Some(open)
}

fn spaces<const K: usize>(plan: &Plan<K>) -> Spaces<K> {
    let mut spaces = Spaces::new();
    for strategy in plan.strategies() {
        let (limits, used) = (plan.limits(), strategy.used());
        *spaces
            .entry(std::array::from_fn(|k| limits[k] - used[k] as u32))
            .or_default() += strategy.count;
    }
    spaces
}

/// Sizes of very different magnitude, that fit the limits.
fn sizes<const K: usize>(limits: Size<K>, random: &mut Random) -> Histogram<K> {
    let size = |random: &mut Random| {
        let size: Size<K> = limits.map(|limit| {
            let most = u64::from(limit) / (1 + random.below(7));
            random.below(most + 1) as u32
        });
        std::array::from_fn(|k| if k == 0 { size[k].max(1) } else { size[k] })
    };
    let distinct = 1 + random.below(40);
    Histogram::from_counts((0..distinct).map(|_| (size(random), 1 + random.below(5)))).unwrap()
}

/// Compares plans for random sizes; returns how many had no packs that are equally good.
fn compare<const K: usize>(limits: Size<K>, heuristic: Heuristic, random: &mut Random) -> usize {
    let h = sizes(limits, random);
    let ways = [
        (TupleAlgorithm::BestFit, true),
        (TupleAlgorithm::FirstFit, false),
    ]
    .into_iter();
    let compared = ways.filter(|(algorithm, tightest)| {
        let plan = pack(*algorithm, &h, limits, Depth::Unlimited, heuristic);
        let wanted = scanned(&h, limits, heuristic, *tightest);
        let same = wanted
            .as_ref()
            .is_none_or(|wanted| *wanted == spaces(&plan));
        assert!(same, "{algorithm} {heuristic} {limits:?} {h:?}");
        wanted.is_some()
    });
    compared.count()
}

#[test]
fn packs_are_those_that_a_scan_finds() {
    let mut random = Random::seeded(7);
    for heuristic in Heuristic::ALL {
        let mut compared = [0; 6];
        for _ in 0..60 {
            compared[0] += compare([1 + random.below(100) as u32], heuristic, &mut random);
            compared[1] += compare([50_000], heuristic, &mut random);
            compared[2] += compare([30, 40], heuristic, &mut random);
            compared[3] += compare([40_000, 30_000], heuristic, &mut random);
            compared[4] += compare([3_000_000_000, 90], heuristic, &mut random);
            compared[5] += compare([20_000, 20_000, 20_000], heuristic, &mut random);
        }
        assert!(
            compared[..2].iter().all(|n| *n == 120),
            "{heuristic}: one component has no ties"
        );
        assert!(
            compared[3] > 40 && compared.iter().all(|n| *n > 0),
            "{heuristic}: {compared:?}"
        );
    }
}

/// As [`compare`], for the published best fit, of which all is said.
fn published<const K: usize>(limits: Size<K>, heuristic: Heuristic, random: &mut Random) {
    let (h, depth) = (sizes(limits, random), 1 + random.below(9) as u32);
    let plan = pack(
        TupleAlgorithm::BestFitPublished,
        &h,
        limits,
        Depth::AtMost(depth),
        heuristic,
    );
    assert_eq!(
        plan,
        Plan::new(limits, twin(&h, limits, depth, heuristic)),
        "{heuristic} {limits:?} {h:?}"
    );
}

#[test]
fn best_fit_as_published_equals_its_twin_by_every_heuristic() {
    let mut random = Random::seeded(8);
    for heuristic in Heuristic::ALL {
        for _ in 0..60 {
            published([50], heuristic, &mut random);
            published([30, 40], heuristic, &mut random);
            published([3_000_000_000, 90], heuristic, &mut random);
            published([20, 20, 20], heuristic, &mut random);
        }
    }
}
