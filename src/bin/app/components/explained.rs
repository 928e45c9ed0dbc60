//! Terms that explain themselves where they stand, and words that say why: on hover, on tap, and where the focus is.

use crate::browser;
use gloo_events::{EventListener, EventListenerOptions};
use gloo_timers::callback::Timeout;
use packscope::learn::glossary::{Term, cut};
use packscope::learn::title;
use packscope::words::capital;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlElement, KeyboardEvent};
use yew::html::IntoPropValue;
use yew::prelude::*;

/// Milliseconds that a pointer rests on a term before it is explained, and that the words stay when it leaves.
const REST: u32 = 180;
/// What has something to explain: a term of the field, or a description of its own.
const EXPLAINS: &str = "[data-term], [data-why]";

/// Words that stand for a term.
pub fn term(words: &str, term: &'static Term) -> Html {
    html! {
        <span class="term" tabindex="0" role="button" data-term={term.name} aria-description={term.meaning}>{ words.to_owned() }</span>
    }
}

/// Words that say more, or why, in the same way as terms do.
pub fn why(words: impl IntoPropValue<Html>, why: &str) -> Html {
    html! {
        <span class="term" tabindex="0" role="button" data-why="" aria-description={why.to_owned()}>{ words.into_prop_value() }</span>
    }
}

/// A text in which the terms explain themselves.
pub fn terms(text: &str) -> Html {
    cut(text)
        .into_iter()
        .map(|(words, found)| found.map_or_else(|| html! { words }, |t| term(words, t)))
        .collect()
}

/// The same within what can be pressed, or where the same terms are said many times: for the focus only as far as a
/// button that has it explains the first of them.
pub fn quiet(text: &str) -> Html {
    let piece = |(words, found): (&str, Option<&'static Term>)| match found {
        Some(term) => html! { <span class="term quiet" data-term={term.name}>{ words }</span> },
        None => html! { words },
    };
    cut(text).into_iter().map(piece).collect()
}

