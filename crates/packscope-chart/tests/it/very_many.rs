//! Data with very many sizes: cached, grouped or estimated results agree with a walk through all of them.

use packscope::api::speedup;
use packscope::histogram::{Histogram, MANY, Overlong};
use packscope::metrics::ExpectedPadding;
use proptest::prelude::*;

/// A million lengths. Most items are short, of no two lengths equally many.
fn million(count: impl Fn(u32) -> u64) -> Histogram<1> {
    Histogram::from_lengths((1..=1_000_000).map(|l| (l, count(l)))).unwrap()
}

fn kinds() -> [(&'static str, Histogram<1>); 4] {
    let sparse = (0..1_000_000u32).map(|i| (3 + i * 4099 + i % 7, u64::from(1 + i % 5)));
    [
        ("even", million(|l| u64::from(1 + l % 3))),
        ("short", million(|l| 1 + 50_000_000 / u64::from(l + 20))),
        (
            "heavy tail",
            million(|l| 1 + 3_000_000_000_000 / u64::from(l).pow(2)),
        ),
        ("sparse", Histogram::from_lengths(sparse).unwrap()),
    ]
}

/// What a walk through all entries finds: items and tokens of at most this length.
fn walked(h: &Histogram<1>, length: u32) -> [u64; 2] {
    h.entries()
        .iter()
        .filter(|([l], _)| *l <= length)
        .fold([0; 2], |[items, tokens], &([l], n)| {
            [items + n, tokens + u64::from(l) * n]
        })
}

fn check_counts(h: &Histogram<1>, lengths: impl IntoIterator<Item = u32>) {
    for length in lengths {
        assert_eq!(
            [h.items_within(length), h.tokens_within(length)],
            walked(h, length),
            "{length}"
        );
    }
    let max = h.entries().iter().map(|([l], _)| *l).max().unwrap();
    assert_eq!(h.max(), [max]);
    for q in [0.0, 1e-9, 0.01, 0.3, 0.5, 0.9, 0.999, 1.0] {
        let rank = ((q * h.items() as f64).ceil() as u64).max(1);
        let at = h.quantile(q);
        assert!(
            walked(h, at)[0] >= rank && walked(h, at - 1)[0] < rank,
            "{q}: {at}"
        );
    }
}

proptest! {
    #[test]
    fn counts_are_those_of_a_walk(
        entries in prop::collection::vec((1u32..3000, 1u64..1000), 1..60),
        lengths in prop::collection::vec(0u32..3100, 20),
    ) {
        check_counts(&Histogram::from_lengths(entries).unwrap(), lengths);
    }

    #[test]
    fn counts_of_thousands_are_those_of_a_walk(
        distinct in 1000u32..5000,
        step in 1u32..9,
        seed in 0u64..1000,
        lengths in prop::collection::vec(0u32..45_000, 10),
    ) {
        let entries = (1..=distinct).map(|i| (i * step, 1 + u64::from(i) * seed % 17));
        let h = Histogram::from_lengths(entries).unwrap();
        // The entries at which sums are kept, and their neighbours, among them.
        let near = [1023, 1024, 1025, 2048, 3072, 4096].map(|i| i * step);
        check_counts(&h, lengths.into_iter().chain(near));
    }

    #[test]
    fn with_up_to_many_sizes_nothing_is_rough(
        entries in prop::collection::vec((1u32..5000, 1u64..1000), 1..300),
        limit in 0u32..5100,
    ) {
        let h = Histogram::from_lengths(entries).unwrap();
        for policy in Overlong::ALL {
            let fitted = h.fit([limit], policy).map(|fitted| fitted.histogram);
            assert_eq!(h.fit_roughly(limit, policy), fitted);
        }
        let groups = h.grouped(5000);
        assert_eq!((groups.width, &groups.entries), (1, &h.lengths()));
        assert_eq!(h.apart(&groups, limit), h.lengths());
    }
}

fn near(rough: f64, exact: f64, what: &str) {
    assert!(
        (rough / exact - 1.0).abs() < 1e-4,
        "{what}: {rough} for {exact}"
    );
}

#[test]
fn estimates_on_a_million_sizes_are_within_a_ten_thousandth() {
    for (name, h) in kinds() {
        let longest = h.max()[0];
        for (limit, policy) in [
            (longest, Overlong::Truncate),
            (longest / 10 + 3, Overlong::Truncate),
            (longest / 3, Overlong::Drop),
            (longest / 7, Overlong::Split),
        ] {
            let exact = h.fit([limit], policy).unwrap().histogram;
            let rough = h.fit_roughly(limit, policy).unwrap();
            let what = format!("{name}, {limit}, {policy}");
            assert!(
                rough.distinct() <= MANY + 1 && exact.distinct() > MANY,
                "{what}: {}",
                rough.distinct()
            );
            assert_eq!(
                (rough.items(), rough.max()),
                (exact.items(), exact.max()),
                "{what}"
            );
            near(rough.total()[0] as f64, exact.total()[0] as f64, &what);
            // Large batches take long to compute exactly.
            let batches: &[u32] = if name == "even" && policy == Overlong::Drop {
                &[4096, 100_000]
            } else {
                &[2, 64]
            };
            for &batch in batches {
                let what = format!("{what}, batches of {batch}");
                let [a, b] = [&rough, &exact].map(|h| ExpectedPadding::random(h, batch));
                near(a.slots, b.slots, &what);
                near(a.squared_slots, b.squared_slots, &what);
                assert!((a.padding_share - b.padding_share).abs() < 1e-4, "{what}");
            }
        }
    }
}

#[test]
fn estimates_of_speed_on_a_million_sizes_are_within_a_ten_thousandth() {
    for (name, h) in kinds() {
        let limit = h.max()[0] / 2;
        let exact = h.fit([limit], Overlong::Truncate).unwrap().histogram;
        let rough = h.fit_roughly(limit, Overlong::Truncate).unwrap();
        let cases = [&rough, &exact].map(|h| speedup::sequences(h, limit, 64, None).unwrap());
        for (a, b) in cases[0].iter().zip(&cases[1]) {
            let what = format!("{name}, {:?}", b.work.method);
            assert_eq!(
                (a.work.method, a.work.rows, a.work.batches),
                (b.work.method, b.work.rows, b.work.batches)
            );
            near(a.work.largest, b.work.largest, &what);
            for k in 0..2 {
                near(a.work.useful[k], b.work.useful[k], &what);
                let [a, b] = [&a.work, &b.work].map(|w| w.useful[k] + w.padding[k] + w.between);
                near(a, b, &what);
            }
        }
    }
}

#[test]
fn groups_have_all_items_and_bars_as_high_as_those_of_every_length() {
    for (name, h) in kinds() {
        let longest = h.max()[0];
        for end in [longest, longest.saturating_add(12_345), longest / 2 + 1] {
            let groups = h.grouped(end);
            assert!(
                groups.entries.len() <= 3 * 8192,
                "{name}: {}",
                groups.entries.len()
            );
            for limit in [1, end / 3, end / 2 + 1, end] {
                let entries = h.apart(&groups, limit);
                assert!(entries.is_sorted_by_key(|(l, _)| l), "{name}");
                let sum = |from: u32, to: u32| {
                    entries
                        .iter()
                        .filter(|(l, _)| (from..=to).contains(l))
                        .map(|(_, n)| n)
                        .sum::<u64>()
                };
                assert_eq!(sum(1, end), h.items_within(end), "{name}");
                assert_eq!(sum(1, limit), h.items_within(limit), "{name}, {limit}");
                for bar in [0, 1, 77, end / groups.width / 2] {
                    let (from, to) = (bar * groups.width + 1, (bar + 1) * groups.width);
                    let all = h.items_within(to.min(end)) - h.items_within(from - 1);
                    assert_eq!(sum(from, to), all, "{name}, {from} to {to}");
                }
            }
        }
    }
}

#[test]
fn a_chart_of_groups_is_the_chart_of_every_length() {
    use packscope_chart::histogram::{Across, Input, layout};
    use packscope_chart::{Chart, Frame, Scale, Theme};
    // A length that towers above all others, and a range that does so without any such length.
    let count = |l: u32| match l {
        40_000 => 900_000,
        300_001..=300_032 => 30_000,
        l => u64::from(1 + l % 5),
    };
    let h = Histogram::from_lengths((1..=524_288).map(|l| (l, count(l)))).unwrap();
    let (all, end) = (h.lengths(), h.max()[0]);
    let groups = h.grouped(end);
    for limit in [40_000, 39_999, 300_010, end] {
        let grouped = h.apart(&groups, limit);
        assert!(grouped.len() < 30_000);
        for scale in [Scale::Linear, Scale::Log] {
            let input = |entries: &[(u32, u64)]| Input {
                entries: entries.to_vec(),
                limit,
                end: Some(end),
                scale,
                across: Across::Linear,
                hues: limit.into(),
                lit: vec![],
                items: "sequences",
                unit: "tokens".to_owned(),
            };
            for width in [320.0, 1400.0, 5000.0] {
                let frame = Frame::canvas(width, 300.0, 1.0, Theme::LIGHT);
                let [grouped, all] = [&grouped, &all].map(|entries| input(entries));
                assert!(
                    layout(&grouped, &frame) == layout(&all, &frame),
                    "{limit}, {width}"
                );
                assert!(
                    grouped.scene(&frame) == all.scene(&frame),
                    "{limit}, {width}"
                );
            }
        }
    }
}
