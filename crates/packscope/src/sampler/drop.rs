//! TokenDrop: stopwords removed from sequences before or after they are batched.
//!
//! Source: Nagarajan, Raghunathan 2023, *TokenDrop + BucketSampler*, §2.1 (a global rate) and §2.3 (to the shortest of
//! the batch). The choice of stopwords is random, but only their number, which is not, matters here. Their code drops
//! `length mod 5` before batches are made; here it is done as in the paper.

use crate::accepts::number;
use crate::error::{Error, Result};
use crate::histogram::Histogram;
use crate::names::as_text;

/// The number of stopwords to drop.
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Serialize, serde::Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum TokenDrop {
    /// None.
    #[default]
    Off,
    /// This share of each sequence's stopwords, 0 to 1, rounded down, before batches are made.
    Rate(f64),
    /// In each batch, the number that reduces a sequence to the length of the shortest of the batch.
    Equalise,
}

impl std::fmt::Display for TokenDrop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Off => f.write_str("off"),
            Self::Rate(rate) => rate.fmt(f),
            Self::Equalise => f.write_str("equalise"),
        }
    }
}

impl std::str::FromStr for TokenDrop {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        match text {
            "off" => Ok(Self::Off),
            "equalise" => Ok(Self::Equalise),
            rate => match number(rate) {
                Some(rate) if (0.0..=1.0).contains(&rate) => Ok(Self::Rate(rate)),
                _ => Err(Error::UnknownName {
                    kind: "way of dropping tokens",
                    name: text.to_owned(),
                    expected: "off, equalise, or a rate from 0 to 1".to_owned(),
                }),
            },
        }
    }
}

as_text! { TokenDrop }

/// Returns a share of a sequence, rounded down.
pub(crate) fn share_of(share: f64, n: u32) -> u32 {
    // 0.29 of 100 is 29 despite rounding. A share is at most 1, so this is at most n.
    ((f64::from(n) * share + 1e-6) as u32).min(n)
}

impl TokenDrop {
    /// Returns the data of an epoch after dropping by a global rate, which leaves at least one token of every sequence.
    /// Unchanged for [`Off`](Self::Off) and [`Equalise`](Self::Equalise).
    ///
    /// # Errors
    /// As [`Histogram::from_counts`]; a valid histogram causes none.
    pub fn before(self, items: &Histogram<2>) -> Result<Histogram<2>> {
        let Self::Rate(rate) = self else {
            return Ok(items.clone());
        };
        let left = |[length, stopwords]: [u32; 2]| {
            let dropped = share_of(rate, stopwords).min(length - 1);
            [length - dropped, stopwords - dropped]
        };
        Histogram::from_counts(items.entries().iter().map(|&(size, n)| (left(size), n)))
    }
}
