//! Packing under several limits: the published counts to the last pack, invariants of every algorithm on random data,
//! an exhaustive optimum for tiny ones, and past faults.

use packscope::bounds;
use packscope::error::Error;
use packscope::histogram::{FREE, Histogram, Size};
use packscope::packing::tuple::{Heuristic, TupleAlgorithm, TupleTask};
use packscope::packing::{Depth, Step, go_on};
use packscope::plan::Plan;
use proptest::prelude::*;
use serde_json::Value;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

const SETS: [&str; 11] = [
    "cpython311_function_ast",
    "mol_muv",
    "mol_qm9",
    "mol_qm9_allatoms_graph",
    "mol_zinc250k",
    "ogbg_molhiv",
    "tu_collab",
    "tu_dd",
    "tu_mutag",
    "tu_proteins",
    "tu_reddit_binary",
];

/// A built-in set, read by a parser that knows nothing but `nodes,edges,count`.
fn built_in(name: &str) -> Histogram<2> {
    let path = format!(
        "{}/static/datasets/{name}.csv",
        concat!(env!("CARGO_MANIFEST_DIR"), "/../..")
    );
    let text = std::fs::read_to_string(path).unwrap();
    let rows = text.lines().skip(1).map(|line| {
        let row: Vec<u64> = line.split(',').map(|n| n.parse().unwrap()).collect();
        ([row[0] as u32, row[1] as u32], row[2])
    });
    Histogram::from_counts(rows).unwrap()
}

pub fn pack<const K: usize>(
    algorithm: TupleAlgorithm,
    histogram: &Histogram<K>,
    limits: Size<K>,
    depth: Depth,
    heuristic: Heuristic,
) -> Plan<K> {
    algorithm
        .run(
            histogram,
            &TupleTask::new(limits, depth, heuristic),
            &mut go_on,
        )
        .unwrap()
        .plan
}

/// Source: graphcore/examples@3cc8f81, run unmodified on the same histograms; see `source` in the file.
fn golden() -> Value {
    serde_json::from_str(include_str!("../../../../tests/data/golden_graphs.json")).unwrap()
}

fn numbers(value: &Value) -> Vec<u64> {
    value
        .as_array()
        .unwrap()
        .iter()
        .map(|n| n.as_u64().unwrap())
        .collect()
}

/// (packs, strategies, deepest pack, most nodes, most edges).
fn summary(plan: &Plan<2>) -> Vec<u64> {
    let most = |k: usize| plan.strategies().iter().map(|s| s.used()[k]).max().unwrap();
    vec![
        plan.packs(),
        plan.strategies().len() as u64,
        plan.max_depth(),
        most(0),
        most(1),
    ]
}

#[test]
fn best_fit_as_published_gives_the_published_plans_on_molhiv() {
    let golden = golden();
    let rows = golden["molhiv"]["rows"].as_object().unwrap();
    assert_eq!(rows.len(), 15);
    let h = built_in("ogbg_molhiv");
    for (name, row) in rows {
        let (name, depth) = match name.strip_suffix(" min-limit") {
            Some(heuristic) => (heuristic, Depth::AtMost(222)),
            None => (name.as_str(), Depth::AtMost(256)),
        };
        let (algorithm, heuristic) = match name.parse() {
            Ok(algorithm) => (algorithm, Heuristic::Sum),
            Err(_) => (TupleAlgorithm::BestFitPublished, name.parse().unwrap()),
        };
        let plan = pack(algorithm, &h, [222, 502], depth, heuristic);
        assert_eq!(summary(&plan), numbers(row), "{name} {depth}");
    }
}

