//! What to do with items that are larger than the limit, and what it costs.

use super::Histogram;
use crate::error::{Error, Result};

/// Policy for items above the limit. Tokens thrown away are *waste*, never padding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Overlong {
    /// An error: the limit does not suit the data.
    Reject,
    /// Cut to the limit; the rest of the item is waste.
    #[default]
    Truncate,
    /// Leave the item out; all of it is waste.
    Drop,
    /// Cut into pieces of the limit and one shorter rest; nothing is lost, there are more items.
    Split,
}

impl Overlong {
    /// Every policy, in the order shown to people.
    pub const ALL: [Self; 4] = [Self::Truncate, Self::Drop, Self::Split, Self::Reject];

    /// The name on the command line, in the URL and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Reject => "reject",
            Self::Truncate => "truncate",
            Self::Drop => "drop",
            Self::Split => "split",
        }
    }
}

impl std::str::FromStr for Overlong {
    type Err = Error;
    fn from_str(s: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|p| p.name() == s).ok_or_else(|| Error::UnknownName {
            kind: "overlong policy",
            name: s.to_owned(),
            expected: Self::ALL.map(Self::name).join(", "),
        })
    }
}

/// A histogram in which every item fits the limit, and what fitting cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fitted {
    /// Items that all fit.
    pub histogram: Histogram<1>,
    /// Items that were above the limit.
    pub overlong_items: u64,
    /// Tokens thrown away.
    pub waste_tokens: u64,
}

impl Histogram<1> {
    /// Applies the policy to every item longer than `limit`. O(distinct log distinct).
    ///
    /// # Errors
    /// [`Error::ZeroLimit`]; [`Error::Overlong`] under [`Overlong::Reject`]; [`Error::Empty`] when
    /// everything was dropped.
    pub fn fit(&self, limit: u32, policy: Overlong) -> Result<Fitted> {
        if limit == 0 {
            return Err(Error::ZeroLimit);
        }
        let mut counts = Vec::with_capacity(self.distinct() + 1);
        let (mut overlong_items, mut waste_tokens) = (0, 0);
        for &([length], count) in self.entries() {
            if length <= limit {
                counts.push(([length], count));
                continue;
            }
            overlong_items += count;
            match policy {
                Overlong::Reject => {}
                Overlong::Truncate => {
                    counts.push(([limit], count));
                    waste_tokens += u64::from(length - limit) * count;
                }
                Overlong::Drop => waste_tokens += u64::from(length) * count,
                Overlong::Split => split(length, count, limit, &mut counts)?,
            }
        }
        if policy == Overlong::Reject && overlong_items > 0 {
            return Err(Error::Overlong { items: overlong_items, largest: self.max()[0], limit });
        }
        Ok(Fitted { histogram: Self::from_counts(counts)?, overlong_items, waste_tokens })
    }

    /// Rounds every length up to a multiple of `align` (rows that start at aligned addresses).
    ///
    /// # Errors
    /// [`Error::ZeroAlign`]; [`Error::TooLarge`] when a rounded length leaves 32 bits.
    pub fn aligned(&self, align: u32) -> Result<Self> {
        if align == 0 {
            return Err(Error::ZeroAlign);
        }
        let mut counts = Vec::with_capacity(self.distinct());
        for &([length], count) in self.entries() {
            let rounded =
                length.checked_next_multiple_of(align).ok_or(Error::TooLarge { what: "a length" })?;
            counts.push(([rounded], count));
        }
        Self::from_counts(counts)
    }
}

fn split(length: u32, count: u64, limit: u32, counts: &mut Vec<([u32; 1], u64)>) -> Result<()> {
    let whole = count
        .checked_mul(u64::from(length / limit))
        .ok_or(Error::TooLarge { what: "the number of items" })?;
    counts.push(([limit], whole));
    if !length.is_multiple_of(limit) {
        counts.push(([length % limit], count));
    }
    Ok(())
}
