//! The optimum under several limits: certified numbers, certificates checked by a plain search, tiny cases against an
//! exhaustive one, and components without influence.

use crate::common::{built_in_graphs, sizes};
use packscope::bounds::{self, BoundKind, Certificate};
use packscope::histogram::{FREE, Histogram, Preset, Size};
use packscope::packing::tuple::{Heuristic, TupleAlgorithm, TuplePackingResult, TupleTask};
use packscope::packing::{self, Depth, Step, go_on};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

const UNLIMITED: Depth = Depth::Unlimited;

fn task<const K: usize>(limits: Size<K>, depth: Depth) -> TupleTask<K> {
    TupleTask::new(limits, depth, Heuristic::Sum)
}

/// Coverage, capacity and depth, counted here anew: the engine's own recount is not trusted.
pub fn recount<const K: usize>(
    packed: &TuplePackingResult<K>,
    histogram: &Histogram<K>,
    limits: Size<K>,
    depth: Depth,
) {
    let mut placed = BTreeMap::<Size<K>, u64>::new();
    for strategy in packed.plan.strategies() {
        let mut used = [0u64; K];
        for size in strategy.sizes() {
            used.iter_mut()
                .zip(size)
                .for_each(|(u, s)| *u += u64::from(s));
            *placed.entry(size).or_default() += strategy.count;
        }
        assert!(
            used.iter()
                .zip(limits)
                .all(|(u, l)| l == FREE || *u <= u64::from(l)),
            "{used:?} {limits:?}"
        );
        assert!(strategy.depth() <= u64::from(depth.get()));
    }
    assert!(placed.into_iter().eq(histogram.entries().iter().copied()));
}

fn solve<const K: usize>(
    histogram: &Histogram<K>,
    limits: Size<K>,
    depth: Depth,
) -> TuplePackingResult<K> {
    let packed = TupleAlgorithm::Optimal
        .run(histogram, &task(limits, depth), &mut go_on)
        .unwrap();
    recount(&packed, histogram, limits, depth);
    packed
}

/// (packs, bound).
fn both<const K: usize>(histogram: &Histogram<K>, limits: Size<K>, depth: Depth) -> (u64, u64) {
    let packed = solve(histogram, limits, depth);
    (packed.plan.packs(), packed.bound.unwrap().packs)
}

/// The certificate once more, by trying every pack: none is worth more than `most`, and all items together are worth
/// more than `packs − 1` such packs. For small limits.
fn check<const K: usize>(
    certificate: &Certificate<K>,
    h: &Histogram<K>,
    limits: Size<K>,
    depth: Depth,
) {
    fn most<const K: usize>(worths: &[(Size<K>, i64)], room: Size<K>, places: u32) -> i128 {
        let with = |i: usize| {
            let mut rest = room;
            for (rest, size) in rest.iter_mut().zip(worths[i].0) {
                *rest = if *rest == FREE {
                    FREE
                } else {
                    rest.checked_sub(size)?
                };
            }
            Some(i128::from(worths[i].1) + most(&worths[i..], rest, places - 1))
        };
        if places == 0 {
            0
        } else {
            (0..worths.len()).filter_map(with).max().unwrap_or(0)
        }
    }
    // What is worth nothing adds nothing, and may fit without end.
    let worths: Vec<_> = certificate
        .worths
        .iter()
        .copied()
        .filter(|(_, worth)| *worth > 0)
        .collect();
    assert!(most(&worths, limits, depth.get()) <= i128::from(certificate.most));
    let worth = |size: &Size<K>| certificate.worths.iter().find(|w| w.0 == *size).unwrap().1;
    let sum: i128 = h
        .entries()
        .iter()
        .map(|(size, n)| i128::from(worth(size)) * i128::from(*n))
        .sum();
    assert!(sum > i128::from(certificate.packs - 1) * i128::from(certificate.most));
}

