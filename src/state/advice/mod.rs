//! One recommendation for the data in each view, with its reason, and the actions that apply it.

mod batches;
mod graphs;
mod ranks;
mod sequences;
mod verdict;

use super::Action;

/// A gain below this share is not worth a change.
const WORTH: f64 = 0.02;

#[derive(Debug, Clone, PartialEq)]
pub struct Advice {
    /// The setting in a few words, or why nothing is to be changed: "LPFHP, at most 4 sequences a row".
    pub setting: String,
    /// Sentences that give the reason and the cost.
    pub reason: String,
    /// The actions that apply the setting; empty if nothing is to be done.
    pub take: Vec<Action>,
    /// The label of the button that applies it.
    pub press: &'static str,
    /// An alternative with another aim, named in the reason: the label of its button, and its actions.
    pub also: Option<(String, Vec<Action>)>,
    /// Whether it rests on bounds alone, and figures that may change it are still to come.
    pub is_early: bool,
}

impl Advice {
    fn new(setting: impl Into<String>, reason: String, take: Vec<Action>) -> Self {
        Self {
            setting: setting.into(),
            reason,
            take,
            press: "Use it",
            also: None,
            is_early: false,
        }
    }

    fn add(&mut self, sentence: &str) {
        let space = if self.reason.is_empty() { "" } else { " " };
        self.reason = format!("{}{space}{sentence}", self.reason);
    }
}