#[test]
fn best_fit_as_published_gives_the_published_sweep_of_limits() {
    let golden = golden();
    let h = built_in("ogbg_molhiv");
    let (nodes, edges) = (
        numbers(&golden["sweep"]["nodes"]),
        numbers(&golden["sweep"]["edges"]),
    );
    let tables = golden["sweep"]["packs"].as_object().unwrap();
    assert_eq!(tables.len(), 6);
    for (name, table) in tables {
        for (n, row) in nodes.iter().zip(table.as_array().unwrap()) {
            for (e, want) in edges.iter().zip(numbers(row)) {
                let depth = Depth::AtMost(*n.min(e) as u32);
                let limits = [*n as u32, *e as u32];
                let plan = pack(
                    TupleAlgorithm::BestFitPublished,
                    &h,
                    limits,
                    depth,
                    name.parse().unwrap(),
                );
                assert_eq!(plan.packs(), want, "{name} {limits:?}");
            }
        }
    }
}

#[test]
fn best_fit_as_published_gives_the_published_plans_on_other_sets() {
    let golden = golden();
    let sets = golden["sets"].as_object().unwrap();
    assert_eq!(sets.len(), 6);
    for (name, set) in sets {
        let h = built_in(name);
        assert_eq!(numbers(&set["limits"]), h.max().map(u64::from));
        for (heuristic, want) in set["heuristics"].as_object().unwrap() {
            let heuristic = heuristic.parse().unwrap();
            let plan = pack(
                TupleAlgorithm::BestFitPublished,
                &h,
                h.max(),
                Depth::AtMost(256),
                heuristic,
            );
            assert_eq!(summary(&plan)[..3], numbers(want), "{name} {heuristic}");
        }
    }
}

/// Pack counts, recorded; 3,744 is the optimum on molhiv and 3,789 the best of the published heuristics.
#[test]
fn ours_need_fewer_packs_on_molhiv() {
    let h = built_in("ogbg_molhiv");
    let packs = |algorithm, heuristic| {
        pack(algorithm, &h, [222, 502], Depth::AtMost(256), heuristic).packs()
    };
    for heuristic in Heuristic::ALL {
        assert!(
            packs(TupleAlgorithm::BestFit, heuristic) <= 3_764,
            "{heuristic}"
        );
        assert!(
            packs(TupleAlgorithm::FirstFit, heuristic) <= 3_765,
            "{heuristic}"
        );
    }
    assert!(packs(TupleAlgorithm::Search, Heuristic::Sum) <= 3_750);
}

#[test]
fn search_is_no_worse_than_any_heuristic() {
    for name in SETS {
        let h = built_in(name);
        for limits in [h.max(), h.max().map(|m| 2 * m)] {
            let packs = |algorithm, heuristic| {
                pack(algorithm, &h, limits, Depth::AtMost(256), heuristic).packs()
            };
            let found = packs(TupleAlgorithm::Search, Heuristic::Sum);
            for heuristic in Heuristic::PUBLISHED {
                assert!(
                    found <= packs(TupleAlgorithm::BestFitPublished, heuristic),
                    "{name} {heuristic}"
                );
                assert!(
                    found <= packs(TupleAlgorithm::BestFit, heuristic),
                    "{name} {heuristic}"
                );
            }
        }
    }
}

/// The published code opens a pack for every graph that fits nowhere, and closes packs too early.
#[test]
fn sizes_are_repeated_in_a_pack() {
    let h = Histogram::from_counts([([1, 2], 100)]).unwrap();
    for heuristic in Heuristic::ALL {
        let packs = |a| pack(a, &h, [10, 20], Depth::Unlimited, heuristic).packs();
        assert_eq!(packs(TupleAlgorithm::BestFit), 10);
        assert_eq!(packs(TupleAlgorithm::FirstFit), 10);
        assert_eq!(packs(TupleAlgorithm::Search), 10);
        assert_eq!(packs(TupleAlgorithm::BestFitPublished), 100);
    }
    // Nodes are left when the edges are full: graphs without edges still go there.
    let h = Histogram::from_counts([([5, 20], 1), ([1, 0], 5)]).unwrap();
    let packs = |a| pack(a, &h, [10, 20], Depth::Unlimited, Heuristic::Product).packs();
    assert_eq!(
        (
            packs(TupleAlgorithm::BestFit),
            packs(TupleAlgorithm::BestFitPublished)
        ),
        (1, 6)
    );
}

