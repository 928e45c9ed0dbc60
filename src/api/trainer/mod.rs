//! Requests about what libraries do with data today: one of them with its settings, all side by side, or rows against
//! the window. Samplers and loaders of graphs are asked with requests of their own ([`batches`], [`graphs`]).
//!
//! ```
//! use packscope::api::trainer::{Question, Report, Request};
//! use packscope::{packing::go_on, run};
//!
//! let question = Question::One { library: "trl".to_owned(), settings: Vec::new(), packs: false };
//! let counts = vec![(300, 200), (200, 200), (12, 100)];
//! let (order, seed, seeds, batch) = (Vec::new(), 0, 3, 8); // the order of arrival is drawn by three seeds
//! let request = Request { counts, order, limit: 512, question, seed, seeds, batch, optimum: false };
//! let Report::One(answer) = run(&request, &mut go_on)? else { unreachable!() };
//! assert_eq!(answer.about.title, "TRL");
//! assert_eq!(answer.figures.map(|figures| figures.rows), Some(200.0));
//! # Ok::<(), packscope::Error>(())
//! ```

mod about;
mod advice;
mod arrival;
pub mod batches;
mod curve;
mod figures;
pub mod graphs;
mod several;
mod shown;

pub use about::{About, Given, Seeded, Wanted, Which};
pub use advice::{Advice, Outcome, Tried};
pub use curve::{Curve, Point};
pub use figures::{Figures, Reference, Spread};
pub use several::{Libraries, Listing, Several};
pub use shown::{Asked, Shown, shown};

use super::Query;
use crate::error::{Error, Result};
use crate::histogram::Histogram;
use crate::packing::{Progress, Step};
use crate::trainer::{Chosen, Field, LIBRARIES, Library, Recipe, Tally};
use arrival::{Arrival, counted, taken};
use figures::{reference, whole_context};
use serde::{Deserialize, Serialize};

/// Data, and what is asked about them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// (length, number of sequences), in any order.
    pub counts: Vec<(u32, u64)>,
    /// The lengths of all sequences in their order, instead of the counts; empty where the order is not known.
    pub order: Vec<u32>,
    /// The maximum sequence length, tokens.
    pub limit: u32,
    /// The question.
    pub question: Question,
    /// The first of the seeds that stand for the order of arrival.
    pub seed: u64,
    /// How many seeds; at least 1. What takes more than a second for each gets one.
    pub seeds: u32,
    /// Rows in a step.
    pub batch: u32,
    /// Whether rows are compared with the best plan that a search finds, which takes about a second for each library;
    /// else with the best of the fast algorithms.
    pub optimum: bool,
}

/// A question about libraries.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Question {
    /// About one library.
    One {
        /// Its name.
        library: String,
        /// Values in place of the initial ones.
        settings: Vec<Field>,
        /// Whether rows are listed, instead of advice: for small data.
        packs: bool,
    },
    /// About each library at its initial values, or at these.
    All {
        /// Settings of some libraries, by name.
        settings: Vec<(String, Vec<Field>)>,
    },
    /// Rows against the window, or the open rows, of one.
    Curve {
        /// Its name.
        library: String,
        /// Values in place of the initial ones.
        settings: Vec<Field>,
    },
}

/// The answer to a [`Request`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Report {
    /// To [`Question::One`], with advice.
    One(Box<Answer>),
    /// To [`Question::All`], in the order of [`LIBRARIES`], without advice.
    All(Vec<Answer>),
    /// To [`Question::Curve`]; `None` where the library has no window.
    Curve(Option<Curve>),
}

/// The outcome of a library on the data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The library at its settings.
    pub about: About,
    /// The maximum sequence length, tokens.
    pub limit: u32,
    /// Whether rows are padded to their length; else room that is left costs nothing but makes steps uneven.
    pub padded: bool,
    /// Figures, as means over the runs.
    pub figures: Option<Figures>,
    /// The spread of the runs.
    pub spread: Option<Spread>,
    /// The outcome of each seed: one run where the order does not matter or is known.
    pub runs: Vec<Run>,
    /// The fewest rows that are known for the same sequences.
    pub reference: Option<Reference>,
    /// Its cost, and the single change that helps most.
    pub advice: Option<Advice>,
    /// The rows, as the lengths in each, where they were asked for.
    pub packs: Option<Vec<Vec<u32>>>,
}

/// The outcome of one seed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The seed.
    pub seed: u64,
    /// Steps of a batch of rows each, the last one perhaps smaller.
    pub steps: u64,
    /// Where the tokens went.
    pub tally: Tally,
}

impl Query for Request {
    type Report = Report;

