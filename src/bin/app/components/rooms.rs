//! The rooms of a view: the answer, the comparison, and the cost, each on screen by itself. Plain
//! functions: a component or a context of Yew weighs a kilobyte, and the first download has these.

use super::button;
use crate::jump;
use packscope::words::capital;
use packscope_page::state::{Action, AppState, Tab, View};
use std::cell::RefCell;
use yew::prelude::*;

thread_local! {
    /// The room on screen, and the way to another one, for functions that are handed no state.
    static ROOMS: RefCell<(Tab, Callback<Tab>)> = RefCell::new((Tab::Answer, Callback::noop()));
}

/// Notes the room on screen, for the parts that are rendered from now on.
pub fn note(state: &AppState, dispatch: &Callback<Action>) {
    ROOMS.set((state.room, dispatch.reform(Action::Room)));
}

pub fn are_all() -> bool {
    ROOMS.with_borrow(|(now, _)| *now == Tab::All)
}

pub fn line(state: &AppState, dispatch: &Callback<Action>) -> Html {
    let room = |room: Tab| {
        let onclick = dispatch.reform(move |_: MouseEvent| Action::Room(room));
        tab(
            room.name(),
            [
                room == state.room,
                // With all rooms on screen none is selected, and Tab stops at each.
                room == state.room || state.room == Tab::All,
            ],
            onclick,
        )
    };
    html! {
        <nav class="rooms" role="tablist" aria-label="Parts of this view">
            { for Tab::EACH.into_iter().map(room) }
        </nav>
    }
}

/// A tab of a list: whether it is selected, and whether the Tab key stops at it. It stops at the
/// selected tab; arrow keys go on to the others.
pub fn tab(
    name: &'static str,
    [selected, reached]: [bool; 2],
    onclick: Callback<MouseEvent>,
) -> Html {
    html! {
        <button
            type="button"
            class="tab"
            role="tab"
            data-tab={name}
            aria-selected={selected.to_string()}
            tabindex={(!reached).then_some("-1")}
            {onclick}
        >
            { capital(name) }
        </button>
    }
}

/// The link from a headline's speed-up to the estimates.
pub fn to_cost() -> Html {
    let onclick = Callback::from(move |_: MouseEvent| {
        ROOMS.with_borrow(|(now, go)| {
            // The room first: the estimates are on the page only in it. The jump waits for them.
            if !now.shows(Tab::Cost) {
                go.emit(Tab::Cost);
            }
        });
        jump::go_to("speedup");
    });
    html! {
        <span class="to-speedup">
            { "; " }
            <button type="button" class="word" {onclick}>{ "full estimate ↓" }</button>
        </span>
    }
}

/// Draws the way to another view, with a setting that is made there.
pub fn to_view(view: View, setting: Action, words: &str, dispatch: &Callback<Action>) -> Html {
    let dispatch = dispatch.clone();
    let go = Callback::from(move |_: MouseEvent| {
        dispatch.emit(setting.clone());
        dispatch.emit(Action::View(view));
        jump::go_to("main");
    });
    html! { <p class="hint">{ button(words, go) }</p> }
}
