//! The error type of the whole engine. Variants hold data; their messages are written here.

use crate::words::{count, plural};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// An error, with enough data to tell a user what to change.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A histogram without a single item.
    #[error("there is no item in the data; expected at least one size of 1 or more")]
    Empty,
    /// Every item is above a limit and dropped.
    #[error(
        "every item is above the limit, and dropped; choose a higher limit, or another policy for them"
    )]
    AllDropped,
    /// A size whose first component is zero: it has nothing to train on or to pack.
    #[error(
        "an item of size 0 was found; sizes start at 1, and of several components only the first has to"
    )]
    ZeroSize,
    /// A limit of zero.
    #[error("a limit of 0 was given; limits start at 1")]
    ZeroLimit,
    /// A depth of zero.
    #[error("a depth of 0 was given; use 1, 2, 3, … or unlimited")]
    ZeroDepth,
    /// A batch of zero rows.
    #[error("a batch of 0 rows was given; batches start at 1")]
    ZeroBatch,
    /// A token budget that is too small for a row.
    #[error(
        "a budget of {} tokens has no room for a sequence of {}; expected at least that many",
        count(*tokens), count(u64::from(*longest))
    )]
    Budget {
        /// The budget.
        tokens: u64,
        /// The longest sequence.
        longest: u32,
    },
    /// An invalid table of caps on batches.
    #[error(
        "the table of batch sizes is of no use: {wrong}; expected (longest length, sequences) such as 5:2525,10:1250 \
         with ascending lengths and sizes that do not grow, or memory:LINEAR,QUADRATIC,BYTES"
    )]
    HwCap {
        /// The fault.
        wrong: &'static str,
    },
    /// A setting outside its range.
    #[error("{given} is no {what}; expected {expected}")]
    Setting {
        /// Name of the setting.
        what: &'static str,
        /// The value given.
        given: String,
        /// The values accepted.
        expected: &'static str,
    },
    /// A scheduler of a library that stops, or that would train nothing.
    #[error("{scheduler}: {reason}")]
    Scheduler {
        /// Name of the scheduler.
        scheduler: &'static str,
        /// Where it stops, and what it would take.
        reason: String,
    },
    /// An assumption of an estimate outside its range.
    #[error("{given} is no value for {what}; expected {expected}")]
    Assumption {
        /// Name of the assumption.
        what: &'static str,
        /// The value given, in the unit on screen.
        given: String,
        /// The values accepted.
        expected: String,
    },
    /// An algorithm that goes item by item was given too many items.
    #[error("{algorithm} goes item by item and takes at most {} items; these are {}", count(*at_most), count(*items))]
    TooManyItems {
        /// Name of the algorithm.
        algorithm: &'static str,
        /// Items in the data.
        items: u64,
        /// Items accepted.
        at_most: u64,
    },
    /// An algorithm that lists every strategy was given a limit with too many strategies.
    #[error(
        "{algorithm} lists every strategy that fills a row and takes limits of at most {}; this limit is {}",
        count(u64::from(*at_most)), count(u64::from(*limit))
    )]
    TooManyStrategies {
        /// Name of the algorithm.
        algorithm: &'static str,
        /// The limit asked for.
        limit: u32,
        /// The largest limit accepted.
        at_most: u32,
    },
    /// An alignment of zero.
    #[error("an alignment of 0 was given; use 1 for none")]
    ZeroAlign,
    /// Items larger than the limits under the policy `reject`.
    #[error(
        "{} larger than the limit of {}{} (largest: {}); choose truncate, drop{}",
        if *items == 1 { "1 item is".to_owned() } else { format!("{} items are", count(*items)) },
        count(u64::from(*limit)),
        if *components > 1 { format!(" of component {}", component + 1) } else { String::new() },
        count(u64::from(*largest)),
        if *components > 1 { "" } else { " or split" },
    )]
    Overlong {
        /// Number of items that do not fit.
        items: u64,
        /// The largest size found, in the first component that overflows.
        largest: u32,
        /// The limit of that component.
        limit: u32,
        /// The index of that component, from 0.
        component: usize,
        /// Number of components of the items; items of several components cannot be split.
        components: usize,
    },
    /// Items of several components cannot be split.
    #[error("items with several components cannot be split; choose truncate, drop or reject")]
    Unsplittable,
    /// Limits for another number of components than the data have.
    #[error(
        "{} for data with {}; expected one limit for each component",
        plural(*limits as u64, "limit"), plural(*components as u64, "component")
    )]
    Components {
        /// Limits given.
        limits: usize,
        /// Components of the data.
        components: usize,
    },
    /// A number of components that is not supported.
    #[error("{} were given; expected 1 to {at_most}, one for each component", plural(*limits as u64, "limit"))]
    TooManyComponents {
        /// Limits given.
        limits: usize,
        /// The most components.
        at_most: usize,
    },
    /// An invalid range of limits.
    #[error(
        "{given:?} is no range of limits: {wrong}; expected from:to:step such as 222:444:10, from:to, or one limit, \
         with at most 10,000 limits"
    )]
    Range {
        /// The range as given.
        given: String,
        /// The fault.
        wrong: &'static str,
    },
    /// A total that overflows 64 bits.
    #[error("the data are too large: {what} exceeds 2^64 − 1")]
    TooLarge {
        /// The figure that overflowed.
        what: &'static str,
    },
    /// A name that is unknown, or not supported in this place.
    #[error("unknown {kind} {name:?}; expected one of: {expected}")]
    UnknownName {
        /// Kind of name: algorithm, policy, …
        kind: &'static str,
        /// The name found.
        name: String,
        /// The names accepted, joined by commas.
        expected: String,
    },
    /// A plan that does not keep to its limits or its items: always a bug of this crate, never of the data.
    #[error("internal error: the plan is invalid: {0}")]
    InvalidPlan(String),
    /// The caller asked to stop.
    #[error("cancelled")]
    Cancelled,
    /// Input that cannot be used: a file, a plan, or items that differ from those of a plan.
    #[error("{place}: {message}")]
    Input {
        /// Where: line and column, or a byte offset.
        place: String,
        /// The problem, and the input accepted instead.
        message: String,
    },
    /// Records that can only be read with a choice by their owner.
    #[error("{place}: {message}")]
    Unclear {
        /// The place in the input.
        place: String,
        /// The question, and how to answer it on the command line.
        message: String,
        /// The choices.
        asked: Arc<ChoiceNeeded>,
    },
}

