//! Ranges of limits for one component.

use crate::error::{Error, Result};
use crate::histogram::FREE;
use crate::names::as_text;
use serde::{Deserialize, Serialize};

/// Maximum number of limits in a range.
pub const MOST_VALUES: u32 = 10_000;

/// Limits for one component, written from:to:step: `222:444:10`, the end included if a step meets it.
///
/// Also written `222:444`, in steps of 1, and `222`, for one limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Range {
    /// The first limit, at least 1.
    pub from: u32,
    /// The upper end; no limit is above it.
    pub to: u32,
    /// The distance between two limits, at least 1.
    pub step: u32,
}

impl Range {
    /// Creates a range.
    ///
    /// # Errors
    /// [`Error::Range`] for a range that begins at 0, ends before it begins or at [`FREE`], has steps of 0, or more
    /// than [`MOST_VALUES`] limits.
    pub fn new(from: u32, to: u32, step: u32) -> Result<Self> {
        let range = Self { from, to, step };
        let wrong = if from == 0 {
            "limits start at 1"
        } else if step == 0 {
            "a step is at least 1"
        } else if to < from {
            "it ends before it begins"
        } else if to == FREE {
            // This number stands for no limit at all.
            "its end is too large"
        } else if range.len() > MOST_VALUES {
            "it has more than 10,000 limits"
        } else {
            return Ok(range);
        };
        Err(Error::Range {
            given: range.to_string(),
            wrong,
        })
    }

    /// Returns the number of limits; at least 1, for any values of the fields.
    #[allow(clippy::len_without_is_empty, reason = "a range is never empty")]
    pub fn len(&self) -> u32 {
        (self.to.saturating_sub(self.from) / self.step.max(1)).saturating_add(1)
    }

    /// Returns the limits, ascending.
    pub fn values(&self) -> impl Iterator<Item = u32> + use<> {
        let range = *self;
        (0..self.len()).map(move |index| range.value(index))
    }

    /// Returns the limit with this index, from 0; the last limit for a larger index.
    pub fn value(&self, index: u32) -> u32 {
        self.from + index.min(self.len() - 1) * self.step.max(1)
    }

    /// Returns the index of the limit nearest to `value`; of two, the smaller.
    pub(super) fn nearest(&self, value: f64) -> u32 {
        let index = (value - f64::from(self.from)) / f64::from(self.step.max(1));
        // A cast of a negative number or NaN gives 0.
        ((index - 0.5).ceil() as u32).min(self.len() - 1)
    }

    /// Returns the smallest limit that is at least `value`, or the last if there is none.
    pub(super) fn at_least(&self, value: u32) -> u32 {
        self.value(value.saturating_sub(self.from).div_ceil(self.step.max(1)))
    }
}

impl std::fmt::Display for Range {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self { from, to, step: 1 } if from == to => write!(f, "{from}"),
            Self { from, to, step: 1 } => write!(f, "{from}:{to}"),
            Self { from, to, step } => write!(f, "{from}:{to}:{step}"),
        }
    }
}

impl std::str::FromStr for Range {
    type Err = Error;
    fn from_str(s: &str) -> Result<Self> {
        let wrong = |wrong| Error::Range {
            given: s.to_owned(),
            wrong,
        };
        let numbers: Vec<u32> = s
            .split(':')
            .map(|part| {
                part.trim()
                    .parse()
                    .map_err(|_| wrong("it is not made of whole numbers"))
            })
            .collect::<Result<_>>()?;
        match numbers[..] {
            [limit] => Self::new(limit, limit, 1),
            [from, to] => Self::new(from, to, 1),
            [from, to, step] => Self::new(from, to, step),
            _ => Err(wrong("it has more than three parts")),
        }
    }
}

as_text! { Range }
