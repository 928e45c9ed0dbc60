//! Data and inputs that the tests of all crates share.
#![allow(clippy::unwrap_used, reason = "a test may panic: that is how it fails")]

pub mod sources;

use packscope_core::histogram::Histogram;
use proptest::prelude::*;

/// A built-in set of lengths.
pub fn built_in(name: &str) -> Histogram<1> {
    built_in_of(name)
}

/// A built-in set of graphs.
pub fn built_in_graphs(name: &str) -> Histogram<2> {
    built_in_of(name)
}

/// A built-in set of lengths as samplers take it: no stopwords are known.
pub fn pairs(name: &str) -> Histogram<2> {
    Histogram::from_counts(built_in(name).entries().iter().map(|&([l], n)| ([l, 0], n))).unwrap()
}

/// A built-in set, read by a parser that knows nothing but sizes and, last, the count.
fn built_in_of<const K: usize>(name: &str) -> Histogram<K> {
    let path = format!(
        "{}/../../static/datasets/{name}.csv",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read_to_string(path).unwrap();
    let rows = text.lines().skip(1).map(|line| {
        let numbers: Vec<u64> = line.split(',').map(|n| n.parse().unwrap()).collect();
        assert_eq!(numbers.len(), K + 1);
        (std::array::from_fn(|k| numbers[k] as u32), numbers[K])
    });
    Histogram::from_counts(rows).unwrap()
}

/// Sizes of several components: the first from 1, the others from 0.
pub fn sizes<const K: usize>(
    limit: u32,
    distinct: usize,
    count: u64,
) -> impl Strategy<Value = Histogram<K>> {
    let components = prop::collection::vec(0..=limit, K);
    prop::collection::vec((components, 1..=count), 1..=distinct).prop_map(|rows| {
        let size = |c: &[u32]| std::array::from_fn(|k| if k == 0 { c[k].max(1) } else { c[k] });
        Histogram::from_counts(rows.iter().map(|(c, n)| (size(c), *n))).unwrap()
    })
}

/// Lengths 1 to `limit` with counts of very different magnitude.
pub fn histograms(limit: u32, distinct: usize, count: u64) -> impl Strategy<Value = Histogram<1>> {
    let counts = prop_oneof![1..=3u64, 1..=count];
    prop::collection::vec((1..=limit, counts), 1..=distinct)
        .prop_map(|rows| Histogram::from_lengths(rows).unwrap())
}

/// All items, ascending.
pub fn expanded(histogram: &Histogram<1>) -> Vec<u32> {
    histogram
        .entries()
        .iter()
        .flat_map(|&([l], n)| std::iter::repeat_n(l, n as usize))
        .collect()
}