/// The choices about records that their owner has to make. Sent to the page, which offers them as
/// buttons.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChoiceNeeded {
    /// The columns or fields.
    pub fields: Vec<ColumnOffer>,
    /// The fields that may be the length, by their `choice`, and formulae that may be the length.
    pub lengths: Vec<String>,
    /// The fields that may be the count.
    pub counts: Vec<String>,
    /// Names of layouts that the records may have.
    pub layouts: Vec<String>,
    /// Number of records that cannot be read and may be left out.
    pub skipped: u64,
    /// Texts in the records, whose tokens can be counted or estimated; `None` if none were found.
    pub texts: Option<UncountedTexts>,
}

/// Texts without lengths, by the kind of their records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UncountedTexts {
    /// Messages of conversations, which a chat template writes as a model sees them.
    Conversations,
    /// Any other texts.
    Texts,
}

impl ChoiceNeeded {
    /// Lists the first fields with the kind of their values.
    pub fn listed(&self) -> String {
        // Files may have thousands of columns; the message has to stay readable.
        let one = |field: &ColumnOffer| format!("{} ({})", field.name, field.holds);
        let shown: Vec<String> = self.fields.iter().take(20).map(one).collect();
        shown.join(", ") + if self.fields.len() > 20 { ", …" } else { "" }
    }
}

/// A column or field to choose.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ColumnOffer {
    /// The name or number that chooses it.
    pub choice: String,
    /// Its name as it is shown.
    pub name: String,
    /// The kind of its values, in a word.
    pub holds: String,
    /// Its first numbers; empty if it has none.
    pub first: Vec<String>,
}

impl Error {
    /// Prefixes the place of an error about records with an outer place.
    #[must_use]
    pub fn within_place(mut self, outer: &str) -> Self {
        if let Self::Input { place, .. } | Self::Unclear { place, .. } = &mut self
            // A place that names the file already is not to name it twice.
            && !place.starts_with(outer)
        {
            *place = format!("{outer}, {place}");
        }
        self
    }

    /// Whether an algorithm or sampler refuses the data as too large; another one may accept them.
    pub fn is_too_much(&self) -> bool {
        matches!(
            self,
            Self::TooManyItems { .. } | Self::TooManyStrategies { .. } | Self::TooLarge { .. }
        )
    }
}

/// Result of every function of these crates that can fail.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Returns the value in `all` with this name.
///
/// # Errors
/// [`Error::UnknownName`] with all names.
pub fn named<T: Copy>(
    kind: &'static str,
    text: &str,
    all: &[T],
    name: impl Fn(T) -> &'static str,
) -> Result<T> {
    all.iter()
        .copied()
        .find(|one| name(*one) == text)
        .ok_or_else(|| Error::UnknownName {
            kind,
            name: text.to_owned(),
            expected: all
                .iter()
                .map(|one| name(*one))
                .collect::<Vec<_>>()
                .join(", "),
        })
}
