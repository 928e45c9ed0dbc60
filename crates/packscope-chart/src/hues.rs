//! The mapping from lengths to their eight colours, the same in all drawings of the same data.

use packscope::histogram::{Histogram, Spread};

/// The colours of lengths, short to long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hues {
    /// The longest length of each colour except the last.
    ends: [u32; 7],
}

impl Hues {
    /// Divides 1 to `limit` into eight equal steps; longer lengths have the last colour.
    pub fn equal(limit: u32) -> Self {
        Self {
            ends: std::array::from_fn(|k| eighths(limit.max(1), k)),
        }
    }

    /// Divides 1 to `limit` into eight equal steps; to the longest item, if that is at most half of the limit. If a
    /// linear axis does not show the data (see [`Histogram::spread`]), equal steps would give nearly all items the same
    /// colour: then each colour has about an eighth of the tokens that fit under the limit. Takes O(log² distinct) time.
    pub fn of(histogram: &Histogram<1>, limit: u32) -> Self {
        let tokens = histogram.tokens_within(limit);
        // By the data alone, and not by the axis on screen: colours stay when the axis changes.
        if tokens == 0 || histogram.spread() == Spread::Linear {
            let longest = histogram.max()[0];
            return Self::equal(if longest > limit / 2 { limit } else { longest });
        }
        let entries = histogram.entries();
        let eighth = tokens as f64 / 8.0;
        let end = |k: usize| {
            let before = |([length], _): &([u32; 1], u64)| {
                (histogram.tokens_within(*length) as f64) < eighth * (k + 1) as f64
            };
            let at = entries.partition_point(before).min(entries.len() - 1);
            entries[at].0[0]
        };
        Self {
            ends: std::array::from_fn(end),
        }
    }

    /// Returns the index of a length's colour, 0 to 7.
    pub fn step(&self, length: u32) -> usize {
        self.ends.iter().filter(|end| length > **end).count()
    }
}

/// Returns `k + 1` eighths of a limit, rounded up.
fn eighths(limit: u32, k: usize) -> u32 {
    // Eight times a limit may exceed 32 bits.
    ((k as u64 + 1) * u64::from(limit)).div_ceil(8) as u32
}

impl From<u32> for Hues {
    fn from(limit: u32) -> Self {
        Self::equal(limit)
    }
}
