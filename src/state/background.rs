//! Work that nobody has asked for: the search for the optimum, and rows of the tables that take long. It can be turned
//! off, which saves battery, and it waits while the tab is hidden.

use super::graphs::Row;
use super::{AppState, View};
use crate::api::Settings;
use crate::packing::{Algorithm, tuple};

/// Whether the page may do what nobody has asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Background {
    /// The setting.
    pub on: bool,
    /// Whether the tab can be seen.
    pub visible: bool,
    /// Whether the depth chart is in view.
    pub depths: bool,
}

impl Default for Background {
    fn default() -> Self {
        Self { on: true, visible: true, depths: false }
    }
}

impl Background {
    /// Whether such work may be done now.
    pub fn works(self) -> bool {
        self.on && self.visible
    }
}

/// A search for optima.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Search {
    /// At the present settings: the visitor has chosen the optimum.
    Chosen,
    /// At the present settings, which nobody has asked for.
    Present,
    /// At the other depths of the depth chart.
    Depths,
}

impl AppState {
    /// The search that is to be made now: first at the present settings, then, while the depth chart is in view, at the
    /// other depths.
    pub fn search(&self) -> Option<Search> {
        let (proven, chosen) = match self.view {
            View::Sequences => (self.is_proven(), self.settings.algorithm == Algorithm::Optimal),
            View::Graphs => {
                (self.graphs.is_proven(), self.graphs.settings.algorithm == tuple::Algorithm::Optimal)
            }
            View::Batches | View::Learn => return None,
        };
        let others = self.view == View::Sequences && self.background.depths;
        match (proven, self.background.works()) {
            (false, _) if chosen => Some(Search::Chosen),
            (false, true) => Some(Search::Present),
            (true, true) if others && !self.unproven().is_empty() => Some(Search::Depths),
            _ => None,
        }
    }

    /// Whether a row of the table is not there because nobody has asked for it.
    pub fn is_left_out(&self, algorithm: Algorithm) -> bool {
        let Settings { algorithm: chosen, depth, limit, .. } = self.settings;
        let left = !self.background.on && algorithm.takes_long() && !algorithm.refuses(limit);
        left && algorithm != chosen && self.point(algorithm, depth).is_none()
    }

    /// The same of a row of the table of graphs.
    pub fn is_row_left_out(&self, row: Row) -> bool {
        let left = !self.background.on && row.algorithm.takes_long();
        left && row != Row::of(&self.graphs.settings) && self.graphs.point(row).is_none()
    }

    /// What a search has come to is shown only while it goes on.
    pub(super) fn forget_search(&mut self) {
        if !matches!(self.search(), Some(Search::Chosen | Search::Present)) {
            (self.found, self.graphs.found) = (None, None);
        }
    }
}
