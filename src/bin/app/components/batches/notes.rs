//! What the paper and its code get wrong, and what is done here.

use yew::prelude::*;

/// The notes.
pub fn notes() -> Html {
    html! { <section></section> }
}
