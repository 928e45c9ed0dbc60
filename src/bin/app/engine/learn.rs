//! Questions of lessons.

use super::{Engine, next_ticket};
use crate::lane::Job;
use packscope::api::any::Request;
use packscope::wire::Ask;

impl Engine {
    /// Asks questions that bring their own data; of those that wait only the newest are kept.
    pub fn ask_lesson(&self, asked: Vec<(String, Request)>) {
        let ask = Ask::Any(asked);
        self.lesson.ask(Job { ticket: next_ticket(0), ask, data: None, files: Vec::new() });
    }
}
