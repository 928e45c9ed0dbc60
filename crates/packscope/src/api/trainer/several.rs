//! Several libraries on data of the question, and the rows that they make of a few sequences.

use super::{Figures, LibraryKind, LibraryQuery, Query, WindowCurve, refusal_of};
use crate::error::{Error, Result};
use crate::histogram::Histogram;
use crate::packing::{Progress, Step};
use crate::trainer::batches::LibraryLimits;
use crate::trainer::{Library, Order, PackingLibraries};
use serde::{Deserialize, Serialize};

/// A question for the rows that libraries make of a few sequences, as the lengths in each row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowsQuery {
    /// The lengths, in the order of arrival.
    pub order: Vec<u32>,
    /// The libraries; `seeds` and `thorough` have no effect.
    pub asked: Vec<LibraryQuery>,
}

/// The outcome of a library that packs, as used by lessons.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LessonOutcome {
    /// Figures, as means over the orders; `None` where the library refuses the data.
    pub figures: Option<Figures>,
    /// The reason why the library refuses the data.
    pub refused: Option<String>,
    /// Its cost, in a sentence, with the single change that helps most.
    pub advice: Option<String>,
    /// Rows against the window, if requested.
    pub curve: Option<WindowCurve>,
}

impl LibraryQuery {
    /// Returns the limits of a library that packs.
    fn room(&self) -> Result<LibraryLimits> {
        match self.given {
            LibraryKind::Sequences(room) => Ok(room),
            LibraryKind::Batches(_) | LibraryKind::Graphs(_) => Err(Error::Empty),
        }
    }

    fn outcome(&self, data: &Histogram<1>, progress: &mut Progress) -> Result<LessonOutcome> {
        let request = self.request::<PackingLibraries>(self.room()?);
        let answer = match refusal_of(request.on(data, progress))? {
            Ok(mut report) => report.answers.remove(0),
            // A limit that one library refuses leaves the others.
            Err(why) => {
                return Ok(LessonOutcome {
                    refused: Some(why),
                    ..LessonOutcome::default()
                });
            }
        };
        let thorough = self.thorough && answer.figures.is_some();
        Ok(LessonOutcome {
            figures: answer.figures,
            refused: answer.about.refused,
            advice: answer.advice.map(|advice| advice.sentence),
            curve: if thorough {
                request.curve_on(data, progress)?
            } else {
                None
            },
        })
    }
}

/// Returns the displayed name of each library with its outcome on these data, in the order of the questions.
///
/// # Errors
/// Errors of the engine, but for a library that refuses the data: that is its outcome.
pub fn outcomes(
    asked: &[LibraryQuery],
    data: &Histogram<1>,
    progress: &mut Progress,
) -> Result<Vec<(String, LessonOutcome)>> {
    let of = asked.len() as u64;
    let answer = |(done, asked): (u64, &LibraryQuery)| {
        let title = Library::named(&asked.library).map_or("", |library| library.title);
        // Progress within one library says nothing about all of them.
        Ok((
            title.to_owned(),
            asked.outcome(data, &mut |_| progress(Step::Done { done, of }))?,
        ))
    };
    (0..).zip(asked).map(answer).collect()
}

impl Query for RowsQuery {
    type Report = Vec<Vec<Vec<u32>>>;

    fn run(&self, progress: &mut Progress) -> Result<Self::Report> {
        let data = Histogram::from_lengths(self.order.iter().map(|length| (*length, 1)))?;
        let mut rows = |asked: &LibraryQuery| {
            let recipe = asked.chosen::<PackingLibraries>(asked.room()?)?.recipe()?;
            Ok(recipe.list(&data, Order::Given(&self.order), progress)?.1)
        };
        self.asked.iter().map(&mut rows).collect()
    }
}
