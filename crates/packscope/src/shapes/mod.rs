//! Few static shapes: lengths to which sequences are padded if every length costs a compilation, as with XLA, HPU
//! graphs, CUDA graphs and `torch.compile`.
//!
//! ```
//! use packscope::{histogram::Histogram, shapes::{self, ShapeMethod}};
//! let data = Histogram::from_lengths([(10, 8), (12, 4), (100, 1)])?;
//! let best = shapes::choose(&data, 2, ShapeMethod::Best, 1)?;
//! assert_eq!(best.iter().map(|shape| shape.length).collect::<Vec<_>>(), [12, 100]);
//! // Eight sequences of 10 tokens are padded to 12.
//! assert_eq!(shapes::padding(&best), 16);
//! # Ok::<(), packscope::error::Error>(())
//! ```

mod best;
mod list;

pub use list::parse;

use crate::error::{Error, Result};
use crate::histogram::Histogram;
use crate::names::names;
use best::BestShapes;
use serde::{Deserialize, Serialize};

/// Maximum number of shapes; with more, compilation is no longer a reason to limit them.
pub const MOST: usize = 256;

/// A method to choose the lengths of shapes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ShapeMethod {
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

names! { ShapeMethod, "way to choose shapes";
    Best: "best", "Least padding";
    EqualTotal: "equal-total", "Equal tokens";
    EqualCount: "equal-count", "Equal sequences";
    EqualWidth: "equal-width", "Equal steps";
    PowersOfTwo: "powers-of-two", "Powers of two";
}

/// Sequences that are padded to the same length.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
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

/// Returns at most this number of shapes, by ascending length; the last holds the longest sequence, and each length is
/// a multiple of `multiple`. There are fewer if two would be the same, or hold no sequence. O(distinct · shapes)
/// time and memory for [`ShapeMethod::Best`], O(distinct) for all others.
///
/// # Errors
/// [`Error::Setting`] for no shapes, and for more than [`MOST`].
pub fn choose(
    lengths: &Histogram<1>,
    shapes: usize,
    method: ShapeMethod,
    multiple: u32,
) -> Result<Vec<Shape>> {
    check(shapes)?;
    let chosen = match method {
        ShapeMethod::Best => BestShapes::new(lengths, shapes, multiple).of(shapes),
        _ => usual(lengths, shapes, method),
    };
    used(lengths, chosen, multiple)
}

/// Returns what [`choose`] returns for each number of shapes from 1 to this one. The cost is that of the largest number
/// for [`ShapeMethod::Best`], and O(distinct · shapes) for all others.
///
/// # Errors
/// As [`choose`].
pub fn choose_each(
    lengths: &Histogram<1>,
    most: usize,
    method: ShapeMethod,
    multiple: u32,
) -> Result<Vec<Vec<Shape>>> {
    check(most)?;
    let best = (method == ShapeMethod::Best).then(|| BestShapes::new(lengths, most, multiple));
    let one = |shapes| {
        let chosen = best
            .as_ref()
            .map_or_else(|| usual(lengths, shapes, method), |best| best.of(shapes));
        used(lengths, chosen, multiple)
    };
    (1..=most).map(one).collect()
}

fn check(shapes: usize) -> Result<()> {
    if shapes == 0 || shapes > MOST {
        let given = shapes.to_string();
        return Err(Error::Setting {
            what: "number of shapes",
            given,
            expected: "1 to 256",
        });
    }
    Ok(())
}

/// Returns the lengths of every method but the best.
fn usual(lengths: &Histogram<1>, shapes: usize, method: ShapeMethod) -> Vec<u32> {
    let longest = lengths.max()[0];
    match method {
        ShapeMethod::Best | ShapeMethod::EqualTotal => equal_total(lengths, shapes),
        ShapeMethod::EqualCount => equal_count(lengths, shapes),
        ShapeMethod::EqualWidth => {
            let part = |i: u64| (u64::from(longest) * i).div_ceil(shapes as u64) as u32;
            (1..=shapes as u64).map(part).collect()
        }
        ShapeMethod::PowersOfTwo => powers_of_two(longest, shapes),
    }
}

/// Rounds a length up; lengths of which no multiple fits 32 bits stay.
fn rounded(length: u32, multiple: u32) -> u32 {
    length
        .checked_next_multiple_of(multiple.max(1))
        .unwrap_or(length)
}

/// Rounds lengths up, and returns those that hold sequences.
fn used(lengths: &Histogram<1>, mut chosen: Vec<u32>, multiple: u32) -> Result<Vec<Shape>> {
    chosen
        .iter_mut()
        .for_each(|length| *length = rounded(*length, multiple));
    chosen.dedup();
    let mut shapes = judge(lengths, &chosen)?;
    shapes.retain(|shape| shape.items > 0);
    Ok(shapes)
}

