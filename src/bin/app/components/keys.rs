//! The keyboard shortcuts, listed with `?`.

use crate::browser;
use gloo_events::EventListener;
use packscope::state::{Action, View};
use wasm_bindgen::JsCast;
use web_sys::{HtmlDialogElement, HtmlElement, KeyboardEvent};
use yew::prelude::*;

const KEYS: [(&str, &str); 12] = [
    ("1, 2, 3, 4, 5", "sequences, graphs, batches, ranks, learn"),
    ("N, P", "in Learn: the next chapter, the previous one"),
    ("Tab", "from control to control; a word with a dotted line explains itself"),
    ("Enter", "on such a word: to the chapter that teaches it; on a map of limits: takes them"),
    ("← →", "move a slider or a number in a sentence by one step; read a plot, or move its limits"),
    ("← →, ↑ ↓", "from word to word of a choice, from row to row of a table"),
    ("↑ ↓", "in Learn: move a piece to the pack above or below"),
    ("+ −, 0", "on the lengths: zoom in and out, show all"),
    ("Page Up, Page Down", "move a slider by a tenth"),
    ("Home, End", "to the ends of a slider"),
    ("Esc", "closes what is open, or cancels what takes long"),
    ("?", "this list"),
];

#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    pub dispatch: Callback<Action>,
}

/// Returns whether a key event comes from a field to type into.
pub fn is_typed(e: &Event) -> bool {
    let target = e.target();
    let tag = target.clone().and_then(|t| t.dyn_into::<HtmlElement>().ok()).map(|t| t.tag_name());
    let field = tag.is_some_and(|tag| tag == "TEXTAREA" || tag == "INPUT" || tag == "SELECT");
    let slider = target.and_then(|t| t.dyn_into::<web_sys::HtmlInputElement>().ok());
    field && !slider.is_some_and(|i| i.type_() == "range" || i.type_() == "radio")
}

/// A button and the dialog that it opens. `?` opens it too, and digits switch views, except in fields to type into.
#[component]
pub fn Keys(props: &Props) -> Html {
    let dialog = use_node_ref();
    let show = {
        let dialog = dialog.clone();
        move || {
            if let Some(dialog) = dialog.cast::<HtmlDialogElement>().filter(|d| !d.open()) {
                let _ = dialog.show_modal();
            }
        }
    };
    {
        let (show, dispatch) = (show.clone(), props.dispatch.clone());
        use_effect_with((), move |()| {
            let listener = EventListener::new(&browser::window(), "keydown", move |e| {
                let key = e.unchecked_ref::<KeyboardEvent>();
                if is_typed(e) || key.ctrl_key() || key.alt_key() || key.meta_key() {
                    return;
                }
                let number = key.key().parse::<usize>().ok().and_then(|n| n.checked_sub(1));
                if key.key() == "?" {
                    show();
                } else if let Some(view) = number.and_then(|n| View::ALL.get(n)) {
                    dispatch.emit(Action::View(*view));
                }
            });
            move || drop(listener)
        });
    }
    let open = Callback::from(move |_: MouseEvent| show());
    html! { <>
        <button type="button" class="word" onclick={open}>{ "Keys" }</button>
        <dialog ref={dialog} class="paste keys" aria-label="Keys">
            <dl>{ for KEYS.iter().map(|(key, what)| html! { <><dt>{ *key }</dt><dd>{ *what }</dd></> }) }</dl>
            <form method="dialog"><button class="solid">{ "OK" }</button></form>
        </dialog>
    </> }
}
