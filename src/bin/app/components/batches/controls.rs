//! The column under the hand: data, limit, sampler and what it is made of.

use crate::app::{Files, Shared};
use packscope::state::batches::Action;
use yew::prelude::*;

/// Properties of [`Controls`].
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// The state.
    pub state: Shared,
    /// Changes what is about batches.
    pub dispatch: Callback<Action>,
    /// Changes the whole page: data, limit, policy, seed, batch.
    pub shared: Callback<packscope::state::Action>,
    /// Reads files.
    pub files: Files,
}

/// All controls.
#[component]
pub fn Controls(props: &Props) -> Html {
    let _ = props;
    html! { <div class="controls" role="group" aria-label="Data and settings"></div> }
}
