//! Substitutes for data not available as a file: their number of graphs, limits and means are true, the rest invented.
//!
//! The counts are the same on every machine: they use seeded draws, and only sums, products, quotients and square roots
//! of floats, which IEEE 754 rounds alike everywhere. Hence long tails are log-logistic, which look log-normal and
//! whose quantiles are powers of the odds.

use super::{Histogram, Size};
use crate::error::Result;
use crate::rng::Random;
use std::collections::{BTreeMap, BTreeSet};

/// A generated data set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Generated {
    /// Like ogbg-code2, syntax trees of functions: 407,976 trees (the training split) with 2,099 distinct sizes (Krell
    /// et al. 2022, *Tuple Packing*, Table 1), edges = nodes − 1, mean 125 nodes, the largest with 36,123.
    Code,
    /// Like ogbg-ppa, neighbourhoods in protein networks that were cut at 300 nodes: 78,200 graphs (the training split)
    /// with 35,981 distinct sizes (the same table), 54 % of them at 300 nodes; mean 243 nodes and about 4,500 edges, at
    /// most 36,138.
    Ppa,
    /// Like texts with summaries: 20,000 pairs of tokens for an encoder (up to 512) and a decoder (up to 128).
    Summaries,
}

impl Generated {
    /// Every generated set.
    pub const ALL: [Self; 3] = [Self::Code, Self::Ppa, Self::Summaries];

    /// Generates the counts. O(items log distinct) for ppa and the pairs, O(distinct) for code.
    ///
    /// # Errors
    /// As [`Histogram::from_counts`]; these counts cause none.
    pub fn histogram(self) -> Result<Histogram<2>> {
        match self {
            Self::Code => code(),
            Self::Ppa => ppa(),
            Self::Summaries => summaries(),
        }
    }
}

/// Generates trees, which have one edge less than nodes.
fn code() -> Result<Histogram<2>> {
    const GRAPHS: u64 = 407_976;
    const DISTINCT: usize = 2_099;
    const SMALLEST: u32 = 11;
    /// The size from which on all trees have distinct sizes.
    const TAIL: u32 = 1_450;
    const LARGEST: u32 = 36_123;
    const MEDIAN: f64 = 98.7;
    let mut random = Random::seeded(2);
    let mut tail = BTreeSet::from([LARGEST]);
    while tail.len() < DISTINCT - (TAIL - SMALLEST) as usize {
        // Pareto with exponent 2.
        let nodes = f64::from(TAIL) / fraction(&mut random).sqrt();
        tail.extend((nodes < f64::from(LARGEST)).then_some(nodes as u32));
    }
    let weights: Vec<f64> = (SMALLEST..TAIL)
        .map(|n| density(f64::from(n) / MEDIAN))
        .collect();
    let all: f64 = weights.iter().sum();
    let shared = GRAPHS - DISTINCT as u64;
    // Every size of the body has one tree at least, or there would be fewer distinct sizes.
    let mut counts: Vec<u64> = weights
        .iter()
        .map(|w| 1 + (shared as f64 * w / all) as u64)
        .collect();
    // Rounding down leaves `left` at 0 or more, and below the number of sizes.
    // The smallest sizes get the rounding remainder, so that counts keep falling in the tail.
    let left = GRAPHS - tail.len() as u64 - counts.iter().sum::<u64>();
    counts
        .iter_mut()
        .take(left as usize)
        .for_each(|count| *count += 1);
    let body = (SMALLEST..TAIL).zip(counts);
    Histogram::from_counts(
        body.chain(tail.into_iter().map(|n| (n, 1)))
            .map(|(n, count)| ([n, n - 1], count)),
    )
}

/// Draws graphs one by one. Once there are enough distinct sizes, a new size is replaced by that of an earlier graph.
fn ppa() -> Result<Histogram<2>> {
    const GRAPHS: u64 = 78_200;
    const DISTINCT: usize = 35_981;
    let mut random = Random::seeded(3);
    let mut counts = BTreeMap::<Size<2>, u64>::new();
    let mut earlier = [Vec::new(), Vec::new()];
    for graph in 0..GRAPHS {
        // 54 of 100 are at the cap; the first is the one with most edges.
        // The product with 54 spreads the capped ones evenly over the order.
        let is_capped = graph * 54 % 100 < 54;
        let mut size = if graph == 0 {
            PPA_LARGEST
        } else {
            ppa_size(is_capped, &mut random)
        };
        // Capped and other graphs apart, so that a replacement keeps the share of 54 %.
        let alike = &mut earlier[usize::from(is_capped)];
        if counts.len() == DISTINCT && !counts.contains_key(&size) {
            size = alike[random.below(alike.len() as u64) as usize];
        }
        alike.push(size);
        *counts.entry(size).or_default() += 1;
    }
    // A `BTreeMap` is sorted and has no zeros, which `from_sorted` relies on.
    Histogram::from_sorted(counts.into_iter().collect())
}

const PPA_LARGEST: Size<2> = [300, 36_138];

/// Draws the size of a connected graph, at most the largest. Edges count in both directions.
fn ppa_size(is_capped: bool, random: &mut Random) -> Size<2> {
    let [cap, most_edges] = PPA_LARGEST;
    loop {
        let nodes = if is_capped {
            cap
        } else {
            54 + random.below(u64::from(cap - 54)) as u32
        };
        let pairs = f64::from(nodes) * 6.65 * odds(random).sqrt();
        // Cut to a whole number before it is doubled: edges in both directions are even in number.
        let edges = 2 * pairs as u32;
        // A connected graph has nodes − 1 edges at least. Others are drawn again, as are those
        // above the largest.
        if (2 * (nodes - 1)..=most_edges).contains(&edges) {
            return [nodes, edges];
        }
    }
}

/// Draws pairs: the longer the source, the longer the target, within a factor that varies.
fn summaries() -> Result<Histogram<2>> {
    let mut random = Random::seeded(4);
    let mut pair = || {
        let source = odds(&mut random).sqrt();
        let target = source.sqrt() * odds(&mut random).sqrt().sqrt();
        let tokens = |x: f64, limit: u32| (x as u32 + 2).min(limit);
        ([tokens(160.0 * source, 512), tokens(28.0 * target, 128)], 1)
    };
    Histogram::from_counts(std::iter::repeat_with(&mut pair).take(20_000))
}

/// Returns a number above 0 and below 1.
fn fraction(random: &mut Random) -> f64 {
    // 52 bits and a half: exact in a float, and never 0 or 1, which `odds` divides by.
    ((random.bits() >> 12) as f64 + 0.5) / (1u64 << 52) as f64
}

/// Draws from the log-logistic distribution with median and exponent 1.
fn odds(random: &mut Random) -> f64 {
    let share = fraction(random);
    share / (1.0 - share)
}

/// Returns the density of the log-logistic distribution with median 1 and exponent 3, up to a factor.
fn density(x: f64) -> f64 {
    let tail = 1.0 + x * x * x;
    x * x / (tail * tail)
}
