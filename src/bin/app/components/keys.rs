//! The keyboard shortcuts, listed with `?`.

use crate::browser;
use gloo_events::EventListener;
use packscope_page::state::{Action, View};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlDialogElement, HtmlElement, KeyboardEvent};
use yew::prelude::*;

const KEYS: [(&str, &str); 13] = [
    (
        "1, 2, 3, 4, 5",
        "outside Learn and sliders: sequences, graphs, batches, ranks, learn",
    ),
    ("N, P", "in Learn: the next chapter, the previous one"),
    (
        "Tab",
        "from control to control; a word with a dotted line explains itself",
    ),
    (
        "Enter",
        "on such a word: to the chapter that teaches it; on a map of limits: takes them",
    ),
    (
        "← →",
        "move a slider or a number in a sentence by one step; read a plot, or move its limits",
    ),
    (
        "← →, ↑ ↓",
        "from word to word of a choice, from row to row of a table",
    ),
    ("↑ ↓", "in Learn: move a piece to the pack above or below"),
    ("+ −, 0", "on the lengths: zoom in and out, show all"),
    ("Page Up, Page Down", "move a slider by a tenth"),
    ("Home, End", "to the ends of a slider"),
    ("Esc", "closes what is open, or cancels what takes long"),
    (
        "/, Ctrl K",
        "find a setting, a library, a question by its name",
    ),
    ("?", "this list"),
];

#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    pub view: View,
    pub dispatch: Callback<Action>,
}

/// Returns whether a key event comes from a field to type into.
pub fn is_typed(e: &Event) -> bool {
    let target = e.target();
    let tag = target
        .clone()
        .and_then(|t| t.dyn_into::<HtmlElement>().ok())
        .map(|t| t.tag_name());
    let field = tag.is_some_and(|tag| tag == "TEXTAREA" || tag == "INPUT" || tag == "SELECT");
    // Sliders and radio buttons are `INPUT` too, but take no characters.
    let slider = target.and_then(|t| t.dyn_into::<web_sys::HtmlInputElement>().ok());
    field && !slider.is_some_and(|i| i.type_() == "range" || i.type_() == "radio")
}

/// Returns whether a key event comes from a number: a slider, or a piece that digits move.
fn is_number(e: &Event) -> bool {
    let target = e.target().and_then(|t| t.dyn_into::<Element>().ok());
    let numbers = "[role=slider], [role=spinbutton], input[type=range], .piece";
    target.is_some_and(|target| target.closest(numbers).is_ok_and(|found| found.is_some()))
}

/// A button and the dialog that it opens. `?` opens it too, and digits switch views, except in
/// lessons and on what takes numbers.
#[component]
pub fn Keys(props: &Props) -> Html {
    let dialog = use_node_ref();
    let show = {
        let dialog = dialog.clone();
        move || {
            // `showModal` throws for a dialog that is open.
            if let Some(dialog) = dialog.cast::<HtmlDialogElement>().filter(|d| !d.open()) {
                let _ = dialog.show_modal();
            }
        }
    };
    {
        let (show, dispatch) = (show.clone(), props.dispatch.clone());
        use_effect_with(props.view, move |view| {
            let view = *view;
            let listener = EventListener::new(&browser::window(), "keydown", move |e| {
                let key = e.unchecked_ref::<KeyboardEvent>();
                // With these keys held, the press is meant for the browser or the system.
                if is_typed(e) || key.ctrl_key() || key.alt_key() || key.meta_key() {
                    return;
                }
                if key.key() == "?" {
                    show();
                // Digits move a slider to a number and a piece to a pack.
                } else if let Some(view) = view.by_key(&key.key()).filter(|_| !is_number(e)) {
                    dispatch.emit(Action::View(view));
                }
            });
            // Dropping a listener removes it.
            move || drop(listener)
        });
    }
    let open = Callback::from(move |_: MouseEvent| show());
    html! {
        <>
            <button type="button" class="word" onclick={open}>{ "Keys" }</button>
            <dialog ref={dialog} class="paste keys" aria-label="Keys">
                <dl>
                    {
                        for KEYS.iter()
                            .map(|(key, what)| html! {
                                <>
                                    <dt>{ *key }</dt>
                                    <dd>{ *what }</dd>
                                </>
                            })
                    }
                </dl>
                // Closes the dialog without any handler.
                <form method="dialog">
                    <button class="solid">{ "OK" }</button>
                </form>
            </dialog>
        </>
    }
}
