//! The figures of an epoch of batches.

use super::ratio;
use crate::error::{Error, Result};
use crate::histogram::Histogram;
use crate::sampler::EpochCounts;
use serde::{Deserialize, Serialize};

/// Shares at which quantiles of the batch size are reported.
pub const QUANTILES: [f64; 5] = [0.0, 0.05, 0.5, 0.95, 1.0];

/// Batches of the same shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct BatchShape {
    /// Slots of a row.
    pub width: u32,
    /// Slots of a batch.
    pub slots: u64,
    /// Number of batches of this shape.
    pub batches: u64,
}

/// Figures of one epoch; shares and factors are plain ratios, and are shown in percent on screen only.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EpochFigures {
    /// The epoch, from 0.
    pub epoch: u32,
    /// BatchCap: the largest batch of this epoch, in addition to the caps of the buckets.
    pub batch_cap: Option<u64>,
    /// Sequences in batches.
    pub items: u64,
    /// Batches.
    pub batches: u64,
    /// Steps of the optimiser: one for each batch; 0 at inference.
    pub updates: u64,
    /// Tokens trained on.
    pub real_tokens: u64,
    /// Slots of all batches.
    pub slots: u64,
    /// Slots that are empty.
    pub padding_tokens: u64,
    /// Padding tokens / slots.
    pub padding_share: f64,
    /// Stopwords dropped. Never part of padding.
    pub dropped_tokens: u64,
    /// Quantiles as (share, sequences): the smallest batch size that this share of the batches does not exceed.
    pub batch_size_quantiles: Vec<(f64, u64)>,
    /// Sequences in a batch, on average: the effective batch.
    pub sequences_per_step: f64,
    /// Real tokens in a batch, on average.
    pub tokens_per_step: f64,
    /// Slots of the largest batch, which determine the memory.
    pub largest_slots: u64,
    /// Sum of slots × length of their row, to which the cost of attention is proportional.
    pub squared_slots: f64,
    /// The shapes of batches, the shortest rows first: relevant to compilers, and to the waiting of accelerators.
    pub shapes: Vec<BatchShape>,
    /// Smallest and largest learning rate; `None` at inference.
    pub learning_rate: Option<[f64; 2]>,
    /// Estimated seconds of the epoch on all accelerators. Like all estimates, 0 until the epoch is priced.
    pub estimated_seconds: f64,
    /// Estimated seconds of random batches of the usual size without dropping / those of this epoch.
    pub estimated_speedup: f64,
    /// Random and sorted batches of the same mean size, for comparison.
    pub same_size: Option<SameSize>,
}

/// Batches of a fixed size, the mean of an epoch, without dropping: they show the gain of random batches by their size
/// alone, and the gain of sorting at that size.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SameSize {
    /// Sequences in a batch: the mean of the epoch, rounded.
    pub sequences: u64,
    /// Padding / slots of random batches, on average over all orders.
    pub padding_share: f64,
    /// Estimated speed-up of random batches, against those of the usual size.
    pub random_speedup: f64,
    /// Estimated speed-up of sorted batches, against random batches of the usual size.
    pub sorted_speedup: f64,
}

impl EpochFigures {
    /// Derives the figures. Estimates are 0, and learning rate, cap and batches of the same size are `None` until they
    /// are filled in. `dropped_before`: tokens dropped before batching. O(distinct sizes and shapes of batches).
    ///
    /// # Errors
    /// [`Error::TooLarge`] for 2^64 slots or more.
    pub fn new(epoch: u32, counts: &EpochCounts, dropped_before: u64) -> Result<Self> {
        let fits = |n: u128, what| u64::try_from(n).map_err(|_| Error::TooLarge { what });
        let slots = fits(counts.slots, "the number of slots")?;
        let real_tokens = fits(counts.real_tokens, "the number of tokens")?;
        let dropped = fits(counts.dropped_tokens, "the number of tokens")?;
        let mean = |n: u64| n as f64 / counts.batches as f64;
        Ok(Self {
            epoch,
            batch_cap: None,
            items: counts.items,
            batches: counts.batches,
            updates: counts.batches,
            real_tokens,
            slots,
            padding_tokens: slots - real_tokens,
            padding_share: 1.0 - ratio(real_tokens, slots as f64),
            dropped_tokens: dropped + dropped_before,
            batch_size_quantiles: QUANTILES.map(|q| (q, quantile(counts, q))).to_vec(),
            sequences_per_step: mean(counts.items),
            tokens_per_step: mean(real_tokens),
            largest_slots: counts.largest_slots,
            squared_slots: counts.squared_slots,
            shapes: shapes(counts),
            learning_rate: None,
            estimated_seconds: 0.0,
            estimated_speedup: 0.0,
            same_size: None,
        })
    }
}

impl EpochFigures {
    /// Returns, for each of these shares of the batches, the smallest number of sequences that they do not exceed. The
    /// shares have to be among [`QUANTILES`]; others give 0.
    pub fn batch_sizes<const N: usize>(&self, shares: [f64; N]) -> [u64; N] {
        // Floats may be compared, because callers ask with the constants themselves.
        let found = |share: f64| self.batch_size_quantiles.iter().find(|(q, _)| *q == share);
        shares.map(|share| found(share).map_or(0, |(_, size)| *size))
    }
}

fn shapes(counts: &EpochCounts) -> Vec<BatchShape> {
    let shape = |(&(width, slots), &batches): (&(u32, u64), &u64)| BatchShape {
        width,
        slots,
        batches,
    };
    counts.shapes.iter().map(shape).collect()
}

