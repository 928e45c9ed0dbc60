//! Answers on training libraries, decoded once each.

use crate::shared::Same;
use packscope::export::libraries::Sheet;
use packscope_page::state::AppState;
use packscope_page::state::EncodedAnswer;
use packscope_page::wire::decode;
use std::rc::Rc;
use yew::prelude::*;

/// Decodes answers: returns the sheets of their own libraries, then those for comparison.
#[hook]
pub fn use_sheets(encoded: Vec<EncodedAnswer>) -> Same<Vec<Sheet>> {
    Same(use_memo(encoded, |encoded| {
        let (mut sheets, mut beside) = (Vec::new(), Vec::new());
        for answer in encoded
            .iter()
            .filter_map(|encoded| decode::<Vec<Sheet>>(encoded).ok())
        {
            let mut answer = answer.into_iter();
            sheets.extend(answer.next());
            // The sheets for comparison are the same in every answer.
            beside = answer.collect();
        }
        sheets.append(&mut beside);
        sheets
    }))
}

/// Returns the sheets of the chosen library, whose own comes first, and whether they are about the present settings.
#[hook]
pub fn use_chosen(state: &AppState) -> (Same<Vec<Sheet>>, bool) {
    let answer = state.of_chosen(state.view);
    let opened = use_sheets(
        answer
            .into_iter()
            .map(|(encoded, _)| Rc::clone(encoded))
            .collect(),
    );
    (opened, answer.is_some_and(|(_, is_current)| is_current))
}
