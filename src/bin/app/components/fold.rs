//! Parts of the page that are folded until needed: panels, of which this browser remembers those that were unfolded, and
//! on a phone the column of controls.

use super::rooms;
use crate::browser;
use yew::prelude::*;

/// The key in local storage of the names of unfolded parts, with spaces between them.
const KEPT: &str = "packscope unfolded";

/// The state of a part that can be folded, and the `ontoggle` callback of its `<details>`.
pub struct Fold {
    pub open: bool,
    pub ontoggle: Callback<Event>,
}

/// Returns the state of the part of this id: folded at first, later as the visitor left it.
#[hook]
pub fn use_fold(id: &'static str) -> Fold {
    let open = use_state_eq(|| browser::stored_text(KEPT).split(' ').any(|kept| kept == id));
    let set = open.setter();
    let ontoggle = Callback::from(move |e: Event| {
        let open = super::is_open(&e);
        // Read again: other parts were folded and unfolded since this one was rendered.
        let kept = browser::stored_text(KEPT);
        let others = kept
            .split(' ')
            .filter(|kept| !kept.is_empty() && *kept != id);
        let all: Vec<&str> = others.chain(open.then_some(id)).collect();
        browser::keep(KEPT, &all.join(" "));
        // The browser has toggled the element by itself; the state follows it.
        set.set(open);
    });
    Fold {
        open: *open,
        ontoggle,
    }
}

/// Like [`use_fold`], for a part that is unfolded where all rooms are on screen.
#[hook]
pub fn use_room_fold(id: &'static str) -> Fold {
    let Fold { open, ontoggle } = use_fold(id);
    Fold {
        open: open || rooms::are_all(),
        ontoggle,
    }
}

#[derive(PartialEq, Properties)]
pub struct Props {
    /// The id, under which the state is remembered and which links lead to.
    pub id: &'static str,
    #[prop_or_default]
    pub class: &'static str,
    /// The title, which also shows while the part is folded.
    pub title: Html,
    pub children: Html,
}

/// A panel that is folded until needed; the browser's search finds words in it all the same.
#[component]
pub fn Folded(props: &Props) -> Html {
    let Fold { open, ontoggle } = use_fold(props.id);
    html! {
        <details class={classes!("panel", props.class)} id={props.id} {open} {ontoggle}>
            <summary>
                <h2>{ props.title.clone() }</h2>
            </summary>
            { props.children.clone() }
        </details>
    }
}

#[derive(PartialEq, Properties)]
pub struct ColumnProps {
    /// A short summary of the current settings.
    pub summary: String,
    pub children: Children,
}

/// The column of controls; on a phone, a bar at the foot of the window that sums up the settings and opens it.
#[component]
pub fn Column(props: &ColumnProps) -> Html {
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
