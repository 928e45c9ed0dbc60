//! All samplers side by side.

use super::Props;
use yew::prelude::*;

/// All samplers side by side.
#[component]
pub fn Table(props: &Props) -> Html {
    let _ = props;
    html! { <section></section> }
}
