//! What stands below the histogram of sequences: the packs, depth, the algorithms side by side, the plan.

use super::settings::in_background;
use super::{depths, rows, strategies, table};
use crate::shared::Shared;
use packscope::state::Action;
use yew::prelude::*;

/// What it is given.
#[derive(Clone, Properties)]
pub struct Props {
    /// The state.
    pub state: Shared,
    /// The state when the hand last rested.
    pub rested: Shared,
    /// Changes it.
    pub dispatch: Callback<Action>,
    /// The length that is pointed at.
    pub hover: Option<u32>,
    /// Hears what is pointed at.
    pub onhover: Callback<Option<u32>>,
}

impl PartialEq for Props {
    /// Its parts say whether they have changed.
    fn eq(&self, _: &Self) -> bool {
        false
    }
}

/// All of it.
#[component]
pub fn Below(props: &Props) -> Html {
    let Props { state, rested, dispatch, hover, onhover } = props.clone();
    html! { <>
        <div class="pair">
            <rows::Rows state={state.clone()} {hover} {onhover} />
            <depths::Depths state={state.clone()} dispatch={dispatch.clone()} />
        </div>
        <table::Table state={state.clone()} dispatch={dispatch.clone()} />
        { in_background(&state, &dispatch) }
        <strategies::Strategies state={rested} />
    </> }
}
