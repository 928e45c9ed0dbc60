//! The column of controls; on a phone, a bar at the foot of the window that sums up the settings and opens it.

use yew::prelude::*;

#[derive(PartialEq, Properties)]
pub struct Props {
    /// A short summary of the current settings.
    pub summary: String,
    pub children: Children,
}

#[component]
pub fn Column(props: &Props) -> Html {
    let open = use_state_eq(|| false);
    let onclick = {
        let (set, now) = (open.setter(), *open);
        Callback::from(move |_: MouseEvent| set.set(!now))
    };
    html! {
        <div
            class={classes!("controls", open.then_some("open"))}
            role="group"
            aria-label="Data and settings"
        >
            <button type="button" class="bar" aria-expanded={open.to_string()} {onclick}>
                <b>{ &props.summary }</b>
                <span>{ if *open { "close" } else { "change" } }</span>
            </button>
            <div class="sheet">{ for props.children.iter() }</div>
        </div>
    }
}