/// Packs that no plan of an algorithm can go below for want of depth.
fn least_packs(algorithm: TupleAlgorithm, depth: Depth, items: u64) -> u64 {
    match (algorithm, depth) {
        (TupleAlgorithm::None, _) => items,
        (_, Depth::AtMost(depth)) => items.div_ceil(u64::from(depth)),
        (_, Depth::Unlimited) => 1,
    }
}

/// Slots of a pack, of the component that has most of them. One without a limit has as many as its fullest pack needs: few.
fn most_slots(algorithm: TupleAlgorithm, [nodes, edges]: Size<2>) -> u32 {
    let limits = match algorithm {
        TupleAlgorithm::NodesOnly => [nodes, FREE],
        TupleAlgorithm::EdgesOnly => [FREE, edges],
        _ => [nodes, edges],
    };
    limits
        .into_iter()
        .filter(|limit| *limit != FREE)
        .max()
        .unwrap_or(0)
}

#[test]
fn extremes_take_a_moment() {
    let many = 1_000_000_000_000;
    let cases: [(&[(Size<2>, u64)], Size<2>); 6] = [
        (
            &[([1, 0], many), ([2, 1], many)],
            [u32::MAX - 1, u32::MAX - 1],
        ),
        (&[([1, 0], many), ([7, 0], 3)], [1_000_000, 0]),
        (&[([1, 5], many), ([3, 0], 1)], [FREE, 1 << 30]),
        (&[([1, 5], many)], [FREE, FREE]),
        (
            &[([1_000_000, 999_999], 17), ([1, 0], many)],
            [1_000_000, 1_000_000],
        ),
        (&[([5, 5], 7)], [5, 5]),
    ];
    for (counts, limits) in cases {
        let h = Histogram::from_counts(counts.iter().copied()).unwrap();
        for depth in [Depth::AtMost(1), Depth::AtMost(256), Depth::Unlimited] {
            for algorithm in TupleAlgorithm::ALL {
                for heuristic in Heuristic::ALL {
                    let packed =
                        algorithm.run(&h, &TupleTask::new(limits, depth, heuristic), &mut go_on);
                    let least = least_packs(algorithm, depth, h.items());
                    let beyond = u128::from(least) * u128::from(most_slots(algorithm, limits))
                        > u64::MAX.into();
                    match packed.map(|packed| packed.plan.packs()) {
                        Ok(packs) => {
                            assert!(!beyond && packs >= least, "{packs}");
                            assert!(packs == least || least < h.items(), "{packs}");
                        }
                        Err(error) => {
                            assert_eq!(
                                error,
                                Error::TooLarge {
                                    what: "the number of slots"
                                }
                            );
                            // What is published does not fill a pack again, and may need many more.
                            let published = [
                                TupleAlgorithm::BestFitPublished,
                                TupleAlgorithm::NodesOnly,
                                TupleAlgorithm::EdgesOnly,
                            ];
                            assert!(
                                beyond || published.contains(&algorithm),
                                "{algorithm:?} {depth:?}"
                            );
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn a_search_can_be_stopped() {
    let h = built_in("ogbg_molhiv");
    let task = TupleTask::new([222, 502], Depth::Unlimited, Heuristic::Sum);
    let mut told = 0;
    let mut stop = |step| {
        told += 1;
        assert!(matches!(step, Step::Done { done, of } if done <= of));
        if told == 3 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    assert_eq!(
        TupleAlgorithm::Search
            .run(&h, &task, &mut stop)
            .unwrap_err(),
        Error::Cancelled
    );
    assert_eq!(told, 3);
}

#[test]
fn heuristics_are_read_as_they_are_written() {
    let others = ["component:3", "weighted:1:0.5", "weighted:0:2:0.25"].map(|s| s.parse().unwrap());
    for heuristic in Heuristic::ALL.into_iter().chain(others) {
        assert_eq!(heuristic.to_string().parse(), Ok(heuristic));
        let json = serde_json::to_string(&heuristic).unwrap();
        assert_eq!(serde_json::from_str::<Heuristic>(&json).unwrap(), heuristic);
    }
    for wrong in [
        "",
        "min",
        "component:0",
        "component:4",
        "weighted:1",
        "weighted:0:0",
        "weighted:1:-1",
    ] {
        assert!(wrong.parse::<Heuristic>().is_err(), "{wrong}");
    }
}

#[test]
fn heuristics_weigh_what_they_say() {
    let of = |name: &str, limits| name.parse::<Heuristic>().unwrap().value(&[6, 30], &limits);
    let limits = [10, 40];
    let all = Heuristic::ALL.map(|h| h.value(&[6, 30], &limits));
    let squares = 0.6 * 0.6 + 0.75 * 0.75;
    for (got, want) in all
        .into_iter()
        .zip([180.0, 36.0, 30.0, 6.0, 6.0, 30.0, 1.35, 0.75, squares])
    {
        assert!((got - want).abs() < 1e-12, "{got} {want}");
    }
    assert_eq!(of("weighted:2:0.5", limits), 27.0);
    // What has no limit counts for nothing.
    for (name, want) in [
        ("product", 6.0),
        ("sum", 6.0),
        ("minimum", 6.0),
        ("maximum", 6.0),
        ("shares", 0.6),
    ] {
        assert!((of(name, [10, FREE]) - want).abs() < 1e-12, "{name}");
    }
}

fn depths() -> impl Strategy<Value = Depth> {
    prop_oneof![(1..6u32).prop_map(Depth::AtMost), Just(Depth::Unlimited)]
}

fn heuristics() -> impl Strategy<Value = Heuristic> {
    prop_oneof![
        9 => prop::sample::select(Heuristic::ALL.to_vec()),
        1 => (0.1..9.0f64, 0.0..9.0f64, 0.0..9.0f64).prop_map(|(a, b, c)| Heuristic::Weighted([a, b, c])),
    ]
}

/// Random sizes with limits that they fit, some of them free.
fn data<const K: usize>(
    most: u32,
    distinct: usize,
    count: u64,
) -> impl Strategy<Value = (Histogram<K>, Size<K>)> {
    let size = [0; K].map(|_| 0..=most);
    let counts = prop_oneof![1..=3u64, 1..=count];
    let rows = prop::collection::vec((size, counts), 1..=distinct);
    let more = [0; K].map(|_| prop_oneof![3 => 0..=2 * most, 1 => Just(FREE)]);
    (rows, more).prop_map(|(rows, more)| {
        let rows = rows.into_iter().map(|(mut size, count)| {
            size[0] = size[0].max(1);
            (size, count)
        });
        let h = Histogram::from_counts(rows).unwrap();
        let max = h.max();
        (h, std::array::from_fn(|k| max[k].saturating_add(more[k])))
    })
}

/// Coverage, capacity and depth, counted here anew: the engine's own recount is not trusted.
fn recount<const K: usize>(
    plan: &Plan<K>,
    histogram: &Histogram<K>,
    limits: &Size<K>,
    depth: Depth,
) {
    let mut placed = BTreeMap::<Size<K>, u64>::new();
    for strategy in plan.strategies() {
        let mut used = [0u64; K];
        let mut deep = 0;
        for (size, n) in &strategy.runs {
            used.iter_mut()
                .zip(size)
                .for_each(|(u, s)| *u += u64::from(*s) * u64::from(*n));
            *placed.entry(*size).or_default() += u64::from(*n) * strategy.count;
            deep += *n;
        }
        assert!(deep <= depth.get());
        assert!(
            used.iter()
                .zip(limits)
                .all(|(u, l)| *l == FREE || *u <= u64::from(*l))
        );
    }
    assert_eq!(placed, histogram.entries().iter().copied().collect());
}

fn every_algorithm_is_sound<const K: usize>(
    h: &Histogram<K>,
    limits: Size<K>,
    depth: Depth,
    heuristic: Heuristic,
) {
    for algorithm in TupleAlgorithm::ALL {
        let plan = pack(algorithm, h, limits, depth, heuristic);
        let kept = algorithm.limits(limits);
        assert_eq!(plan.limits(), kept);
        recount(&plan, h, &kept, depth);
        let bound = bounds::tuple::best(h, &kept, depth.get()).packs;
        let none = h.items();
        assert!(
            bound <= plan.packs() && plan.packs() <= none,
            "{algorithm}: {bound} {}",
            plan.packs()
        );
        assert!(algorithm != TupleAlgorithm::None || plan.packs() == none);
        assert_eq!(
            plan,
            pack(algorithm, h, limits, depth, heuristic),
            "{algorithm}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn every_algorithm_covers_exactly_one_component(
        (h, limits) in data::<1>(40, 12, 2_000), depth in depths(), heuristic in heuristics()
    ) {
        every_algorithm_is_sound(&h, limits, depth, heuristic);
    }

    #[test]
    fn every_algorithm_covers_exactly_two_components(
        (h, limits) in data::<2>(30, 20, 2_000), depth in depths(), heuristic in heuristics()
    ) {
        every_algorithm_is_sound(&h, limits, depth, heuristic);
    }

    #[test]
    fn every_algorithm_covers_exactly_three_components(
        (h, limits) in data::<3>(20, 20, 500), depth in depths(), heuristic in heuristics()
    ) {
        every_algorithm_is_sound(&h, limits, depth, heuristic);
    }

    #[test]
    #[ignore = "outer circle: a minute; the same holds under small limits in the inner circle"]
    fn every_algorithm_covers_exactly_under_large_limits(
        (h, limits) in data::<2>(3_000_000, 30, 50), depth in depths(), heuristic in heuristics()
    ) {
        every_algorithm_is_sound(&h, limits, depth, heuristic);
    }

    #[test]
    fn no_plan_is_below_the_optimum(
        (h, limits) in data::<2>(7, 4, 3), depth in depths(), heuristic in heuristics()
    ) {
        let mut items: Vec<_> =
            h.entries().iter().flat_map(|&(size, n)| std::iter::repeat_n(size, n as usize)).collect();
        prop_assume!(items.len() <= 8);
        let best = optimum(&mut items, &mut Vec::new(), &limits, depth.get());
        prop_assert!(bounds::tuple::best(&h, &limits, depth.get()).packs <= best);
        for algorithm in [TupleAlgorithm::Search, TupleAlgorithm::BestFit, TupleAlgorithm::FirstFit, TupleAlgorithm::BestFitPublished] {
            prop_assert!(pack(algorithm, &h, limits, depth, heuristic).packs() >= best, "{algorithm}");
        }
    }

    #[test]
    fn a_component_without_a_limit_changes_nothing(
        (h, limits) in data::<1>(40, 12, 300), constant in 0..5u32, depth in depths(),
        heuristic in prop::sample::select(vec![
            Heuristic::Product, Heuristic::Sum, Heuristic::Maximum, Heuristic::Minimum, Heuristic::Shares,
            Heuristic::LargestShare, Heuristic::Squares, Heuristic::Component(0), Heuristic::Weighted([2.0, 1.0, 0.0]),
        ])
    ) {
        prop_assume!(limits[0] != FREE);
        let two = Histogram::from_counts(h.entries().iter().map(|&([l], n)| ([l, constant], n))).unwrap();
        for algorithm in [TupleAlgorithm::Search, TupleAlgorithm::BestFit, TupleAlgorithm::FirstFit, TupleAlgorithm::BestFitPublished] {
            let one = pack(algorithm, &h, limits, depth, heuristic);
            let two = pack(algorithm, &two, [limits[0], FREE], depth, heuristic);
            prop_assert_eq!(one.packs(), two.packs(), "{}", algorithm);
            prop_assert_eq!(one.packs_by_depth(), two.packs_by_depth(), "{}", algorithm);
        }
    }

    #[test]
    fn best_fit_as_published_equals_its_item_by_item_twin(
        (h, limits) in data::<2>(12, 10, 40), depth in depths(),
        heuristic in prop::sample::select(Heuristic::PUBLISHED.to_vec())
    ) {
        prop_assume!(limits.iter().all(|l| *l != FREE && *l > 0));
        let plan = pack(TupleAlgorithm::BestFitPublished, &h, limits, depth, heuristic);
        prop_assert_eq!(plan, Plan::new(limits, twin(&h, limits, depth.get(), heuristic)));
    }
}

/// The fewest packs, by trying every way.
fn optimum(
    items: &mut Vec<Size<2>>,
    open: &mut Vec<(Size<2>, u32)>,
    limits: &Size<2>,
    depth: u32,
) -> u64 {
    let Some(item) = items.pop() else {
        return open.len() as u64;
    };
    let after = |used: Size<2>| [used[0] + item[0], used[1] + item[1]];
    open.push((item, 1));
    let mut best = optimum(items, open, limits, depth);
    open.pop();
    for i in 0..open.len() {
        let (used, n) = open[i];
        let fits = after(used)
            .iter()
            .zip(limits)
            .all(|(u, l)| *l == FREE || u <= l);
        if n < depth && fits {
            open[i] = (after(used), n + 1);
            best = best.min(optimum(items, open, limits, depth));
            open[i] = (used, n);
        }
    }
    items.push(item);
    best
}

type Pack<const K: usize> = (Vec<Size<K>>, u64);

/// The published algorithm in its own words: lists of packs by the heuristic of what they have left, scanned upwards.
pub fn twin<const K: usize>(
    h: &Histogram<K>,
    limits: Size<K>,
    depth: u32,
    heuristic: Heuristic,
) -> Vec<packscope::plan::Strategy<K>> {
    // Numbers of at least 0 are in the order of their bits.
    let of = |size: Size<K>| heuristic.value(&size, &limits).to_bits();
    let left = |sizes: &[Size<K>]| -> Size<K> {
        std::array::from_fn(|k| limits[k] - sizes.iter().map(|s| s[k]).sum::<u32>())
    };
    let mut items = h.entries().to_vec();
    items.sort_by_key(|(size, _)| std::cmp::Reverse((of(*size), *size)));
    let (mut open, mut closed) = (BTreeMap::<u64, Vec<Pack<K>>>::new(), Vec::<Pack<K>>::new());
    for (size, mut count) in items {
        let mut from = of(size);
        while count > 0 {
            let fits = |(sizes, _): &Pack<K>| left(sizes).iter().zip(size).all(|(l, s)| *l >= s);
            let found = open
                .range(from..)
                .find_map(|(key, packs)| Some((*key, packs.iter().position(fits)?)));
            let (mut sizes, there) = match found {
                Some((key, at)) => open.get_mut(&key).unwrap().remove(at),
                None => (Vec::new(), count),
            };
            let packs = there.min(count);
            if there > packs {
                open.entry(of(left(&sizes)))
                    .or_default()
                    .push((sizes.clone(), there - packs));
            }
            sizes.push(size);
            let key = of(left(&sizes));
            if key == 0 || sizes.len() as u32 == depth {
                closed.push((sizes, packs));
            } else {
                open.entry(key).or_default().push((sizes, packs));
            }
            count -= packs;
            from = of(size) + 1;
        }
    }
    let packs = closed.into_iter().chain(open.into_values().flatten());
    let runs = |sizes: Vec<Size<K>>| sizes.into_iter().map(|s| (s, 1)).collect();
    packs
        .map(|(sizes, count)| packscope::plan::Strategy {
            runs: runs(sizes),
            count,
        })
        .collect()
}
