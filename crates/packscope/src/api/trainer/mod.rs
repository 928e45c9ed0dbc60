//! Requests about training libraries: the outcome of one of them with its settings, or of all side by side. The kind is
//! a type: libraries that pack into rows ([`PackingLibraries`]), samplers that make batches
//! ([`SamplerLibraries`](crate::trainer::batches::SamplerLibraries)), loaders of graphs
//! ([`GraphLibraries`](crate::trainer::graphs::GraphLibraries)).
//!
//! ```
//! use packscope::api::trainer::{LibrariesQuestion, LibrariesRequest};
//! use packscope::trainer::{Library, PackingLibraries, batches::LibraryLimits};
//! use packscope::{packing::go_on, run};
//!
//! let settings = Library::named("trl")?.packing(); // without them, it is as it is installed: nothing is packed
//! let question = LibrariesQuestion::One { library: "trl".to_owned(), settings, packs: false };
//! let counts = vec![(300, 200), (200, 200), (12, 100)];
//! let (order, seed, seeds) = (Vec::new(), 0, 3); // the order of arrival is drawn by three seeds
//! let given = LibraryLimits { limit: 512, batch: 8 };
//! let request = LibrariesRequest::<PackingLibraries> { counts, order, given, question, seed, seeds, optimum: false };
//! let report = run(&request, &mut go_on)?;
//! assert_eq!(report.answers[0].about.title, "TRL");
//! assert_eq!(report.answers[0].figures.as_ref().map(|figures| figures.rows), Some(200.0));
//! # Ok::<(), packscope::Error>(())
//! ```

mod advice;
pub mod batches;
mod curve;
mod figures;
pub mod graphs;
mod pass;
mod presentation;
mod query;
mod sequences;
mod several;

pub use advice::{Advice, SettingTrial};
pub use curve::{CurvePoint, WindowCurve};
pub use figures::{Figures, Reference, Spread};
pub use pass::Pass;
pub use presentation::{AnswerContext, LibraryFigure, Presentation, ShownFigure, signed_share};
pub use query::{LibraryKind, LibraryQuery};
pub use sequences::RowsDetails;
pub use several::{LessonOutcome, RowsQuery, outcomes};

use super::Query;
use crate::error::{Error, Result};
use crate::packing::{Progress, Step};
use crate::sampler::Sampler;
use crate::trainer::{
    Library, LibraryFamily, LibrarySettings, PackingLibraries, Setting, SettingValue,
};
use crate::words::count;
use pass::PassTask;
use serde::{Deserialize, Serialize};

/// Data, and the question about them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct LibrariesRequest<K: Pass = PackingLibraries> {
    /// (size, number of items), in any order.
    pub counts: Vec<(K::Item, u64)>,
    /// The sizes of all items in their order, instead of the counts; empty if the order is unknown.
    pub order: Vec<K::Item>,
    /// The limits that every library is given.
    pub given: K::RequestLimits,
    /// One library or all.
    pub question: LibrariesQuestion,
    /// The first of the seeds that draw orders of arrival.
    pub seed: u64,
    /// Number of seeds; at least 1. A sample of many sequences uses one.
    pub seeds: u32,
    /// Whether rows, or batches of graphs, are compared with the best plan of a search, which takes about a second for
    /// each library; otherwise with fast algorithms or a short search.
    pub optimum: bool,
}

/// A question about libraries of a kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum LibrariesQuestion {
    /// About one library.
    One {
        /// Its name in addresses and on the command line.
        library: String,
        /// Values that replace its defaults.
        settings: Vec<SettingValue>,
        /// Whether rows or batches are listed, instead of advice: for small data.
        packs: bool,
    },
    /// About each library with packing switched on, and all else at its defaults.
    All,
}

/// The answer to a [`LibrariesRequest`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Report<K: Pass = PackingLibraries> {
    /// The answer for the library in question, or for each of the kind.
    pub answers: Vec<LibraryAnswer<K>>,
    /// Baselines for batches, on the same data with the first seed: random batches, sorted ones, and batches up to as
    /// many slots as the libraries may fill. Empty for rows and graphs.
    pub beside: Vec<(Sampler, K::Figures)>,
}

