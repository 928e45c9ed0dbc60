//! Pinned results beside the one on screen. The comparison is loaded with the first pin.

mod against;

use crate::lazy::{DrawPart, LazyPart, PartLoad, failed, use_part};
use crate::shared::{Props, SharedState};
use packscope::words::plural;
use packscope_page::part;
use packscope_page::state::pin::{self, MOST};
use packscope_page::state::{Action, AppState, View, graphs};
use yew::prelude::*;

#[derive(Clone, Copy)]
struct PinnedPanel {
    draw: DrawPart<Props>,
    apart: Apart,
}

/// Draws how a figure of the headline, by the report's field name, differs from the last pinned
/// result.
type Apart = fn(&AppState, &'static str) -> Html;

static PINNED: LazyPart<PinnedPanel> = LazyPart::new(|| Box::pin(load_pinned()));

part! { pins:
    fn load_pinned() -> PartLoad<PinnedPanel> {
        Ok(PinnedPanel {
            draw: |props| against::section(&props.state, &props.dispatch),
            apart: against::apart,
        })
    }
}

/// The comparison with the pinned results; nothing without any. The button is in the top line.
#[component]
pub fn Pins(props: &Props) -> Html {
    let pinned = number(&props.state);
    let some = pinned > 0;
    let section = match use_part(&PINNED, some) {
        Ok(pinned) if some => (pinned.draw)(props.clone()),
        Err(absent) if some => failed([Some(absent)]),
        _ => Html::default(),
    };
    // Said, since what changes on screen is far from the button in the top line.
    let heard = if some {
        format!("{} pinned.", plural(pinned as u64, "result"))
    } else {
        String::new()
    };
    html! {
        <>
            { section }
            <p class="unseen" role="status" data-heard="pins">{ heard }</p>
        </>
    }
}

fn is_there(state: &AppState) -> bool {
    match state.view {
        View::Graphs => state.graphs.answer.is_some(),
        View::Ranks => state.ranked().is_some(),
        _ => state.sequences.answer.is_some(),
    }
}

/// The top line's button to pin the result on screen; nothing on views without pins, or if no more
/// can be pinned.
pub fn in_top(state: &SharedState, dispatch: &Callback<Action>) -> Html {
    if matches!(state.view, View::Batches | View::Learn) || !has_room(state) {
        return Html::default();
    }
    let onclick = press(state, dispatch, pin::Action::Keep, pin::Action::Keep);
    html! {
        <button type="button" class="word of-pin" disabled={!is_there(state)} {onclick}>
            { "Pin" }
        </button>
    }
}

/// Returns a function that draws how a figure of the headline differs from the last pinned result,
/// if there is one.
#[hook]
pub fn use_apart(state: &SharedState) -> impl Fn(&'static str) -> Html + use<> {
    let some = number(state) > 0;
    let apart = use_part(&PINNED, some)
        .ok()
        .filter(|_| some)
        .map(|pinned| pinned.apart);
    let state = state.clone();
    move |figure| apart.map_or_else(Html::default, |apart| apart(&state, figure))
}

fn number(state: &AppState) -> usize {
    match state.view {
        View::Sequences => state.sequences.pins.len(),
        View::Graphs => state.graphs.pins.len(),
        View::Ranks => state.ranks.pins.len(),
        View::Batches | View::Learn => 0,
    }
}

fn has_room(state: &AppState) -> bool {
    number(state) < MOST
}

// Actions on pins of graphs have another type than those of sequences: their data have two
// components.
fn press(
    state: &SharedState,
    dispatch: &Callback<Action>,
    one: pin::Action,
    two: pin::Action<2>,
) -> Callback<MouseEvent> {
    let action = match state.view {
        View::Graphs => Action::Graphs(graphs::Action::Pin(two)),
        _ => Action::Pin(one),
    };
    dispatch.reform(move |_: MouseEvent| action.clone())
}