fn quantile(counts: &EpochCounts, q: f64) -> u64 {
    // At least the first: a share of 0 asks for the smallest batch.
    let rank = ((q * counts.batches as f64).ceil() as u64).max(1);
    let mut seen = 0;
    let reached = counts.sizes.iter().find(|(_, batches)| {
        seen += **batches;
        seen >= rank
    });
    reached.map_or(0, |(size, _)| *size)
}

/// The exact average cost of random batches of a fixed size: the mean over all orders.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ExpectedPadding {
    /// Batches, the same number in every order.
    pub batches: u64,
    /// Slots, on average.
    pub slots: f64,
    /// Slots × length of their row, on average.
    pub squared_slots: f64,
    /// Padding / slots, of these averages.
    pub padding_share: f64,
}

impl ExpectedPadding {
    /// Computes the averages. The probability that the longest of b of n items is no longer than l is C(m, b) / C(n,
    /// b), where m items are no longer than l; the mean follows. O(distinct · batch) at most, O(distinct · √items) for
    /// any batch.
    pub fn random(lengths: &Histogram<1>, batch: u32) -> Self {
        let (n, batch) = (lengths.items(), u64::from(batch.max(1)));
        let (whole, rest) = (n / batch, n % batch);
        let mut sums = [0.0; 2];
        // The last batch may be smaller, and its longest item is then shorter on average.
        for (size, times) in [(batch, whole), (rest, u64::from(rest > 0))] {
            if times > 0 {
                let means = longest(lengths, size);
                for (sum, mean) in sums.iter_mut().zip(means) {
                    *sum += mean * size as f64 * times as f64;
                }
            }
        }
        let [slots, squared_slots] = sums;
        // Sums of floats may fall a little short of the tokens.
        let padding_share = (1.0 - ratio(lengths.total()[0], slots)).max(0.0);
        Self {
            batches: whole + u64::from(rest > 0),
            slots,
            squared_slots,
            padding_share,
        }
    }
}

/// Returns the slots of the row of an item in random batches, on average over all orders, for each length of the
/// histogram: the longer of itself and the longest of the other items of its batch. All batches are taken as whole. O(distinct ·
/// batch) at most, as [`ExpectedPadding::random`].
pub fn random_widths(lengths: &Histogram<1>, batch: u32) -> Vec<f64> {
    let (n, entries) = (lengths.items(), lengths.entries());
    let others = u64::from(batch.max(1)).min(n).saturating_sub(1);
    // The item itself is not among the others.
    let none_longer = none_longer(lengths, n.saturating_sub(1), others);
    let mut longer = 0.0;
    let mut widths: Vec<f64> = (0..entries.len())
        .rev()
        .map(|at| {
            let ([length], _) = entries[at];
            let width = longer + f64::from(length) * none_longer[at];
            let shorter = at.checked_sub(1).map_or(0.0, |before| none_longer[before]);
            longer += f64::from(length) * (none_longer[at] - shorter);
            width
        })
        .collect();
    widths.reverse();
    widths
}

/// Returns the mean of the longest of `size` items drawn without replacement, and of its square.
fn longest(lengths: &Histogram<1>, size: u64) -> [f64; 2] {
    let mut before = 0.0;
    let mut means = [0.0; 2];
    let none_longer = none_longer(lengths, lengths.items(), size);
    for (&([length], _), none_longer) in lengths.entries().iter().zip(none_longer) {
        let probability = none_longer - before;
        before = none_longer;
        let length = f64::from(length);
        means[0] += probability * length;
        means[1] += probability * length * length;
    }
    means
}

/// A probability that no mean shows.
const VANISHED: f64 = 1e-30;

/// Returns for each length the probability that `size` of n items drawn without replacement are none longer: C(few, size) / C(n,
/// size), where few items are no longer. `n` is the number of items, or one less for the others of an item.
///
/// It goes down from the longest, whose probability is 1, by the items of each length or by the size, whichever are
/// fewer, until the probability vanishes. O(items / size + distinct), O(distinct · size) and O(distinct · √items) at
/// most.
fn none_longer(lengths: &Histogram<1>, n: u64, size: u64) -> Vec<f64> {
    let entries = lengths.entries();
    let mut out = vec![0.0; entries.len()];
    let (mut few, mut probability) = (n, 1.0);
    for (out, (_, count)) in out.iter_mut().zip(entries).rev() {
        if few < size || probability < VANISHED {
            break;
        }
        *out = probability;
        let (gone, times) = (size.max(*count), size.min(*count));
        for i in 0..times {
            probability *= few.saturating_sub(gone + i) as f64 / (few - i) as f64;
            if probability < VANISHED {
                break;
            }
        }
        few = few.saturating_sub(*count);
    }
    out
}

/// The estimate of random batches' padding in the paper of BucketSampler, beside the true value.
///
/// Source: Nagarajan, Raghunathan 2023, *TokenDrop + BucketSampler*, App. E.2: (L − mean) / L, where 87.5 % of the
/// sequences are *shorter* than L. The paper says "longer", which its formula contradicts; and 1 − 0.875^64 is 0.9998,
/// not 0.9999.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PublishedEstimate {
    /// The estimate.
    pub padding_fraction_est: f64,
    /// L: the smallest length that 87.5 % of the sequences do not exceed.
    pub length_87_5: u32,
    /// Mean length.
    pub mean_length: f64,
    /// The padding of random batches on average.
    pub padding_fraction: f64,
}

impl PublishedEstimate {
    /// Computes the estimate. O(distinct).
    pub fn new(lengths: &Histogram<1>, random: &ExpectedPadding) -> Self {
        let (length_87_5, mean_length) = (lengths.quantile(0.875), lengths.mean());
        let long = f64::from(length_87_5);
        Self {
            padding_fraction_est: (long - mean_length) / long,
            length_87_5,
            mean_length,
            padding_fraction: random.padding_share,
        }
    }
}
