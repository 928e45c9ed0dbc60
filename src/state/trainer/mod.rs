//! Training libraries of a view: the chosen one with its settings, and all side by side. Libraries pack on the view of
//! sequences, make batches on the view of batches, and load graphs on the view of graphs.

mod choice;
mod judged;

pub use choice::Choice;
pub use judged::as_rows;

use super::answers::CachedAnswer;
use super::{AppState, View};
use crate::query::{Answer, Query};
use packscope::api::ranks::Scheduler;
use packscope::api::trainer::{LibraryKind, LibraryQuery};
use packscope::cost::{Memory, Workload};
use packscope::export::libraries::Sheet;
use packscope::trainer::batches::{LibraryLimits, SAMPLERS};
use packscope::trainer::graphs::LOADERS;
use packscope::trainer::{LIBRARIES, SettingValue, names};
use std::rc::Rc;

/// Maximum items for which several orders of arrival are drawn: with more, orders differ little.
const FEW: u64 = 1_000_000;
/// The number of orders of arrival.
pub const ORDERS: u32 = 3;

/// A library: its id and its displayed name.
pub type Name = (&'static str, &'static str);

// Computed when the page is compiled: all else about libraries is loaded with the part that shows
// them.
static PACKERS: [Name; LIBRARIES.len()] = names(LIBRARIES);
static BATCHERS: [Name; SAMPLERS.len()] = names(SAMPLERS);
static FILLERS: [Name; LOADERS.len()] = names(LOADERS);

/// Returns the libraries of a view; on views without any, those that pack.
pub fn library_names(view: View) -> &'static [Name] {
    match view {
        View::Graphs => &FILLERS,
        View::Batches => &BATCHERS,
        View::Sequences | View::Ranks | View::Learn => &PACKERS,
    }
}

/// The libraries of a view: the choice, and which ones are asked about.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TrainerState {
    pub choice: Choice,
    /// Whether the libraries are in view; until they are, nothing is asked.
    pub seen: bool,
    /// The libraries that are also asked about, with packing switched on and all else at their defaults.
    pub beside: Rc<Vec<String>>,
    /// Whether the visitor has cancelled the questions about these.
    pub paused: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    Choose(Option<String>),
    Set(SettingValue),
    Reset,
    InView(bool),
    /// Asks about all of these libraries.
    Beside(Rc<Vec<String>>),
    /// Stops asking about them, or goes on.
    Pause(bool),
}

impl AppState {
    pub(super) fn train(&mut self, view: View, action: Action) {
        let trainer = self.libraries_mut(view);
        match action {
            Action::Choose(library) => trainer.choice.choose(library),
            Action::Set(field) => trainer.choice.set(field),
            Action::Reset => trainer.choice.settings.clear(),
            Action::InView(seen) => trainer.seen = seen,
            // A new list is asked about even if the questions about the one before were cancelled.
            Action::Beside(libraries) => (trainer.beside, trainer.paused) = (libraries, false),
            Action::Pause(paused) => trainer.paused = paused,
        }
    }

    pub fn libraries(&self, view: View) -> &TrainerState {
        match view {
            View::Batches => &self.samplers,
            View::Graphs => &self.loaders,
            View::Sequences | View::Ranks | View::Learn => &self.trainer,
        }
    }

    pub(super) fn libraries_mut(&mut self, view: View) -> &mut TrainerState {
        match view {
            View::Batches => &mut self.samplers,
            View::Graphs => &mut self.loaders,
            View::Sequences | View::Ranks | View::Learn => &mut self.trainer,
        }
    }

    /// Returns the scheduler of the library that packs, which the view of ranks has, if it is one of several ranks.
    pub fn scheduler_of_library(&self) -> Option<Scheduler> {
        let chosen = self.trainer.choice.library.as_deref()?;
        let (_, title) = PACKERS.iter().find(|(id, _)| *id == chosen)?;
        Scheduler::of_library(title)
    }

    /// Returns the library that packs for the chosen scheduler of ranks; `None` without a scheduler, or where the view of
    /// sequences has no such library.
    pub fn library_of_scheduler(&self) -> Option<Name> {
        let title = self.ranks_settings().library?.short_name();
        PACKERS.iter().copied().find(|(_, other)| *other == title)
    }

    /// Returns the limits for the libraries of a view; `None` for a view without libraries.
    pub fn library_limits(&self, view: View) -> Option<LibraryKind> {
        let settings = &self.sequences.settings;
        let room = LibraryLimits {
            limit: settings.limit,
            batch: settings.batch,
        };
        match view {
            View::Sequences => Some(LibraryKind::Sequences(room)),
            View::Batches => Some(LibraryKind::Batches(room)),
            View::Graphs => self
                .graphs
                .settings
                .limits
                .as_slice()
                .try_into()
                .ok()
                .map(LibraryKind::Graphs),
            View::Ranks | View::Learn => None,
        }
    }

    /// Returns the number of items for the libraries of a view, if there are any.
    pub fn trained_items(&self, view: View) -> Option<u64> {
        match view {
            View::Graphs => self.graphs.data.as_ref().map(|data| data.histogram.items()),
            _ => self
                .sequences
                .data
                .as_ref()
                .map(|data| data.histogram.items()),
        }
    }

