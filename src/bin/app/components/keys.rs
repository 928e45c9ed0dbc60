//! The keys, listed with `?`.

use crate::browser;
use gloo_events::EventListener;
use wasm_bindgen::JsCast;
use web_sys::{HtmlDialogElement, HtmlElement, KeyboardEvent};
use yew::prelude::*;

const KEYS: [(&str, &str); 6] = [
    ("Tab", "from control to control"),
    ("← →", "move a slider by one step"),
    ("Page Up, Page Down", "move a slider by a tenth"),
    ("Home, End", "to the ends of a slider"),
    ("Esc", "cancels what takes long"),
    ("?", "this list"),
];

/// A button and the dialog it opens; `?` opens it too, except where one types.
#[component]
pub fn Keys() -> Html {
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
        let show = show.clone();
        use_effect_with((), move |()| {
            let listener = EventListener::new(&browser::window(), "keydown", move |e| {
                let typing = e.target().and_then(|t| t.dyn_into::<HtmlElement>().ok()).map(|t| t.tag_name());
                let typing = typing.is_some_and(|tag| tag == "TEXTAREA" || tag == "INPUT" || tag == "SELECT");
                let slider = e.target().and_then(|t| t.dyn_into::<web_sys::HtmlInputElement>().ok());
                let slider = slider.is_some_and(|i| i.type_() == "range" || i.type_() == "radio");
                if e.unchecked_ref::<KeyboardEvent>().key() == "?" && (!typing || slider) {
                    show();
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
