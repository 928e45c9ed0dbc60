//! A finger that scrolls the page over a slider leaves the slider as it was. Browsers move it when the finger comes down,
//! before they know whether it scrolls.

use crate::browser;
use gloo_events::EventListener;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Event, EventInit, HtmlInputElement, PointerEvent};
use yew::prelude::*;

/// The slider under an event.
fn slider(e: &Event) -> Option<HtmlInputElement> {
    let input = e.target()?.dyn_into::<HtmlInputElement>().ok()?;
    (input.type_() == "range").then_some(input)
}

#[hook]
pub fn use_flicks() {
    use_effect_with((), move |()| {
        // The slider that a finger touches, and its number before that.
        let touched = Rc::new(RefCell::new(None::<(HtmlInputElement, String)>));
        let before = Rc::clone(&touched);
        let down = EventListener::new(&browser::document(), "pointerdown", move |e| {
            let finger = e.unchecked_ref::<PointerEvent>().pointer_type() == "touch";
            *before.borrow_mut() = slider(e)
                .filter(|_| finger)
                .map(|slider| (slider.clone(), slider.value()));
        });
        // The browser scrolls from here on, and says nothing more of the finger.
        let cancel = EventListener::new(&browser::document(), "pointercancel", move |_| {
            if let Some((slider, value)) = touched.take() {
                slider.set_value(&value);
                let bubbles = EventInit::new();
                bubbles.set_bubbles(true);
                if let Ok(event) = Event::new_with_event_init_dict("input", &bubbles) {
                    let _ = slider.dispatch_event(&event);
                }
            }
        });
        move || drop((down, cancel))
    });
}
