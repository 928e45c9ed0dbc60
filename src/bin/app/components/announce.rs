//! Announcements of figures to screen readers.

use crate::due::{self, PendingKind};
use yew::prelude::*;

#[derive(Clone, PartialEq, Properties)]
pub struct AnnounceProps {
    pub words: String,
    /// Whether to withhold the text, while the search for a better answer runs.
    #[prop_or_default]
    pub held: bool,
}

/// Milliseconds without a change before an answer is announced: once, not at every step of a slider.
const REST: u32 = 900;

/// A live region that announces its text once it has stopped changing.
#[component]
pub fn Announce(props: &AnnounceProps) -> Html {
    let said = use_state_eq(String::new);
    let set = said.setter();
    use_effect_with((props.words.clone(), props.held), move |(words, held)| {
        let words = words.clone();
        let timer =
            (!held).then(|| due::after(PendingKind::Announcing, REST, move || set.set(words)));
        move || drop(timer)
    });
    html! { <p class="unseen" role="status">{ &*said }</p> }
}
