//! Arrow keys that move the focus to the next button of the same kind: tabs, choices, and rows of a table.

use crate::browser;
use gloo_events::{EventListener, EventListenerOptions};
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlElement, KeyboardEvent, NodeList};
use yew::prelude::*;

#[hook]
pub fn use_arrows() {
    use_effect_with((), move |()| {
        let options = EventListenerOptions::enable_prevent_default();
        let listener =
            EventListener::new_with_options(&browser::document(), "keydown", options, |e| {
                let next = neighbour(e.unchecked_ref())
                    .and_then(|next| next.dyn_into::<HtmlElement>().ok());
                // At the end of a table the arrow keys scroll the page, as usual.
                if let Some(next) = next {
                    e.prevent_default();
                    let _ = next.focus();
                }
            });
        move || drop(listener)
    });
}

fn neighbour(key: &KeyboardEvent) -> Option<Element> {
    let (within, step) = match key.key().as_str() {
        "ArrowRight" => ("[role=tablist], .choice", 1),
        "ArrowLeft" => ("[role=tablist], .choice", -1),
        "ArrowDown" => ("tbody", 1),
        "ArrowUp" => ("tbody", -1),
        _ => return None,
    };
    // With a modifier these keys belong to the browser or the system: Alt with an arrow goes back
    // in the history.
    if key.ctrl_key()
        || key.alt_key()
        || key.meta_key()
        || key.shift_key()
        || key.default_prevented()
    {
        return None;
    }
    let event: &Event = key;
    let here = event
        .target()?
        .dyn_into::<Element>()
        .ok()
        .filter(|e| e.tag_name() == "BUTTON")?;
    let all: NodeList = here
        .closest(within)
        .ok()??
        .query_selector_all("button")
        .ok()?;
    // The focus does not wrap round: `checked_add_signed` and `item` give nothing past either end.
    let at = (0..all.length()).find(|i| {
        all.item(*i)
            .is_some_and(|node| node.is_same_node(Some(&here)))
    })?;
    all.item(at.checked_add_signed(step)?)?.dyn_into().ok()
}
