//! Questions about the waiting of accelerators.

use super::{Engine, next_ticket};
use crate::lane::Job;
use packscope::state::speedup::Asked;
use packscope::wire::Ask;

impl Engine {
    /// Asks a question that brings its own data; of questions that wait only the newest is kept.
    pub fn ask_waiting(&self, asked: &Asked) {
        let ask = Ask::Waiting(asked.clone());
        self.waiting.ask(Job { ticket: next_ticket(0), ask, data: None, files: Vec::new() });
    }
}
