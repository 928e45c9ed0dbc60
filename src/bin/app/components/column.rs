//! The column of controls; on a phone a bar at the foot of the window that says what is set and opens them.

use yew::prelude::*;

/// Properties of [`Column`].
#[derive(PartialEq, Properties)]
pub struct Props {
    /// The present settings, in a few words.
    pub summary: String,
    /// The controls.
    pub children: Children,
}

/// The controls of a view.
#[component]
pub fn Column(props: &Props) -> Html {
    let open = use_state_eq(|| false);
    let onclick = {
        let (set, now) = (open.setter(), *open);
        Callback::from(move |_: MouseEvent| set.set(!now))
    };
    html! {
        <div class={classes!("controls", open.then_some("open"))} role="group" aria-label="Data and settings">
            <button type="button" class="bar" aria-expanded={open.to_string()} {onclick}>
                <b>{ &props.summary }</b><span>{ if *open { "close" } else { "change" } }</span>
            </button>
            <div class="sheet">{ for props.children.iter() }</div>
        </div>
    }
}
