//! Several libraries on data that come with the question, and the rows that they make of a few sequences.

use super::{Asked, Query, Shown, shown};
use crate::error::Result;
use crate::histogram::Histogram;
use crate::packing::{Progress, Step};
use crate::trainer::{Field, LIBRARIES, Library, Order};
use serde::{Deserialize, Serialize};

/// A question about several libraries, with its data. The answers are the displayed names of the libraries, with what
/// they do, in the order of the questions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Several {
    /// (length, number of sequences), in any order.
    pub counts: Vec<(u32, u64)>,
    /// The libraries.
    pub which: Libraries,
}

/// The libraries of a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Libraries {
    /// Each of these.
    These(Vec<Asked>),
    /// Every library at its initial values.
    All {
        /// The maximum sequence length, tokens.
        limit: u32,
        /// How many orders of arrival are drawn.
        seeds: u32,
    },
}

/// A question for the rows that libraries make of a few sequences, as the lengths in each row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listing {
    /// The lengths, in the order of arrival.
    pub order: Vec<u32>,
    /// The libraries; `seeds` and `thorough` are not read.
    pub asked: Vec<Asked>,
}

impl Asked {
    /// A question about a library with these of its settings, at a limit.
    pub fn about(library: &str, settings: &[(&str, &str)], limit: u32, seeds: u32) -> Self {
        let field = |(name, value): &(&str, &str)| Field { name: (*name).into(), value: (*value).into() };
        Self {
            library: library.to_owned(),
            settings: settings.iter().map(field).collect(),
            limit,
            batch: 1,
            seeds,
            thorough: false,
        }
    }

    /// The same, also for advice and rows against the window.
    #[must_use]
    pub fn thoroughly(self) -> Self {
        Self { thorough: true, ..self }
    }
}

impl Query for Several {
    type Report = Vec<(String, Shown)>;

    fn run(&self, progress: &mut Progress) -> Result<Self::Report> {
        let data = Histogram::from_lengths(self.counts.iter().copied())?;
        let asked = match &self.which {
            Libraries::These(asked) => asked.clone(),
            Libraries::All { limit, seeds } => {
                LIBRARIES.iter().map(|library| Asked::about(library.id, &[], *limit, *seeds)).collect()
            }
        };
        let of = asked.len() as u64;
        let answer = |(done, asked): (u64, Asked)| {
            let title = Library::named(&asked.library).map_or("", |library| library.title);
            // The progress of one is none of the whole.
            Ok((title.to_owned(), shown(&data, &asked, &mut |_| progress(Step::Done { done, of }))?))
        };
        (0..).zip(asked).map(answer).collect()
    }
}

impl Query for Listing {
    type Report = Vec<Vec<Vec<u32>>>;

    fn run(&self, progress: &mut Progress) -> Result<Self::Report> {
        let data = Histogram::from_lengths(self.order.iter().map(|length| (*length, 1)))?;
        let mut rows = |asked: &Asked| {
            let recipe = Library::named(&asked.library)?.with(asked.limit, &asked.settings)?.recipe()?;
            Ok(recipe.list(&data, Order::Given(&self.order), progress)?.1)
        };
        self.asked.iter().map(&mut rows).collect()
    }
}
