//! Two components computed from lengths: tokens and attention, of sequences, and of groups whose responses share their
//! prompt. Packs that keep to a limit of each are equal in tokens and bounded in attention.
//!
//! Attention is counted in pairs of tokens, L² for a sequence of L tokens. A causal mask computes half of them, of every
//! sequence and of every group alike, so that no ratio depends on it.

use super::{FREE, Histogram, Size};
use crate::error::{Error, Result};
use std::fmt;
use std::str::FromStr;

/// The components that are computed, and of which data.
///
/// ```
/// use packscope_core::Histogram;
/// use packscope_core::histogram::Computation;
///
/// let lengths = Histogram::from_lengths([(10, 3), (2048, 1)])?;
/// let computed = Computation::Attention.compute(&lengths)?;
/// assert_eq!(computed.unit, 4); // pairs of tokens, so that 2048² is 2^20 units
/// assert_eq!(computed.histogram.entries(), [([10, 25], 3), ([2048, 1 << 20], 1)]);
///
/// // A prompt of 100 tokens before eight responses of 20: 260 tokens instead of 960.
/// let pairs = Histogram::from_counts([([100, 20], 1)])?;
/// let computed = Computation::SharedPrompt(8).compute(&pairs)?;
/// assert_eq!(computed.histogram.entries(), [([260, 45_200], 1)]); // 100² + 8 · (120² − 100²)
/// # Ok::<(), packscope_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Computation {
    /// Tokens and attention of a sequence: (L, L²) from its length L.
    Attention,
    /// Tokens and attention of a group of this many responses, at least 1, that share their prompt:
    /// (P + G·R, P² + G·((P + R)² − P²)) from a pair of prompt P and response R. All responses of a
    /// group are taken to have the length R of the pair.
    SharedPrompt(u32),
}

/// Two computed components: items by tokens and attention, with the unit of the latter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComputedSizes {
    /// The computation.
    pub computation: Computation,
    /// Pairs of tokens in a unit of attention, a power of two: the smallest with which no item has more than 2^20 units.
    pub unit: u64,
    /// The items by (tokens, units of attention). Units are rounded up for each item, so that a pack within a limit of
    /// units is within the limit in pairs.
    pub histogram: Histogram<2>,
}

/// Tokens and pairs of tokens of all items together, without units and rounding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Work {
    /// Tokens that are computed.
    pub tokens: u128,
    /// Pairs of tokens in attention.
    pub pairs: u128,
}

/// The units of the item with the most attention, at most: the rounding is below a millionth of it, and 32 bits hold the
/// sum of 4,096 of them.
const MOST_UNITS: u128 = 1 << 20;

/// The most responses in a group; with them the work of an item stays below 2^83 (see `work`).
const MOST_RESPONSES: u32 = 1 << 16;

const TOO_LARGE: Error = Error::TooLarge {
    what: "a computed component",
};

impl Computation {
    /// Returns the components of the data that it is computed from: 1 for lengths, 2 for pairs.
    pub const fn components(self) -> usize {
        match self {
            Self::Attention => 1,
            Self::SharedPrompt(_) => 2,
        }
    }

    /// Computes the components of all items. O(distinct log distinct).
    ///
    /// # Errors
    /// [`Error::Components`] if the data have another number of components; [`Error::Setting`] for a group without
    /// responses, or of more than 65,536; [`Error::TooLarge`] if the tokens of a group do not fit into 32 bits, or a sum
    /// not into 64.
    pub fn compute<const K: usize>(self, data: &Histogram<K>) -> Result<ComputedSizes> {
        self.check::<K>()?;
        let pairs = |&(size, _): &(Size<K>, u64)| self.work(&size).pairs;
        // Data have at least one entry; the 0 is never used.
        let most = data.entries().iter().map(pairs).max().unwrap_or(0);
        let unit = most
            .div_ceil(MOST_UNITS)
            .checked_next_power_of_two()
            .ok_or(TOO_LARGE)?;
        let unit = u64::try_from(unit).map_err(|_| TOO_LARGE)?;
        let counts = data
            .entries()
            .iter()
            .map(|(size, count)| Ok((self.size(size, unit)?, *count)));
        let histogram = Histogram::from_counts(counts.collect::<Result<Vec<_>>>()?)?;
        Ok(ComputedSizes {
            computation: self,
            unit,
            histogram,
        })
    }

