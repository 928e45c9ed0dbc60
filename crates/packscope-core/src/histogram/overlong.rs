//! Policies for items above the limit, and their cost.

use super::{Histogram, Size};
use crate::error::{Error, Result};
use crate::names::names;

/// Policy for items above the limit. Discarded tokens are *waste*, never padding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Overlong {
    /// Return an error: the limit is too small for the data.
    Reject,
    /// Cut to the limit; the rest of the item is waste.
    #[default]
    Truncate,
    /// Drop the item; all of it is waste.
    Drop,
    /// Cut into pieces of the limit and one shorter rest: no token is lost, but there are more items.
    Split,
}

impl Overlong {
    /// The policies for items of several components, which cannot be split.
    pub const UNSPLIT: [Self; 3] = [Self::Drop, Self::Truncate, Self::Reject];
}

names! { Overlong, "overlong policy";
    Truncate: "truncate", "Truncate", "Cut to the limit; the rest is waste";
    Drop: "drop", "Drop", "Left out: all of it is waste";
    Split: "split", "Split", "Cut into pieces of the limit: nothing is lost";
    Reject: "reject", "Reject", "An error";
}

/// No limit for a component. With a single component it is a limit like any other.
pub const FREE: u32 = u32::MAX;

/// Whether a limit of one of `K` components is [`FREE`], which needs other components.
pub const fn is_free<const K: usize>(limit: u32) -> bool {
    K > 1 && limit == FREE
}

/// A histogram in which every item fits the limits, and the cost of fitting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClippedHistogram<const K: usize> {
    /// The items, all within the limits.
    pub histogram: Histogram<K>,
    /// Items that were above a limit.
    pub overlong_items: u64,
    /// Tokens discarded, per component.
    pub waste_tokens: [u64; K],
}

impl<const K: usize> Histogram<K> {
    /// Applies the policy to every item that exceeds a limit in any component. O(distinct log distinct).
    /// [`Overlong::Truncate`] cuts each component to its limit.
    ///
    /// # Errors
    /// [`Error::ZeroLimit`] when the first limit is 0; [`Error::Overlong`] under [`Overlong::Reject`];
    /// [`Error::AllDropped`] when no item is left; [`Error::Unsplittable`] under [`Overlong::Split`] when an item of
    /// several components exceeds a limit; [`Error::TooLarge`] when the pieces overflow 64 bits.
    pub fn fit(&self, limits: Size<K>, policy: Overlong) -> Result<ClippedHistogram<K>> {
        if limits[0] == 0 {
            return Err(Error::ZeroLimit);
        }
        if policy == Overlong::Reject {
            self.check_fits(&limits)?;
        }
        let mut counts = Vec::with_capacity(self.distinct() + 1);
        let (mut overlong_items, mut waste_tokens) = (0, [0; K]);
        for &(size, count) in self.entries() {
            if fits(&size, &limits) {
                counts.push((size, count));
                continue;
            }
            overlong_items += count;
            let kept = match policy {
                Overlong::Split if K > 1 => return Err(Error::Unsplittable),
                Overlong::Split => {
                    split(size, count, limits, &mut counts)?;
                    size
                }
                Overlong::Truncate => {
                    let cut = std::array::from_fn(|k| size[k].min(limits[k]));
                    counts.push((cut, count));
                    cut
                }
                // Under `Reject` no item comes here: `check_fits` has refused them.
                Overlong::Drop | Overlong::Reject => [0; K],
            };
            for (k, waste) in waste_tokens.iter_mut().enumerate() {
                // Part of a total that fits 64 bits.
                *waste += u64::from(size[k] - kept[k]) * count;
            }
        }
        if counts.is_empty() {
            return Err(Error::AllDropped);
        }
        Ok(ClippedHistogram {
            histogram: Self::from_counts(counts)?,
            overlong_items,
            waste_tokens,
        })
    }

    /// Checks that every item fits the limits.
    ///
    /// # Errors
    /// [`Error::Overlong`] for the first component that is exceeded.
    pub fn check_fits(&self, limits: &Size<K>) -> Result<()> {
        // The largest values decide without a walk; only a refusal counts the items.
        let max = self.max();
        let Some(k) = (0..K).find(|k| max[*k] > limits[*k]) else {
            return Ok(());
        };
        let items = self
            .entries()
            .iter()
            .filter(|(size, _)| !fits(size, limits))
            .map(|(_, n)| n)
            .sum();
        Err(Error::Overlong {
            items,
            largest: max[k],
            limit: limits[k],
            component: k,
            components: K,
        })
    }
}

/// Whether a size fits the limits, or the free space of a pack.
pub fn fits<const K: usize>(size: &Size<K>, limits: &Size<K>) -> bool {
    size.iter().zip(limits).all(|(s, limit)| s <= limit)
}

impl Histogram<1> {
    /// Rounds every length up to a multiple of `align`: the slots that a sequence takes in its row.
    ///
    /// # Errors
    /// [`Error::ZeroAlign`]; [`Error::Setting`] when a rounded length overflows 32 bits.
    pub fn aligned(&self, align: u32) -> Result<Self> {
        if align == 0 {
            return Err(Error::ZeroAlign);
        }
        let mut counts = Vec::with_capacity(self.distinct());
        for &([length], count) in self.entries() {
            let rounded = length
                .checked_next_multiple_of(align)
                .ok_or_else(|| Error::Setting {
                    what: "alignment for these lengths",
                    given: align.to_string(),
                    expected: "one that rounds them to less than 2^32",
                })?;
            counts.push(([rounded], count));
        }
        Self::from_counts(counts)
    }

    /// Returns the slots that alignment adds in rows of `limit` tokens, as a share of the tokens of sequences cut to the
    /// limit; 0 without tokens. No sequence takes more than its row. O(distinct).
    pub fn added_by_alignment(&self, align: u32, limit: u32) -> f64 {
        let align = u64::from(align.max(1));
        let (mut tokens, mut slots) = (0u128, 0u128);
        for &([length], count) in self.entries() {
            let length = u64::from(length.min(limit));
            tokens += u128::from(length) * u128::from(count);
            // The row ends at the limit, even where that is no multiple of `align`.
            slots += u128::from(length.next_multiple_of(align).min(u64::from(limit)))
                * u128::from(count);
        }
        if tokens > 0 {
            (slots - tokens) as f64 / tokens as f64
        } else {
            0.0
        }
    }
}

// Only K = 1 comes here: `fit` refuses to split several components.
fn split<const K: usize>(
    size: Size<K>,
    count: u64,
    limits: Size<K>,
    counts: &mut Vec<(Size<K>, u64)>,
) -> Result<()> {
    let (length, limit) = (size[0], limits[0]);
    let whole = count
        .checked_mul(u64::from(length / limit))
        .ok_or(Error::TooLarge {
            what: "the number of items",
        })?;
    counts.push((limits, whole));
    if !length.is_multiple_of(limit) {
        counts.push(([length % limit; K], count));
    }
    Ok(())
}
