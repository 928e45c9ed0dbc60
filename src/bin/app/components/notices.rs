//! What went wrong, and what is being waited for. What was on screen before stays.

use crate::app::Shared;
use crate::engine::Waiting;
use packscope::state::{Action, View};
use yew::prelude::*;

/// Properties of [`Notices`].
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// The state.
    pub state: Shared,
    /// Changes it.
    pub dispatch: Callback<Action>,
    /// What is being waited for.
    pub waiting: Option<Waiting>,
    /// Stops waiting.
    pub cancel: Callback<()>,
}

/// Errors and progress.
#[component]
pub fn Notices(props: &Props) -> Html {
    let state = &props.state;
    let refusal = match state.view {
        View::Sequences => state.refusal.as_deref(),
        View::Graphs => state.graphs.refusal.as_deref(),
        View::Batches => state.batch_refusal(),
        View::Learn => None,
    };
    html! { <>
        if let Some(problem) = &state.problem {
            <div class="notice" role="alert" data-notice="problem">
                <p>{ problem }</p>
                <button type="button" class="word" onclick={props.dispatch.reform(|_| Action::Dismiss)}>{ "Close" }</button>
            </div>
        }
        if let Some(refusal) = refusal {
            <div class="notice" role="alert" data-notice="refusal"><p>{ refusal }</p></div>
        }
        if let Some(waiting) = &props.waiting {
            <div class="notice" role="status" data-notice="waiting">
                <p>{ &waiting.what }</p>
                <progress max="1" value={waiting.share.map(|s| format!("{s:.3}"))} aria-label={waiting.what.clone()} />
                <button type="button" class="word" onclick={props.cancel.reform(|_| ())}>{ "Cancel (Esc)" }</button>
            </div>
        }
    </> }
}
