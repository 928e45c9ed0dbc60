//! Work in the background: the search for the optimum, and rows of the tables that take long. The visitor can turn it
//! off, which saves battery, and it pauses while the tab is hidden.

use super::graphs::TupleRow;
use super::{AppState, Study, View};
use packscope::api::{PackingSettings, Settings};
use packscope::names::names;
use packscope::packing::{Algorithm, Depth};
use std::rc::Rc;

/// Whether the page works in the background.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Background {
    pub on: bool,
    /// Whether the tab is visible.
    pub visible: bool,
    /// Whether the depth chart is in view.
    pub depths: bool,
    /// The time limit of a search that the visitor asks for.
    pub budget: Budget,
    /// Counts how often the visitor let cancelled work go on.
    pub resumed: u32,
}

/// The time limit of a search for the optimum that the visitor asks for; counted in steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Budget {
    Fifth,
    /// A second, the default of the command line.
    Second,
    #[default]
    Ten,
    /// Until the optimum is proven, or the search is cancelled.
    Proven,
}

names! { Budget, "budget";
    Fifth: "0.2", "0.2 s";
    Second: "1", "1 s";
    Ten: "10", "10 s";
    Proven: "proven", "until proven";
}

impl Budget {
    pub fn seconds(self) -> f64 {
        match self {
            Self::Fifth => 0.2,
            Self::Second => 1.0,
            Self::Ten => 10.0,
            Self::Proven => f64::INFINITY,
        }
    }
}

impl Default for Background {
    fn default() -> Self {
        Self {
            on: true,
            visible: true,
            depths: false,
            budget: Budget::default(),
            resumed: 0,
        }
    }
}

impl Background {
    /// Whether background work may run now.
    pub fn works(self) -> bool {
        self.on && self.visible
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Search {
    /// At the present settings: the visitor has chosen the optimum.
    Chosen,
    /// At the present settings, in the background.
    Present,
    /// At the other depths of the depth chart.
    Depths,
}

impl Search {
    /// Returns the time limit in seconds; `budget` is that of a search that the visitor asks for.
    pub fn seconds(self, budget: Budget) -> f64 {
        match self {
            Self::Chosen => budget.seconds(),
            Self::Present => 5.0,
            Self::Depths => 1.0,
        }
    }
}

impl AppState {
    /// Returns the search to run now: first at the present settings, then, while the depth chart is in view, at the
    /// other depths.
    pub fn search(&self) -> Option<Search> {
        // Other depths are searched for the curve alone, which an export has as well.
        let ((over, chosen), others) = match self.view {
            View::Sequences => (
                self.sequences.search(),
                self.background.depths || self.whole.is_some(),
            ),
            View::Graphs => (self.graphs.search(), false),
            View::Batches | View::Ranks | View::Learn => return None,
        };
        // An export waits for all of its rows, so they count as asked for, whatever the setting.
        // What the visitor has chosen is searched in any case.
        match (over, self.background.works() || self.whole.is_some()) {
            (false, _) if chosen => Some(Search::Chosen),
            (false, true) => Some(Search::Present),
            (true, true) if others && !self.sequences.unsearched_depths().is_empty() => {
                Some(Search::Depths)
            }
            _ => None,
        }
    }

    /// Returns how many rows of the table that is exported are known for good, and how many it has.
    pub fn exported(&self) -> [usize; 2] {
        fn known<S: PackingSettings, const K: usize>(
            study: &Study<S, K>,
            rows: &[S::Row],
        ) -> [usize; 2] {
            [
                rows.iter().filter(|row| study.is_final(**row)).count(),
                rows.len(),
            ]
        }
        match self.view {
            View::Sequences => known(&self.sequences, &self.sequences.all_rows()),
            View::Graphs => known(&self.graphs, &self.graphs.all_rows()),
            View::Batches => {
                let rows = self.batch_rows();
                [
                    rows.iter().filter(|row| self.is_batched(**row)).count(),
                    rows.len(),
                ]
            }
            View::Ranks | View::Learn => [0; 2],
        }
    }

    /// Whether the search may check points of a sweep: only after the search for the optimum, which it would slow down.
    pub fn may_check(&self) -> bool {
        self.view == View::Graphs && self.background.works() && self.graphs.is_search_over()
    }

    /// Whether a row of the table of sequences is missing because background work is off.
    pub fn is_left_out(&self, algorithm: Algorithm) -> bool {
        let sequences = &self.sequences;
        let Settings { depth, limit, .. } = sequences.settings;
        // Rows that the engine refuses are missing in any case.
        let left = !self.background.on && algorithm.takes_long() && !algorithm.refuses(limit);
        left && !sequences.is_known((algorithm, depth))
    }

    /// Whether a row of the table of graphs is missing because background work is off.
    pub fn is_row_left_out(&self, row: TupleRow) -> bool {
        !self.background.on && row.algorithm.takes_long() && !self.graphs.is_known(row)
    }

    /// Starts a search with this time limit, even if a search has ended without a proof.
    pub(super) fn search_for(&mut self, budget: Budget) {
        self.background.budget = budget;
        // A search that ended without a proof is to begin again with the new time.
        self.sequences.forget_vain();
        self.graphs.forget_vain();
    }

    pub(super) fn go_on(&mut self) {
        self.background.resumed += 1;
        self.search_for(self.background.budget);
    }

    /// Cancels the running work of the view on screen; its results so far stay.
    pub(super) fn cancel(&mut self) {
        match (self.view, self.search()) {
            (View::Graphs, Some(Search::Chosen | Search::Present)) => self.graphs.cancel_search(),
            (_, Some(Search::Chosen | Search::Present)) => self.sequences.cancel_search(),
            _ => {}
        }
        self.pause_libraries();
        self.whole = None;
        self.sequences.forget_search();
        self.graph(super::graphs::Action::Cancelled);
    }

    /// Asks for the rows of an export, also for those that were cancelled before.
    pub(super) fn export(&mut self, whole: Option<Rc<Vec<(Algorithm, Depth)>>>) {
        // The engine asks cancelled questions again when the count changes.
        self.background.resumed += u32::from(whole.is_some());
        self.whole = whole;
    }

    /// Drops the progress of searches that are not running.
    pub(super) fn forget_searches(&mut self) {
        if !matches!(self.search(), Some(Search::Chosen | Search::Present)) {
            self.sequences.forget_search();
            self.graphs.forget_search();
        }
    }
}

impl<S: PackingSettings, const K: usize> Study<S, K> {
    /// Returns whether the search at the present settings is over, and whether the chosen algorithm is the optimum.
    fn search(&self) -> (bool, bool) {
        (self.is_search_over(), self.settings.is_optimal())
    }

    /// Whether the figures of a row are known for the present settings, and no search is to better them.
    fn is_final(&self, row: S::Row) -> bool {
        let settings = self.settings.with_row(row);
        // Other depths of the optimum come from the short search of the curve, whose answer is the
        // last.
        let is_searched = settings.is_optimal() && settings.depth() == self.settings.depth();
        if is_searched {
            self.is_search_over()
        } else {
            self.is_answered(row)
        }
    }

    /// Whether a row is the chosen one, or its figures are known.
    fn is_known(&self, row: S::Row) -> bool {
        row == self.settings.row() || self.row(row).is_some()
    }
}
