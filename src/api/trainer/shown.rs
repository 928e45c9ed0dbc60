//! As much of an answer as a page shows, in messages of its own.

use super::pass::Task;
use super::{Advice, Answer, Curve, Figures, Question, Request, curve, taken};
use crate::error::Result;
use crate::histogram::{Histogram, Size};
use crate::packing::Progress;
use crate::trainer::batches::Room;
use crate::trainer::{Field, Library, Sequences};
use serde::{Deserialize, Serialize};

/// A question of a page about one library.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// The library, by its name in addresses.
    pub library: String,
    /// Values in place of the initial ones.
    pub settings: Vec<Field>,
    /// The maximum sequence length, tokens.
    pub limit: u32,
    /// Rows in a step, of libraries that have no setting for it.
    pub batch: u32,
    /// How many orders of arrival are drawn.
    pub seeds: u32,
    /// Whether other sizes of its window are tried.
    pub thorough: bool,
}

/// The outcome of a library on the data, as a page shows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Shown {
    /// The algorithm that the settings give, in words.
    pub algorithm: String,
    /// Whether rows are padded to their length.
    pub padded: bool,
    /// Why the library refuses the data; then there are no figures.
    pub refused: Option<String>,
    /// So many sequences stand for all, where there are many.
    pub sample: Option<u64>,
    /// Figures, as means over the orders.
    pub figures: Option<Figures>,
    /// Fewest and most rows over the orders.
    pub rows: (u64, u64),
    /// Rows of the best fast plan for the same sequences.
    pub best: Option<u64>,
    /// Its cost, in a sentence, with the single change that helps most.
    pub advice: Option<String>,
    /// That change: a setting and its new value.
    pub change: Option<Field>,
    /// Its gain, in words, and in one number.
    pub gain: (String, f64),
    /// Rows against the window.
    pub curve: Option<Curve>,
}

impl Shown {
    fn new(answer: Answer, curve: Option<Curve>) -> Self {
        let change = answer.advice.as_ref().and_then(Advice::field);
        Self {
            algorithm: answer.about.algorithm,
            padded: answer.own.padded,
            refused: answer.about.refused,
            sample: answer.own.sample,
            figures: answer.figures,
            rows: answer.own.spread.map_or((0, 0), |spread| spread.rows),
            best: answer.own.reference.map(|known| known.rows),
            gain: answer
                .advice
                .as_ref()
                .map_or((String::new(), 0.0), |advice| (advice.gain.clone(), advice.worth)),
            change,
            advice: answer.advice.map(|advice| advice.sentence),
            curve,
        }
    }

    fn refused(why: String) -> Self {
        Self {
            algorithm: String::new(),
            padded: true,
            refused: Some(why),
            sample: None,
            figures: None,
            rows: (0, 0),
            best: None,
            advice: None,
            change: None,
            gain: (String::new(), 0.0),
            curve: None,
        }
    }
}

/// Answers a page's question about these data. Settings or data that the library does not take give its refusal as the answer.
///
/// # Errors
/// [`Error::Cancelled`](crate::error::Error::Cancelled).
pub fn shown(data: &Histogram<1>, asked: &Asked, progress: &mut Progress) -> Result<Shown> {
    let request = Request::<Sequences> {
        counts: Vec::new(),
        order: Vec::new(),
        given: Room { limit: asked.limit, batch: asked.batch.max(1) },
        // Not read: data and library are at hand.
        question: Question::All,
        seed: 0,
        seeds: asked.seeds,
        optimum: false,
    };
    let task = Task::new(data, &request);
    let answered = Library::named(&asked.library)
        .and_then(|library| library.with(asked.limit, &asked.settings))
        .and_then(|chosen| {
            let answer = task.one(&chosen, false, progress)?;
            let curve = match answer.about.refused {
                None if asked.thorough => curve::curve(&task, &chosen, progress)?,
                _ => None,
            };
            Ok(Shown::new(answer, curve))
        });
    Ok(taken(answered)?.unwrap_or_else(Shown::refused))
}

/// A question of a page about samplers or loaders.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wanted {
    /// The limits.
    pub given: Given,
    /// The library, by its name in addresses; `None` for all at its initial values.
    pub library: Option<String>,
    /// Values in place of the initial ones.
    pub settings: Vec<Field>,
    /// How many orders of arrival are drawn.
    pub seeds: u32,
}

/// The limits of a view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Given {
    /// Those of samplers.
    Batches(Room),
    /// Those of loaders: nodes and edges.
    Graphs(Size<2>),
}

impl Wanted {
    /// Returns the libraries as requests have them.
    pub fn question(&self) -> Question {
        match &self.library {
            Some(library) => {
                Question::One { library: library.clone(), settings: self.settings.clone(), packs: false }
            }
            None => Question::All,
        }
    }
}
