//! The view of graphs: packs under one limit for nodes and one for edges.

mod answer;
mod bars;
mod controls;
mod groups;
mod heat;
mod notes;
mod packs;
mod sweep;
mod sweep_controls;
mod table;
mod tried;

use crate::components::{advice, case, pin, rooms, trainer};
use crate::shared::ViewProps;
use packscope_page::state::{Action, Tab, graphs};
use yew::prelude::*;

#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    pub state: crate::shared::SharedState,
    pub dispatch: Callback<graphs::Action>,
}

#[component]
pub fn Graphs(props: &ViewProps) -> Html {
    let state = &props.state;
    let dispatch = {
        let dispatch = props.dispatch.clone();
        use_memo((), |()| {
            Callback::from(move |action| dispatch.emit(Action::Graphs(action)))
        })
    };
    // The same callback in every rendering, as the parts compare their properties.
    let dispatch = (*dispatch).clone();
    let room = state.room;
    let own = html! { <answer::Headline state={state.clone()} dispatch={dispatch.clone()} /> };
    let (headline, settings) = trainer::use_library(state, &props.dispatch, own);
    // Libraries and models of this view are those of graphs; items with computed attention are
    // sequences.
    let computed = state.graphs.words().attention.is_some();
    html! {
        <>
            if computed {
                <section class="case" aria-label="Your case">{ controls::data(props) }</section>
            } else {
                { case::case(state, &props.dispatch, controls::data(props)) }
            }
            { headline }
            <controls::Controls
                state={state.clone()}
                dispatch={dispatch.clone()}
                shared={props.dispatch.clone()}
            />
            <div class="body">
                { rooms::line(state, &props.dispatch) }
                { props.notices.clone() }
                <pin::Pins state={state.clone()} dispatch={props.dispatch.clone()} />
                if settings.is_none() && !computed {
                    <advice::OfTraining state={state.clone()} dispatch={props.dispatch.clone()} />
                } else {
                    { advice::printed(state) }
                }
                if room.shows(Tab::Answer) {
                    if settings.is_none() && computed {
                        { advice::advised(state.limits_advice(), &props.dispatch) }
                    } else if settings.is_none() && state.offers_sweep() {
                        { advice::advised(state.sweep_advice(), &props.dispatch) }
                    }
                    <div class="pair">
                        <heat::Heat state={state.clone()} dispatch={dispatch.clone()} />
                        if let Some(settings) = settings {
                            { settings }
                        } else {
                            <packs::Packs state={state.clone()} dispatch={dispatch.clone()} />
                        }
                    </div>
                }
                if room.shows(Tab::Compare) {
                    <sweep::Sweep state={state.clone()} dispatch={dispatch.clone()} />
                    <div class="pair folds">
                        <table::Table state={state.clone()} {dispatch} />
                        if !computed {
                            <trainer::Trainer
                                state={state.clone()}
                                dispatch={props.dispatch.clone()}
                            />
                        }
                        if state.graphs.are_pairs() {
                            <groups::Groups
                                state={state.clone()}
                                dispatch={props.dispatch.clone()}
                            />
                        }
                    </div>
                }
                if computed && room == Tab::Cost {
                    <p class="small">
                        { "Attention is counted here, not timed: time and money are estimated for sequences and for graphs." }
                    </p>
                }
                { props.speedup.clone() }
            </div>
        </>
    }
}
