//! A line that recommends an algorithm for these data, gives the reason, and applies it with one press.

use crate::components::explained::terms;
use crate::components::tied;
use crate::shared::CompareProps;
use packscope::state::{Action, Advice, AppState};
use yew::prelude::*;

/// The recommendation for sequences.
#[component]
pub fn OfPacking(props: &CompareProps) -> Html {
    html! { <>
        { printed(&props.state) }
        { advised(props.state.packing_advice(), &props.dispatch) }
    </> }
}

/// Draws the data and the settings for printing, where the controls are hidden.
pub fn printed(state: &AppState) -> Html {
    let line = state.caption().map(|caption| caption.line());
    html! { <p class="printed">{ line }</p> }
}

/// Draws a recommendation; until it is known, an empty line of the same height.
pub fn advised(advice: Option<Advice>, dispatch: &Callback<Action>) -> Html {
    let Some(Advice { setting, reason, take, press }) = advice else {
        return html! { <p class="advice" /> };
    };
    let is_taken = take.is_empty();
    let onclick = {
        let dispatch = dispatch.clone();
        Callback::from(move |_: MouseEvent| take.iter().cloned().for_each(|action| dispatch.emit(action)))
    };
    html! {
        <p class="advice" data-advice={if is_taken { "taken" } else { "open" }}>
            <b>{ if is_taken { "Nothing to change: " } else { "Recommended: " } }</b><b>{ terms(&tied(&setting)) }</b>
            { ". " }{ terms(&tied(&reason)) }
            if !is_taken {
                { " " }<button type="button" class="solid" {onclick}>{ press }</button>
            }
        </p>
    }
}
