//! Invariants of every algorithm on random histograms, an exhaustive optimum for tiny ones, and reference
//! implementations that pack item by item.

use crate::common::{built_in, expanded, histograms};
use packscope::bounds;
use packscope::histogram::{Histogram, Overlong};
use packscope::packing::{Algorithm, Depth, Step, Task, go_on};
use packscope::plan::Plan;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

fn depths() -> impl Strategy<Value = Depth> {
    prop_oneof![(1..6u32).prop_map(Depth::AtMost), Just(Depth::Unlimited)]
}

/// Coverage, capacity and depth, counted here anew: the engine's own recount is not trusted.
pub fn recount(plan: &Plan<1>, histogram: &Histogram<1>, limit: u32, depth: Depth) {
    let mut placed = BTreeMap::<u32, u64>::new();
    for strategy in plan.strategies() {
        let sizes: Vec<u32> = strategy.sizes().map(|[l]| l).collect();
        assert!(sizes.iter().sum::<u32>() <= limit);
        assert!(sizes.len() as u64 <= u64::from(depth.get()));
        for l in sizes {
            *placed.entry(l).or_default() += strategy.count;
        }
    }
    let wanted: BTreeMap<u32, u64> = histogram.lengths().into_iter().collect();
    assert_eq!(placed, wanted);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_algorithm_covers_exactly_within_limits_above_the_bound(
        h in histograms(40, 12, 2_000), more in 0..30u32, depth in depths(), seed in any::<u64>()
    ) {
        let limit = h.max()[0] + more;
        let bound = bounds::best(&h, limit, depth.get()).packs;
        for algorithm in Algorithm::ALL {
            let task = Task { seed, ..Task::new(limit, depth) };
            let packed = algorithm.run(&h, &task, &mut go_on).unwrap();
            recount(&packed.listing.plan, &h, limit, depth);
            let packs = packed.listing.packs;
            prop_assert_eq!(packs, packed.listing.plan.packs());
            prop_assert!(bound <= packs && packs <= h.items(), "{algorithm}: {bound} {packs}");
            prop_assert!(packed.slots >= h.total()[0]);
            if algorithm.fills_rows() {
                prop_assert_eq!(packed.slots, packs * u64::from(limit));
            }
        }
    }

    #[test]
    fn no_bound_is_above_the_optimum_and_no_plan_below(
        h in histograms(9, 4, 3), more in 0..4u32, depth in depths()
    ) {
        let limit = h.max()[0] + more;
        let best = optimum(&mut expanded(&h), limit, depth.get());
        prop_assert!(bounds::best(&h, limit, depth.get()).packs <= best);
        prop_assert!(bounds::martello_toth(&h, limit) <= best);
        for algorithm in Algorithm::ALL {
            prop_assert!(best <= algorithm.pack(&h, limit, depth).unwrap().packs());
        }
    }

    #[test]
    fn pairs_are_the_optimum_of_depth_2_and_lpfhp_finds_it(h in histograms(9, 5, 4), more in 0..8u32) {
        let limit = h.max()[0] + more;
        let best = optimum(&mut expanded(&h), limit, 2);
        prop_assert_eq!(bounds::pairs(&h, limit), best);
        prop_assert_eq!(Algorithm::Lpfhp.pack(&h, limit, Depth::AtMost(2)).unwrap().packs(), best);
    }

    #[test]
    fn lpfhp_has_the_loads_of_best_fit_at_unlimited_depth(h in histograms(60, 10, 60), more in 0..60u32) {
        let limit = h.max()[0] + more;
        let packed = |algorithm: Algorithm| loads(&algorithm.pack(&h, limit, Depth::Unlimited).unwrap());
        prop_assert_eq!(packed(Algorithm::Lpfhp), packed(Algorithm::BestFitDecreasing));
    }

    #[test]
    fn decreasing_fits_equal_their_twins_on_items(
        h in histograms(60, 10, 60), more in 0..60u32, depth in depths()
    ) {
        let limit = h.max()[0] + more;
        for (algorithm, choose) in [
            (Algorithm::FirstFitDecreasing, first_fit as Choose),
            (Algorithm::BestFitDecreasing, best_fit as Choose),
        ] {
            let plan = algorithm.pack(&h, limit, depth).unwrap();
            prop_assert_eq!(loads(&plan), item_by_item(&h, limit, depth.get(), choose), "{}", algorithm);
        }
    }

    #[test]
    fn greedy_keeps_what_it_lists_exact_when_it_cannot_list_all(h in histograms(20, 8, 300), seed in any::<u64>()) {
        let task = |listed| Task { seed, listed, ..Task::new(40, Depth::Unlimited) };
        let run = |listed| Algorithm::Greedy.run(&h, &task(listed), &mut go_on).unwrap();
        let (all, few) = (run(usize::MAX).listing, run(3).listing);
        prop_assert_eq!(all.packs, few.packs);
        prop_assert_eq!(few.plan.packs() + few.unlisted, few.packs);
        for strategy in few.plan.strategies() {
            prop_assert!(all.plan.strategies().contains(strategy));
        }
    }
}

