//! Least squares on strategies: the published counts, the conditions of the minimum, and a repair that holds every item
//! exactly.

use crate::common::built_in;
use crate::packing::recount;
use packscope::error::Error;
use packscope::histogram::Histogram;
use packscope::packing::nnlshp::mixture;
use packscope::packing::nnlshp::shapes::shapes;
use packscope::packing::{Algorithm, Depth, PackingResult, Progress, Step, Task, go_on};
use packscope::rng::Random;
use std::ops::ControlFlow;

fn wikipedia() -> Histogram<1> {
    built_in("wikipedia_bert_512")
}

fn squad() -> Histogram<1> {
    built_in("squad_1_1_bert_384")
}

fn pack(
    h: &Histogram<1>,
    limit: u32,
    depth: u32,
    progress: &mut Progress,
) -> Result<PackingResult, Error> {
    Algorithm::Nnlshp.run(h, &Task::new(limit, Depth::AtMost(depth)), progress)
}

/// Packs, recounted, and packs as published.
fn packs(h: &Histogram<1>, limit: u32, depth: u32) -> (u64, u64) {
    let PackingResult {
        listing,
        published_packs,
        ..
    } = pack(h, limit, depth, &mut go_on).unwrap();
    let (plan, published) = (listing.plan, published_packs.unwrap());
    recount(&plan, h, limit, Depth::AtMost(depth.min(3)));
    assert!(
        plan.packs() <= published,
        "{h:?} {limit} {depth}: {} {published}",
        plan.packs()
    );
    (plan.packs(), published)
}

/// Krell et al. 2022 name "22K" strategies for 512; both counts are of the public code.
#[test]
fn strategies_are_those_of_the_public_code() {
    assert_eq!(shapes(512, 3).len(), 22_102);
    assert_eq!(shapes(384, 3).len(), 12_481);
    assert_eq!(shapes(4, 3), [[1, 1, 2], [0, 1, 3], [0, 2, 2], [0, 0, 4]]);
    assert_eq!(shapes(4, 2), [[0, 1, 3], [0, 2, 2], [0, 0, 4]]);
    assert_eq!(shapes(1, 3), [[0, 0, 1]]);
    for limit in 1..40 {
        for (depth, n) in [(1, 1), (2, limit / 2 + 1)] {
            assert_eq!(shapes(limit, depth).len(), n as usize);
        }
        // Partitions into at most three parts: the nearest whole number to (n + 3)²/12.
        assert_eq!(shapes(limit, 3).len() as u32, ((limit + 3).pow(2) + 6) / 12);
    }
}

/// The public code counts 8,155,057 to 8,155,059 on Wikipedia and 40,778 to 40,782 on SQuAD, by version of SciPy and
/// machine: there is more than one solution. The optima of depth 3 are at least 8,143,829 and 40,195 packs (a bound by
/// column generation).
#[test]
fn published_packs_are_reproduced_and_fewer_are_needed() {
    let (ours, published) = packs(&wikipedia(), 512, 3);
    assert_eq!(published, 8_155_057);
    assert!((8_143_829..=8_144_200).contains(&ours), "{ours}");
    let (ours, published) = packs(&squad(), 384, 3);
    assert_eq!(published, 40_781);
    assert!((40_195..=40_320).contains(&ours), "{ours}");
}

/// Depth 2 has its optimum proven elsewhere (`bounds::pairs`); more than 3 is not used.
#[test]
fn other_depths() {
    let h = squad();
    assert_eq!(packs(&h, 384, 2).0, 45_335);
    assert_eq!(packs(&h, 384, 1).0, 88_641);
    assert_eq!(packs(&h, 384, 100), packs(&h, 384, 3));
}

/// The sum of the pulls of the lengths of a strategy; none for no item.
fn gain(shape: &[u32; 3], pull: &[f64]) -> f64 {
    shape.iter().map(|length| pull[*length as usize]).sum()
}

/// Packs of rounded strategies, halves to the even number, and one for each item that they miss.
fn published(mix: &[([u32; 3], f64)], counts: &[f64]) -> u64 {
    let (mut missing, mut packs) = (counts.to_vec(), 0.0);
    for (shape, x) in mix {
        packs += x.round_ties_even();
        shape
            .iter()
            .for_each(|&length| missing[length as usize] -= x.round_ties_even());
    }
    (packs + missing[1..].iter().map(|n| n.max(0.0)).sum::<f64>()) as u64
}

