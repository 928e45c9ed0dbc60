//! Few static shapes: the programme against every choice, and published ways to choose.

use crate::cli::json;
use crate::common::{built_in, histograms};
use packscope::error::Error;
use packscope::histogram::Histogram;
use packscope::shapes::{self, Method, Shape};
use proptest::prelude::*;

/// The least padding of any lengths, by trying all of them.
fn least(lengths: &[(u32, u64)], shapes: usize) -> u128 {
    let longest = lengths[lengths.len() - 1].0;
    let cost = |chosen: &[u32]| -> u128 {
        let to = |length: u32| *chosen.iter().find(|shape| **shape >= length).unwrap();
        lengths.iter().map(|(l, n)| u128::from(to(*l) - l) * u128::from(*n)).sum()
    };
    let all = 0..1u32 << (lengths.len() - 1);
    let chosen = all.filter(|set| (set.count_ones() as usize) < shapes).map(|set| {
        let of = |i: &usize| set & (1 << i) != 0;
        (0..lengths.len() - 1).filter(of).map(|i| lengths[i].0).chain([longest]).collect::<Vec<_>>()
    });
    chosen.map(|chosen| cost(&chosen)).min().unwrap()
}

/// lhotse's `estimate_duration_buckets`, sequence by sequence, as the longest length of each bucket.
fn buckets(lengths: &Histogram<1>, shapes: usize) -> Vec<u32> {
    let all: Vec<u32> =
        lengths.lengths().iter().flat_map(|(l, n)| std::iter::repeat_n(*l, *n as usize)).collect();
    let share = all.iter().map(|l| f64::from(*l)).sum::<f64>() / shapes as f64;
    let (mut bins, mut sum) = (Vec::new(), 0.0);
    for size in &all {
        if sum > share {
            bins.push(*size);
            sum = 0.0;
        }
        sum += f64::from(*size);
    }
    let below = |bin: &u32| all.iter().copied().filter(|l| l < bin).max();
    let mut ends: Vec<u32> = bins.iter().filter_map(below).chain(all.last().copied()).collect();
    ends.dedup();
    ends
}

proptest! {
    #[test]
    fn no_lengths_waste_less(h in histograms(40, 9, 30), shapes in 1..6usize) {
        let best = shapes::choose(&h, shapes, Method::Best).unwrap();
        prop_assert!(best.len() <= shapes);
        prop_assert_eq!(shapes::padding(&h, &best).unwrap(), least(&h.lengths(), shapes));
        for method in Method::ALL {
            let chosen = shapes::choose(&h, shapes, method).unwrap();
            prop_assert!(chosen.len() <= shapes && chosen.windows(2).all(|pair| pair[0] < pair[1]), "{}", method);
            prop_assert!(shapes::padding(&h, &chosen).unwrap() >= shapes::padding(&h, &best).unwrap());
            let judged = shapes::judge(&h, &chosen).unwrap();
            prop_assert!(judged.iter().all(|shape| shape.items > 0), "{}", method);
            prop_assert_eq!(judged.iter().map(|shape| shape.items).sum::<u64>(), h.items());
        }
    }

    #[test]
    fn tokens_are_shared_as_lhotse_shares_them(h in histograms(60, 20, 40), shapes in 2..9usize) {
        prop_assert_eq!(shapes::choose(&h, shapes, Method::EqualTotal).unwrap(), buckets(&h, shapes));
    }

    #[test]
    fn more_shapes_never_waste_more(h in histograms(3_000_000, 200, 1_000_000_000), shapes in 1..40usize) {
        let of = |shapes| shapes::padding(&h, &shapes::choose(&h, shapes, Method::Best).unwrap()).unwrap();
        prop_assert!(of(shapes + 1) <= of(shapes));
    }
}

#[test]
fn sums_beyond_64_bits_are_exact() {
    let many = u64::MAX / 8_000_000_000;
    let h = Histogram::from_lengths([(1, many), (2_000_000_000, many), (u32::MAX, 3)]).unwrap();
    let best = shapes::choose(&h, 2, Method::Best).unwrap();
    // All slots exceed 64 bits, the padding does not.
    assert_eq!(best, [2_000_000_000, u32::MAX]);
    assert_eq!(shapes::padding(&h, &best).unwrap(), u128::from(many) * 1_999_999_999);
}

/// Shares of padding at 16 shapes of real sets: powers of two, equal tokens, the best.
#[test]
fn the_best_lengths_of_real_sets_waste_a_fraction_of_powers_of_two() {
    for (name, wanted) in [
        ("gsm8k_train", [0.29, 0.062, 0.045]),
        ("alpaca_5000", [0.30, 0.10, 0.064]),
        ("azure_llm_trace_conv", [0.35, 0.18, 0.060]),
    ] {
        let h = built_in(name);
        let share = |method| {
            let padding = shapes::padding(&h, &shapes::choose(&h, 16, method).unwrap()).unwrap() as f64;
            padding / (padding + h.total()[0] as f64)
        };
        let found = [Method::PowersOfTwo, Method::EqualTotal, Method::Best].map(share);
        assert!(
            found.iter().zip(wanted).all(|(found, wanted)| (found / wanted - 1.0).abs() < 0.05),
            "{name}: {found:?}"
        );
    }
}

#[test]
fn lists_that_hold_not_all_sequences_are_refused() {
    let h = Histogram::from_lengths([(5, 1), (9, 2)]).unwrap();
    assert!(matches!(shapes::judge(&h, &[5]), Err(Error::Overlong { items: 2, largest: 9, limit: 5, .. })));
    for wrong in [&[][..], &[0, 9], &[9, 9], &[9, 5]] {
        assert!(matches!(shapes::judge(&h, wrong), Err(Error::Setting { .. })), "{wrong:?}");
    }
    assert!(shapes::choose(&h, 0, Method::Best).is_err() && shapes::choose(&h, 257, Method::Best).is_err());
    assert_eq!(shapes::judge(&h, &[9]), Ok(vec![Shape { length: 9, items: 3, tokens: 23 }]));
}

#[test]
fn the_command_line_judges_a_list_beside_the_best() {
    let args = ["shapes", "-", "--shapes", "2", "--lengths", "8,128", "--tokens", "1024", "--format", "json"];
    let all = json(&args, "10\n10\n12\n100\n");
    let ways = all["ways"].as_array().unwrap();
    assert_eq!(ways[0]["lengths"], serde_json::json!([12, 100]));
    assert_eq!((&ways[0]["padding_tokens"], &ways[0]["shapes"][0]["batch"]), (&4.into(), &85.into()));
    let given = &ways[ways.len() - 1];
    assert_eq!((&given["method"], &given["padding_tokens"]), (&"given".into(), &(3 * 128 - 32 + 28).into()));
}
