//! The batches of an epoch: random ones beside those of the chosen sampler.

use super::Props;
use yew::prelude::*;

/// The batches of an epoch: random ones beside those of the chosen sampler.
#[component]
pub fn Picture(props: &Props) -> Html {
    let _ = props;
    html! { <section></section> }
}
