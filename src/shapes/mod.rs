//! Few static shapes: lengths to which sequences are padded if every length costs a compilation, as with XLA, HPU
//! graphs, CUDA graphs and `torch.compile`.
//!
//! ```
//! use packscope::{histogram::Histogram, shapes::{self, Method}};
//! let data = Histogram::from_lengths([(10, 8), (12, 4), (100, 1)])?;
//! let best = shapes::choose(&data, 2, Method::Best)?;
//! assert_eq!(best, [12, 100]);
//! // Eight sequences of 10 tokens are padded to 12.
//! assert_eq!(shapes::padding(&data, &best)?, 16);
//! # Ok::<(), packscope::error::Error>(())
//! ```

mod best;

use crate::error::{Error, Result};
use crate::histogram::Histogram;
use crate::names::names;
use serde::Serialize;

/// Maximum number of shapes; with more, compilation is no longer a reason to limit them.
pub const MOST: usize = 256;

/// A method to choose the lengths of shapes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Method {
    /// The lengths with the least padding.
    Best,
    /// Equally many sequences in each shape.
    EqualCount,
    /// Equally many tokens in each shape, as lhotse and NeMo estimate `bucket_duration_bins`.
    EqualTotal,
    /// Equal parts of the longest length.
    EqualWidth,
    /// The powers of two below the longest length, and the next one.
    PowersOfTwo,
}

names! { Method, "way to choose shapes";
    Best: "best", "Least padding";
    EqualTotal: "equal-total", "Equal tokens";
    EqualCount: "equal-count", "Equal sequences";
    EqualWidth: "equal-width", "Equal steps";
    PowersOfTwo: "powers-of-two", "Powers of two";
}

/// Sequences that are padded to the same length.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Shape {
    /// The length to which they are padded, in tokens.
    pub length: u32,
    /// Sequences.
    pub items: u64,
    /// Their tokens.
    pub tokens: u64,
}

impl Shape {
    /// Returns the padding, in tokens.
    pub fn padding(&self) -> u128 {
        u128::from(self.length) * u128::from(self.items) - u128::from(self.tokens)
    }
}

/// Returns the lengths of at most this number of shapes, ascending; the last holds the longest sequence. There are
/// fewer if two would be the same, or hold no sequence. O(distinct · shapes · log distinct) time and O(distinct ·
/// shapes) memory for [`Method::Best`], O(distinct) for all others.
///
/// # Errors
/// [`Error::Setting`] for no shapes, and for more than [`MOST`].
pub fn choose(lengths: &Histogram<1>, shapes: usize, method: Method) -> Result<Vec<u32>> {
    if shapes == 0 || shapes > MOST {
        let given = shapes.to_string();
        return Err(Error::Setting { what: "number of shapes", given, expected: "1 to 256" });
    }
    let longest = lengths.max()[0];
    let mut chosen = match method {
        Method::Best => best::best(lengths, shapes),
        Method::EqualCount => equal_count(lengths, shapes),
        Method::EqualTotal => equal_total(lengths, shapes),
        Method::EqualWidth => {
            let part = |i: u64| (u64::from(longest) * i).div_ceil(shapes as u64) as u32;
            (1..=shapes as u64).map(part).collect()
        }
        Method::PowersOfTwo => powers_of_two(longest, shapes),
    };
    chosen.dedup();
    let used = judge(lengths, &chosen)?;
    Ok(used.into_iter().filter(|shape| shape.items > 0).map(|shape| shape.length).collect())
}

/// Returns the sequences of each of these lengths: a sequence goes to the shortest length that holds it. O(distinct).
///
/// # Errors
/// [`Error::Setting`] if lengths do not ascend from 1; [`Error::Overlong`] if sequences are longer than the last one.
pub fn judge(lengths: &Histogram<1>, shapes: &[u32]) -> Result<Vec<Shape>> {
    let ascend =
        shapes.first().is_some_and(|first| *first > 0) && shapes.windows(2).all(|pair| pair[0] < pair[1]);
    if !ascend {
        let given = shapes.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
        return Err(Error::Setting { what: "list of lengths", given, expected: "ascending lengths from 1" });
    }
    let last = shapes[shapes.len() - 1];
    let (held, longest) = (lengths.items_within(last), lengths.max()[0]);
    if longest > last {
        let items = lengths.items() - held;
        return Err(Error::Overlong { items, largest: longest, limit: last, component: 0, components: 1 });
    }
    let within = |length: u32| [lengths.items_within(length), lengths.tokens_within(length)];
    let mut below = [0; 2];
    let shape = shapes.iter().map(|length| {
        let [items, tokens] = within(*length);
        let shape = Shape { length: *length, items: items - below[0], tokens: tokens - below[1] };
        below = [items, tokens];
        shape
    });
    Ok(shape.collect())
}

/// Returns the padding of sequences that are padded to the next of these lengths, in tokens. O(distinct).
///
/// # Errors
/// As [`judge`].
pub fn padding(lengths: &Histogram<1>, shapes: &[u32]) -> Result<u128> {
    Ok(judge(lengths, shapes)?.iter().map(Shape::padding).sum())
}

fn equal_count(lengths: &Histogram<1>, shapes: usize) -> Vec<u32> {
    let (mut ends, mut sum) = (Vec::new(), 0);
    for ([length], count) in lengths.entries() {
        sum += u128::from(*count);
        while ends.len() < shapes
            && sum * shapes as u128 >= u128::from(lengths.items()) * (ends.len() as u128 + 1)
        {
            ends.push(*length);
        }
    }
    ends
}

/// Returns the longest length of each bucket of `estimate_duration_buckets` (lhotse,
/// `dataset/sampling/dynamic_bucketing.py`), which goes through sequences by length, and begins a new bucket after more
/// than an equal share of the tokens.
fn equal_total(lengths: &Histogram<1>, shapes: usize) -> Vec<u32> {
    let share =
        lengths.entries().iter().map(|([l], n)| f64::from(*l) * *n as f64).sum::<f64>() / shapes as f64;
    let (mut ends, mut before, mut sum) = (Vec::new(), 0, 0.0);
    for ([length], count) in lengths.entries() {
        // Sequences of one length share a bucket, even if the boundary is among them.
        let mut left = *count;
        while left > 0 {
            if sum > share && ends.len() + 1 < shapes {
                ends.push(before);
                sum = 0.0;
            }
            let size = f64::from(*length);
            // The number of sequences that fill the bucket, computed at once.
            let more = ((share - sum) / size).floor().max(0.0) as u64 + 1;
            let taken = more.min(left);
            sum += size * taken as f64;
            left -= taken;
        }
        before = *length;
    }
    ends.push(lengths.max()[0]);
    ends.retain(|end| *end > 0);
    ends
}

fn powers_of_two(longest: u32, shapes: usize) -> Vec<u32> {
    let last = u64::from(longest).next_power_of_two();
    let all = (0..shapes as u32).rev().filter_map(|below| Some(last >> below).filter(|power| *power > 0));
    // A length of 2^32 does not fit 32 bits.
    all.map(|power| u32::try_from(power).unwrap_or(u32::MAX)).collect()
}