/// Conditions of Karush, Kuhn and Tucker: no column would lower the error, and none in use would change it.
#[test]
fn the_least_squares_are_the_minimum() {
    for (h, limit, flat) in [(wikipedia(), 512, 13_883), (squad(), 384, 2_297)] {
        let mut counts = vec![0.0; limit as usize + 1];
        h.lengths()
            .iter()
            .for_each(|&(length, n)| counts[length as usize] = n as f64);
        let shapes = shapes(limit, 3);
        let mix = mixture(&h, limit, 3, &mut go_on).unwrap();
        let mut residual = counts.clone();
        for (shape, x) in &mix {
            assert!(*x > 0.0);
            shape.iter().for_each(|&l| residual[l as usize] -= x);
        }
        // Lengths of at most 8 weigh 0.09, and no item nothing.
        let weight = |length: usize| {
            [0.0, 0.09 * 0.09, 1.0][usize::from(length > 0) + usize::from(length > 8)]
        };
        let pull: Vec<f64> = residual
            .iter()
            .enumerate()
            .map(|(length, r)| r * weight(length))
            .collect();
        let scale = counts.iter().fold(0.0, |m: f64, n| m.max(*n));
        assert!(shapes.iter().all(|s| gain(s, &pull) < 1e-12 * scale));
        assert!(
            mix.iter()
                .all(|(s, _)| gain(s, &pull).abs() < 1e-12 * scale)
        );
        // Many more would change nothing either: the minimum has more than one solution.
        assert_eq!(
            shapes
                .iter()
                .filter(|s| gain(s, &pull).abs() < 1e-12 * scale)
                .count(),
            flat
        );
        assert_eq!(published(&mix, &counts), packs(&h, limit, 3).1);
    }
}

#[test]
fn small_and_odd_histograms_are_held_exactly() {
    let mut random = Random::seeded(7);
    for _ in 0..600 {
        let limit = 1 + random.below(60) as u32;
        let rows = (0..1 + random.below(12)).map(|_| {
            let length = 1 + random.below(u64::from(limit)) as u32;
            let magnitude = random.below(13) as u32;
            (length, 1 + random.below(10u64.pow(magnitude)))
        });
        let h = Histogram::from_lengths(rows.collect::<Vec<_>>()).unwrap();
        let more = [0, 0, 1, 7, 100][random.below(5) as usize];
        packs(&h, limit + more, 1 + random.below(5) as u32);
    }
    for (rows, limit, depth, expected) in [
        (vec![(1, 1)], 1, 3, 1),
        (vec![(1, 1_000_000_000_000)], 1, 1, 1_000_000_000_000),
        (vec![(1, 999_999_999_999)], 3, 3, 333_333_333_333),
        (vec![(2, 5)], 1024, 3, 2),
        (vec![(171, 7)], 512, 3, 4),
        (vec![(200, 3), (100, 5)], 512, 3, 3),
        (vec![(512, 4), (300, 2), (212, 2)], 512, 3, 6),
        (vec![(1, 1_000_000_000_000), (7, 3)], 9, 3, 333_333_333_335),
    ] {
        let h = Histogram::from_lengths(rows).unwrap();
        assert_eq!(packs(&h, limit, depth).0, expected, "{h:?}");
    }
}

/// The largest totals whose slots a plan may have; more are refused after they were packed.
#[test]
fn counts_near_the_end_of_64_bits() {
    let h = Histogram::from_lengths([(1, u64::MAX / 2), (2, u64::MAX / 5), (3, 3)]).unwrap();
    assert_eq!(packs(&h, 3, 3).0, (h.total()[0]).div_ceil(3));
    let h = Histogram::from_lengths([(1, u64::MAX / 2), (2, u64::MAX / 5), (9, 3)]).unwrap();
    for (limit, depth) in [9, 10, 64]
        .into_iter()
        .flat_map(|limit| (1..=3).map(move |depth| (limit, depth)))
    {
        let error = pack(&h, limit, depth, &mut go_on).unwrap_err();
        assert_eq!(
            error,
            Error::TooLarge {
                what: "the number of slots"
            }
        );
        // One pack for each item would have as many slots as 64 bits count.
        let most = u64::MAX / u64::from(limit);
        let fewer = [(1, most / 2), (2, most / 5), (9, 3)];
        packs(&Histogram::from_lengths(fewer).unwrap(), limit, depth);
    }
}

#[test]
fn what_would_take_too_long_is_refused() {
    let h = Histogram::from_lengths([(5, 5)]).unwrap();
    assert_eq!(packs(&h, 1024, 3).0, 2);
    let error = pack(&h, 1025, 3, &mut go_on).unwrap_err();
    assert_eq!(
        error,
        Error::TooManyStrategies {
            algorithm: "nnlshp",
            limit: 1025,
            at_most: 1024
        }
    );
    assert_eq!(
        error.to_string(),
        "nnlshp lists every strategy that fills a row and takes limits of at most 1,024; this limit is 1,025"
    );
}

#[test]
fn progress_grows_and_can_stop() {
    let h = squad();
    let mut seen = Vec::new();
    pack(&h, 384, 3, &mut |step| {
        let Step::Done { done, of } = step else {
            return ControlFlow::Break(());
        };
        assert!(done <= of);
        seen.push(done);
        ControlFlow::Continue(())
    })
    .unwrap();
    assert!(seen.len() > 10 && seen.is_sorted());
    let stopped = pack(&h, 384, 3, &mut |step| match step {
        Step::Done { done: 0..100, .. } => ControlFlow::Continue(()),
        _ => ControlFlow::Break(()),
    });
    assert_eq!(stopped.err(), Some(Error::Cancelled));
}
