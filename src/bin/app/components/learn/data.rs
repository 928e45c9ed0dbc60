//! Built-in sets that a chapter needs and that are too large for the program; they are fetched when the chapter opens.

use crate::coming;
use crate::due;
use crate::watchdog::SILENCE;
use packscope::histogram::{Histogram, Preset};
use packscope_page::learn::Chapter;
use packscope_page::state::learn::{Action as Learn, BuiltInLengths};
use packscope_page::state::{Action, LearnState};
use std::rc::Rc;
use yew::prelude::*;

/// Fetches the sets that the chapter needs and that are not loaded yet.
#[hook]
pub fn use_data(chapter: &'static Chapter, state: &LearnState, dispatch: &Callback<Action>) {
    let dispatch = dispatch.clone();
    use_effect_with(chapter.missing(state), move |missing| {
        for &set in missing {
            fetch(set, dispatch.clone());
        }
    });
}

fn fetch(set: &'static str, dispatch: Callback<Action>) {
    let loaded = move |lengths: Option<BuiltInLengths>| {
        dispatch.emit(Action::Learn(Learn::Loaded(set, lengths)))
    };
    // A host that does not answer in time counts as unreachable; an answer that arrives later is still shown.
    let late = {
        let loaded = loaded.clone();
        due::aside(SILENCE as u32, move || loaded(None))
    };
    due::load(async move {
        let histogram: Option<Histogram<1>> = match Preset::find(set) {
            Some(preset) => coming::file(preset).await,
            None => None,
        };
        late.cancel();
        loaded(histogram.map(|histogram| Rc::new(histogram.lengths())));
    });
}
