//! Numbers in words.

use packscope_core::words::{
    about, about_duration, about_factor, about_percent, count, dollars, duration, efficiency,
    factor, gap, mean, percent, plural, prefixed, rate, seconds, short, significant, singular,
    tick_percent, whole,
};

#[test]
fn what_is_beyond_whole_numbers_has_an_exponent() {
    assert_eq!(
        [whole(1_234.4), whole(999_999_999_999_999.0), whole(2e19)],
        ["1,234", "999,999,999,999,999", "2.0e19"]
    );
    assert_eq!(
        [duration(1e30), about(2.34e20), about_factor(1e19)],
        ["1.2e25 days", "2.3e20", "1.0e19×"]
    );
}

#[test]
fn amounts_below_ten_dollars_have_cents() {
    let amounts = [0.0, 0.004, 0.058, 0.999, 2.349, 9.996, 12.6, 1_234.4].map(dollars);
    assert_eq!(
        amounts,
        [
            "$0.00", "< $0.01", "$0.06", "$1.00", "$2.35", "$10", "$13", "$1,234"
        ]
    );
}

#[test]
fn quantities_keep_their_digits() {
    let numbers = [
        0.0,
        12_345.6,
        999.96,
        12.34,
        9.996,
        0.012_34,
        0.000_012,
        -0.5,
        f64::NAN,
    ];
    let words = [
        "0", "12,346", "1,000", "12.3", "10", "0.0123", "1.20e-5", "−0.5", "–",
    ];
    assert_eq!(numbers.map(|x| significant(x, 3)), words);
    assert_eq!(prefixed(301_989_888.0, "", 4), "302 M");
    assert_eq!(prefixed(312e12, "FLOP/s", 4), "312 TFLOP/s");
    assert_eq!(prefixed(1.1613e-5, "s", 3), "11.6 µs");
    assert_eq!(
        [999.99, 0.0, 1e30].map(|x| prefixed(x, "B", 3)),
        ["1 kB", "0 B", "1,000,000,000,000 EB"]
    );
}

#[test]
fn estimates_have_two_digits() {
    let numbers = [
        0.0,
        1.0,
        2.039,
        9.96,
        11.4,
        99.6,
        286_922.0,
        0.423,
        0.0996,
        0.012_34,
        -2.04,
        f64::NAN,
    ];
    let words = [
        "0", "1.0", "2.0", "10", "11", "100", "290,000", "0.42", "0.10", "0.012", "−2.0", "–",
    ];
    assert_eq!(numbers.map(about), words);
    assert_eq!(
        [0.416, 0.034, 1.5, 0.0, 1e-6].map(about_percent),
        ["42 %", "3.4 %", "150 %", "0 %", "< 0.1 %"]
    );
    let times = [0.0024, 2.39, 43.4, 258.0, 8_300.0, 1e6].map(about_duration);
    assert_eq!(
        times,
        ["2.4 ms", "2.4 s", "43 s", "4.3 min", "2.3 h", "12 days"]
    );
}

#[test]
fn numbers_read_well() {
    assert_eq!(
        [0.0, 0.00001, 0.0028, 0.116].map(gap),
        ["0", "< 0.01 %", "+0.28 %", "+11.6 %"]
    );
    let counts = [0, 7, 999, 1_000, 16_279_552, u64::MAX].map(count);
    assert_eq!(
        counts,
        [
            "0",
            "7",
            "999",
            "1,000",
            "16,279,552",
            "18,446,744,073,709,551,615"
        ]
    );
    let shares = [
        0.0, 0.00001, 0.0012, 0.105, 0.5003, 0.9988, 0.999_96, 1.0, 2.0361,
    ]
    .map(percent);
    let words = [
        "0 %",
        "< 0.01 %",
        "0.12 %",
        "10.5 %",
        "50.0 %",
        "99.88 %",
        "> 99.99 %",
        "100 %",
        "203.6 %",
    ];
    assert_eq!(shares, words);
    assert_eq!(
        [0.8948, 0.999_999, 1.0].map(efficiency),
        ["89.48 %", "99.9999 %", "100 %"]
    );
    assert_eq!(
        [5000, 20_400, 1_200_000].map(short),
        ["5 k", "20.4 k", "1.2 M"]
    );
    assert_eq!([0.9999, 0.5].map(tick_percent), ["99.99 %", "50 %"]);
    assert_eq!([9.24, 1150.7, f64::NAN].map(mean), ["9.2", "1,151", "–"]);
    assert_eq!(
        [plural(1, "line"), plural(1200, "line")],
        ["1 line", "1,200 lines"]
    );
    assert_eq!(
        ["nodes", "graph", "class"].map(singular),
        ["node", "graph", "class"]
    );
    assert_eq!(
        [3e-5, 2.1213e-5, 0.05, 9.96e-4].map(rate),
        ["3e-5", "2.1e-5", "0.05", "1e-3"]
    );
    assert_eq!(factor(1.9966), "2.00×");
    assert_eq!(
        [0.00002, 0.0002, 0.003, 0.15, 61.0].map(seconds),
        ["< 0.1 ms", "0.2 ms", "3 ms", "0.15 s", "61 s"]
    );
    assert_eq!(
        [0.2, 99.0, 258.0, 3_540.0, 8_280.0, 86_400.0, 1_036_800.0].map(duration),
        [
            "0.20 s", "99 s", "4.3 min", "59 min", "2.3 h", "24 h", "12 days"
        ]
    );
}
