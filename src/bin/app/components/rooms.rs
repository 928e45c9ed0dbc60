//! The rooms of a view: the answer, the comparison, and the cost, each on screen by itself.

use crate::jump;
use crate::shared::Shared;
use packscope::state::{Action, AppState, Room};
use packscope::words::capital;
use yew::prelude::*;

/// The room on screen, and the way to another one: a context of all parts of the page.
#[derive(Clone, PartialEq)]
pub struct Rooms {
    now: Room,
    go: Callback<Room>,
}

impl Rooms {
    /// Whether all rooms are on screen.
    pub fn are_all(&self) -> bool {
        self.now == Room::All
    }
}

/// Returns the context.
pub fn rooms(state: &AppState, dispatch: &Callback<Action>) -> Rooms {
    Rooms { now: state.room, go: dispatch.reform(Action::Room) }
}

#[derive(PartialEq, Properties)]
pub struct Props {
    pub state: Shared,
}

/// The line of rooms below the headline.
#[component]
pub fn Line(props: &Props) -> Html {
    let Some(Rooms { now, go }) = use_context::<Rooms>() else { return Html::default() };
    let tab = |room: Room| {
        let onclick = go.reform(move |_: MouseEvent| room);
        html! {
            <button type="button" class="tab" data-room={room.name()} aria-current={(room == now).then_some("true")} {onclick}>{ capital(room.name()) }</button>
        }
    };
    html! {
        <nav class="rooms" aria-label="Parts of this view">
            { for Room::EACH.into_iter().map(tab) }
            if !props.state.embed { { tab(Room::All) } }
        </nav>
    }
}

/// The link from a headline's speed-up to the estimates.
#[component]
pub fn ToCost() -> Html {
    let Some(Rooms { now, go }) = use_context::<Rooms>() else { return Html::default() };
    let onclick = Callback::from(move |_: MouseEvent| {
        if !now.shows(Room::Cost) {
            go.emit(Room::Cost);
        }
        jump::go_to("speedup");
    });
    html! { <button type="button" class="word to-speedup" {onclick}>{ "full estimate ↓" }</button> }
}
