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
pub use advice::{Advice, Tried};
pub use curve::{Curve, Point};
pub use figures::{Figures, Reference, Spread};
pub use several::{Libraries, Listing, Several};
pub use shown::{Asked, Shown, shown};

use super::Query;
use crate::error::{Error, Result};
use crate::histogram::Histogram;
use crate::packing::{Progress, Step};
use crate::trainer::{Chosen, Cost, Field, LIBRARIES, Library, Recipe, Tally};
use arrival::{Arrival, counted, taken};
use figures::{reference, whole_context};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

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
    /// How many seeds; at least 1. A sample of many sequences gets one.
    pub seeds: u32,
    /// Rows in a step, of libraries that have no setting for it.
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
    /// To [`Question::All`], in the order of [`LIBRARIES`], with advice.
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
    /// So many sequences stand for all, in proportion: those that were packed, where there are many; `None`: all were.
    pub sample: Option<u64>,
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
    /// Steps of one device, the last one perhaps smaller: at the batch of the library, or that of the request.
    pub steps: u64,
    /// Where the tokens went.
    pub tally: Tally,
}

impl Query for Request {
    type Report = Report;

    fn run(&self, progress: &mut Progress) -> Result<Report> {
        let data = self.data()?;
        let task = Task::new(&data, self);
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

/// Data under a request.
struct Task<'a> {
    data: &'a Histogram<1>,
    /// The same, or a sample of it.
    few: Cow<'a, Histogram<1>>,
    request: &'a Request,
}

impl<'a> Task<'a> {
    fn new(data: &'a Histogram<1>, request: &'a Request) -> Self {
        Self { data, few: request.arrival().few(data), request }
    }

    /// Whether a sample stands for all: where each is looked at, and there are many.
    fn samples(&self, recipe: &Recipe) -> bool {
        !recipe.counted() && self.few.items() < self.data.items()
    }

    fn run(&self, recipe: &Recipe, seed: u64, progress: &mut Progress) -> Result<Run> {
        recipe.refuse(self.data)?;
        let samples = self.samples(recipe);
        let data = if samples { &*self.few } else { self.data };
        let tally = recipe.run(data, self.request.arrival().by(seed), progress)?;
        let tally = if samples { tally.scaled(self.data.items(), data.items()) } else { tally };
        Ok(self.record(recipe, tally, seed))
    }

    fn record(&self, recipe: &Recipe, tally: Tally, seed: u64) -> Run {
        Run { seed, steps: self.cost(&tally, recipe).steps, tally }
    }

    fn cost(&self, tally: &Tally, recipe: &Recipe) -> Cost {
        recipe.cost(tally, self.data.items(), self.request.batch)
    }

    fn one(&self, chosen: &Chosen, packs: bool, progress: &mut Progress) -> Result<Answer> {
        let mut answer = self.answer(chosen, progress)?;
        if !packs {
            answer.advice = advice::advice(self, chosen, &answer, progress)?;
        }
        if packs && answer.about.refused.is_none() {
            let recipe = chosen.recipe()?;
            let (tally, listed) = recipe.list(self.data, self.request.arrival().first(), progress)?;
            answer.runs = vec![self.record(&recipe, tally, self.request.seed)];
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
            answers.push(self.one(&chosen, false, &mut within)?);
        }
        Ok(answers)
    }

    /// Returns the answer without advice. What takes items one by one takes a sample where there are many.
    fn answer(&self, chosen: &Chosen, progress: &mut Progress) -> Result<Answer> {
        let mut answer = blank(chosen);
        let runs = chosen.recipe().and_then(|recipe| {
            answer.about.algorithm = recipe.block.words();
            answer.padded = recipe.padded;
            answer.sample = self.samples(&recipe).then(|| self.few.items());
            let one = recipe.order_free() || answer.sample.is_some();
            let seeds = self.request.arrival().seeds(one);
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
        let costs: Vec<Cost> = runs.iter().map(|run| self.cost(&run.tally, &recipe)).collect();
        let best = answer.reference.as_ref().map(|known| (known, known.slots(&recipe)));
        answer.figures = Some(Figures::mean(&runs, &costs, best, whole));
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
        sample: None,
        figures: None,
        spread: None,
        runs: Vec::new(),
        reference: None,
        advice: None,
        packs: None,
    }
}
