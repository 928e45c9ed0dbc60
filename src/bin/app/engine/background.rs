//! Background questions: slow rows of the tables, and the search for the optimum, also where a visitor has chosen it.
//! The state decides whether they may be asked.

use super::study::Asked;
use super::{DISTINCT, Engine, LISTED, REST, later};
use crate::lane::Job;
use gloo_timers::callback::Timeout;
use packscope::api::{Packing, Question, tuple};
use packscope::packing::Algorithm;
use packscope::state::{AppState, Search, Study, Subject, View};
use std::cell::{Cell, RefCell};

/// Milliseconds without a change before slow rows are computed while the optimum is being searched.
const LONG_REST: u32 = 1500;
/// The same for the search for the optimum, which ends by itself.
const PROOF_REST: u32 = 200;
/// The same for data of very many sizes: a worker that was started for them, and sent them, is not ended at the next step.
const LARGE_REST: u32 = 1000;

/// Data and settings of an optimum.
#[derive(Clone, PartialEq)]
enum About {
    Lengths(Subject),
    Graphs(Subject<tuple::Settings>),
}

/// Work that runs in the background or is scheduled.
#[derive(Default)]
pub(super) struct Background {
    /// The search, the seconds that it may take, and what it is about.
    search: RefCell<Option<(Search, f64, About)>>,
    searching: RefCell<Option<Timeout>>,
    rows: RefCell<Option<Timeout>>,
    cancelled: Cell<bool>,
}

impl Background {
    /// Unschedules everything.
    pub(super) fn clear(&self) {
        (*self.searching.borrow_mut(), *self.rows.borrow_mut()) = (None, None);
    }

    /// Stops at the visitor's request: a tab that becomes visible again restarts nothing.
    pub(super) fn cancel(&self) {
        self.clear();
        self.cancelled.set(true);
    }
}

impl Engine {
    /// Allows stopped work to restart, as other settings were chosen.
    pub fn resume(&self) {
        self.background.cancelled.set(false);
    }

    /// Starts the slow rows of the table, or stops them where they may not go on.
    pub fn follow_rows(&self, state: &AppState) {
        let mut timer = self.background.rows.borrow_mut();
        *timer = None;
        let (chosen, proven) = match state.view {
            View::Sequences => is_searched(&state.sequences),
            View::Graphs => is_searched(&state.graphs),
            View::Batches | View::Learn => return,
        };
        // The lane serves the visitor's choice first.
        if chosen || self.background.cancelled.get() || self.slow.has_lost() {
            return;
        }
        if !state.background.works() {
            return self.slow.stop();
        }
        if state.view == View::Graphs && state.graphs.data.is_some() {
            self.sweeps().iter().for_each(|sweeps| sweeps.warm());
        }
        // The optimum first: with few cores, one would slow the other down.
        let rest = if proven { REST } else { LONG_REST };
        *timer = self.long_rows(state).map(|job| later(&self.slow, rest, job));
    }

    fn long_rows(&self, state: &AppState) -> Option<Job> {
        match state.view {
            View::Graphs => self.compare(&state.graphs, state.graphs.unknown_rows(), true),
            _ => self.compare(&state.sequences, state.sequences.unknown_rows(), true),
        }
    }

    /// Starts the search that is due, unless it is running, and stops any other.
    pub fn follow_search(&self, state: &AppState) {
        let mut timer = self.background.searching.borrow_mut();
        *timer = None;
        if self.background.cancelled.get() || self.proof.has_lost() {
            return;
        }
        let about = match state.view {
            View::Graphs => About::Graphs(state.graphs.subject()),
            _ => About::Lengths(state.sequences.subject()),
        };
        let search = state.search().map(|search| (search, search.seconds(state.background.budget), about));
        if self.background.search.replace(search.clone()) == search && self.proof.is_busy() {
            return;
        }
        // The previous search is of no use any more and would block the next one.
        self.proof.stop();
        let sizes = match state.view {
            View::Graphs => state.graphs.data.as_ref().map(|data| data.histogram.distinct()),
            _ => state.sequences.data.as_ref().map(|data| data.histogram.distinct()),
        };
        let rest = if sizes > Some(DISTINCT) { LARGE_REST } else { PROOF_REST };
        let job = search.and_then(|(search, budget, about)| self.search(state, search, budget, &about));
        *timer = job.map(|job| later(&self.proof, rest, job));
    }

    fn search(&self, state: &AppState, search: Search, budget: f64, about: &About) -> Option<Job> {
        let sequences = &state.sequences;
        match about {
            About::Graphs(_) => self.prove(&state.graphs, budget),
            About::Lengths(_) if search == Search::Depths => {
                let settings = sequences.settings.clone();
                let rows = sequences.unproven().into_iter().map(|d| (Algorithm::Optimal, d)).collect();
                Some(self.job(sequences.data.as_ref()?, Question::Compare { settings, rows, budget }))
            }
            About::Lengths(_) => self.prove(sequences, budget),
        }
    }

    fn prove<S: Asked<K>, const K: usize>(&self, study: &Study<S, K>, budget: f64) -> Option<Job> {
        let settings = study.settings.clone();
        Some(self.job(study.data.as_ref()?, Question::Prove { settings, listed: LISTED, budget }))
    }
}

/// Returns whether the visitor has chosen a slow algorithm other than the optimum, and whether the optimum is proven.
fn is_searched<S: Packing, const K: usize>(study: &Study<S, K>) -> (bool, bool) {
    let settings = &study.settings;
    (settings.takes_long() && !settings.is_optimal(), study.is_proven())
}
