//! One error type for the whole engine. Variants hold data; the words are made in one place.

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
    #[error("every item is above the limit, and dropped; choose a higher limit, or another policy for them")]
    AllDropped,
    /// A size whose first component is zero: nothing to train on, and nothing that could be packed.
    #[error("an item of size 0 was found; sizes start at 1, and of several components only the first has to")]
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
    /// A token budget that no row fits.
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
    /// Caps on batches that make no sense.
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
        /// As given.
        given: String,
        /// The values accepted.
        expected: &'static str,
    },
    /// An assumption of an estimate outside its range.
    #[error("{given} is no value for {what}; expected {expected}")]
    Assumption {
        /// Name of the assumption.
        what: &'static str,
        /// As given, in the unit people read.
        given: String,
        /// The values accepted.
        expected: String,
    },
    /// An algorithm that goes item by item met too many.
    #[error("{algorithm} goes item by item and takes at most {} items; these are {}", count(*at_most), count(*items))]
    TooManyItems {
        /// Name of the algorithm.
        algorithm: &'static str,
        /// Items in the data.
        items: u64,
        /// Items accepted.
        at_most: u64,
    },
    /// An algorithm that lists every strategy met a limit with too many.
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
    /// Alignment must be at least 1.
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
        /// How many items do not fit.
        items: u64,
        /// The largest size found, in the first component that overflows.
        largest: u32,
        /// The limit of that component.
        limit: u32,
        /// That component, from 0.
        component: usize,
        /// How many components items have; those of several have no pieces.
        components: usize,
    },
    /// Items of several components have no pieces.
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
    /// A range of limits that is none.
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
    /// A name that is unknown, or not supported there.
    #[error("unknown {kind} {name:?}; expected one of: {expected}")]
    UnknownName {
        /// Kind of name: algorithm, policy, …
        kind: &'static str,
        /// The name found.
        name: String,
        /// The names accepted, joined by commas.
        expected: String,
    },
    /// A plan that does not do what it says: a defect of ours, never of the data.
    #[error("internal error: the plan is invalid: {0}")]
    InvalidPlan(String),
    /// The caller asked to stop.
    #[error("cancelled")]
    Cancelled,
    /// Input that cannot be used: a file, a plan, or items other than those of a plan.
    #[error("{place}: {message}")]
    Input {
        /// Where: line and column, or a byte offset.
        place: String,
        /// The finding, and the input accepted instead.
        message: String,
    },
    /// Records that are read only as their owner says.
    #[error("{place}: {message}")]
    Unclear {
        /// Where.
        place: String,
        /// The question, and how it is answered on the command line.
        message: String,
        /// The choices.
        asked: Arc<Asked>,
    },
}

/// The choices that records leave to their owner.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// The columns or fields.
    pub fields: Vec<Offered>,
    /// Those that may be the length, by what they are chosen by, and formulae that may.
    pub lengths: Vec<String>,
    /// Those that may be the count.
    pub counts: Vec<String>,
    /// Names of layouts that the records may have.
    pub layouts: Vec<String>,
    /// How many cannot be read and may be left out.
    pub skipped: u64,
}

impl Asked {
    /// Lists the first fields, with what they hold.
    pub fn listed(&self) -> String {
        let one = |field: &Offered| format!("{} ({})", field.name, field.holds);
        let shown: Vec<String> = self.fields.iter().take(20).map(one).collect();
        shown.join(", ") + if self.fields.len() > 20 { ", …" } else { "" }
    }
}

/// A column or field to choose.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offered {
    /// The name or number that chooses it.
    pub choice: String,
    /// Its name as it is shown.
    pub name: String,
    /// The kind of its values, in a word.
    pub holds: String,
    /// Its first numbers, empty where it has none.
    pub first: Vec<String>,
}

impl Error {
    /// Puts a place around that of an error about records.
    #[must_use]
    pub fn within(mut self, outer: &str) -> Self {
        if let Self::Input { place, .. } | Self::Unclear { place, .. } = &mut self
            && !place.starts_with(outer)
        {
            *place = format!("{outer}, {place}");
        }
        self
    }

    /// Whether an algorithm or sampler refuses data for being too much for it: others may take them.
    pub fn is_too_much(&self) -> bool {
        matches!(self, Self::TooManyItems { .. } | Self::TooManyStrategies { .. } | Self::TooLarge { .. })
    }
}

/// Result of the engine.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The one of `all` with this name.
///
/// # Errors
/// [`Error::UnknownName`] with all names.
pub(crate) fn named<T: Copy>(
    kind: &'static str,
    text: &str,
    all: &[T],
    name: impl Fn(T) -> &'static str,
) -> Result<T> {
    all.iter().copied().find(|one| name(*one) == text).ok_or_else(|| Error::UnknownName {
        kind,
        name: text.to_owned(),
        expected: all.iter().map(|one| name(*one)).collect::<Vec<_>>().join(", "),
    })
}
