//! The panels below the estimates: optimiser, bill, assumptions, formulae, measurements.

use super::{PartProps, assumptions, bill, formulae, measured, optimiser};
use yew::prelude::*;

#[component]
pub fn Panels(props: &PartProps) -> Html {
    html! {
        <>
            <optimiser::Optimiser ..props.clone() />
            <bill::Bill ..props.clone() />
            <assumptions::Assumptions ..props.clone() />
            <formulae::Formulae ..props.clone() />
            <measured::Measured />
        </>
    }
}
