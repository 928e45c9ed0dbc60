//! Numbers of settings and addresses, beside the standard library's parser.

use packscope::accepts::number;
use proptest::prelude::*;

/// Whether both parsers refuse the text, or give the same bits; one NaN is as good as another.
fn alike(text: &str) -> bool {
    match (number(text), text.parse::<f64>().ok()) {
        (Some(ours), Some(theirs)) => {
            ours.to_bits() == theirs.to_bits() || ours.is_nan() && theirs.is_nan()
        }
        (ours, theirs) => ours.is_none() && theirs.is_none(),
    }
}

#[test]
fn odd_texts_are_numbers_or_not_as_for_the_standard_library() {
    let odd = "|0|-0|+1|.5|5.|.|-.|+|-|e|1e|1e+|e5|1e5|1E-5|1e+5|0x10|1_000|1,5| 1|1 |inf|-inf|INF|infinity|nan|NaN|-nan|in|\
               1e400|-1e400|1e-400|0.1.2|--1|+-1|1e5.0|١|1e99999999999|0e99999999999|00012|0.00000";
    for text in odd.split('|') {
        assert!(
            alike(text),
            "{text:?}: {:?}, {:?}",
            number(text),
            text.parse::<f64>()
        );
    }
}

#[test]
fn ties_between_two_numbers_are_rounded_alike() {
    // Halfway between neighbours, and next to it; the longest are from the standard library's own tests.
    let halves = [
        "9007199254740993",
        "9007199254740992.9999999999999999",
        "9007199254740993.0000000000000001",
    ];
    let small = [
        "2.2250738585072011e-308",
        "4.9406564584124654e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
    ];
    let large = [
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1.7976931348623159e308",
    ];
    for text in halves.iter().chain(&small).chain(&large) {
        assert!(
            alike(text),
            "{text}: {:?}, {:?}",
            number(text),
            text.parse::<f64>()
        );
        let long = format!(
            "{}{}",
            text.split('e').next().unwrap_or(text),
            "0".repeat(400)
        );
        assert!(alike(&long), "{long}");
    }
}

proptest! {
    #[test]
    fn every_number_is_read_back(bits: u64) {
        let value = f64::from_bits(bits);
        for text in [value.to_string(), format!("{value:e}"), format!("{value:.12e}"), format!("{value:.3}")] {
            prop_assert!(alike(&text), "{}", text);
        }
    }

    #[test]
    fn decimals_are_rounded_alike(text in r"[+-]?[0-9]{0,25}(\.[0-9]{0,25})?(e[+-]?[0-9]{1,3})?") {
        prop_assert!(alike(&text), "{}", text);
    }
}
