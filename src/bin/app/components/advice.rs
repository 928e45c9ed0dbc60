//! A line that recommends an algorithm for these data, gives the reason, and applies it with one
//! press.

use crate::components::explained::terms;
use crate::components::tied;
use crate::shared::CompareProps;
use packscope_page::state::{Action, Advice, AppState};
use yew::prelude::*;

/// The recommendation for sequences.
#[component]
pub fn OfPacking(props: &CompareProps) -> Html {
    html! {
        <>{ printed(&props.state) }{ advised(props.state.packing_advice(), &props.dispatch) }</>
    }
}

/// Draws the data and the settings for printing, where the controls are hidden.
pub fn printed(state: &AppState) -> Html {
    let line = state.caption().map(|caption| caption.line());
    html! { <p class="printed">{ line }</p> }
}

/// Draws a recommendation; until it is known, an empty line of the same height.
pub fn advised(advice: Option<Advice>, dispatch: &Callback<Action>) -> Html {
    let Some(Advice {
        setting,
        reason,
        take,
        press,
        also,
        is_early,
    }) = advice
    else {
        // The style sheet gives the line its height, so that nothing below moves when the advice
        // comes.
        return html! { <p class="advice" /> };
    };
    let (state, begin) = match (take.is_empty(), &also) {
        // Said from bounds, before the table is known: neither taken nor open.
        _ if is_early => ("early", ""),
        (false, _) => ("open", "Recommended: "),
        (true, None) => ("taken", "Nothing to change: "),
        (true, Some(_)) => ("taken", "Nothing to change at this limit: "),
    };
    let button = |(label, actions): (String, Vec<Action>)| {
        let dispatch = dispatch.clone();
        // One press may take several settings, such as a limit and the batch that fits it.
        let act = move |_: MouseEvent| {
            actions
                .iter()
                .cloned()
                .for_each(|action| dispatch.emit(action))
        };
        html! {
            <>
                { " " }
                <button type="button" class="solid" onclick={Callback::from(act)}>{ label }</button>
            </>
        }
    };
    let taking = (!take.is_empty()).then(|| (press.to_owned(), take));
    html! {
        <p class="advice" data-advice={state}>
            <b>{ begin }</b>
            <b>{ terms(&tied(&setting)) }</b>
            { ". " }
            { terms(&tied(&reason)) }
            { for taking.into_iter().chain(also).map(button) }
        </p>
    }
}
