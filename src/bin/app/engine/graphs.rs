//! Questions about graphs.

use super::{About, Engine, LISTED, LONG_REST, REST, Search, budget, later};
use crate::lane::Job;
use packscope::api::tuple::Settings;
use packscope::packing::tuple::Algorithm;
use packscope::state::GraphState;
use packscope::state::graphs::Row;
use packscope::wire::{Ask, GraphRow, Items, Question};
use std::rc::Rc;

impl Engine {
    pub(super) fn follow_graphs(&self, state: &GraphState) {
        let Some(data) = &state.data else { return };
        self.sweep.warm();
        let job = |question| Job {
            ticket: self.ticket(data.version),
            ask: Ask::Graphs(question),
            data: Some(Items::Graphs(Rc::clone(&data.histogram))),
            files: Vec::new(),
        };
        let settings = state.settings.clone();
        let chosen = settings.algorithm;
        let report = |settings: Settings| job(Question::Report { settings, listed: LISTED });
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
        let compare = |rows: Vec<Row>| {
            let points = rows.into_iter().map(|row| -> GraphRow { (row.algorithm, row.heuristic) }).collect();
            job(Question::Compare { settings: settings.clone(), points, budget: 0.0 })
        };
        let mut timers = self.timers.borrow_mut();
        timers.clear();
        let unknown = state.unknown_rows().into_iter().filter(|row| row.algorithm != Algorithm::Optimal);
        let (slow, fast): (Vec<Row>, Vec<Row>) = unknown.partition(|row| row.algorithm.takes_long());
        if !fast.is_empty() {
            timers.push(later(&self.side, REST, compare(fast)));
        }
        if !slow.is_empty() && chosen != Algorithm::Search {
            // The optimum first: with few cores, one would slow the other down.
            let rest = if state.is_proven() { REST } else { LONG_REST };
            timers.push(later(&self.slow, rest, compare(slow)));
        }
        let asked_for = chosen == Algorithm::Optimal;
        let about = About::Graphs(state.subject());
        let search = Search { about, asked_for, proven: state.is_proven() };
        timers.extend(self.search(search, || {
            let prove = Question::Prove { settings, listed: LISTED, budget: budget(asked_for) };
            (!state.is_proven()).then(|| job(prove))
        }));
    }
}
