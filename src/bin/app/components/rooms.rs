//! The rooms of a view: the answer, the comparison, and the cost, each on screen by itself. Plain functions: a component
//! or a context of Yew weighs a kilobyte, and the first download has these.

use crate::jump;
use packscope::words::capital;
use packscope_page::state::{Action, AppState, Tab};
use std::cell::RefCell;
use yew::prelude::*;

thread_local! {
    /// The room on screen, and the way to another one.
    static ROOMS: RefCell<(Tab, Callback<Tab>)> = RefCell::new((Tab::Answer, Callback::noop()));
}

/// Notes the room on screen, for the parts that are rendered from now on.
pub fn note(state: &AppState, dispatch: &Callback<Action>) {
    ROOMS.set((state.room, dispatch.reform(Action::Room)));
}

/// Whether all rooms are on screen.
pub fn are_all() -> bool {
    ROOMS.with_borrow(|(now, _)| *now == Tab::All)
}

/// The line of rooms below the headline.
pub fn line(state: &AppState, dispatch: &Callback<Action>) -> Html {
    let room = |room: Tab| {
        let onclick = dispatch.reform(move |_: MouseEvent| Action::Room(room));
        tab(
            room.name(),
            [
                room == state.room,
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

/// A tab of a list: whether it is selected, and whether Tab reaches it, as it does the selected one; arrow keys reach the
/// others.
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
