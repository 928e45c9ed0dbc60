//! Bounds on their own: what one pack can be worth, against a trial of every pack, and mixtures of components.

use packscope::bounds::tuple::{at_most, best};
use packscope::bounds::{Bound, BoundKind, Certificate, martello_toth};
use packscope::histogram::{FREE, Histogram, Size};
use packscope::rng::Random;

/// By trying everything.
fn most<const K: usize>(sizes: &[Size<K>], worths: &[i64], room: Size<K>, places: u32) -> i64 {
    let fits = |i: usize| places > 0 && (0..K).all(|k| room[k] == FREE || sizes[i][k] <= room[k]);
    let with = |i: usize| {
        let rest = std::array::from_fn(|k| {
            if room[k] == FREE {
                FREE
            } else {
                room[k] - sizes[i][k]
            }
        });
        worths[i] + most(&sizes[i..], &worths[i..], rest, places - 1)
    };
    (0..sizes.len())
        .filter(|i| fits(*i))
        .map(with)
        .max()
        .unwrap_or(0)
        .max(0)
}

/// The sizes with random numbers of items, largest first as certificates have them.
fn items<const K: usize>(sizes: &[Size<K>], random: &mut Random) -> Histogram<K> {
    Histogram::from_counts(sizes.iter().map(|size| (*size, 1 + random.below(99)))).unwrap()
}

/// Compares a certificate with a trial of everything; returns whether there is one.
fn check<const K: usize>(
    data: &Histogram<K>,
    worths: &[i64],
    (sizes, limits, depth): (&[Size<K>], Size<K>, u32),
) -> bool {
    let Some(certificate) = Certificate::new(data, &limits, depth, worths, &mut |_| true) else {
        return false;
    };
    let best = most(sizes, worths, limits, depth);
    assert_eq!(
        certificate.most, best,
        "{sizes:?} {worths:?} {limits:?} {depth}"
    );
    let worths: Vec<i64> = worths.iter().map(|worth| *worth.max(&0)).collect();
    assert!(
        certificate
            .worths
            .iter()
            .copied()
            .eq(sizes.iter().copied().zip(worths.iter().copied()))
    );
    let all: u64 = data
        .entries()
        .iter()
        .rev()
        .zip(&worths)
        .map(|((_, n), worth)| n * *worth as u64)
        .sum();
    assert_eq!(certificate.packs, all.div_ceil(best as u64));
    true
}

#[test]
fn the_best_pack_of_one_component_is_found() {
    let mut random = Random::seeded(4);
    let mut proven = 0;
    for _ in 0..500 {
        let limit = 5 + random.below(30) as u32;
        let mut sizes: Vec<Size<1>> = (0..1 + random.below(5))
            .map(|_| [1 + random.below(limit.into()) as u32])
            .collect();
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        sizes.dedup();
        let worths: Vec<i64> = sizes.iter().map(|_| random.below(40) as i64 - 5).collect();
        let data = items(&sizes, &mut random);
        for depth in [1, 2, 3, 4, 7, u32::MAX] {
            let found = check(&data, &worths, (&sizes, [limit], depth));
            assert_eq!(found, worths.iter().any(|worth| *worth > 0), "{worths:?}");
            proven += u32::from(found);
        }
    }
    assert!(proven > 2_500, "{proven}");
}

/// Compares certificates for random sizes, some of whose components have no limit; returns how many there are.
fn several<const K: usize>(random: &mut Random) -> u32 {
    let limits: Size<K> = std::array::from_fn(|_| match random.below(6) {
        0 => FREE,
        _ => 4 + random.below(12) as u32,
    });
    let mut sizes: Vec<Size<K>> = (0..1 + random.below(5))
        .map(|_| {
            std::array::from_fn(|k| {
                let least = u32::from(k == 0);
                least + random.below(u64::from(limits[k].min(16) - least) + 1) as u32
            })
        })
        .collect();
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    sizes.dedup();
    let worths: Vec<i64> = sizes.iter().map(|_| random.below(40) as i64 - 5).collect();
    let data = items(&sizes, random);
    [1, 2, 3, 5]
        .into_iter()
        .map(|depth| u32::from(check(&data, &worths, (&sizes, limits, depth))))
        .sum()
}

