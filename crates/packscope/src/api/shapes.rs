//! A few static shapes of sequences: the settings, what is asked for, and the answer.

use crate::error::Result;
use crate::histogram::{Histogram, Overlong};
use crate::shapes::{self, Shape, ShapeMethod};
use serde::{Deserialize, Serialize};

/// The maximum number of shapes on the slider of the page.
pub const SHOWN: u32 = 64;

/// Settings of shapes, beside limit and policy for longer sequences.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// Maximum number of shapes.
    pub shapes: u32,
    /// The method whose shapes are in use; `None` for the given lengths.
    pub method: Option<ShapeMethod>,
    /// Lengths are multiples of this, as accelerators want them.
    pub multiple: u32,
    /// Lengths to judge, ascending; may be none.
    pub given: Vec<u32>,
    /// Slots of a batch; `None` for as many as a padded batch has.
    pub tokens: Option<u64>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            shapes: 16,
            method: Some(ShapeMethod::Best),
            multiple: 1,
            given: Vec::new(),
            tokens: None,
        }
    }
}

/// A question for the shapes of every method, for every number up to the most: a slider then moves without another one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShapesQuery {
    /// The maximum length, tokens.
    pub limit: u32,
    /// The policy for longer sequences.
    pub overlong: Overlong,
    /// The most shapes.
    pub most: u32,
    /// The number that divides all lengths.
    pub multiple: u32,
}

/// For every method, in the order of [`ShapeMethod::ALL`], the shapes of every number from 1.
pub type Methods = Vec<Vec<Vec<Shape>>>;

impl ShapesQuery {
    /// Answers the question: the cost of fitting the limit, and of [`shapes::choose_each`].
    ///
    /// # Errors
    /// If nothing is left under the limit; for a number of shapes out of range.
    pub fn answer(&self, lengths: &Histogram<1>) -> Result<Methods> {
        let lengths = lengths.fit([self.limit], self.overlong)?.histogram;
        let each =
            |method| shapes::choose_each(&lengths, self.most as usize, method, self.multiple);
        ShapeMethod::ALL.into_iter().map(each).collect()
    }
}

/// A question for the shapes of given lengths.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GivenShapesQuery {
    /// The maximum length, tokens.
    pub limit: u32,
    /// The policy for longer sequences.
    pub overlong: Overlong,
    /// The lengths of the shapes, ascending.
    pub given: Vec<u32>,
}

impl GivenShapesQuery {
    /// Answers the question: the cost of fitting the limit, and of [`shapes::judge`].
    ///
    /// # Errors
    /// If nothing is left under the limit; for lengths that do not ascend.
    pub fn answer(&self, lengths: &Histogram<1>) -> Result<GivenShapes> {
        let lengths = lengths.fit([self.limit], self.overlong)?.histogram;
        GivenShapes::new(&lengths, &self.given)
    }
}

/// Given lengths, with the sequences of each.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GivenShapes {
    /// The shapes, ascending.
    pub shapes: Vec<Shape>,
    /// The sequences longer than all given lengths: a shape for the longest of them was added, as the open last bucket of
    /// lhotse holds them.
    pub added: u64,
}

impl GivenShapes {
    /// Judges given lengths, ascending from 1. O(given · log distinct).
    ///
    /// # Errors
    /// As [`shapes::judge`].
    pub fn new(lengths: &Histogram<1>, given: &[u32]) -> Result<Self> {
        let [longest] = lengths.max();
        // `judge` refuses sequences that no length holds.
        let mut all = given.to_vec();
        all.extend(
            given
                .last()
                .filter(|last| **last < longest)
                .map(|_| longest),
        );
        let added = match given.last() {
            Some(last) if *last < longest => lengths.items() - lengths.items_within(*last),
            _ => 0,
        };
        Ok(Self {
            shapes: shapes::judge(lengths, &all)?,
            added,
        })
    }
}

/// Returns the sequences of a batch of this shape, at least one.
pub fn batch(shape: &Shape, tokens: u64) -> u64 {
    // A shape longer than the slots of a batch takes one sequence still.
    (tokens / u64::from(shape.length).max(1)).max(1)
}