    /// Returns the work of all items, and that of the same sequences without sharing: each response after a prompt of its
    /// own. The two are equal where nothing is shared. Exact. O(distinct).
    ///
    /// # Errors
    /// As [`compute`](Self::compute); [`Error::TooLarge`] if a sum does not fit into 128 bits.
    pub fn shared_and_apart<const K: usize>(self, data: &Histogram<K>) -> Result<[Work; 2]> {
        self.check::<K>()?;
        let mut sums = [Work::default(); 2];
        for (size, count) in data.entries() {
            for (sum, of) in sums.iter_mut().zip([self.work(size), self.apart(size)]) {
                let add =
                    |sum: u128, of: u128| sum.checked_add(of.checked_mul(u128::from(*count))?);
                sum.tokens = add(sum.tokens, of.tokens).ok_or(TOO_LARGE)?;
                sum.pairs = add(sum.pairs, of.pairs).ok_or(TOO_LARGE)?;
            }
        }
        Ok(sums)
    }

    fn check<const K: usize>(self) -> Result<()> {
        if K != self.components() {
            return Err(Error::Components {
                limits: self.components(),
                components: K,
            });
        }
        match self {
            Self::SharedPrompt(0) => Err(responses(0)),
            Self::SharedPrompt(n) if n > MOST_RESPONSES => Err(responses(n)),
            _ => Ok(()),
        }
    }

    /// Returns the work of one item. With sizes below 2^32 and at most 2^16 responses it is below 2^83.
    fn work(self, size: &[u32]) -> Work {
        let [first, second] = [0, 1].map(|k| size.get(k).copied().map_or(0, u128::from));
        let own = first * first;
        match self {
            Self::Attention => Work {
                tokens: first,
                pairs: own,
            },
            Self::SharedPrompt(n) => {
                let (n, whole) = (u128::from(n), first + second);
                // The prompt attends to itself once. Each response adds the pairs of its own tokens
                // with the prompt and with each other: (P + R)² − P².
                Work {
                    tokens: first + n * second,
                    pairs: own + n * (whole * whole - own),
                }
            }
        }
    }

    fn apart(self, size: &[u32]) -> Work {
        let Self::SharedPrompt(n) = self else {
            return self.work(size);
        };
        let (n, whole) = (
            u128::from(n),
            size.iter().map(|of| u128::from(*of)).sum::<u128>(),
        );
        Work {
            tokens: n * whole,
            pairs: n * whole * whole,
        }
    }

    fn size(self, size: &[u32], unit: u64) -> Result<Size<2>> {
        let work = self.work(size);
        let component = |of: u128| u32::try_from(of).map_err(|_| TOO_LARGE);
        Ok([
            component(work.tokens)?,
            // Rounded up for each item: sums of units then bound sums of pairs from above.
            component(work.pairs.div_ceil(u128::from(unit.max(1))))?,
        ])
    }
}

/// Attention as a component. It has no slots, so that none can be empty: its limit caps the work of a pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attention {
    /// Whether it is that of groups, whose responses share a prompt, instead of sequences.
    pub grouped: bool,
    /// Pairs of tokens in a unit.
    pub unit: u64,
}

impl Attention {
    /// The name of the component where units are counted.
    pub const UNITS: &str = "units of attention";

    /// Reads attention from the [name](ComputedSizes::names) of a component; `None` for other components, which have slots.
    pub fn named(name: &str) -> Option<Self> {
        // The inverse of `Display` below, which also drops " ÷ 1"; a column named "units of
        // attention" has the unit 1 too.
        let rest = name
            .strip_prefix("units of ")
            .unwrap_or(name)
            .strip_prefix("attention")?;
        let (grouped, rest) = rest
            .strip_prefix(" of groups")
            .map_or((false, rest), |rest| (true, rest));
        let unit = if rest.is_empty() {
            Some(1)
        } else {
            rest.strip_prefix(" ÷ ")?.parse().ok()
        };
        unit.filter(|unit| *unit > 0)
            .map(|unit| Self { grouped, unit })
    }

