//! Pinned results that came in a link: their data are loaded, and their figures requested.

use crate::coming::{LoadingPlace, file, load_into, some_graphs};
use crate::due;
use crate::shared::SharedState;
use crate::storage;
use packscope::histogram::{Preset, Sizes};
use packscope_page::query::Request;
use packscope_page::state::custom::{Custom, is_stored};
use packscope_page::state::{Action, Source, View};
use packscope_page::state::{graphs, pin};
use std::rc::Rc;
use yew::prelude::*;

/// Loads the data of pinned results that came in a link, and requests their figures, one result after the other, while
/// their view is shown.
#[hook]
pub fn use_pins(
    state: &SharedState,
    dispatch: &Rc<Callback<Action>>,
    ask: &Callback<Vec<(String, Request)>>,
) {
    let (missing, request) = match state.view {
        View::Sequences => pin::missing(&state.sequences.pins),
        View::Graphs => pin::missing(&state.graphs.pins),
        View::Ranks => pin::missing(&state.ranks.pins),
        View::Batches | View::Learn => (None, None),
    };
    let dispatch = Rc::clone(dispatch);
    use_effect_with(
        (state.view, missing.map(str::to_owned)),
        move |(view, missing)| {
            // One at a time: the action that brings these data makes the next name missing, which
            // runs this effect again.
            if let Some(name) = missing {
                load_pinned(*view, name, &dispatch);
            }
        },
    );
    let ask = ask.clone();
    use_effect_with((state.view, request), move |(_, request)| {
        if let Some(request) = request {
            // The name tells these answers from those of a chapter, which shares the lane.
            ask.emit(vec![(pin::ASKED.to_owned(), request.clone())]);
        }
    });
}

/// Loads the data of a pinned result, from the link itself or by name.
fn load_pinned(view: View, name: &str, dispatch: &Callback<Action>) {
    let (named, dispatch) = (name.to_owned(), dispatch.clone());
    // Data in the link itself come first: they need no request.
    if let Some(found) = Custom::read(name)
        .ok()
        .and_then(|custom| pinned(view, named.clone(), custom))
    {
        return dispatch.emit(found);
    }
    if is_stored(name) {
        return due::load(async move {
            let found = storage::get(&named)
                .await
                .and_then(|custom| pinned(view, named.clone(), custom));
            match found {
                Some(found) => dispatch.emit(found),
                None => lose(&dispatch, view, named),
            }
        });
    }
    let absent = |preset: &Preset| {
        let words = format!(
            "{}, which a pinned result is about, could not be loaded; is the connection gone?",
            preset.title
        );
        Action::Unreadable(words)
    };
    match (view, Preset::find(name), Preset::find_graphs(name)) {
        (View::Graphs, _, Some(preset)) => {
            load_into(
                LoadingPlace::PinnedGraphs,
                absent(preset),
                dispatch,
                some_graphs(preset),
                move |h| {
                    Action::Graphs(graphs::Action::Pin(pin::Action::Found(
                        named,
                        Source::Preset(preset),
                        h,
                        None,
                    )))
                },
            );
        }
        (View::Sequences | View::Ranks, Some(preset), _) => load_into(
            LoadingPlace::PinnedSequences,
            absent(preset),
            dispatch,
            file(preset),
            move |h| Action::Pin(pin::Action::Found(named, Source::Preset(preset), h, None)),
        ),
        _ => lose(&dispatch, view, named),
    }
}

/// Returns the action for the data of a pinned result in a link; `None` if they belong to the other view.
fn pinned(view: View, named: String, custom: Custom) -> Option<Action> {
    let source = Source::Kept {
        name: custom.name,
        components: custom.components,
    };
    Some(match (view, custom.sizes) {
        (View::Sequences | View::Ranks, Sizes::Lengths(h)) => {
            Action::Pin(pin::Action::Found(named, source, h, None))
        }
        (View::Sequences | View::Ranks, Sizes::Texts(h)) => Action::Pin(pin::Action::Found(
            named,
            source,
            Rc::new(h.marginal(0)?),
            Some(h),
        )),
        (View::Graphs, Sizes::Graphs(h)) => Action::Graphs(graphs::Action::Pin(
            pin::Action::Found(named, source, h, None),
        )),
        _ => return None,
    })
}

/// Unpins results whose data cannot be loaded, and shows a message.
fn lose(dispatch: &Callback<Action>, view: View, named: String) {
    dispatch.emit(match view {
        View::Graphs => Action::Graphs(graphs::Action::Pin(pin::Action::Lost(named))),
        _ => Action::Pin(pin::Action::Lost(named)),
    });
    dispatch.emit(Action::Unreadable(UNPINNED.to_owned()));
}

const UNPINNED: &str =
    "A result that is pinned in this link is about data that this page does not have.";
