//! The largest batch by length.

use super::Props;
use yew::prelude::*;

/// The largest batch by length.
#[component]
pub fn Caps(props: &Props) -> Html {
    let _ = props;
    html! { <section></section> }
}
