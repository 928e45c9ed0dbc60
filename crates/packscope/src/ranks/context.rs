//! Context parallelism: a sequence that is too long for a rank is shared by several.

use super::simulate::Simulation;
use super::{Settings, Weight, step};
use crate::cost::Transformer;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// Context parallelism in three ways, on the same steps. Work of a sequence on `n` ranks is its work ÷ n on each, done at
/// the same time; sequences are dealt the longest first, and ranks wait once a step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ContextReport {
    /// One size for all sequences, the one that the longest needs.
    pub fixed: ContextWay,
    /// One size for each sequence: the next power of two of its length ÷ most tokens of a rank, or the
    /// [fewest ranks](Settings::least).
    pub each: ContextWay,
    /// One size for each sequence, any whole number. Beside [`each`](Self::each) it shows what
    /// rounding to powers of two costs in communication; the groups of ranks fit together less
    /// well.
    pub exact: ContextWay,
    /// The sizes of [`each`](Self::each): ranks, share of the sequences, share of the work.
    pub sizes: Vec<(u32, f64, f64)>,
    /// The factor below which no sharing by the sizes of [`each`](Self::each) gets. Of all
    /// sequences of the steps, as the factors are, also where a scheduler leaves some out.
    pub bound: f64,
}

/// A way to share sequences.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ContextWay {
    /// The largest number of ranks that share a sequence.
    pub ranks: u32,
    /// Time of a step ÷ mean work of a rank in it, without communication.
    pub factor: f64,
    /// Communication ÷ computation over all ranks, by a link within a node and by a network between nodes: see
    /// [`LINKS`].
    pub communication: [f64; 2],
}

/// Operations per second of a rank, and bytes per second of its links, for communication: an H100 at 40 % of its dense
/// peak at 16 bits; NVLink (450 GB/s each way), a network of 400 Gb/s. Assumptions: no part of the exchange of keys and
/// values is hidden behind computation, so that the truth is between none and these.
pub const LINKS: (f64, [f64; 2]) = (0.4 * 989e12, [450e9, 50e9]);

/// Bytes of a feature that is exchanged: 16 bits.
const BYTES: f64 = 2.0;

/// How many ranks share a sequence.
#[derive(Clone, Copy)]
enum SharingDegree {
    Fixed(u32),
    PowerOfTwo,
    Exact,
}

impl SharingDegree {
    fn ranks(self, length: u32, most: u32, settings: &Settings) -> u32 {
        let (needed, ranks) = (length.div_ceil(most).max(1), settings.ranks);
        match self {
            Self::Fixed(size) => size,
            // Where the number of ranks is no power of two, the largest power below it is the
            // limit.
            Self::PowerOfTwo => {
                let next = needed.checked_next_power_of_two().unwrap_or(ranks);
                next.max(settings.least).min(1 << ranks.ilog2())
            }
            Self::Exact => needed.min(ranks),
        }
    }
}

/// Returns context parallelism with at most `most` tokens of a sequence on a rank; a sequence that
/// would need more ranks than there are is shared by all. `heaviest` is the work of the heaviest
/// sequence ÷ the mean work of a rank. O(units · (log units + ranks of a sequence · log ranks)) for
/// each step.
pub(super) fn context(simulation: &Simulation, most: u32, heaviest: f64) -> ContextReport {
    let settings = simulation.settings;
    let longest = simulation
        .units
        .kinds
        .iter()
        .flatten()
        .map(|run| run.0)
        .max()
        .unwrap_or(1);
    let size = SharingDegree::PowerOfTwo.ranks(longest, most, settings);
    let all = [
        SharingDegree::Fixed(size),
        SharingDegree::PowerOfTwo,
        SharingDegree::Exact,
    ];
    let [fixed, each, exact] = all.map(|sharing| shared(simulation, sharing, most));
    let mut sizes: BTreeMap<u32, [f64; 2]> = BTreeMap::new();
    let counted = simulation
        .units
        .kinds
        .iter()
        .zip(simulation.units.counts())
        .zip(&simulation.work);
    for ((kind, count), work) in counted {
        let length = kind.first().map_or(1, |run| run.0);
        let sums = sizes
            .entry(SharingDegree::PowerOfTwo.ranks(length, most, settings))
            .or_default();
        sums[0] += *count as f64;
        sums[1] += *count as f64 * work;
    }
    let [items, work] = [0, 1].map(|at| sizes.values().map(|sums| sums[at]).sum::<f64>());
    let sizes = sizes
        .into_iter()
        .map(|(size, sums)| (size, sums[0] / items, sums[1] / work))
        .collect();
    let bound = (heaviest / f64::from(each.ranks)).max(1.0);
    ContextReport {
        fixed,
        each,
        exact,
        sizes,
        bound,
    }
}

fn shared(simulation: &Simulation, sharing: SharingDegree, most: u32) -> ContextWay {
    let (settings, model) = (simulation.settings, &simulation.settings.model);
    let cost = simulation.cost(Weight::Model);
    let (mut time, mut all, mut bytes, mut widest) = (0.0, 0.0, 0.0, 1);
    for step in &simulation.steps {
        let mut lengths = simulation.lengths(step);
        lengths.sort_unstable_by_key(|length| Reverse(*length));
        let mut loads = Ranks::new(settings.ranks);
        for length in lengths {
            let size = sharing.ranks(length, most, settings);
            let work = cost.work_of(length);
            widest = widest.max(size);
            all += work;
            bytes += exchanged(model, length, size);
            loads.add(size, work / f64::from(size));
        }
        time += loads.slowest();
    }
    let (operations, links) = LINKS;
    let communication =
        // Without work, 0 instead of 0 / 0.
        links.map(|link| (bytes / link) / (all / operations).max(f64::MIN_POSITIVE));
    let mean = all / f64::from(settings.ranks);
    ContextWay {
        ranks: widest,
        factor: step::factor(time, mean),
        communication,
    }
}

/// Returns the bytes that all ranks of a sequence receive in a forward pass: each the keys and values of the others.
fn exchanged(model: &Transformer, length: u32, size: u32) -> f64 {
    // Keys and values, in layers with global attention: that of the others is left out, as in the
    // model.
    let own = f64::from(length) * 2.0 * model.key_width * model.layers * model.global * BYTES;
    own * f64::from(size - 1)
}

/// Loads of ranks, the least next; of equals the first rank.
struct Ranks(BinaryHeap<Reverse<(u64, u32)>>);

impl Ranks {
    fn new(ranks: u32) -> Self {
        Self((0..ranks).map(|rank| Reverse((0, rank))).collect())
    }

    /// Adds work to the `size` ranks with the least load, which begin together.
    fn add(&mut self, size: u32, work: f64) {
        let chosen: Vec<(u64, u32)> = (0..size)
            .filter_map(|_| self.0.pop().map(|Reverse(rank)| rank))
            .collect();
        // Bits of numbers from 0 are in the order of the numbers. All begin when the last of them
        // is free.
        let begin = chosen.last().map_or(0.0, |(load, _)| f64::from_bits(*load));
        self.0.extend(
            chosen
                .into_iter()
                .map(|(_, rank)| Reverse(((begin + work).to_bits(), rank))),
        );
    }

    fn slowest(&self) -> f64 {
        self.0
            .iter()
            .map(|Reverse((load, _))| f64::from_bits(*load))
            .fold(0.0, f64::max)
    }
}