#[test]
fn the_best_pack_of_several_components_is_found() {
    let mut random = Random::seeded(5);
    let (mut two, mut three) = (0, 0);
    for _ in 0..400 {
        two += several::<2>(&mut random);
        three += several::<3>(&mut random);
    }
    assert!(two > 1_200 && three > 1_200, "{two} {three}");
}

#[test]
fn a_refusal_ends_it() {
    let data = Histogram::from_lengths([(7, 1), (5, 1), (3, 1)]).unwrap();
    let new = |go: bool| Certificate::new(&data, &[100], 4, &[7, 5, 3], &mut |_| go);
    assert_eq!(new(false), None);
    assert!(new(true).is_some());
}

/// A table over both of these limits would be too large; over one of them it is not.
#[test]
fn components_that_never_end_a_pack_take_no_place() {
    let most = |sizes: &[Size<2>], limits: Size<2>| {
        let data = Histogram::from_counts(sizes.iter().map(|size| (*size, 1))).unwrap();
        let worths: Vec<i64> = sizes.iter().map(|size| i64::from(size[0])).collect();
        Certificate::new(&data, &limits, u32::MAX, &worths, &mut |_| true).map(|found| found.most)
    };
    // Trees have one edge less than nodes.
    assert_eq!(
        most(&[[4999, 4998], [3, 2], [1, 0]], [7000, 6999]),
        Some(7000)
    );
    assert_eq!(most(&[[4999, 4998], [3, 2], [1, 0]], [7000, 6000]), None);
    assert_eq!(most(&[[4999, 4998], [3, 2]], [7000, 6000]), None);
    // One of the first and 501 of the second fill 6,000 edges.
    assert_eq!(most(&[[4999, 4998], [3, 2]], [FREE, 6000]), Some(9000));
    assert_eq!(most(&[[5001, 5001], [3, 3]], [7000, 7000]), Some(6999));
}

/// The slots of a pack of a mixture of components.
const ROOM: u32 = 1 << 20;

#[test]
fn no_mixture_is_passed_over_that_proves_more() {
    let mut random = Random::seeded(7);
    let mut close = 0;
    for _ in 0..2_000 {
        let most = 1 + random.below(u64::from(ROOM)) as u32;
        let sizes: Vec<(u32, u64)> = (0..1 + random.below(40))
            .map(|_| {
                (
                    1 + random.below(u64::from(most)) as u32,
                    1 + random.below(1_000),
                )
            })
            .collect();
        let histogram = Histogram::from_lengths(sizes.iter().copied()).unwrap();
        let (proven, thought) = (
            martello_toth(&histogram, ROOM),
            at_most(&sizes, histogram.items()),
        );
        assert!(
            thought >= proven,
            "{sizes:?}: {proven} packs are proven, not {thought}"
        );
        close += u32::from(thought <= proven + proven / 50);
    }
    assert!(close > 1_000, "only {close} of 2,000 are close");
}

#[test]
fn very_many_items_are_never_passed_over() {
    assert_eq!(at_most(&[(3, u64::MAX)], u64::MAX), u64::MAX);
}

#[test]
fn the_largest_limit_of_one_component_is_a_limit() {
    let large = Histogram::from_counts([([1 << 30], 5)]).unwrap();
    let bound = best(&large, &[u32::MAX], 9);
    assert_eq!(
        bound,
        Bound {
            packs: 2,
            kind: BoundKind::Tokens
        }
    );
    let beside = Histogram::from_counts([([1 << 30, 1], 5)]).unwrap();
    assert_eq!(
        best(&beside, &[u32::MAX, 9], 9),
        Bound {
            packs: 1,
            kind: BoundKind::Items
        }
    );
}
