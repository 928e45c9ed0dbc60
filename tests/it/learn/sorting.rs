//! Sorting, and why it is not free.

use super::{Reader, figure, texts};
use packscope_page::learn::{ChapterPart, data};

const LENGTHS: [u64; 12] = [14, 30, 9, 22, 48, 12, 17, 26, 11, 19, 8, 36];

/// Slots of batches that are each as wide as their longest.
fn slots(lengths: &[u64], batch: usize) -> u64 {
    lengths
        .chunks(batch)
        .map(|b| b.iter().max().unwrap() * b.len() as u64)
        .sum()
}

fn near(a: Option<f64>, b: f64) -> bool {
    a.is_some_and(|a| (a - b).abs() < 1e-9)
}

#[test]
fn sorted_batches_have_less_grey_unless_rows_have_one_length() {
    let mut reader = Reader::opens("sorting");
    let shown = reader.sees();
    let come = slots(&LENGTHS, 3);
    assert!(near(figure(&shown, "slots"), come as f64));
    assert!(near(figure(&shown, "padding"), 1.0 - 252.0 / come as f64));
    assert!(
        shown.finding.starts_with("As they come, batches are ~40"),
        "{}",
        shown.finding
    );
    reader.moves("order", &[1]);
    let mut sorted = LENGTHS;
    sorted.sort_unstable();
    let shown = reader.sees();
    assert!(near(figure(&shown, "slots"), slots(&sorted, 3) as f64));
    assert_eq!(
        shown.finding,
        "Sorted, ~17.6 %~ is padding, and no two batches have the same shape"
    );
    // 144 slots against 33.
    assert!(near(figure(&shown, "slowest_step"), 144.0 / 33.0));
    // The rows stand in their new order, and still are what they were.
    let rows = shown.parts.iter().find_map(|p| {
        if let ChapterPart::Ends(e) = p {
            Some(e.rows.clone())
        } else {
            None
        }
    });
    let order: Vec<u64> = rows.unwrap().iter().map(|r| LENGTHS[r.index]).collect();
    assert_eq!(order, sorted);
    for order in [0, 1] {
        reader.moves("order", &[order]);
        reader.moves("width", &[1]);
        let shown = reader.sees();
        assert!(near(figure(&shown, "padding"), 1.0 - 252.0 / (12.0 * 48.0)));
        assert_eq!(
            shown.finding,
            "In rows of one length ~56.3 %~ is padding, sorted or not"
        );
    }
    reader.moves("width", &[0]);
    reader.moves("lengths", &[20; 12]);
    assert!(
        texts(&reader.sees())
            .iter()
            .any(|text| text.contains("nobody waits"))
    );
    assert_eq!(
        reader.sees().finding,
        "Sorted, ~0 %~ is padding, and all batches have one shape"
    );
}

#[test]
fn small_groups_take_most_of_the_padding_and_leave_chance() {
    let mut reader = Reader::opens("sorting");
    let lengths: Vec<u64> = data::lengths("gsm8k_train")
        .into_iter()
        .flat_map(|(l, n)| vec![u64::from(l); n as usize])
        .collect();
    assert_eq!(lengths.len(), 7473);
    let mut last = 0.0;
    for (group, found) in [
        (1, false),
        (2, false),
        (8, false),
        (16, true),
        (20, true),
        (28, false),
        (117, false),
    ] {
        reader.moves("group", &[group]);
        let shown = reader.sees();
        assert_eq!(shown.is_done(), found, "{group}");
        if group > 1 {
            let removed = figure(&shown, "removed").unwrap();
            assert!(removed > last, "{group}: {removed}");
            last = removed;
        }
    }
    // A chance that is counted: pairs within groups of 117 batches among all pairs.
    let pairs = |n: f64| n * (n - 1.0);
    let shown = reader.sees();
    let expected = (pairs(3744.0) + pairs(3729.0)) / pairs(7473.0);
    assert!(near(figure(&shown, "again"), expected));
    // One group of all is the sorted data, the longest first.
    reader.moves("group", &[234]);
    let shown = reader.sees();
    let sorted: Vec<u64> = lengths.iter().rev().copied().collect();
    let all = lengths.iter().sum::<u64>() as f64;
    assert!(near(
        figure(&shown, "padding_share"),
        1.0 - all / slots(&sorted, 32) as f64
    ));
    assert!(near(figure(&shown, "again"), 1.0) && !shown.is_done());
}

/// Random batches: the mean over shuffles of our own against the closed form that the page states.
#[test]
fn random_batches_are_as_grey_as_shuffling_makes_them() {
    let mut lengths: Vec<u64> = data::lengths("gsm8k_train")
        .into_iter()
        .flat_map(|(l, n)| vec![u64::from(l); n as usize])
        .collect();
    let all = lengths.iter().sum::<u64>() as f64;
    let mut random = packscope::rng::Random::seeded(11);
    let mut mean = 0.0;
    for _ in 0..20 {
        for i in (1..lengths.len()).rev() {
            lengths.swap(i, random.below(i as u64 + 1) as usize);
        }
        mean += slots(&lengths, 32) as f64 / 20.0;
    }
    let stated = figure(&Reader::opens("sorting").sees(), "random_padding_share").unwrap();
    assert!(
        (stated - (1.0 - all / mean)).abs() < 0.003,
        "{stated} {}",
        1.0 - all / mean
    );
}

/// Two sequences meet again with the chance that a pair of all is a pair of a group, or of the rest after whole groups.
#[test]
fn chances_to_meet_again_are_those_of_all_pairs() {
    let mut reader = Reader::opens("sorting");
    let pairs = |n: u64| n as f64 * n.saturating_sub(1) as f64;
    for group in [1, 2, 3, 16, 64, 117, 233, 234] {
        reader.moves("group", &[group]);
        let size = (u64::from(group) * 32).min(7473);
        let expected = ((7473 / size) as f64 * pairs(size) + pairs(7473 % size)) / pairs(7473);
        let again = figure(&reader.sees(), "again").unwrap();
        assert!(
            (again - expected).abs() < 1e-12,
            "{group}: {again} {expected}"
        );
        assert_eq!(again == 1.0, group == 234, "one group of all");
    }
}
