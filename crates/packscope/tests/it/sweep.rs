//! Sweeps over limits: their requests, their results, and the limits adopted.

use packscope::api::tuple::{Settings, evaluate};
use packscope::error::Error;
use packscope::histogram::{FREE, Histogram};
use packscope::packing::tuple::{Heuristic, TupleAlgorithm};
use packscope::sweep::{Range, Sweep, SweepMethod, SweepPoint, best, best_by, front, smallest};
use proptest::prelude::*;
use std::collections::BTreeSet;

fn ranges<const K: usize>(text: [&str; K]) -> [Range; K] {
    text.map(|t| t.parse().unwrap())
}

/// A point with these efficiencies; what was needed is the limits themselves, or a third of FREE ones' range.
fn point<const K: usize>(limits: [u32; K], efficiency: [f64; K]) -> SweepPoint<K> {
    let needed = limits.map(|limit| if limit == FREE { 37 } else { limit });
    let harmonic = K as f64 / efficiency.iter().map(|e| 1.0 / e).sum::<f64>();
    let area: f64 = needed.iter().map(|n| f64::from(*n)).product();
    SweepPoint {
        limits,
        needed,
        packs: (1e9 / area) as u64,
        efficiency,
        harmonic,
    }
}

/// Limits in proportion 1 : 2 are efficient, the more so the nearer the first is to `top`.
fn ridge([a, b]: [u32; 2], top: f64) -> SweepPoint<2> {
    let (a, b) = (f64::from(a.min(100_000)), f64::from(b.min(100_000)));
    let high = 0.99 - ((a - top) / 1000.0).powi(2);
    let tilt = (b / a / 2.0).clamp(0.1, 10.0);
    point(
        [a as u32, b as u32],
        [high * tilt.min(1.0), high / tilt.max(1.0)],
    )
}