    fn run(&self, progress: &mut Progress) -> Result<Report> {
        let data = self.data()?;
        let task = Task { data: &data, request: self };
        Ok(match &self.question {
            Question::One { library, settings, packs } => {
                let chosen = Library::named(library)?.with(self.limit, settings)?;
                Report::One(Box::new(task.one(&chosen, *packs, progress)?))
            }
            Question::All { settings } => Report::All(task.all(settings, progress)?),
            Question::Curve { library, settings } => {
                let chosen = Library::named(library)?.with(self.limit, settings)?;
                Report::Curve(curve::curve(&task, &chosen, progress)?)
            }
        })
    }
}

impl Request {
    fn data(&self) -> Result<Histogram<1>> {
        if self.limit == 0 {
            return Err(Error::ZeroLimit);
        }
        if self.batch == 0 {
            return Err(Error::ZeroBatch);
        }
        let counts = self.counts.iter().map(|(length, n)| ([*length], *n));
        counted(counts, self.order.iter().map(|length| [*length]))
    }

    fn arrival(&self) -> Arrival<'_, u32> {
        Arrival { order: &self.order, seed: self.seed, seeds: self.seeds }
    }
}

/// Sequences from which on a slow block is run with one seed only: about a second for each million.
const SLOW: u64 = 1_000_000;

/// Data under a request.
struct Task<'a> {
    data: &'a Histogram<1>,
    request: &'a Request,
}

impl Task<'_> {
    fn run(&self, recipe: &Recipe, seed: u64, progress: &mut Progress) -> Result<Run> {
        let tally = recipe.run(self.data, self.request.arrival().by(seed), progress)?;
        Ok(self.record(tally, seed))
    }

    fn record(&self, tally: Tally, seed: u64) -> Run {
        Run { seed, steps: tally.rows.div_ceil(u64::from(self.request.batch)), tally }
    }

    fn one(&self, chosen: &Chosen, packs: bool, progress: &mut Progress) -> Result<Answer> {
        let mut answer = self.answer(chosen, progress)?;
        if !packs {
            answer.advice = advice::advice(self, chosen, &answer, progress)?;
        }
        if packs && answer.about.refused.is_none() {
            let (tally, listed) =
                chosen.recipe()?.list(self.data, self.request.arrival().first(), progress)?;
            answer.runs = vec![self.record(tally, self.request.seed)];
            answer.packs = Some(listed);
        }
        Ok(answer)
    }

    fn all(&self, settings: &[(String, Vec<Field>)], progress: &mut Progress) -> Result<Vec<Answer>> {
        let of = LIBRARIES.len() as u64;
        let mut answers = Vec::with_capacity(LIBRARIES.len());
        for (done, &library) in (0..).zip(LIBRARIES) {
            if progress(Step::Done { done, of }).is_break() {
                return Err(Error::Cancelled);
            }
            let fields = settings.iter().find(|(id, _)| id == library.id).map_or(&[][..], |(_, f)| f);
            let chosen = library.with(self.request.limit, fields)?;
            // The progress of one is none of the whole.
            let mut within = |_| progress(Step::Done { done, of });
            answers.push(self.answer(&chosen, &mut within)?);
        }
        Ok(answers)
    }

    /// Returns the answer without advice.
    fn answer(&self, chosen: &Chosen, progress: &mut Progress) -> Result<Answer> {
        let mut answer = blank(chosen);
        let runs = chosen.recipe().and_then(|recipe| {
            answer.about.algorithm = recipe.block.words();
            answer.padded = recipe.padded;
            let slow = recipe.block.is_slow() && self.data.items() > SLOW;
            let seeds = self.request.arrival().seeds(recipe.order_free() || slow);
            let runs = seeds.map(|seed| self.run(&recipe, seed, progress)).collect::<Result<Vec<Run>>>()?;
            Ok((recipe, runs))
        });
        let (recipe, runs) = match taken(runs)? {
            Ok(runs) => runs,
            Err(why) => {
                answer.about.refused = Some(why);
                return Ok(answer);
            }
        };
        let tally = runs.first().map(|run| &run.tally);
        answer.reference = reference(self.data, &recipe, tally, self.request.optimum, progress);
        let whole = whole_context(self.data, recipe.shift);
        answer.figures = Some(Figures::mean(&runs, answer.reference.as_ref(), whole));
        answer.spread = Some(Spread::new(&runs));
        answer.runs = runs;
        Ok(answer)
    }
}

fn blank(chosen: &Chosen) -> Answer {
    Answer {
        about: About::new(chosen),
        limit: chosen.limit,
        padded: true,
        figures: None,
        spread: None,
        runs: Vec::new(),
        reference: None,
        advice: None,
        packs: None,
    }
}
