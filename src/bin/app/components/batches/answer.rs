//! The answer in words, and the figures behind it.

use super::Props;
use yew::prelude::*;

/// The answer in words, and the figures behind it.
#[component]
pub fn Headline(props: &Props) -> Html {
    let _ = props;
    html! { <section></section> }
}
