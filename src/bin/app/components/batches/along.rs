//! Batch sizes and learning rates along the training.

use super::Props;
use yew::prelude::*;

/// Batch sizes and learning rates along the training.
#[component]
pub fn Along(props: &Props) -> Html {
    let _ = props;
    html! { <section></section> }
}
