//! Questions about batches.

use super::study::Asked;
use super::{Engine, REST, later, next_ticket};
use crate::lane::Job;
use packscope::api::Settings;
use packscope::order;
use packscope::state::batches::Row;
use packscope::state::{AppState, Data};
use packscope::wire::Ask;

impl Engine {
    /// Asks for the chosen and the random sampler at once, with example batches, and for the others after a pause.
    pub(super) fn follow_batches(&self, state: &AppState) {
        let Some(data) = &state.sequences.data else { return };
        let mut looked_at = state.pictured_rows().to_vec();
        looked_at.dedup();
        // The chosen one first.
        order::sort_by_key(&mut looked_at, |row| *row != state.batch_row());
        let rows = state.batch_rows();
        let at_once: Vec<Row> =
            looked_at.iter().copied().filter(|row| rows.contains(row) && !state.is_pictured(*row)).collect();
        let others = rows.into_iter().filter(|row| !looked_at.contains(row) && !state.is_batched(*row));
        let others: Vec<Row> = others.collect();
        if !at_once.is_empty() {
            self.batches.ask(self.batches_of(state, data, &at_once, true));
        }
        let mut timers = self.timers.borrow_mut();
        timers.clear();
        if !others.is_empty() {
            timers.push(later(&self.others, REST, self.batches_of(state, data, &others, false)));
        }
    }

    fn batches_of(&self, state: &AppState, data: &Data, rows: &[Row], drawn: bool) -> Job {
        let asked = rows.iter().map(|row| (state.batch_settings_of(*row), drawn));
        Job {
            ticket: next_ticket(data.version),
            ask: Ask::Batches(asked.collect()),
            data: Some(Settings::items(data)),
            files: Vec::new(),
        }
    }
}
