//! Training libraries of a view: the chosen one with its settings, and all side by side. They pack on the view of
//! sequences, make batches on that of batches, and load graphs on that of graphs.

mod choice;

pub use choice::Choice;

use super::answers::Known;
use super::{AppState, View};
use crate::api::held::{Answer, Request};
use crate::api::trainer::{Asked, Given};
use crate::trainer::Field;
use crate::trainer::batches::Room;
use std::rc::Rc;

/// Items up to which several orders of arrival are drawn: with more, one differs little from another.
const FEW: u64 = 1_000_000;
/// The number of orders.
pub const ORDERS: u32 = 3;

/// An answer as it came: only what shows it reads it.
pub type Sealed = Rc<[u8]>;

/// Libraries of a view, and what is known of them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TrainerState {
    /// The chosen library with its settings.
    pub choice: Choice,
    /// Whether it is in view: nothing is asked before.
    pub seen: bool,
    /// The libraries that are asked about beside the chosen one, at their initial values.
    pub beside: Rc<Vec<String>>,
}

/// An event of libraries.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Another library, or none.
    Choose(Option<String>),
    /// A setting of the chosen library has another value.
    Set(Field),
    /// All settings as to begin with.
    Reset,
    /// Whether it is in view.
    InView(bool),
    /// All of these libraries are asked about.
    Beside(Rc<Vec<String>>),
}

impl AppState {
    /// Applies an event of the libraries of a view.
    pub(super) fn train(&mut self, view: View, action: Action) {
        let trainer = self.libraries_mut(view);
        match action {
            Action::Choose(library) => trainer.choice.choose(library),
            Action::Set(field) => trainer.choice.set(field),
            Action::Reset => trainer.choice.settings.clear(),
            Action::InView(seen) => trainer.seen = seen,
            Action::Beside(libraries) => trainer.beside = libraries,
        }
    }

    /// Returns the libraries of a view.
    pub fn libraries(&self, view: View) -> &TrainerState {
        match view {
            View::Batches => &self.samplers,
            View::Graphs => &self.loaders,
            View::Sequences | View::Learn => &self.trainer,
        }
    }

    pub(super) fn libraries_mut(&mut self, view: View) -> &mut TrainerState {
        match view {
            View::Batches => &mut self.samplers,
            View::Graphs => &mut self.loaders,
            View::Sequences | View::Learn => &mut self.trainer,
        }
    }

    /// Returns the limits that libraries of a view are given; `None` where it has none.
    pub fn given(&self, view: View) -> Option<Given> {
        let settings = &self.sequences.settings;
        let room = Room { limit: settings.limit, batch: settings.batch };
        match view {
            View::Sequences => Some(Given::Sequences(room)),
            View::Batches => Some(Given::Batches(room)),
            View::Graphs => self.graphs.settings.limits.as_slice().try_into().ok().map(Given::Graphs),
            View::Learn => None,
        }
    }

    /// Returns the number of items that libraries of a view take, if there are any.
    pub fn trained_items(&self, view: View) -> Option<u64> {
        match view {
            View::Graphs => self.graphs.data.as_ref().map(|data| data.histogram.items()),
            _ => self.sequences.data.as_ref().map(|data| data.histogram.items()),
        }
    }

    /// Returns the answers about libraries of a view that are about its data, the newest first.
    fn trained(&self, view: View) -> impl Iterator<Item = (&Asked, &Known)> {
        let version = if view == View::Graphs { self.graphs.version() } else { self.sequences.version() };
        self.answers.newest().filter(move |known| known.ticket.data == version).filter_map(|known| {
            if let Request::Trainer(asked) = &known.request { Some((asked, known)) } else { None }
        })
    }

    /// Returns the newest answer about a library of a view at its limits, and whether it is about these settings.
    fn of_library(&self, view: View, library: &str, settings: &[Field]) -> Option<(&Sealed, bool)> {
        let given = self.given(view)?;
        let answers = || {
            let about = move |asked: &Asked| asked.given == given && asked.library == library;
            self.trained(view).filter(move |(asked, _)| about(asked)).filter_map(|(asked, known)| {
                if let Ok(Answer::Trainer(sealed)) = &known.answered.outcome {
                    Some((asked, sealed))
                } else {
                    None
                }
            })
        };
        let now = answers().find(|(asked, _)| asked.settings == settings).map(|(_, sealed)| (sealed, true));
        now.or_else(|| answers().next().map(|(_, sealed)| (sealed, false)))
    }

    /// Returns the newest answer about the chosen library of a view, and whether it is about the present settings.
    pub fn of_chosen(&self, view: View) -> Option<(&Sealed, bool)> {
        let Choice { library, settings } = &self.libraries(view).choice;
        self.of_library(view, library.as_deref()?, settings)
    }

    /// Returns the answers about libraries of a view side by side: at their initial values, but for the chosen one among
    /// those that pack.
    pub fn of_all(&self, view: View) -> Vec<Sealed> {
        let Choice { library, settings } = &self.libraries(view).choice;
        let of = |id: &String| {
            let at_settings = view == View::Sequences && library.as_ref() == Some(id);
            let (sealed, now) = self.of_library(view, id, if at_settings { settings } else { &[] })?;
            now.then(|| Rc::clone(sealed))
        };
        self.libraries(view).beside.iter().filter_map(of).collect()
    }

    /// Returns the question to ask now: about the chosen library first, then about those beside it, one by one.
    pub fn trainer_wanted(&self) -> Option<Asked> {
        let libraries = self.libraries(self.view);
        let given = self.given(self.view).filter(|_| libraries.seen)?;
        let seeds = if self.trained_items(self.view)? > FEW { 1 } else { ORDERS };
        let asked = |library: &String, settings: &[Field], thorough| {
            let (library, settings) = (library.clone(), settings.to_vec());
            Asked { given, library, settings, seeds, thorough }
        };
        let Choice { library, settings } = &libraries.choice;
        let chosen = library.iter().map(|library| asked(library, settings, true));
        let beside = libraries.beside.iter().map(|library| asked(library, &[], false));
        let is_known = |asked: &Asked| self.trained(self.view).any(|(other, _)| other.covers(asked));
        chosen.chain(beside).find(|asked| !is_known(asked))
    }
}

impl Asked {
    /// Whether its answer answers another question too.
    fn covers(&self, other: &Self) -> bool {
        self == other || self.thorough && Self { thorough: false, ..self.clone() } == *other
    }
}