/// Returns the sequences of each of these lengths: a sequence goes to the shortest length that holds it. O(distinct).
///
/// # Errors
/// [`Error::Setting`] if lengths do not ascend from 1; [`Error::Overlong`] if sequences are longer than the last one.
pub fn judge(lengths: &Histogram<1>, shapes: &[u32]) -> Result<Vec<Shape>> {
    let ascend = shapes.first().is_some_and(|first| *first > 0)
        && shapes.windows(2).all(|pair| pair[0] < pair[1]);
    if !ascend {
        let given = shapes
            .iter()
            .map(u32::to_string)
            .collect::<Vec<_>>()
            .join(",");
        return Err(Error::Setting {
            what: "list of lengths",
            given,
            expected: "ascending lengths from 1",
        });
    }
    let last = shapes[shapes.len() - 1];
    let (held, longest) = (lengths.items_within(last), lengths.max()[0]);
    if longest > last {
        let items = lengths.items() - held;
        return Err(Error::Overlong {
            items,
            largest: longest,
            limit: last,
            component: 0,
            components: 1,
        });
    }
    let within = |length: u32| [lengths.items_within(length), lengths.tokens_within(length)];
    let mut below = [0; 2];
    let shape = shapes.iter().map(|length| {
        let [items, tokens] = within(*length);
        let shape = Shape {
            length: *length,
            items: items - below[0],
            tokens: tokens - below[1],
        };
        below = [items, tokens];
        shape
    });
    Ok(shape.collect())
}

/// Returns the padding of these shapes, in tokens.
pub fn padding(shapes: &[Shape]) -> u128 {
    shapes.iter().map(Shape::padding).sum()
}

/// Returns the share of the slots of these shapes that is padding; 0 without sequences.
pub fn padding_share(shapes: &[Shape]) -> f64 {
    let tokens: u128 = shapes.iter().map(|shape| u128::from(shape.tokens)).sum();
    let padding = padding(shapes);
    padding as f64 / ((padding + tokens) as f64).max(1.0)
}

fn equal_count(lengths: &Histogram<1>, shapes: usize) -> Vec<u32> {
    let (mut ends, mut sum) = (Vec::new(), 0);
    for ([length], count) in lengths.entries() {
        sum += u128::from(*count);
        // Multiplied out, so that the shares are compared in whole numbers.
        while ends.len() < shapes
            && sum * shapes as u128 >= u128::from(lengths.items()) * (ends.len() as u128 + 1)
        {
            ends.push(*length);
        }
    }
    ends
}

/// Returns the longest length of each bucket of `estimate_duration_buckets` (lhotse 1.33,
/// `dataset/sampling/dynamic_bucketing.py`), which goes through sequences by length, and begins a new bucket after more
/// than an equal share of the tokens. Its sampler puts a sequence that is as long as a boundary below it
/// (`SamplingConstraint.select_bucket`), so that boundaries are the longest lengths.
fn equal_total(lengths: &Histogram<1>, shapes: usize) -> Vec<u32> {
    let total: u128 = lengths
        .entries()
        .iter()
        .map(|([l], n)| u128::from(*l) * u128::from(*n))
        .sum();
    // A sum of whole tokens is above the share if, and only if, it is above the share rounded down. In floating point,
    // sums of very many tokens would not grow by another sequence.
    let share = total / shapes as u128;
    let (mut ends, mut sum) = (Vec::new(), 0);
    for ([length], count) in lengths.entries() {
        let (size, mut left) = (u128::from(*length), u128::from(*count));
        while left > 0 {
            if sum > share && ends.len() + 1 < shapes {
                ends.push(*length);
                sum = 0;
            }
            // The number of sequences that fill the bucket, computed at once; all that are left, in the last one.
            let full = ends.len() + 1 >= shapes;
            let taken = if full {
                left
            } else {
                (share.saturating_sub(sum) / size + 1).min(left)
            };
            sum += size * taken;
            left -= taken;
        }
    }
    ends.push(lengths.max()[0]);
    ends
}

fn powers_of_two(longest: u32, shapes: usize) -> Vec<u32> {
    let last = u64::from(longest).next_power_of_two();
    let power = |below| last.checked_shr(below).filter(|power| *power > 0);
    let all = (0..shapes as u32).rev().filter_map(power);
    // A length of 2^32 does not fit 32 bits.
    all.map(|power| u32::try_from(power).unwrap_or(u32::MAX))
        .collect()
}
