//! Parts far down the page, which are loaded when they come near, so that a visitor who does not scroll never loads
//! them.

use crate::browser;
use crate::due::{self, PendingKind};
use crate::lazy::{Absent, LazyPart, failed, missing, use_part};
use crate::plot::use_observed;
use gloo_events::{EventListener, EventListenerOptions};
use std::cell::Cell;
use wasm_bindgen::JsCast;
use web_sys::KeyboardEvent;
use yew::prelude::*;

/// Keys after which the whole page is needed: finding (`/` and `'` in Firefox), printing and Tab reach all of it.
const WHOLE: [&str; 6] = ["Control", "Meta", "Tab", "F3", "/", "'"];
/// Events after which the whole page is needed too: printing, and a link to a part that is not loaded yet.
const ASKS: [&str; 2] = ["beforeprint", browser::WANTED];

/// Parts, results and drawings that are not there yet.
const PARTIAL: &str =
    "[data-far], main .wait, main canvas:not([width], .blank *, details:not([open]) *)";

thread_local! {
    /// Whether the page will be printed as soon as all of it is loaded.
    static PRINTING: Cell<bool> = const { Cell::new(false) };
}

/// Returns a part, or its placeholder: room that loads the part once it is within `margin` (as in CSS) of the window,
/// or a message if loading fails.
#[hook]
pub fn use_far<T: Copy + Send + Sync + 'static>(
    part: &'static LazyPart<T>,
    margin: &'static str,
) -> Result<T, Html> {
    let near = use_state_eq(|| false);
    let come = {
        let set = near.setter();
        use_callback((), move |(), _: &()| set.set(true))
    };
    use_part(part, *near).map_err(|absent| match absent {
        Absent::Failed(_) => failed([Some(absent)]),
        Absent::Coming => html! { <Room near={*near} {come} {margin} /> },
    })
}

/// Delays printing by keyboard until the whole page is loaded.
#[hook]
pub fn use_printing() {
    use_effect_with((), |()| {
        let options = EventListenerOptions::enable_prevent_default();
        let pressed =
            EventListener::new_with_options(&browser::window(), "keydown", options, |e| {
                let key = e.unchecked_ref::<KeyboardEvent>();
                let prints =
                    (key.ctrl_key() || key.meta_key()) && key.key().eq_ignore_ascii_case("p");
                // A page that is complete prints at once, by the browser itself. Printing from the
                // menu cannot be delayed: `beforeprint` only loads what it can.
                if prints && !key.shift_key() && !key.alt_key() && is_partial() {
                    e.prevent_default();
                    print_whole();
                }
            });
        move || drop(pressed)
    });
}

#[derive(PartialEq, Properties)]
struct Props {
    near: bool,
    come: Callback<()>,
    /// The distance from the window within which it counts as near, as a CSS margin.
    margin: &'static str,
}

/// The placeholder of a part that is not loaded yet, with a height, so that one can scroll to it.
#[component]
fn Room(props: &Props) -> Html {
    let node = use_node_ref();
    // A share of 0: the placeholder may be taller than the margin, and its first pixel is enough.
    use_observed(&node, 0.0, props.margin, {
        let come = props.come.clone();
        Callback::from(move |seen| {
            if seen {
                come.emit(());
            }
        })
    });
    use_effect_with(props.come.clone(), |come| {
        let window = browser::window();
        let asked = ASKS.map(|name| {
            let come = come.clone();
            EventListener::new(&window, name, move |_| come.emit(()))
        });
        let come = come.clone();
        let pressed = EventListener::new(&window, "keydown", move |e| {
            if WHOLE.contains(&e.unchecked_ref::<KeyboardEvent>().key().as_str()) {
                come.emit(());
            }
        });
        move || drop((asked, pressed))
    });
    let onclick = props.come.reform(|_: MouseEvent| ());
    html! {
        <div class="far" data-far="" ref={node}>
            if props.near {
                { missing(Absent::Coming) }
            } else {
                // For visitors who get here without scrolling: those with screen readers, and those who print.
                <button type="button" class="word" {onclick}>{ "Load this part" }</button>
                <p class="printed">{ "Not loaded yet when it was printed: print again." }</p>
            }
        </div>
    }
}

/// Prints the page once all of it is loaded, or has failed to: a browser prints what is there when printing starts.
fn print_whole() {
    // Printing starts once, however often the keys are pressed meanwhile.
    if !PRINTING.replace(true) {
        browser::want();
        // `print.css` lays out parts out of view under this attribute, which makes their drawings
        // appear.
        let _ = browser::root().set_attribute("data-printing", "");
        print_after(browser::LOOK.1);
    }
}

/// Whether some parts of the page are not loaded yet, not computed, or not drawn, as what is out of view.
fn is_partial() -> bool {
    browser::document()
        .query_selector(PARTIAL)
        .is_ok_and(|part| part.is_some())
}

fn print_after(looks: u32) {
    // `looks` ends the wait: a part that never comes must not keep the visitor from printing.
    if looks == 0 || !is_partial() {
        PRINTING.set(false);
        let _ = browser::window().print();
        let _ = browser::root().remove_attribute("data-printing");
    } else {
        due::after(PendingKind::Pausing, browser::LOOK.0, move || {
            print_after(due::fewer(looks))
        })
        .forget();
    }
}
