//! Histograms: looking sizes up, and drawing items one by one.

use packscope_core::histogram::{Draw, Histogram};

#[test]
fn finds_what_is_there_and_nothing_else() {
    for scale in [1, 10_000] {
        let entries = [[2, 1], [2, 7], [5, 1], [9, 0]].map(|[a, b]| [a * scale, b]);
        let h = Histogram::from_counts(entries.map(|s| (s, 3))).unwrap();
        let positions = h.positions();
        assert!(
            entries
                .iter()
                .enumerate()
                .all(|(i, s)| positions.index_of(s) == Some(i))
        );
        for [a, b] in [
            [1, 1],
            [2, 2],
            [4, 1],
            [9, 1],
            [10, 0],
            [0, 0],
            [u32::MAX, 0],
        ] {
            assert_eq!(positions.index_of(&[a.saturating_mul(scale % 7), b]), None);
        }
    }
}

#[test]
fn every_item_comes_exactly_once() {
    let h = Histogram::<1>::from_counts([([3], 1000), ([5], 1), ([9], 70_000)]).unwrap();
    let mut seen = [0u64; 3];
    Draw::new(&h, 7).for_each(|i| seen[i] += 1);
    assert_eq!(seen, [1000, 1, 70_000]);
}

#[test]
fn orders_are_equally_likely() {
    // Three items a b b: abb, bab, bba with one third each.
    let h = Histogram::<1>::from_counts([([1], 1), ([2], 2)]).unwrap();
    let mut place = [0u32; 3];
    for seed in 0..30_000 {
        let at = Draw::new(&h, seed).position(|i| i == 0).unwrap();
        place[at] += 1;
    }
    assert!(
        place.iter().all(|n| (9_600..10_400).contains(n)),
        "{place:?}"
    );
}