/// The outcome of a library on the data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct LibraryAnswer<K: Pass = PackingLibraries> {
    /// The library at its settings.
    // For JSON alone: postcard cannot write flattened fields, so that the page gets sheets.
    #[serde(flatten)]
    pub about: LibraryAtSettings,
    /// The part of the answer that only its kind has.
    #[serde(flatten)]
    pub own: K::Own,
    /// Figures, as means over the runs; `None` where the library refuses the data.
    pub figures: Option<K::Figures>,
    /// The outcome of each seed: one run if the order is given or does not matter.
    pub runs: Vec<Run<K>>,
    /// Its cost, and the single change that helps most; `None` if rows or batches were requested.
    pub advice: Option<Advice>,
    /// The sizes in each row or batch, if requested.
    pub packs: Option<Vec<Vec<K::Item>>>,
}

/// A library at its settings.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LibraryAtSettings {
    /// Its name on the command line.
    pub library: String,
    /// Its name for people.
    pub title: String,
    /// All its settings with their values.
    pub settings: Vec<SettingValue>,
    /// The origin of these settings.
    pub basis: Basis,
    /// The algorithm of these settings, in words.
    pub algorithm: String,
    /// The reason why the library refuses the data; then there are no figures.
    pub refused: Option<String>,
    /// The settings as lines to paste.
    pub lines: String,
    /// The language of these lines.
    pub language: String,
}

/// The origin of the settings of a library.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Basis {
    /// Its defaults: the library as it is installed.
    Defaults,
    /// Its defaults, but for packing, which is switched on.
    Packing,
    /// Any other values.
    #[default]
    Own,
}

impl Basis {
    fn of<K: LibraryFamily>(chosen: &LibrarySettings<K>) -> Self {
        let (settings, fields) = (chosen.library.settings, chosen.fields());
        let equal = |value: fn(&Setting) -> &'static str| {
            settings
                .iter()
                .zip(&fields)
                .all(|(setting, field)| value(setting) == field.value)
        };
        match (equal(Setting::installed), equal(|setting| setting.start)) {
            // A library that has nothing to switch on is at both: its defaults say more.
            (true, _) => Self::Defaults,
            (false, true) => Self::Packing,
            (false, false) => Self::Own,
        }
    }
}

/// The outcome of one seed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Run<K: Pass = PackingLibraries> {
    /// The seed that drew the order of arrival; the first one where nothing was drawn.
    pub seed: u64,
    /// Steps of one device, the last one possibly smaller, with the batch of the library or of the request. `None` for
    /// batches, each of which is a step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<u64>,
    /// The account of the items.
    #[serde(flatten)]
    pub tally: K::Tally,
}

impl<K: Pass> Query for LibrariesRequest<K> {
    type Report = Report<K>;

    fn run(&self, progress: &mut Progress) -> Result<Report<K>> {
        K::kind(self.given).check()?;
        self.on(&self.data()?, progress)
    }
}

impl<K: Pass> LibrariesRequest<K> {
    fn data(&self) -> Result<K::Data> {
        match self.order.is_empty() {
            true => K::data(self.counts.iter().copied()),
            false => K::data(self.order.iter().map(|size| (*size, 1))),
        }
    }

    /// Answers the question for these data, instead of the counts of the request.
    ///
    /// # Errors
    /// Limits, names and values that are refused; [`Error::Cancelled`].
    pub fn on(&self, data: &K::Data, progress: &mut Progress) -> Result<Report<K>> {
        K::kind(self.given).check()?;
        let task = PassTask::new(data, self);
        let answers = match &self.question {
            LibrariesQuestion::One {
                library,
                settings,
                packs,
            } => {
                vec![task.answer_for(&self.chosen(library, settings)?, *packs, progress)?]
            }
            LibrariesQuestion::All => task.answers_for_all(progress)?,
        };
        Ok(Report {
            answers,
            beside: K::beside(&task, progress)?,
        })
    }

