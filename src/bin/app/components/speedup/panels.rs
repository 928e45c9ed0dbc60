//! What stands below the estimates: what it means for the optimiser and the bill, and what it all rests on.

use super::{PartProps, assumptions, bill, formulae, measured, optimiser};
use yew::prelude::*;

/// The panels.
#[component]
pub fn Panels(props: &PartProps) -> Html {
    html! { <>
        <div class="pair">
            <optimiser::Optimiser ..props.clone() />
            <bill::Bill ..props.clone() />
        </div>
        <assumptions::Assumptions ..props.clone() />
        <formulae::Formulae ..props.clone() />
        <measured::Measured />
    </> }
}