/// What is explained.
#[derive(Debug, Clone, PartialEq)]
enum Meaning {
    Term(&'static Term),
    Why(String),
}

impl Meaning {
    fn of(element: &Element) -> Option<Self> {
        match element.get_attribute("data-term") {
            Some(name) => Term::named(&name).map(Self::Term),
            None => element.get_attribute("aria-description").map(Self::Why),
        }
    }
}

/// A meaning, and the element whose words have it.
type Open = Option<(Meaning, Element)>;

fn element(e: &Event) -> Option<Element> {
    e.target()?.dyn_into::<Element>().ok()
}

/// What an event is about.
fn of(e: &Event) -> Open {
    let element = element(e)?.closest(EXPLAINS).ok()??;
    Some((Meaning::of(&element)?, element))
}

/// What can be pressed, and may have terms in its words.
const PRESSED: &str =
    "button:focus-visible, summary:focus-visible, [type=radio]:focus-visible, [type=checkbox]:focus-visible";

/// What has the focus: where that is something to press with terms in its words, the first of them, for those who came
/// by key.
fn focused(e: &Event) -> Open {
    of(e).or_else(|| {
        let pressed = element(e)?;
        pressed.matches(PRESSED).ok()?.then_some(())?;
        let label = || browser::document().query_selector(&format!("label[for='{}']", pressed.id())).ok()?;
        let words = if pressed.tag_name() == "INPUT" { label()? } else { pressed.clone() };
        let term = words.query_selector("[data-term]").ok().flatten()?;
        Some((Meaning::of(&term)?, pressed))
    })
}

/// Whether an event is about the explanation itself.
fn inside(e: &Event) -> bool {
    element(e).is_some_and(|e| e.closest("#explained").ok().flatten().is_some())
}

/// What words mean, beside them; at most one at a time.
#[component]
pub fn Explained() -> Html {
    let open = use_state_eq(|| None);
    let place = use_node_ref();
    let shown: &Open = &open;
    use_watching(shown, &open.setter());
    {
        let place = place.clone();
        use_effect_with(shown.clone(), move |open| {
            if let (Some((_, words)), Some(place)) = (open, place.cast::<HtmlElement>()) {
                put(&place, words);
            }
        });
    }
    let words = shown.as_ref().map(|(meaning, _)| match meaning {
        Meaning::Term(term) => html! { <>
            <b>{ capital(term.name) }</b>{ " " }{ term.meaning }{ " " }
            <a href={format!("#view=learn&chapter={}", term.chapter)}>{ title(term.chapter) }</a>
        </> },
        Meaning::Why(why) => html! { capital(why) },
    });
    html! { <div ref={place} id="explained" role="tooltip" hidden={shown.is_none()}>{ words }</div> }
}

/// Below the words, or above where the window ends, and always within it.
fn put(place: &HtmlElement, words: &Element) {
    let there = words.get_bounding_client_rect();
    let (left, bottom) = (there.left(), there.bottom());
    let window = browser::window();
    // Scroll bars have taken their room already.
    let (wide, high) =
        (f64::from(browser::root().client_width()), f64::from(browser::root().client_height()));
    let (across, down) =
        (window.page_x_offset().unwrap_or_default(), window.page_y_offset().unwrap_or_default());
    let (width, height) = (f64::from(place.offset_width()), f64::from(place.offset_height()));
    let x = left.min(wide - width - 12.0).max(8.0);
    let y = if bottom + 6.0 + height > high { there.top() - height - 6.0 } else { bottom + 6.0 };
    // Through the object model: the page's policy allows no style attribute.
    let _ = place.style().set_property("left", &format!("{}px", x + across));
    let _ = place.style().set_property("top", &format!("{}px", y.max(4.0) + down));
}

/// Opens on hover, tap and focus; closes with Esc and on leaving. Enter goes on to the chapter's link.
#[hook]
fn use_watching(open: &Open, set: &UseStateSetter<Open>) {
    // What is open, for listeners that outlive what they were made with.
    let now = use_mut_ref(|| None);
    now.borrow_mut().clone_from(open);
    let set = set.clone();
    use_effect_with((), move |()| {
        let options = EventListenerOptions::enable_prevent_default();
        let listen = |name: &'static str, f: Box<dyn Fn(&Event)>| {
            EventListener::new_with_options(&browser::document(), name, options, move |e| f(e))
        };
        let [over, click, focus, key] = std::array::from_fn(|_| set.clone());
        let timer = RefCell::new(None::<Timeout>);
        // What the focus has opened stays open where the page only moves under a mouse that rests.
        let pointed = Rc::new(Cell::new(false));
        let [over_it, clicked] = std::array::from_fn(|_| Rc::clone(&pointed));
        let listeners = [
            listen(
                "pointerover",
                Box::new(move |e| {
                    let (over, to) = (over.clone(), of(e));
                    // Who goes from the term to what it means wants to read it, or to follow its link.
                    let pointed = Rc::clone(&over_it);
                    let show = move || {
                        if to.is_some() || pointed.get() {
                            pointed.set(to.is_some());
                            over.set(to);
                        }
                    };
                    *timer.borrow_mut() = (!inside(e)).then(|| Timeout::new(REST, show));
                }),
            ),
            listen(
                "click",
                Box::new(move |e| {
                    let to = of(e);
                    if to
                        .as_ref()
                        .is_some_and(|(_, words)| words.matches("label .term:not(.quiet)").unwrap_or(false))
                    {
                        // Its label would hand the focus on, and the explanation would be gone.
                        e.prevent_default();
                    }
                    clicked.set(true);
                    click.set(to);
                }),
            ),
            listen(
                "focusin",
                Box::new(move |e| {
                    if !inside(e) {
                        pointed.set(false);
                        focus.set(focused(e));
                    }
                }),
            ),
            listen("keydown", Box::new(move |e| pressed(e, now.borrow().as_ref(), &key))),
        ];
        move || drop(listeners)
    });
}

fn pressed(e: &Event, open: Option<&(Meaning, Element)>, set: &UseStateSetter<Open>) {
    let key = e.unchecked_ref::<KeyboardEvent>();
    let back = |words: &Element| {
        let _ = words.unchecked_ref::<HtmlElement>().focus();
    };
    match (key.key().as_str(), open) {
        ("Escape", Some((_, words))) => {
            // It ends nothing else.
            e.prevent_default();
            if inside(e) {
                back(words);
            }
            set.set(None);
        }
        // The explanation stands at the end of the page: the way goes on from its words.
        ("Tab", Some((_, words))) if inside(e) => {
            if key.shift_key() {
                e.prevent_default();
            }
            back(words);
        }
        ("Enter" | " ", _) if element(e).is_some_and(|e| e.matches("span.term").unwrap_or(false)) => {
            e.prevent_default();
            let link = browser::document().query_selector("#explained a").ok().flatten();
            match link.and_then(|l| l.dyn_into::<HtmlElement>().ok()) {
                Some(link) => drop(link.focus()),
                None => set.set(of(e)),
            }
        }
        _ => {}
    }
}