/// A number from 0 to 1 that looks random, the same for the same limits.
fn noise(limits: [u32; 2]) -> f64 {
    let mixed =
        (u64::from(limits[0]) << 32 | u64::from(limits[1])).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    ((mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 40) as f64 / f64::from(1 << 24)
}

fn noisy(limits: [u32; 2], top: f64) -> SweepPoint<2> {
    let smooth = ridge(limits, top);
    point(
        smooth.limits,
        smooth.efficiency.map(|e| e - 0.004 * noise(limits)),
    )
}

/// Runs a sweep with some points in flight, told in an order that `picks` decides.
fn run<const K: usize>(
    method: SweepMethod,
    ranges: [Range; K],
    in_flight: usize,
    mut pick: impl FnMut(usize) -> usize,
    evaluate: impl Fn([u32; K]) -> Option<SweepPoint<K>>,
) -> Sweep<K> {
    let mut sweep = Sweep::new(method, ranges);
    let mut flying = Vec::new();
    loop {
        while flying.len() < in_flight {
            match sweep.ask() {
                Some(limits) => flying.push(limits),
                None => break,
            }
        }
        if flying.is_empty() {
            assert!(sweep.is_done() && sweep.ask().is_none());
            return sweep;
        }
        assert!(!sweep.is_done());
        let limits = flying.swap_remove(pick(flying.len()) % flying.len());
        match evaluate(limits) {
            Some(point) => sweep.tell(SweepPoint { limits, ..point }),
            None => sweep.refuse(limits),
        }
    }
}

fn one_by_one<const K: usize>(
    method: SweepMethod,
    ranges: [Range; K],
    evaluate: impl Fn([u32; K]) -> Option<SweepPoint<K>>,
) -> Sweep<K> {
    run(method, ranges, 1, |_| 0, evaluate)
}

fn tried<const K: usize>(sweep: &Sweep<K>) -> BTreeSet<[u32; K]> {
    sweep.points().iter().map(|p| p.limits).collect()
}

#[test]
fn a_grid_is_coarse_first_and_has_each_point_once() {
    let ranges = ranges(["10:50:2", "100:160:3"]);
    let mut sweep = Sweep::new(SweepMethod::Grid, ranges);
    assert_eq!((sweep.expected(), sweep.at_most()), (Some(21 * 21), 441));
    let asked: Vec<_> = std::iter::from_fn(|| sweep.ask()).collect();
    let want: BTreeSet<_> = ranges[0]
        .values()
        .flat_map(|a| ranges[1].values().map(move |b| [a, b]))
        .collect();
    assert_eq!(
        (asked.len(), asked.iter().copied().collect::<BTreeSet<_>>()),
        (want.len(), want)
    );
    let every_8th = [
        [10, 100],
        [26, 100],
        [42, 100],
        [10, 124],
        [26, 124],
        [42, 124],
        [10, 148],
    ];
    assert_eq!(asked[..7], every_8th);
    // Every fourth, and these nine first.
    assert!(
        asked[..36]
            .iter()
            .all(|[a, b]| (a - 10).is_multiple_of(8) && (b - 100).is_multiple_of(12))
    );
    assert!(!sweep.is_done(), "nothing was told yet");
}

#[test]
fn a_large_grid_is_not_held_as_a_whole() {
    let mut sweep = Sweep::new(SweepMethod::Grid, ranges(["1:10000", "1:10000", "1:10000"]));
    assert_eq!(sweep.expected(), Some(1_000_000_000_000));
    assert!(sweep.ask().is_some_and(|limits| limits == [1, 1, 1]));
}

#[test]
fn what_was_not_asked_for_is_ignored() {
    let mut sweep = Sweep::new(SweepMethod::Grid, ranges(["1:2", "1:2"]));
    sweep.tell(point([1, 1], [0.5, 0.5]));
    let first = sweep.ask().unwrap();
    sweep.tell(point(first, [0.5, 0.5]));
    sweep.tell(point(first, [0.9, 0.9]));
    sweep.refuse(first);
    assert_eq!(sweep.points().len(), 1);
    while let Some(limits) = sweep.ask() {
        sweep.tell(point(limits, [f64::NAN, 0.5]));
    }
    assert!(
        sweep.is_done() && sweep.points().len() == 1,
        "no number is as good as refused"
    );
}

#[test]
fn a_sweep_of_refusals_ends() {
    for method in SweepMethod::ALL {
        let sweep = one_by_one(method, ranges(["5:20", "5:20"]), |_| None);
        assert!(sweep.points().is_empty(), "{method}");
        assert_eq!(best(sweep.points()), None);
    }
}

#[test]
fn a_single_limit_is_a_sweep_of_one() {
    for method in SweepMethod::ALL {
        let sweep = one_by_one(method, ranges(["30", "60"]), |l| Some(ridge(l, 30.0)));
        assert!(tried(&sweep).contains(&[30, 60]), "{method}");
        let limited = sweep.points().iter().filter(|p| p.is_limited()).count();
        assert_eq!(
            limited,
            if method == SweepMethod::Free { 3 } else { 1 }.min(limited),
            "{method}"
        );
    }
}

#[test]
fn proportional_keeps_the_efficient_limit_and_refines_the_other() {
    // The first component is efficient from 60 on, the second at twice the first.
    let efficiency = |[a, b]: [u32; 2]| {
        let first = if a >= 60 { 0.97 } else { 0.8 };
        point([a, b], [first, 0.96 - 0.001 * f64::from(b.abs_diff(2 * a))])
    };
    let sweep = one_by_one(
        SweepMethod::Proportional,
        ranges(["40:80:4", "70:270:10"]),
        |l| Some(efficiency(l)),
    );
    assert_eq!(best(sweep.points()).map(|p| p.limits), Some([60, 120]));
    assert!(sweep.points().len() < 21 + 21 && sweep.at_most() == 11 + 21 + 21);
    // Ranges are as long as the longer one on the way up.
    assert!(tried(&sweep).contains(&[80, 270]) && tried(&sweep).contains(&[60, 70]));
}

#[test]
fn free_fixes_what_was_needed_within_the_ranges() {
    let sweep = one_by_one(SweepMethod::Free, ranges(["30:40:5", "50:70:10"]), |l| {
        Some(point(l, [0.9, 0.8]))
    });
    let free = [
        [30, FREE],
        [35, FREE],
        [40, FREE],
        [FREE, 50],
        [FREE, 60],
        [FREE, 70],
    ];
    // 37 was needed: 50 is the first second limit that is as large, 40 the first first one.
    let fixed = [[30, 50], [35, 50], [40, 50], [40, 60], [40, 70]];
    assert_eq!(tried(&sweep), free.into_iter().chain(fixed).collect());
    assert_eq!(
        best(sweep.points()).map(|p| p.limits),
        Some([30, 50]),
        "a free limit is no answer"
    );
    assert!(front(sweep.points()).iter().all(|p| p.is_limited()));
}

#[test]
fn search_comes_close_to_the_best_of_the_grid() {
    let all = ranges(["222:444:6", "502:1004:8"]);
    for top in [230.0, 300.0, 377.0, 440.0] {
        for (what, allowed) in [("smooth", 0.000_5), ("noisy", 0.001)] {
            let value = |l| {
                Some(if what == "smooth" {
                    ridge(l, top)
                } else {
                    noisy(l, top)
                })
            };
            let grid = one_by_one(SweepMethod::Grid, all, value);
            let found = one_by_one(SweepMethod::Search, all, value);
            let [grid, best] = [&grid, &found].map(|s| best(s.points()).unwrap().harmonic);
            assert!(
                best >= grid - allowed,
                "{what}, {top}: {best} against {grid}"
            );
            assert!(found.points().len() <= 150);
            assert!(
                tried(&found)
                    .iter()
                    .all(|[a, b]| (a - 222) % 6 == 0 && (b - 502) % 8 == 0)
            );
        }
    }
}

#[test]
fn search_takes_one_and_three_components() {
    let hill = |limits: &[u32], at: &[f64]| -> f64 {
        0.99 - limits
            .iter()
            .zip(at)
            .map(|(l, a)| ((f64::from(*l) - a) / 500.0).powi(2))
            .sum::<f64>()
    };
    let one = one_by_one(SweepMethod::Search, ranges(["1:5000"]), |l| {
        Some(point(l, [hill(&l, &[700.0]).max(0.01)]))
    });
    assert!(best(one.points()).unwrap().limits[0].abs_diff(700) <= 1);
    let at = [90.0, 200.0, 110.0];
    let three = one_by_one(
        SweepMethod::Search,
        ranges(["40:140", "100:300", "50:150"]),
        |l| Some(point(l, [hill(&l, &at); 3])),
    );
    assert!(best(three.points()).unwrap().harmonic >= 0.99 - 0.001);
}

/// Ranges of a few limits, so that points dominate each other.
fn points() -> impl Strategy<Value = Vec<SweepPoint<2>>> {
    prop::collection::vec(((1..8u32, 1..8u32), 1..10u32, 1..10u32), 0..60).prop_map(|all| {
        all.into_iter()
            .map(|((a, b), e, f)| point([a, b], [f64::from(e) / 10.0, f64::from(f) / 10.0]))
            .collect()
    })
}

fn beats<const K: usize>(q: &SweepPoint<K>, p: &SweepPoint<K>) -> bool {
    let as_small = q.limits.iter().zip(&p.limits).all(|(a, b)| a <= b);
    as_small && q.harmonic >= p.harmonic && (q.limits != p.limits || q.harmonic > p.harmonic)
}

proptest! {
    #[test]
    fn neither_order_nor_number_in_flight_matter(
        in_flight in 1..40usize,
        picks in prop::collection::vec(0..40usize, 1..50),
        top in 20.0..90.0f64,
    ) {
        let all = ranges(["20:90:3", "50:170:7"]);
        // Some points are refused, too.
        let value = |l: [u32; 2]| (noise(l) < 0.95).then(|| noisy(l, top));
        for method in SweepMethod::ALL {
            let alone = one_by_one(method, all, value);
            let mut turn = 0;
            let many = run(method, all, in_flight, |_| { turn += 1; picks[turn % picks.len()] }, value);
            prop_assert_eq!(tried(&alone), tried(&many), "{}", method);
            prop_assert_eq!(best(alone.points()), best(many.points()));
            prop_assert_eq!(front(alone.points()), front(many.points()));
            prop_assert!(many.points().len() as u64 <= many.at_most());
        }
    }

    #[test]
    fn the_front_is_what_no_other_point_beats(mut points in points()) {
        let found: Vec<_> = front(&points).into_iter().map(|p| (p.limits, p.harmonic)).collect();
        let mut want: Vec<_> = points
            .iter()
            .filter(|p| !points.iter().any(|q| beats(q, p)))
            .map(|p| (p.limits, p.harmonic))
            .collect();
        want.sort_by_key(|p| p.0);
        want.dedup();
        prop_assert_eq!(&found, &want);
        // The same with a third component that changes nothing: the other way of computing it.
        let three: Vec<SweepPoint<3>> = points
            .iter()
            .map(|p| SweepPoint {
                limits: [p.limits[0], 5, p.limits[1]],
                needed: [1; 3],
                packs: p.packs,
                efficiency: [p.efficiency[0], p.harmonic, p.efficiency[1]],
                harmonic: p.harmonic,
            })
            .collect();
        let found: Vec<_> = front(&three).iter().map(|p| ([p.limits[0], p.limits[2]], p.harmonic)).collect();
        prop_assert_eq!(found, want);
        points.reverse();
        prop_assert!(best(&points).map(|p| p.harmonic) == points.iter().map(|p| p.harmonic).max_by(f64::total_cmp));
    }

    #[test]
    fn smallest_and_best_are_by_definition(points in points(), target in 0.1..0.9f64) {
        let reach: Vec<_> = points.iter().filter(|p| p.efficiency.iter().all(|e| *e >= target)).collect();
        let least = reach.iter().map(|p| p.limits[0] * p.limits[1]).min();
        prop_assert_eq!(smallest(&points, target).map(|p| p.limits[0] * p.limits[1]), least);
        prop_assert!(smallest(&points, target).is_none_or(|p| reach.contains(&p)));
        for k in 0..2 {
            let most = points.iter().map(|p| p.efficiency[k]).max_by(f64::total_cmp);
            prop_assert_eq!(best_by(&points, k).map(|p| p.efficiency[k]), most);
        }
        prop_assert_eq!(best_by(&points, 2), None);
        if let Some(top) = best(&points) {
            let area = |p: &SweepPoint<2>| p.limits[0] * p.limits[1];
            let equal = points.iter().filter(|p| p.harmonic == top.harmonic);
            prop_assert_eq!(equal.map(area).min(), Some(area(top)));
        }
    }

    #[test]
    fn ranges_are_read_back(from in 1..1000u32, span in 0..9000u32, step in 1..50u32) {
        let range = Range::new(from, from + span, step).unwrap();
        prop_assert_eq!(range.to_string().parse::<Range>().unwrap(), range);
        let values: Vec<_> = range.values().collect();
        prop_assert_eq!(values.len() as u32, range.len());
        prop_assert!(values.iter().all(|v| (from..=from + span).contains(v) && (v - from) % step == 0));
        prop_assert!(from + span - values[values.len() - 1] < step);
    }
}

#[test]
fn ranges_parse_and_refuse() {
    let of = |from, to, step| Range { from, to, step };
    for (text, range) in [
        ("222:444:10", of(222, 444, 10)),
        ("222:444", of(222, 444, 1)),
        ("222", of(222, 222, 1)),
        (" 1 : 10000 ", of(1, 10_000, 1)),
    ] {
        assert_eq!(text.parse::<Range>().unwrap(), range);
    }
    assert_eq!(of(222, 444, 10).values().last(), Some(442));
    for (text, wrong) in [
        ("", "whole numbers"),
        ("a:b", "whole numbers"),
        ("-1", "whole numbers"),
        ("0:5", "start at 1"),
        ("5:4", "ends before"),
        ("1:5:0", "a step is at least 1"),
        ("1:2:3:4", "more than three parts"),
        ("1:10001", "more than 10,000"),
        ("1:4294967295:1000000", "too large"),
    ] {
        let error = text.parse::<Range>().unwrap_err();
        assert!(
            matches!(&error, Error::Range { given, .. } if given == text),
            "{error:?}"
        );
        let words = error.to_string();
        assert!(
            words.contains(wrong) && words.contains("from:to:step such as 222:444:10"),
            "{words}"
        );
    }
    let json = serde_json::to_string(&of(1, 9, 2)).unwrap();
    assert_eq!(
        (json.as_str(), serde_json::from_str(&json).ok()),
        ("\"1:9:2\"", Some(of(1, 9, 2)))
    );
    assert!(serde_json::from_str::<Range>("\"9:1\"").is_err());
    // Fields are open: what cannot be is not counted wrong, and nothing panics.
    assert_eq!(of(9, 1, 0).values().collect::<Vec<_>>(), [9]);
}

#[test]
fn names_are_read_back() {
    for method in SweepMethod::ALL {
        assert_eq!(method.name().parse::<SweepMethod>().unwrap(), method);
        assert_eq!(serde_json::to_value(method).unwrap(), method.to_string());
        assert!(!method.about().is_empty());
    }
    assert!(
        "all"
            .parse::<SweepMethod>()
            .unwrap_err()
            .to_string()
            .contains("grid, proportional, free, search")
    );
}

fn settings() -> Settings {
    Settings {
        algorithm: TupleAlgorithm::BestFit,
        heuristic: Heuristic::Component(0),
        ..Settings::default()
    }
}

#[test]
fn a_point_says_what_was_needed() {
    let data = Histogram::from_counts([([3, 0], 8), ([4, 4], 8)]).unwrap();
    let point = evaluate(&data, &settings(), [10, FREE]).unwrap();
    let packs = point.packs as f64;
    assert!(
        point.limits == [10, FREE] && (7..=10).contains(&point.needed[0]),
        "{point:?}"
    );
    assert!([4, 8].contains(&point.needed[1]), "{point:?}");
    assert_eq!(
        point.efficiency,
        [
            56.0 / (10.0 * packs),
            32.0 / (f64::from(point.needed[1]) * packs)
        ]
    );
    // Without any edge nothing is missing.
    let bare = Histogram::from_counts([([3, 0], 8)]).unwrap();
    let point = evaluate(&bare, &settings(), [6, FREE]).unwrap();
    assert_eq!((point.needed[1], point.efficiency[1]), (0, 1.0));
    // Everything is dropped: the point is refused.
    assert_eq!(evaluate(&bare, &settings(), [2, 2]), Err(Error::AllDropped));
}

/// The map of ogbg-molhiv: with the smallest limits 96.1 % (Krell et al. 2022, *Tuple Packing*, table 2), and the
/// ridge where both components are full.
#[test]
fn search_on_molhiv_finds_full_packs() {
    let data = crate::common::built_in_graphs("ogbg_molhiv");
    let value = |limits| evaluate(&data, &settings(), limits).ok();
    let sweep = one_by_one(
        SweepMethod::Search,
        ranges(["222:444:12", "502:1004:16"]),
        value,
    );
    let top = best(sweep.points()).unwrap();
    assert!(top.harmonic >= 0.98, "{top:?}");
    let smallest = smallest(sweep.points(), 0.95).unwrap();
    assert!(
        smallest.limits[0] <= 246 && smallest.limits[1] <= 534,
        "{smallest:?}"
    );
}
