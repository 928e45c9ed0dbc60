//! Terms that explain themselves where they stand: on hover, on tap, and where the focus is.

use crate::browser;
use gloo_events::{EventListener, EventListenerOptions};
use gloo_timers::callback::Timeout;
use packscope::learn::glossary::{Term, cut};
use packscope::learn::title;
use packscope::words::capital;
use std::cell::RefCell;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, Event, HtmlElement, KeyboardEvent};
use yew::prelude::*;

/// Milliseconds that a pointer rests on a term before it is explained, and that the words stay when it leaves.
const REST: u32 = 180;

/// Words that stand for a term.
pub fn term(words: &str, term: &'static Term) -> Html {
    html! {
        <span class="term" tabindex="0" data-term={term.name} aria-describedby="explained">{ words.to_owned() }</span>
    }
}

/// A text in which the terms explain themselves.
pub fn terms(text: &str) -> Html {
    cut(text)
        .into_iter()
        .map(|(words, found)| found.map_or_else(|| html! { words }, |t| term(words, t)))
        .collect()
}

/// The same within what can be pressed, or where the same terms are said many times: not for the focus.
pub fn quiet(text: &str) -> Html {
    let piece = |(words, found): (&str, Option<&'static Term>)| match found {
        Some(term) => html! { <span class="term quiet" data-term={term.name}>{ words }</span> },
        None => html! { words },
    };
    cut(text).into_iter().map(piece).collect()
}

/// A term and where its words stand.
type Open = Option<(&'static Term, f64, f64)>;

/// The term that an event is about, with its element.
fn of(e: &Event) -> Option<(&'static Term, Element)> {
    let element = e.target()?.dyn_into::<Element>().ok()?.closest("[data-term]").ok()??;
    Some((Term::named(&element.get_attribute("data-term")?)?, element))
}

fn at((term, element): (&'static Term, Element)) -> Open {
    let place = element.get_bounding_client_rect();
    Some((term, place.left(), place.bottom()))
}

/// Whether an event is about the explanation itself.
fn inside(e: &Event) -> bool {
    let element = e.target().and_then(|t| t.dyn_into::<Element>().ok());
    element.is_some_and(|e| e.closest("#explained").ok().flatten().is_some())
}

/// What a term means, beside it; at most one at a time.
#[component]
pub fn Explained() -> Html {
    let open = use_state_eq(|| None);
    use_watching(&open.setter());
    let place = use_node_ref();
    {
        let place = place.clone();
        use_effect_with(*open, move |open| {
            if let (Some((_, left, bottom)), Some(place)) = (open, place.cast::<HtmlElement>()) {
                put(&place, *left, *bottom);
            }
        });
    }
    let words = (*open).map(|(term, ..): (&'static Term, f64, f64)| {
        html! { <>
            <b>{ capital(term.name) }</b>{ " " }{ term.meaning }{ " " }
            <a href={format!("#view=learn&chapter={}", term.chapter)}>{ title(term.chapter) }</a>
        </> }
    });
    html! { <div ref={place} id="explained" role="tooltip" hidden={open.is_none()}>{ words }</div> }
}

/// Below the words, or above where the window ends, and always within it.
fn put(place: &HtmlElement, left: f64, bottom: f64) {
    let size = |of: Result<JsValue, JsValue>| of.ok().and_then(|v| v.as_f64()).unwrap_or(0.0);
    let window = browser::window();
    let (wide, high) = (size(window.inner_width()), size(window.inner_height()));
    let (across, down) =
        (size(window.page_x_offset().map(Into::into)), size(window.page_y_offset().map(Into::into)));
    let (width, height) = (f64::from(place.offset_width()), f64::from(place.offset_height()));
    let x = left.min(wide - width - 12.0).max(8.0);
    let y = if bottom + 6.0 + height > high { bottom - height - 30.0 } else { bottom + 6.0 };
    // Through the object model: the page's policy allows no style attribute.
    let _ = place.style().set_property("left", &format!("{}px", x + across));
    let _ = place.style().set_property("top", &format!("{}px", y.max(4.0) + down));
}

/// Opens on hover, tap and focus; closes with Esc and on leaving. Enter goes on to the chapter's link.
#[hook]
fn use_watching(set: &UseStateSetter<Open>) {
    let set = set.clone();
    use_effect_with((), move |()| {
        let options = EventListenerOptions::enable_prevent_default();
        let listen = |name: &'static str, f: Box<dyn Fn(&Event)>| {
            EventListener::new_with_options(&browser::document(), name, options, move |e| f(e))
        };
        let [over, click, focus, key] = std::array::from_fn(|_| set.clone());
        let timer = RefCell::new(None::<Timeout>);
        let listeners = [
            listen(
                "pointerover",
                Box::new(move |e| {
                    let (over, to) = (over.clone(), of(e).and_then(at));
                    // Who goes from the term to what it means wants to read it, or to follow its link.
                    *timer.borrow_mut() = (!inside(e)).then(|| Timeout::new(REST, move || over.set(to)));
                }),
            ),
            listen("click", Box::new(move |e| click.set(of(e).and_then(at)))),
            listen(
                "focusin",
                Box::new(move |e| {
                    if !inside(e) {
                        focus.set(of(e).and_then(at));
                    }
                }),
            ),
            listen("keydown", Box::new(move |e| pressed(e, &key))),
        ];
        move || drop(listeners)
    });
}

fn pressed(e: &Event, set: &UseStateSetter<Open>) {
    let key = e.unchecked_ref::<KeyboardEvent>().key();
    if key == "Escape" {
        set.set(None);
    } else if key == "Enter" && of(e).is_some() {
        let link = browser::document().query_selector("#explained a").ok().flatten();
        if let Some(link) = link.and_then(|l| l.dyn_into::<HtmlElement>().ok()) {
            e.prevent_default();
            let _ = link.focus();
        }
    }
}
