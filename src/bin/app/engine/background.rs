//! Questions that nobody has asked: rows of the tables that take long, and the search for the optimum, of which some is
//! asked for by those who choose it. Whether they may be asked, the state says.

use super::{Engine, LISTED, REST, later, points};
use crate::lane::Job;
use gloo_timers::callback::Timeout;
use packscope::packing::{Algorithm, tuple};
use packscope::state::{AppState, Search, Subject, View, graphs};
use packscope::wire::Question;
use std::cell::{Cell, RefCell};

/// Milliseconds without a change before what takes long is asked for while the optimum is being looked for.
const LONG_REST: u32 = 1500;
/// The same, for the search for the optimum, which ends by itself.
const PROOF_REST: u32 = 200;

/// Seconds of a search.
fn budget(search: Search) -> f64 {
    match search {
        Search::Chosen => 20.0,
        Search::Present => 5.0,
        Search::Depths => 1.0,
    }
}

/// Data and settings of an optimum.
#[derive(Clone, PartialEq)]
enum About {
    Lengths(Subject),
    Graphs(graphs::Subject),
}

/// What is under way, or about to be.
#[derive(Default)]
pub(super) struct Background {
    search: RefCell<Option<(Search, About)>>,
    searching: RefCell<Option<Timeout>>,
    rows: RefCell<Option<Timeout>>,
    cancelled: Cell<bool>,
}

impl Background {
    /// Nothing is about to begin any more.
    pub(super) fn clear(&self) {
        (*self.searching.borrow_mut(), *self.rows.borrow_mut()) = (None, None);
    }

    /// The visitor has stopped it: a tab that comes back begins nothing anew.
    pub(super) fn cancel(&self) {
        self.clear();
        self.cancelled.set(true);
    }
}

impl Engine {
    /// What the visitor has stopped may begin anew: other settings were chosen.
    pub fn resume(&self) {
        self.background.cancelled.set(false);
    }

    /// Asks for rows of the table that take long, or stops where it may not go on.
    pub fn follow_rows(&self, state: &AppState) {
        let mut timer = self.background.rows.borrow_mut();
        *timer = None;
        let (chosen, proven) = match state.view {
            View::Sequences => {
                let chosen = state.settings.algorithm;
                (chosen.takes_long() && chosen != Algorithm::Optimal, state.is_proven())
            }
            View::Graphs => {
                (state.graphs.settings.algorithm == tuple::Algorithm::Search, state.graphs.is_proven())
            }
            View::Batches | View::Learn => return,
        };
        // The lane is for what the visitor has chosen first.
        if chosen || self.background.cancelled.get() || self.slow.has_lost() {
            return;
        }
        if !state.background.works() {
            return self.slow.stop();
        }
        if state.view == View::Graphs && state.graphs.data.is_some() {
            self.sweep.warm();
        }
        // The optimum first: with few cores, one would slow the other down.
        let rest = if proven { REST } else { LONG_REST };
        *timer = self.long_rows(state).map(|job| later(&self.slow, rest, job));
    }

    fn long_rows(&self, state: &AppState) -> Option<Job> {
        if state.view == View::Graphs {
            return self.graph_rows(state.graphs.data.as_ref()?, &state.graphs, true);
        }
        let (_, points) = points(state);
        let settings = state.settings.clone();
        let data = state.data.as_ref().filter(|_| !points.is_empty())?;
        Some(self.lengths(data, Question::Compare { settings, points, budget: 0.0 }))
    }

    /// Begins the search that is to be made, unless it is under way, and stops any other.
    pub fn follow_search(&self, state: &AppState) {
        let mut timer = self.background.searching.borrow_mut();
        *timer = None;
        if self.background.cancelled.get() || self.proof.has_lost() {
            return;
        }
        let about = match state.view {
            View::Graphs => About::Graphs(state.graphs.subject()),
            _ => About::Lengths(state.subject()),
        };
        let search = state.search().map(|search| (search, about));
        if self.background.search.replace(search.clone()) == search && self.proof.is_busy() {
            return;
        }
        // What was searched for before is of no use any more, and in the way of what is.
        self.proof.stop();
        let job = search.and_then(|(search, about)| self.search(state, search, &about));
        *timer = job.map(|job| later(&self.proof, PROOF_REST, job));
    }

    fn search(&self, state: &AppState, search: Search, about: &About) -> Option<Job> {
        let (listed, budget) = (LISTED, budget(search));
        if let About::Graphs(_) = about {
            let settings = state.graphs.settings.clone();
            return Some(
                self.graphs(state.graphs.data.as_ref()?, Question::Prove { settings, listed, budget }),
            );
        }
        let settings = state.settings.clone();
        let question = if search == Search::Depths {
            let points = state.unproven().into_iter().map(|d| (Algorithm::Optimal, d)).collect();
            Question::Compare { settings, points, budget }
        } else {
            Question::Prove { settings, listed, budget }
        };
        Some(self.lengths(state.data.as_ref()?, question))
    }
}