    /// Returns the answers about libraries of a view and its present data, the newest first.
    fn trained(&self, view: View) -> impl Iterator<Item = (&LibraryQuery, &CachedAnswer)> {
        let version = if view == View::Graphs {
            self.graphs.version()
        } else {
            self.sequences.version()
        };
        self.answers
            .newest()
            .filter(move |known| known.ticket.data == version)
            .filter_map(|known| {
                if let Query::Trainer(asked) = &known.query {
                    Some((asked, known))
                } else {
                    None
                }
            })
    }

    /// Returns the newest answer about a library of a view at its limits, and whether it has these settings; without
    /// settings, about the library as it is compared with others.
    fn of_library(
        &self,
        view: View,
        library: &str,
        settings: Option<&[SettingValue]>,
    ) -> Option<(&Rc<Vec<Sheet>>, bool)> {
        let given = self.library_limits(view)?;
        let answers = || {
            let packing = settings.is_none() || view != View::Sequences;
            let most_slots = self.most_slots(view);
            let about = move |asked: &LibraryQuery| {
                asked.given == given
                    && asked.library == library
                    && asked.packing == packing
                    && asked.most_slots == most_slots
            };
            self.trained(view)
                .filter(move |(asked, _)| about(asked))
                .filter_map(|(asked, known)| {
                    if let Ok(Answer::Trainer(sheets)) = &known.answered.outcome {
                        Some((asked, sheets))
                    } else {
                        None
                    }
                })
        };
        let settings = settings.unwrap_or_default();
        // Until the present settings are answered, the newest answer about others stands in.
        let now = answers()
            .find(|(asked, _)| asked.settings == settings)
            .map(|(_, sheets)| (sheets, true));
        now.or_else(|| answers().next().map(|(_, sheets)| (sheets, false)))
    }

    /// Returns the newest answer about the chosen library of a view, and whether it is about the present settings.
    pub fn of_chosen(&self, view: View) -> Option<(&Rc<Vec<Sheet>>, bool)> {
        let Choice { library, settings } = &self.libraries(view).choice;
        self.of_library(view, library.as_deref()?, Some(settings))
    }

    /// Returns the answers about all samplers or loaders of a view, at their defaults.
    pub fn answers_of_all(&self, view: View) -> Vec<Rc<Vec<Sheet>>> {
        let of = |id: &String| {
            let (sheets, now) = self.of_library(view, id, None)?;
            now.then(|| Rc::clone(sheets))
        };
        self.libraries(view).beside.iter().filter_map(of).collect()
    }

    /// Returns the slots of a batch that the memory holds, of libraries that pack: the judge takes no more rows either, so
    /// that a library has one set of figures.
    fn most_slots(&self, view: View) -> Option<u64> {
        let a = self.speedup.assumptions();
        let workload = Workload::Transformer(a.transformer);
        // Fractions of a slot are nothing to a batch, and a float too large becomes the largest number.
        let slots = || Memory::new(&workload, a, 0.0).most_slots.max(0.0) as u64;
        (view == View::Sequences).then(slots)
    }

    /// Returns the question about a library of a view if it has no answer yet: with these settings and all sizes of its
    /// window, or, without settings, as it is compared with others.
    fn unknown(
        &self,
        view: View,
        library: &str,
        settings: Option<&[SettingValue]>,
    ) -> Option<LibraryQuery> {
        let seeds = if self.trained_items(view)? > FEW {
            1
        } else {
            ORDERS
        };
        // Samplers and loaders of graphs have no packing to switch on, so that both questions are one.
        let packing = settings.is_none() || view != View::Sequences;
        let (library, thorough) = (library.to_owned(), settings.is_some());
        let settings = settings.unwrap_or_default().to_vec();
        let asked = LibraryQuery {
            given: self.library_limits(view)?,
            library,
            packing,
            settings,
            seeds,
            thorough,
            most_slots: self.most_slots(view),
        };
        let is_known = self.trained(view).any(|(other, _)| other.covers(&asked));
        (!is_known).then_some(asked)
    }

    /// Returns the libraries that stand side by side and are not known yet, by name.
    pub fn uncompared(&self, view: View) -> Vec<&str> {
        if view == View::Sequences {
            return self.unjudged();
        }
        let beside = self.libraries(view).beside.iter().map(String::as_str);
        beside
            .filter(|library| self.unknown(view, library, None).is_some())
            .collect()
    }

    /// Stops the comparison of libraries if it is running.
    pub(super) fn pause_libraries(&mut self) {
        let view = self.view;
        // With nothing to stop, the flag would keep a later comparison from beginning.
        let is_running = !self.uncompared(view).is_empty();
        self.libraries_mut(view).paused |= is_running;
    }

    /// Returns the question to ask now: first about the chosen library, which is also that of the headline, then, if the
    /// libraries are in view, about the others, one by one.
    pub fn trainer_wanted(&self) -> Option<Query> {
        let libraries = self.libraries(self.view);
        let Choice { library, settings } = &libraries.choice;
        let chosen = library
            .as_ref()
            .and_then(|library| self.unknown(self.view, library, Some(settings)))
            .map(Query::Trainer);
        let is_compared = libraries.seen && !libraries.paused;
        let beside = || match self.view {
            View::Sequences => self.next_verdict(),
            view => {
                let next = self.uncompared(view).into_iter().next()?;
                self.unknown(view, next, None).map(Query::Trainer)
            }
        };
        chosen.or_else(|| is_compared.then(beside).flatten())
    }
}
