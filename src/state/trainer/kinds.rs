//! Samplers on the view of batches, and loaders on that of graphs: the chosen one with its settings, and all side by side.

use super::{Action, Choice, orders};
use crate::api::trainer::{Given, Wanted};
use crate::state::{AppState, View};
use crate::trainer::batches::Room;
use std::rc::Rc;

/// An answer as it came: only who shows it reads it.
pub type Sealed = Rc<[u8]>;

/// Libraries of a view, and what is known of them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct KindState {
    /// The chosen library with its settings.
    pub choice: Choice,
    /// Whether it is in view: nothing is asked before.
    pub seen: bool,
    /// Whether all are asked about too.
    pub all: bool,
    /// Answers by version of the data and question; the one about all, and the newest about one.
    known: Rc<Vec<(u64, Wanted, Sealed)>>,
}

impl KindState {
    /// Returns the newest answer about one library, or about all, and whether it is about the present question.
    fn known(&self, version: u64, wanted: &Wanted) -> Option<(&Sealed, bool)> {
        let is = |(of, other, _): &&(u64, Wanted, Sealed)| {
            *of == version && other.library == wanted.library && other.given == wanted.given
        };
        self.known.iter().find(is).map(|(_, other, sealed)| (sealed, other == wanted))
    }
}

impl AppState {
    /// Applies an event of the libraries of a view.
    pub(in crate::state) fn on_kind(&mut self, view: View, action: Action) {
        let Some(kind) = self.kind_mut(view) else { return };
        match action {
            Action::Choose(library) => kind.choice.choose(library),
            Action::Set(field) => kind.choice.set(field),
            Action::Reset => kind.choice.settings.clear(),
            Action::InView(seen) => kind.seen = seen,
            Action::Beside(_) => kind.all = true,
            Action::Answered(version, wanted, sealed) => {
                let known = Rc::make_mut(&mut kind.known);
                known.retain(|(_, other, _)| other.library.is_none() != wanted.library.is_none());
                known.push((version, wanted, sealed));
            }
            // About libraries that pack.
            Action::Heard(..) => {}
        }
    }

    /// Returns the libraries of a view: samplers for batches, loaders for graphs.
    pub fn kind(&self, view: View) -> Option<&KindState> {
        match view {
            View::Batches => Some(&self.samplers),
            View::Graphs => Some(&self.loaders),
            View::Sequences | View::Learn => None,
        }
    }

    pub(in crate::state) fn kind_mut(&mut self, view: View) -> Option<&mut KindState> {
        match view {
            View::Batches => Some(&mut self.samplers),
            View::Graphs => Some(&mut self.loaders),
            View::Sequences | View::Learn => None,
        }
    }

    /// Returns the limits that samplers or loaders are given on the view on screen.
    pub fn kind_given(&self) -> Option<Given> {
        Some(self.given()?.0)
    }

    /// Returns the limits of the view on screen, version and number of its items.
    fn given(&self) -> Option<(Given, u64, u64)> {
        Some(match self.view {
            View::Batches => {
                let study = &self.sequences;
                let room = Room { limit: study.settings.limit, batch: study.settings.batch };
                (Given::Batches(room), study.version(), study.data.as_ref()?.histogram.items())
            }
            View::Graphs => {
                let study = &self.graphs;
                let limits = <[u32; 2]>::try_from(study.settings.limits.as_slice()).ok()?;
                (Given::Graphs(limits), study.version(), study.data.as_ref()?.histogram.items())
            }
            View::Sequences | View::Learn => return None,
        })
    }

    /// Returns the question about the chosen library, if there is one, or about all.
    fn question(&self, all: bool) -> Option<(u64, Wanted)> {
        let (given, version, items) = self.given()?;
        let Choice { library, settings } = &self.kind(self.view)?.choice;
        let seeds = orders(items);
        if all {
            return Some((version, Wanted { given, library: None, settings: Vec::new(), seeds }));
        }
        let library = Some(library.clone()?);
        Some((version, Wanted { given, library, settings: settings.clone(), seeds }))
    }

    /// Returns what is known of the chosen library of the view on screen at the present limits, or of all of them; and
    /// whether it is about the present settings.
    pub fn of_kind(&self, all: bool) -> Option<(&Sealed, bool)> {
        let (version, wanted) = self.question(all)?;
        self.kind(self.view)?.known(version, &wanted)
    }

    /// Returns the question to ask now: about the chosen library first, then about all.
    pub fn kind_wanted(&self) -> Option<Wanted> {
        let kind = self.kind(self.view).filter(|kind| kind.seen)?;
        let one = self.question(false);
        let all = self.question(true).filter(|_| kind.all);
        let open = |(version, wanted): &(u64, Wanted)| {
            !kind.known(*version, wanted).is_some_and(|(_, is_current)| is_current)
        };
        one.into_iter().chain(all).find(open).map(|(_, wanted)| wanted)
    }
}