    /// Returns the cost of the library in question against its window, or its open rows. `None` if it has neither, or
    /// if the question is about all libraries.
    ///
    /// # Errors
    /// As for the report.
    pub fn curve(&self, progress: &mut Progress) -> Result<Option<WindowCurve>> {
        K::kind(self.given).check()?;
        self.curve_on(&self.data()?, progress)
    }

    /// Returns the same curve for these data.
    ///
    /// # Errors
    /// As [`on`](Self::on).
    pub fn curve_on(&self, data: &K::Data, progress: &mut Progress) -> Result<Option<WindowCurve>> {
        let LibrariesQuestion::One {
            library, settings, ..
        } = &self.question
        else {
            return Ok(None);
        };
        K::curve(
            &PassTask::new(data, self),
            &self.chosen(library, settings)?,
            progress,
        )
    }

    /// Returns a library with these settings at the limits of the request.
    fn chosen(&self, library: &str, settings: &[SettingValue]) -> Result<LibrarySettings<K>> {
        Library::<K>::find(library)?.with(K::limits(self.given), settings)
    }
}

impl LibraryAtSettings {
    fn new<K: Pass>(chosen: &LibrarySettings<K>) -> Self {
        Self {
            library: chosen.library.id.to_owned(),
            title: chosen.library.title.to_owned(),
            settings: chosen.fields(),
            basis: Basis::of(chosen),
            algorithm: String::new(),
            refused: None,
            lines: chosen.lines(),
            language: chosen.library.language.name().to_owned(),
        }
    }
}

impl<K: Pass> PassTask<'_, K> {
    /// Returns the answer for one library, with advice unless rows are listed.
    fn answer_for(
        &self,
        chosen: &LibrarySettings<K>,
        list: bool,
        progress: &mut Progress,
    ) -> Result<LibraryAnswer<K>> {
        let (about, own) = (LibraryAtSettings::new(chosen), K::own(chosen));
        let mut answer = LibraryAnswer {
            about,
            own,
            figures: None,
            runs: Vec::new(),
            advice: None,
            packs: None,
        };
        let made = chosen.recipe().and_then(|recipe| {
            answer.about.algorithm = K::algorithm(&recipe);
            K::pass(self, (chosen, &recipe), list, &mut answer, progress)
        });
        // A refusal is an answer: the library stays in the table, with the reason.
        answer.about.refused = refusal_of(made)?.err();
        if answer.about.refused.is_some() {
            K::refused(self, chosen, &mut answer);
        }
        if !list {
            answer.advice = advice::advice(self, chosen, &answer, progress)?;
        }
        Ok(answer)
    }

    /// Returns the answers for all libraries of the kind.
    fn answers_for_all(&self, progress: &mut Progress) -> Result<Vec<LibraryAnswer<K>>> {
        let of = K::ALL.len() as u64;
        let one = |(done, library): (u64, &&'static Library<K>)| {
            if progress(Step::Done { done, of }).is_break() {
                return Err(Error::Cancelled);
            }
            // Progress within one library says nothing about all of them.
            let mut within = |_| progress(Step::Done { done, of });
            self.answer_for(
                &library.start(K::limits(self.request.given)),
                false,
                &mut within,
            )
        };
        (0..).zip(K::ALL).map(one).collect()
    }
}

/// Turns every error but a cancellation into the reason why a library refuses: others may take the data.
///
/// # Errors
/// [`Error::Cancelled`].
fn refusal_of<T>(made: Result<T>) -> Result<Result<T, String>> {
    match made {
        Err(Error::Cancelled) => Err(Error::Cancelled),
        // The library has no other policy, so the message asks for a larger limit only.
        Err(Error::Overlong {
            items,
            largest,
            limit,
            ..
        }) => Ok(Err(format!(
            "{} items are larger than the limit of {}: expected a limit of {} or more",
            count(items),
            count(u64::from(limit)),
            count(u64::from(largest))
        ))),
        other => Ok(other.map_err(|error| error.to_string())),
    }
}
