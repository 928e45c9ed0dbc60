//! Data the tests share.

use packscope::histogram::Histogram;
use proptest::prelude::*;

/// A built-in set, read by a parser that knows nothing but `length,count`.
pub fn built_in(name: &str) -> Histogram<1> {
    let path = format!("{}/static/datasets/{name}.csv", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let rows = text.lines().skip(1).map(|line| {
        let (length, count) = line.split_once(',').unwrap();
        ([length.parse().unwrap()], count.parse().unwrap())
    });
    Histogram::from_counts(rows).unwrap()
}

/// Lengths 1 to `limit` with counts of very different magnitude.
pub fn histograms(limit: u32, distinct: usize, count: u64) -> impl Strategy<Value = Histogram<1>> {
    let counts = prop_oneof![1..=3u64, 1..=count];
    prop::collection::vec((1..=limit, counts), 1..=distinct)
        .prop_map(|rows| Histogram::from_lengths(rows).unwrap())
}

/// All items, ascending.
pub fn expanded(histogram: &Histogram<1>) -> Vec<u32> {
    histogram.entries().iter().flat_map(|&([l], n)| std::iter::repeat_n(l, n as usize)).collect()
}