type Choose = fn(&[(u32, u32)], u32, u32, u32) -> Option<usize>;

fn first_fit(open: &[(u32, u32)], length: u32, limit: u32, depth: u32) -> Option<usize> {
    open.iter()
        .position(|&(used, items)| used + length <= limit && items < depth)
}

fn best_fit(open: &[(u32, u32)], length: u32, limit: u32, depth: u32) -> Option<usize> {
    let fits = |i: &usize| open[*i].0 + length <= limit && open[*i].1 < depth;
    (0..open.len())
        .filter(fits)
        .max_by_key(|i| (open[*i].0, std::cmp::Reverse(*i)))
}

/// Loads of the packs that a plain implementation makes, item after item, as a sorted list.
fn item_by_item(h: &Histogram<1>, limit: u32, depth: u32, choose: Choose) -> Vec<u32> {
    let mut open = Vec::<(u32, u32)>::new();
    for length in expanded(h).into_iter().rev() {
        match choose(&open, length, limit, depth) {
            Some(i) => open[i] = (open[i].0 + length, open[i].1 + 1),
            None => open.push((length, 1)),
        }
    }
    let mut loads: Vec<u32> = open.into_iter().map(|(used, _)| used).collect();
    loads.sort_unstable();
    loads
}

fn loads(plan: &Plan<1>) -> Vec<u32> {
    let load = |s: &packscope::plan::Strategy<1>| {
        std::iter::repeat_n(s.used()[0] as u32, s.count as usize)
    };
    let mut loads: Vec<u32> = plan.strategies().iter().flat_map(load).collect();
    loads.sort_unstable();
    loads
}

/// The fewest packs, by trying every way to place each item (ascending list, longest first).
pub fn optimum(items: &mut [u32], limit: u32, depth: u32) -> u64 {
    items.reverse();
    let mut best = items.len();
    place(items, &mut Vec::new(), limit, depth, &mut best);
    best as u64
}

fn place(rest: &[u32], open: &mut Vec<(u32, u32)>, limit: u32, depth: u32, best: &mut usize) {
    let Some((&length, rest)) = rest.split_first() else {
        *best = (*best).min(open.len());
        return;
    };
    for i in 0..open.len() {
        let (used, items) = open[i];
        // Equal packs are interchangeable: only the first of them is tried.
        if used + length <= limit && items < depth && !open[..i].contains(&open[i]) {
            open[i] = (used + length, items + 1);
            place(rest, open, limit, depth, best);
            open[i] = (used, items);
        }
    }
    if open.len() + 1 < *best {
        open.push((length, 1));
        place(rest, open, limit, depth, best);
        open.pop();
    }
}