/// The fewest packs, by trying everything.
fn optimum<const K: usize>(items: &[Size<K>], limits: Size<K>, depth: u32) -> u64 {
    fn place<const K: usize>(
        items: &[Size<K>],
        open: &mut Vec<(Size<K>, u32)>,
        limits: Size<K>,
        depth: u32,
        best: &mut u64,
    ) {
        let Some((item, rest)) = items.split_first() else {
            *best = (*best).min(open.len() as u64);
            return;
        };
        if open.len() as u64 >= *best {
            return;
        }
        let into = |room: Size<K>| {
            let mut left = room;
            for (left, size) in left.iter_mut().zip(item) {
                *left = if *left == FREE {
                    FREE
                } else {
                    left.checked_sub(*size)?
                };
            }
            Some(left)
        };
        for i in 0..open.len() {
            let before = open[i];
            // Packs that are alike are tried once.
            if before.1 < depth
                && !open[..i].contains(&before)
                && let Some(left) = into(before.0)
            {
                open[i] = (left, before.1 + 1);
                place(rest, open, limits, depth, best);
                open[i] = before;
            }
        }
        if let Some(left) = into(limits) {
            open.push((left, 1));
            place(rest, open, limits, depth, best);
            open.pop();
        }
    }
    let mut best = items.len() as u64;
    place(items, &mut Vec::new(), limits, depth, &mut best);
    best
}

fn expanded<const K: usize>(histogram: &Histogram<K>) -> Vec<Size<K>> {
    histogram
        .entries()
        .iter()
        .rev()
        .flat_map(|&(size, n)| std::iter::repeat_n(size, n as usize))
        .collect()
}

/// Krell et al. 2022, *Tuple Packing*, Table 2: the best heuristic there needs 3,789 packs.
#[test]
fn molhiv_is_solved_and_proven() {
    let h = built_in_graphs("ogbg_molhiv");
    let packed = solve(&h, [222, 502], Depth::AtMost(256));
    assert_eq!(
        (packed.plan.packs(), packed.bound.unwrap().packs),
        (3_744, 3_744)
    );
    assert_eq!(packed.bound.unwrap().kind, BoundKind::LinearProgram);
    for (depth, packs) in [(1, 32_901), (2, 16_452), (3, 10_969)] {
        assert_eq!(
            both(&h, [222, 502], Depth::AtMost(depth)),
            (packs, packs),
            "depth {depth}"
        );
    }
}

