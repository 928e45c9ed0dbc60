//! Answers on training libraries, put together for the views that show them.

use crate::shared::Same;
use packscope::export::libraries::Sheet;
use packscope_page::state::AppState;
use std::rc::Rc;
use yew::prelude::*;

/// The sheets of one answer: that of its library, then those for comparison.
pub type Sheets = Rc<Vec<Sheet>>;

/// Returns the sheets of the libraries of all answers, then those for comparison.
#[hook]
pub fn use_sheets(answers: Vec<Sheets>) -> Same<Vec<Sheet>> {
    // Kept until an answer comes: parts are drawn again for other sheets alone.
    let answers = answers.into_iter().map(Same).collect::<Vec<_>>();
    Same(use_memo(answers, |answers| {
        let libraries = answers.iter().filter_map(|answer| answer.first());
        // The sheets for comparison are the same in every answer.
        let beside = answers.last().and_then(|answer| answer.get(1..));
        libraries
            .chain(beside.into_iter().flatten())
            .cloned()
            .collect()
    }))
}

/// Returns the sheets of the chosen library, whose own comes first, and whether they are about the present settings.
#[hook]
pub fn use_chosen(state: &AppState) -> (Same<Vec<Sheet>>, bool) {
    let answer = state.of_chosen(state.view);
    let sheets = use_sheets(answer.iter().map(|(sheets, _)| Rc::clone(sheets)).collect());
    (sheets, answer.is_some_and(|(_, is_current)| is_current))
}
