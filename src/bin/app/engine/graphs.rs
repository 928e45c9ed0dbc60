//! Questions about graphs.

use super::{Engine, LISTED, REST, later};
use crate::lane::Job;
use packscope::api::tuple::Settings;
use packscope::packing::tuple::Algorithm;
use packscope::state::graphs::Row;
use packscope::state::{Data, GraphState};
use packscope::wire::{Ask, GraphRow, Items, Question};
use std::rc::Rc;

impl Engine {
    pub(super) fn follow_graphs(&self, state: &GraphState) {
        let Some(data) = &state.data else { return };
        let settings = state.settings.clone();
        let chosen = settings.algorithm;
        let report = |settings: Settings| self.graphs(data, Question::Report { settings, listed: LISTED });
        if !state.is_current() {
            if !chosen.takes_long() {
                self.live.ask(report(settings.clone()));
            } else if !state.is_interim() {
                // Until what takes long is there, a fast one stands in for it.
                self.live.ask(report(Settings { algorithm: Algorithm::BestFit, ..settings.clone() }));
            }
            if chosen == Algorithm::Search {
                self.slow.ask(report(settings.clone()));
            }
        }
        let mut timers = self.timers.borrow_mut();
        timers.clear();
        if let Some(compare) = self.graph_rows(data, state, false) {
            timers.push(later(&self.side, REST, compare));
        }
    }

    pub(super) fn graphs(&self, data: &Data<2>, question: Question<Settings, GraphRow>) -> Job {
        let (ticket, items) = (self.ticket(data.version), Items::Graphs(Rc::clone(&data.histogram)));
        Job { ticket, ask: Ask::Graphs(question), data: Some(items), files: Vec::new() }
    }

    /// Asks for the rows that are not known and take long, or those that do not. The optimum is looked for apart.
    pub(super) fn graph_rows(&self, data: &Data<2>, state: &GraphState, long: bool) -> Option<Job> {
        let asked = |row: &Row| row.algorithm != Algorithm::Optimal && row.algorithm.takes_long() == long;
        let rows = state.unknown_rows().into_iter().filter(asked);
        let points: Vec<GraphRow> = rows.map(|row| (row.algorithm, row.heuristic)).collect();
        let settings = state.settings.clone();
        (!points.is_empty()).then(|| self.graphs(data, Question::Compare { settings, points, budget: 0.0 }))
    }
}
