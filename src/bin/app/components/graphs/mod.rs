//! The view of graphs: packs under one limit for nodes and one for edges.

mod answer;
mod bars;
mod controls;
mod heat;
mod notes;
mod packs;
mod sweep;
mod sweep_controls;
mod table;
mod tried;
mod weights;

use crate::components::sections::sections;
use crate::components::settings::in_background;
use crate::components::{advice, pin, trainer};
use crate::shared::ViewProps;
use packscope::state::Action;
use packscope::state::graphs;
use yew::prelude::*;

#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    pub state: crate::shared::Shared,
    pub dispatch: Callback<graphs::Action>,
}

#[component]
pub fn Graphs(props: &ViewProps) -> Html {
    let state = &props.state;
    let dispatch = {
        let dispatch = props.dispatch.clone();
        use_memo((), |()| Callback::from(move |action| dispatch.emit(Action::Graphs(action))))
    };
    let dispatch = (*dispatch).clone();
    html! { <>
        <answer::Headline state={state.clone()} dispatch={dispatch.clone()} />
        <controls::Controls state={state.clone()} dispatch={dispatch.clone()} shared={props.dispatch.clone()} files={props.files.clone()} />
        <div class="body">
            { props.notices.clone() }
            <pin::Pins state={state.clone()} dispatch={props.dispatch.clone()} />
            { advice::printed(state) }
            { advice::advised(state.limits_advice(), &props.dispatch) }
            { sections(state) }
            <div class="pair">
                <heat::Heat state={state.clone()} dispatch={dispatch.clone()} />
                <packs::Packs state={state.clone()} dispatch={dispatch.clone()} />
            </div>
            <table::Table state={state.clone()} dispatch={dispatch.clone()} />
            { in_background(state, &props.dispatch) }
            <trainer::Trainer state={state.clone()} dispatch={props.dispatch.clone()} />
            <sweep::Sweep state={state.clone()} {dispatch} />
            { props.speedup.clone() }
        </div>
    </> }
}