    /// Returns a limit of attention, in units, for packs of at most `tokens` tokens: a tenth above
    /// the mean attention of a full pack, which leaves room to fill packs, but no less than the
    /// attention of any item that fits the tokens. 1 if no item does. O(distinct).
    pub fn limit(items: &Histogram<2>, tokens: u32) -> u32 {
        let FieldsView {
            sums: [all, attention],
            largest,
        } = FieldsView::new(items, tokens);
        // 11 / 10 of attention / tokens · limit, in whole numbers. At least 1 in the divisor, as no
        // item may fit.
        let full = attention
            .saturating_mul(11 * u128::from(tokens))
            .div_ceil((10 * all).max(1));
        // FREE itself would mean no limit.
        u32::try_from(full)
            .unwrap_or(FREE)
            .min(FREE - 1)
            .max(largest)
    }

    /// Returns the largest attention of an item of at most `tokens` tokens, divided by the mean
    /// attention of full packs. Above 1 it bounds how even packs can be: the pack with that item
    /// has this multiple of the mean, or more. 0 if no item fits. O(distinct).
    pub fn bound(items: &Histogram<2>, tokens: u32) -> f64 {
        let FieldsView {
            sums: [all, attention],
            largest,
        } = FieldsView::new(items, tokens);
        match attention {
            0 => 0.0,
            _ => f64::from(largest) * all as f64 / (attention as f64 * f64::from(tokens)),
        }
    }
}

impl fmt::Display for Attention {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.grouped {
            "attention of groups"
        } else {
            "attention"
        })?;
        if self.unit > 1 {
            write!(f, " ÷ {}", self.unit)
        } else {
            Ok(())
        }
    }
}

impl ComputedSizes {
    /// Computes the size of one item of the data: a length, or prompt and response. O(1).
    ///
    /// # Errors
    /// [`Error::TooLarge`] for an item so much larger than the data that a component does not fit into 32 bits.
    pub fn size(&self, size: &[u32]) -> Result<Size<2>> {
        self.computation.size(size, self.unit)
    }

    /// Returns the names of the components: tokens, and [attention](Attention) with its unit.
    pub fn names(&self) -> [String; 2] {
        let attention = Attention {
            grouped: self.computation != Computation::Attention,
            unit: self.unit,
        };
        ["tokens".to_owned(), attention.to_string()]
    }

    /// Returns the [limit](Attention::limit) of attention for packs of `tokens` tokens.
    /// O(distinct).
    pub fn limit(&self, tokens: u32) -> u32 {
        Attention::limit(&self.histogram, tokens)
    }

    /// Returns the [bound](Attention::bound) on how even packs of `tokens` tokens can be.
    /// O(distinct).
    pub fn bound(&self, tokens: u32) -> f64 {
        Attention::bound(&self.histogram, tokens)
    }
}

/// Sums over the items that fit a number of tokens: of both components; and their largest
/// attention.
struct FieldsView {
    sums: [u128; 2],
    largest: u32,
}

impl FieldsView {
    fn new(items: &Histogram<2>, tokens: u32) -> Self {
        // Without an item, 1: a limit of 0 is refused everywhere.
        let mut within = Self {
            sums: [0; 2],
            largest: 1,
        };
        for (size, count) in items.entries().iter().filter(|(size, _)| size[0] <= tokens) {
            let add = |(sum, of): (&mut u128, &u32)| *sum += u128::from(*of) * u128::from(*count);
            within.sums.iter_mut().zip(size).for_each(add);
            within.largest = within.largest.max(size[1]);
        }
        within
    }
}

impl fmt::Display for Computation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Attention => f.write_str("attention"),
            Self::SharedPrompt(n) => write!(f, "shared-prompt:{n}"),
        }
    }
}

impl FromStr for Computation {
    type Err = Error;

    /// Parses `attention`, or `shared-prompt:8` for groups of eight responses.
    fn from_str(text: &str) -> Result<Self> {
        let responses = |n: &str| n.parse().ok().filter(|n| (1..=MOST_RESPONSES).contains(n));
        let shared = || {
            Some(Self::SharedPrompt(responses(
                text.strip_prefix("shared-prompt:")?,
            )?))
        };
        let known = if text == "attention" {
            Some(Self::Attention)
        } else {
            shared()
        };
        known.ok_or_else(|| Error::Setting {
            what: "computation",
            given: text.to_owned(),
            expected: "attention, or shared-prompt with 1 to 65,536 responses, such as shared-prompt:8",
        })
    }
}

fn responses(n: u32) -> Error {
    Error::Setting {
        what: "number of responses",
        given: n.to_string(),
        expected: "1 to 65,536",
    }
}