/// Where node limit × edge limit ÷ the greatest common divisors of the sizes is at most 60,000.
#[test]
fn every_built_in_set_of_small_limits_is_solved_within_one_pack() {
    let sets = [
        "mol_qm9",
        "mol_qm9_allatoms_graph",
        "tu_mutag",
        "mol_zinc250k",
        "mol_muv",
        "ogbg_molhiv",
    ];
    let known = Preset::GRAPHS
        .iter()
        .filter(|p| sets.contains(&p.id))
        .count();
    assert_eq!(known, sets.len());
    for name in sets {
        let h = built_in_graphs(name);
        for times in [1, 2] {
            let limits = h.max().map(|m| m * times);
            let (packs, bound) = both(&h, limits, Depth::AtMost(256));
            assert!(packs - bound <= 1, "{name} at {limits:?}: {packs} {bound}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]

    #[test]
    fn it_is_the_optimum_of_two(h in sizes::<2>(10, 5, 3), more in [0..6u32, 0..6], depth in 1..6u32) {
        agree(&h, more, depth)?;
    }

    #[test]
    fn it_is_the_optimum_of_three(h in sizes::<3>(8, 4, 3), more in [0..5u32, 0..5, 0..5], depth in 1..6u32) {
        agree(&h, more, depth)?;
    }

    /// A component without a limit, or one that never fills first, leaves the optimum of the other.
    #[test]
    fn a_component_that_decides_nothing_changes_nothing(h in sizes::<2>(30, 8, 40), more in 0..20u32) {
        let limit = h.max()[0] + more;
        let alone = h.marginal(0).unwrap();
        let line = packing::Algorithm::Optimal;
        let packs = line.pack(&alone, limit, UNLIMITED).unwrap().packs();
        prop_assert_eq!(both(&h, [limit, FREE], UNLIMITED).0, packs);
        let trees = h.entries().iter().map(|&([nodes, _], n)| ([nodes, nodes - 1], n));
        let trees = Histogram::from_counts(trees).unwrap();
        prop_assert_eq!(both(&trees, [limit, limit - 1], UNLIMITED).0, packs);
    }
}

fn agree<const K: usize>(
    h: &Histogram<K>,
    more: [u32; K],
    depth: u32,
) -> Result<(), TestCaseError> {
    let depth = if depth == 5 {
        UNLIMITED
    } else {
        Depth::AtMost(depth)
    };
    // No component is left without room; a large one stands for none.
    let limits: Size<K> = std::array::from_fn(|k| {
        if more[k] == 4 {
            FREE
        } else {
            (h.max()[k] + more[k]).max(1)
        }
    });
    let packed = solve(h, limits, depth);
    let items = expanded(h);
    prop_assume!(items.len() <= 9);
    if let Some(certificate) = &packed.certificate {
        check(certificate, h, limits, depth);
        prop_assert_eq!(packed.bound.unwrap(), certificate.bound());
    }
    let best = optimum(&items, limits, depth.get());
    prop_assert!(bounds::tuple::best(h, &limits, depth.get()).packs <= best);
    prop_assert_eq!(packed.plan.packs(), best, "{:?} {:?}", limits, depth);
    // Small data are always proven.
    prop_assert_eq!(
        packed.bound.unwrap().packs,
        best,
        "{:?} {:?}",
        limits,
        depth
    );
    Ok(())
}

/// No heuristic has fewer packs, however early the search is stopped.
#[test]
fn no_heuristic_is_better_than_the_optimum() {
    let mut random = packscope::rng::Random::seeded(24);
    for (distinct, steps) in [(30, 1 << 20), (700, 1 << 22), (6_000, 1 << 24), (20_000, 0)] {
        let graphs = (0..distinct).map(|_| {
            let nodes = 1 + random.below(90) as u32;
            (
                [nodes, nodes - 1 + random.below(u64::from(3 * nodes)) as u32],
                1 + random.below(3),
            )
        });
        let h = Histogram::from_counts(graphs.collect::<Vec<_>>()).unwrap();
        for depth in [Depth::AtMost(4), UNLIMITED] {
            let best = TupleTask {
                steps,
                ..task([200, 500], depth)
            };
            let optimal = TupleAlgorithm::Optimal
                .run(&h, &best, &mut go_on)
                .unwrap()
                .plan
                .packs();
            for algorithm in TupleAlgorithm::ALL {
                if matches!(
                    algorithm,
                    TupleAlgorithm::Optimal | TupleAlgorithm::NodesOnly | TupleAlgorithm::EdgesOnly
                ) {
                    continue;
                }
                let heuristics = algorithm.heuristics().iter().chain([&Heuristic::Sum]);
                for heuristic in
                    heuristics.filter(|h| !matches!(h, Heuristic::Component(k) if *k > 1))
                {
                    let task = TupleTask {
                        heuristic: *heuristic,
                        ..best
                    };
                    let packed = algorithm.run(&h, &task, &mut go_on).unwrap();
                    // As published, packs may exceed a limit: then they are no plan for these limits.
                    let packs = packed.plan.packs();
                    assert!(
                        optimal <= packs,
                        "{algorithm} {heuristic} of {distinct} at {depth}: {packs} {optimal}"
                    );
                }
            }
        }
    }
}

/// Wherever it is stopped, the plan covers and the bound holds.
#[test]
fn stopped_early_it_answers_with_what_it_has() {
    let h = built_in_graphs("ogbg_molhiv");
    for steps in [0, 1, 1 << 20, 1 << 24, 1 << 26] {
        let task = TupleTask {
            steps,
            ..task([222, 502], Depth::AtMost(256))
        };
        let packed = TupleAlgorithm::Optimal.run(&h, &task, &mut go_on).unwrap();
        recount(&packed, &h, [222, 502], Depth::AtMost(256));
        assert!(packed.plan.packs() <= 3_789 && packed.bound.unwrap().packs <= 3_744);
    }
    let mut asked = 0;
    let mut stop = |step| {
        assert!(
            matches!(
                step,
                Step::Found {
                    packs: 3_744..=3_789,
                    bound: 3_743..=3_744
                }
            ),
            "{step:?}"
        );
        asked += 1;
        if asked == 3 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let task = task([222, 502], Depth::AtMost(256));
    let packed = TupleAlgorithm::Optimal.run(&h, &task, &mut stop).unwrap();
    recount(&packed, &h, [222, 502], Depth::AtMost(256));
    assert_eq!(asked, 3);
}

/// What a fuzzer found: a component of which there is nothing was taken for the one that ends every pack.
#[test]
fn a_limit_of_nothing_leaves_the_others_as_they_are() {
    let h = Histogram::from_counts([([1, 0, 9], 5), ([9, 0, 1], 4), ([2, 0, 2], 3)]).unwrap();
    let two = Histogram::from_counts([([1, 9], 5), ([9, 1], 4), ([2, 2], 3)]).unwrap();
    let (three, of_two) = (
        solve(&h, [10, 0, 10], UNLIMITED),
        solve(&two, [10, 10], UNLIMITED),
    );
    assert_eq!(
        (three.plan.packs(), three.bound),
        (of_two.plan.packs(), of_two.bound)
    );
    solve(&h, [FREE, 0, 10], UNLIMITED);
    solve(&h, [10, 0, FREE], Depth::AtMost(3));
}

/// Items that take nothing of a limit take places only: those with a length need 40,195 packs of three, which leave places
/// for 31,944 more.
#[test]
fn weightless_items_fill_the_places_that_are_left() {
    let lengths = crate::common::built_in("squad_1_1_bert_384").lengths();
    let heavy: Vec<(Size<2>, u64)> = lengths
        .into_iter()
        .map(|(length, n)| ([1, length], n))
        .collect();
    assert_eq!(
        heavy.iter().map(|(_, n)| n).sum::<u64>(),
        3 * 40_195 - 31_944
    );
    let with = |light: &[(Size<2>, u64)]| {
        Histogram::from_counts(heavy.iter().chain(light).copied()).unwrap()
    };
    let (limits, depth) = ([FREE, 384], Depth::AtMost(3));
    let few = with(&[([2, 0], 7), ([1, 0], 31_937)]);
    // No heuristic finds it.
    for algorithm in [
        TupleAlgorithm::BestFit,
        TupleAlgorithm::FirstFit,
        TupleAlgorithm::Search,
    ] {
        assert!(
            algorithm
                .run(&few, &task(limits, depth), &mut go_on)
                .unwrap()
                .plan
                .packs()
                > 40_195
        );
    }
    let packed = solve(&few, limits, depth);
    assert_eq!(
        (packed.plan.packs(), packed.bound.unwrap().packs),
        (40_195, 40_195)
    );
    assert!(packed.plan.strategies().iter().all(|s| s.depth() == 3));
    // More of them have packs of their own.
    assert_eq!(
        both(&with(&[([2, 0], 7), ([1, 0], 32_239)]), limits, depth).0,
        40_296
    );
}

/// The relaxation ends where it meets its dual: the bound is the plan, or one pack less.
fn tight<const K: usize>(random: &mut packscope::rng::Random, rounds: u32) {
    for round in 0..rounds {
        let limits: Size<K> = std::array::from_fn(|_| 20 + random.below([40, 15][K - 2]) as u32);
        let size = |random: &mut packscope::rng::Random| {
            limits.map(|l| 1 + random.below(u64::from(l)) as u32)
        };
        let distinct = 1 + random.below(10);
        let sizes = (0..distinct)
            .map(|_| (size(random), 1 + random.below(1000)))
            .collect::<Vec<_>>();
        let h = Histogram::from_counts(sizes).unwrap();
        let (packs, bound) = both(&h, limits, Depth::AtMost(1 + random.below(6) as u32));
        assert!(
            packs - bound <= 1,
            "{round}: {packs} {bound} of {h:?} in {limits:?}"
        );
    }
}

#[test]
fn bounds_of_random_data_are_tight() {
    let mut random = packscope::rng::Random::seeded(3);
    tight::<2>(&mut random, 60);
    tight::<3>(&mut random, 30);
}

/// Packs with too little left of the third component are passed over by the index: where each was looked at, these steps
/// did not suffice for all sizes, and the last ones went into packs that stayed open for a moment only.
#[test]
#[ignore = "outer circle: a hundred thousand triples"]
fn a_short_search_has_time_for_best_fit_of_many_triples() {
    let mut random = packscope::rng::Random::seeded(7);
    let mut triples = BTreeMap::<Size<3>, u64>::new();
    while triples.len() < 12_000 {
        let triple = [1000, 1500, 2000].map(|most| 1 + random.below(most) as u32);
        triples.insert(triple, 1 + random.below(20));
    }
    let h = Histogram::from_counts(triples).unwrap();
    let task = TupleTask::new([2000; 3], Depth::AtMost(8), Heuristic::Component(0));
    let packs = |algorithm: TupleAlgorithm, steps| {
        algorithm
            .run(&h, &TupleTask { steps, ..task }, &mut go_on)
            .unwrap()
            .plan
            .packs()
    };
    assert!(packs(TupleAlgorithm::Optimal, STEPS) <= packs(TupleAlgorithm::BestFit, 0));
}

const STEPS: u64 = 1 << 27;
