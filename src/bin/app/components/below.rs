//! The parts below the histogram of sequences: packs, depth, all algorithms, the plan.

use super::{depths, limits, rounding, rows, strategies, table, trainer};
use crate::shared::SharedState;
use packscope_page::state::{Action, Tab};
use yew::prelude::*;

#[derive(Clone, Properties)]
pub struct Props {
    pub state: SharedState,
    /// The state at the last pause of input.
    pub rested: SharedState,
    pub dispatch: Callback<Action>,
    pub hover: Option<u32>,
    pub onhover: Callback<Option<u32>>,
}

impl PartialEq for Props {
    /// Always false: the parts compare their own properties.
    fn eq(&self, _: &Self) -> bool {
        false
    }
}

#[component]
pub fn Below(props: &Props) -> Html {
    let Props {
        state,
        rested,
        dispatch,
        hover,
        onhover,
    } = props.clone();
    let room = state.room;
    html! {
        <>
            // The rows are of our own plan, not of a chosen library. The key renders them for
            // another room, which opens or folds them: their properties compare only the answer and
            // the pointer.
            if room.shows(Tab::Answer) && trainer::chosen(&state).is_none() {
                <rows::Rows key={room.name()} state={state.clone()} {hover} {onhover} />
            }
            if room.shows(Tab::Compare) {
                <table::Table state={state.clone()} dispatch={dispatch.clone()} />
                <div class="pair even">
                    <div>
                        <depths::Depths state={state.clone()} dispatch={dispatch.clone()} />
                        <rounding::Roundings state={rested.clone()} />
                    </div>
                    <limits::Limits state={state.clone()} dispatch={dispatch.clone()} />
                </div>
                <div class="pair folds">
                    <trainer::Trainer state={state.clone()} dispatch={dispatch.clone()} />
                    <strategies::Strategies state={rested} />
                </div>
            }
        </>
    }
}
