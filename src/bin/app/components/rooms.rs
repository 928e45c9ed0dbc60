//! The rooms of a view: the answer, the comparison, and the cost, each on screen by itself. Plain functions: a component
//! or a context of Yew weighs a kilobyte, and the first download has these.

use crate::jump;
use packscope::state::{Action, AppState, Room};
use packscope::words::capital;
use std::cell::RefCell;
use yew::prelude::*;

thread_local! {
    /// The room on screen, and the way to another one.
    static ROOMS: RefCell<(Room, Callback<Room>)> = RefCell::new((Room::Answer, Callback::noop()));
}

/// Notes the room on screen, for the parts that are rendered from now on.
pub fn note(state: &AppState, dispatch: &Callback<Action>) {
    ROOMS.set((state.room, dispatch.reform(Action::Room)));
}

/// Whether all rooms are on screen.
pub fn are_all() -> bool {
    ROOMS.with_borrow(|(now, _)| *now == Room::All)
}

/// The line of rooms below the headline.
pub fn line(state: &AppState, dispatch: &Callback<Action>) -> Html {
    let tab = |room: Room| {
        let onclick = dispatch.reform(move |_: MouseEvent| Action::Room(room));
        html! {
            <button type="button" class="tab" data-room={room.name()} aria-current={(room == state.room).then_some("true")} {onclick}>{ capital(room.name()) }</button>
        }
    };
    html! {
        <nav class="rooms" aria-label="Parts of this view">
            { for Room::EACH.into_iter().map(tab) }
        </nav>
    }
}

/// The link from a headline's speed-up to the estimates.
pub fn to_cost() -> Html {
    let onclick = Callback::from(move |_: MouseEvent| {
        ROOMS.with_borrow(|(now, go)| {
            if !now.shows(Room::Cost) {
                go.emit(Room::Cost);
            }
        });
        jump::go_to("speedup");
    });
    html! { <span class="to-speedup">{ "; " }<button type="button" class="word" {onclick}>{ "full estimate ↓" }</button></span> }
}
