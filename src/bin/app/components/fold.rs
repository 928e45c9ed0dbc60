//! Parts of the page that are folded until they are wanted. What was unfolded stays so in this browser.

use crate::browser;
use yew::prelude::*;

/// The name under which the browser stores which parts are unfolded.
const KEPT: &str = "packscope unfolded";

/// A part that can be folded: whether it is unfolded, and the `ontoggle` callback of its `<details>`.
pub struct Fold {
    /// Whether it is unfolded.
    pub open: bool,
    /// Follows the visitor.
    pub ontoggle: Callback<Event>,
}

/// Returns whether the part of this id is unfolded; folded at first, then as it was left.
#[hook]
pub fn use_fold(id: &'static str) -> Fold {
    let open = use_state_eq(|| browser::kept(KEPT).split(' ').any(|kept| kept == id));
    let set = open.setter();
    let ontoggle = Callback::from(move |e: Event| {
        let open = super::is_open(&e);
        let kept = browser::kept(KEPT);
        let others = kept.split(' ').filter(|kept| !kept.is_empty() && *kept != id);
        let all: Vec<&str> = others.chain(open.then_some(id)).collect();
        browser::keep(KEPT, &all.join(" "));
        set.set(open);
    });
    Fold { open: *open, ontoggle }
}

/// Properties of [`Folded`].
#[derive(PartialEq, Properties)]
pub struct Props {
    /// The id, under which it is remembered, and which links lead to.
    pub id: &'static str,
    /// Further classes.
    #[prop_or_default]
    pub class: &'static str,
    /// The title, which stays where the rest is folded.
    pub title: Html,
    /// The rest.
    pub children: Html,
}

/// A panel that is folded until it is wanted; the browser finds words in it all the same.
#[component]
pub fn Folded(props: &Props) -> Html {
    let Fold { open, ontoggle } = use_fold(props.id);
    html! {
        <details class={classes!("panel", props.class)} id={props.id} {open} {ontoggle}>
            <summary><h2>{ props.title.clone() }</h2></summary>
            { props.children.clone() }
        </details>
    }
}
