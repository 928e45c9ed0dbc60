//! The judge's verdicts on the view on screen, and the actions that apply them; one recommendation, with its reason, for graphs
//! whose attention is counted.

mod graphs;
mod ranks;
mod verdict;

pub use verdict::Press;

use super::Action;

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
}

impl Advice {
    fn new(setting: impl Into<String>, reason: String, take: Vec<Action>) -> Self {
        Self {
            setting: setting.into(),
            reason,
            take,
            press: "Use it",
        }
    }
}