#[test]
fn greedy_can_be_cancelled() {
    let h = built_in("squad_1_1_bert_384");
    let task = Task::new(384, Depth::Unlimited);
    let stopped = Algorithm::Greedy.run(&h, &task, &mut |step| match step {
        Step::Done { done: 0, .. } => ControlFlow::Continue(()),
        _ => ControlFlow::Break(()),
    });
    assert_eq!(stopped, Err(packscope::error::Error::Cancelled));
}

#[test]
fn greedy_refuses_what_would_take_minutes() {
    let h = Histogram::from_counts([([1], 1_000_000_000_000)]).unwrap();
    assert!(Algorithm::Greedy.pack(&h, 8, Depth::Unlimited).is_err());
    assert_eq!(
        Algorithm::Lpfhp
            .pack(&h, 8, Depth::Unlimited)
            .unwrap()
            .packs(),
        125_000_000_000
    );
}

/// The aim is 99.5 % in milliseconds; the heuristics of the paper reach 89 %.
#[test]
fn average_target_fills_wikipedia_at_depth_3_and_is_never_worse_than_lpfhp() {
    for preset in packscope::histogram::Preset::ALL {
        let h = built_in(preset.id)
            .fit([preset.limit()], Overlong::Truncate)
            .unwrap()
            .histogram;
        for depth in [2, 3, 4, 8]
            .map(Depth::AtMost)
            .into_iter()
            .chain([Depth::Unlimited])
        {
            let packs = |a: Algorithm| a.pack(&h, preset.limit(), depth).unwrap().packs();
            let (average, lpfhp) = (packs(Algorithm::AverageTarget), packs(Algorithm::Lpfhp));
            assert!(average <= lpfhp, "{} {depth}: {average} {lpfhp}", preset.id);
        }
    }
    let h = built_in("wikipedia_bert_512");
    let at = |depth| {
        Algorithm::AverageTarget
            .pack(&h, 512, Depth::AtMost(depth))
            .unwrap()
            .packs()
    };
    // Depth 2 is the optimum; depth 3 is 99.61 %.
    assert_eq!((at(2), at(3)), (10_099_081, 8_166_249));
}

/// A pack of very many tiny items must not take time in proportion.
#[test]
fn a_thousand_million_tiny_items_take_no_longer() {
    let h = Histogram::from_counts([([1], 1_000_000_000), ([7], 3), ([4_000_000_000], 5)]).unwrap();
    for algorithm in Algorithm::ALL
        .into_iter()
        .filter(|a| !matches!(a, Algorithm::Greedy | Algorithm::Nnlshp))
    {
        for depth in [Depth::AtMost(3), Depth::AtMost(1_000_000), Depth::Unlimited] {
            assert!(algorithm.pack(&h, u32::MAX, depth).unwrap().packs() > 0);
        }
    }
}

/// A table of algorithms at depths says of each the depth that its rows can have: NNLSHP has three.
#[test]
fn depths_in_tables_are_those_of_the_plans() {
    let histogram = Histogram::from_lengths([(3, 40), (5, 30), (9, 20), (16, 10)]).unwrap();
    for algorithm in Algorithm::ALL {
        for limit in [Depth::AtMost(2), Depth::AtMost(5), Depth::Unlimited] {
            let plan = algorithm.pack(&histogram, 32, limit).unwrap();
            let depth = algorithm.depth(limit);
            assert!(
                plan.max_depth() <= u64::from(depth.get()) && depth.get() <= limit.get(),
                "{algorithm} {limit}"
            );
        }
    }
    assert_eq!(Algorithm::Nnlshp.depth(Depth::Unlimited), Depth::AtMost(3));
    assert_eq!(Algorithm::Nnlshp.depth(Depth::AtMost(2)), Depth::AtMost(2));
    assert_eq!(Algorithm::None.depth(Depth::Unlimited), Depth::AtMost(1));
    assert_eq!(Algorithm::Lpfhp.depth(Depth::Unlimited), Depth::Unlimited);
}
