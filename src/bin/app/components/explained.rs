//! Explanations of terms and other words, shown on hover, tap and focus.

use crate::browser;
use crate::due::{self, PendingKind};
use gloo_events::{EventListener, EventListenerOptions};
use gloo_timers::callback::Timeout;
use packscope::words::capital;
use packscope_page::learn::glossary::{Term, cut};
use packscope_page::learn::title;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlElement, KeyboardEvent};
use yew::html::IntoPropValue;
use yew::prelude::*;

/// Milliseconds until an explanation opens under a resting pointer, and until it closes after the
/// pointer leaves.
const REST: u32 = 180;
/// Selects elements with an explanation: a term of the glossary, or a text of their own.
const EXPLAINS: &str = "[data-term], [data-why]";

/// Draws words with the explanation of a term.
pub fn term(words: &str, term: &'static Term) -> Html {
    html! {
        <span
            class="term"
            tabindex="0"
            role="button"
            data-term={term.name}
            aria-description={term.meaning}
        >
            { words.to_owned() }
        </span>
    }
}

/// Draws words with an explanation of their own, shown like that of a term.
pub fn why(words: impl IntoPropValue<Html>, why: &str) -> Html {
    html! {
        <span
            class="term"
            tabindex="0"
            role="button"
            data-why=""
            aria-description={why.to_owned()}
        >
            { words.into_prop_value() }
        </span>
    }
}

/// Draws a text with explanations of its terms.
pub fn terms(text: &str) -> Html {
    cut(text)
        .into_iter()
        .map(|(words, found)| found.map_or_else(|| html! { words }, |t| term(words, t)))
        .collect()
}

/// Like [`terms`], for text in controls or with many repetitions: its terms take no focus
/// themselves, but a focused control shows the explanation of the first one.
pub fn quiet(text: &str) -> Html {
    let piece = |(words, found): (&str, Option<&'static Term>)| match found {
        Some(term) => html! { <span class="term quiet" data-term={term.name}>{ words }</span> },
        None => html! { words },
    };
    cut(text).into_iter().map(piece).collect()
}

#[derive(Debug, Clone, PartialEq)]
enum Explanation {
    Term(&'static Term),
    Why(String),
}

impl Explanation {
    fn new(element: &Element) -> Option<Self> {
        match element.get_attribute("data-term") {
            Some(name) => Term::named(&name).map(Self::Term),
            // A reason is its own description, so that screen readers have it without any press.
            None => element.get_attribute("aria-description").map(Self::Why),
        }
    }
}

type OpenExplanation = Option<(Explanation, Element)>;

fn element(e: &Event) -> Option<Element> {
    e.target()?.dyn_into::<Element>().ok()
}

fn meaning_at(e: &Event) -> OpenExplanation {
    let element = element(e)?.closest(EXPLAINS).ok()??;
    Some((Explanation::new(&element)?, element))
}

/// Selects focused controls whose words may contain terms.
const PRESSED: &str = "button:focus-visible, summary:focus-visible, [type=radio]:focus-visible, [type=checkbox]:focus-visible";

/// Returns the explanation of the focused element: its own, or, for a control focused by keyboard,
/// that of the first term in its text.
fn focused(e: &Event) -> OpenExplanation {
    meaning_at(e).or_else(|| {
        let pressed = element(e)?;
        pressed.matches(PRESSED).ok()?.then_some(())?;
        // The words of a radio button or a checkbox stand in its label.
        let label = || {
            browser::document()
                .query_selector(&format!("label[for='{}']", pressed.id()))
                .ok()?
        };
        let words = if pressed.tag_name() == "INPUT" {
            label()?
        } else {
            pressed.clone()
        };
        let term = words.query_selector("[data-term]").ok().flatten()?;
        Some((Explanation::new(&term)?, pressed))
    })
}

fn inside(e: &Event) -> bool {
    element(e).is_some_and(|e| e.closest("#explained").ok().flatten().is_some())
}

/// The open explanation, beside its words; there is at most one at a time.
#[component]
pub fn Explained() -> Html {
    let open = use_state_eq(|| None);
    let place = use_node_ref();
    let shown: &OpenExplanation = &open;
    use_watching(shown, &open.setter());
    {
        let place = place.clone();
        // After rendering, when the explanation has its size.
        use_effect_with(shown.clone(), move |open| {
            if let (Some((_, words)), Some(place)) = (open, place.cast::<HtmlElement>()) {
                put(&place, words);
            }
        });
    }
    let words = shown.as_ref().map(|(meaning, _)| match meaning {
        Explanation::Term(term) => html! {
            <>
                <b>{ capital(term.name) }</b>
                { " " }
                { term.meaning }
                { " " }
                <a href={format!("#view=learn&chapter={}", term.chapter)}>
                    { title(term.chapter) }
                </a>
            </>
        },
        Explanation::Why(why) => html! { capital(why) },
    });
    html! {
        <div ref={place} id="explained" role="tooltip" hidden={shown.is_none()}>{ words }</div>
    }
}

/// Places the explanation below the words, or above them near the end of the window, and always
/// within the window.
fn put(place: &HtmlElement, words: &Element) {
    let there = words.get_bounding_client_rect();
    let (left, bottom) = (there.left(), there.bottom());
    let window = browser::window();
    // The client size excludes scroll bars.
    let (wide, high) = (
        f64::from(browser::root().client_width()),
        f64::from(browser::root().client_height()),
    );
    // Placed in the document, not in the window: it scrolls with its words.
    let (across, down) = (
        window.page_x_offset().unwrap_or_default(),
        window.page_y_offset().unwrap_or_default(),
    );
    let (width, height) = (
        f64::from(place.offset_width()),
        f64::from(place.offset_height()),
    );
    let x = left.min(wide - width - 12.0).max(8.0);
    let y = if bottom + 6.0 + height > high {
        there.top() - height - 6.0
    } else {
        bottom + 6.0
    };
    // Set through the DOM: the page's content security policy allows no style attribute.
    let _ = place
        .style()
        .set_property("left", &format!("{}px", x + across));
    let _ = place
        .style()
        .set_property("top", &format!("{}px", y.max(4.0) + down));
}

/// Opens explanations on hover, tap and focus, and closes them on Esc and when the pointer or the
/// focus leaves. Enter moves to the link to the chapter.
#[hook]
fn use_watching(open: &OpenExplanation, set: &UseStateSetter<OpenExplanation>) {
    // The open explanation, for listeners that outlive this rendering.
    let now = use_mut_ref(|| None);
    now.borrow_mut().clone_from(open);
    let set = set.clone();
    use_effect_with((), move |()| {
        // Listeners are passive unless asked otherwise, and could not prevent what the browser
        // does.
        let options = EventListenerOptions::enable_prevent_default();
        let listen = |name: &'static str, f: Box<dyn Fn(&Event)>| {
            EventListener::new_with_options(&browser::document(), name, options, move |e| f(e))
        };
        let [over, click, focus, key] = std::array::from_fn(|_| set.clone());
        let timer = RefCell::new(None::<Timeout>);
        // An explanation opened by focus stays open while the page scrolls under a resting mouse.
        let pointed = Rc::new(Cell::new(false));
        let [over_it, clicked] = std::array::from_fn(|_| Rc::clone(&pointed));
        let listeners = [
            listen(
                "pointerover",
                Box::new(move |e| {
                    let (over, to) = (over.clone(), meaning_at(e));
                    // The explanation stays open under the pointer, so that it can be read and its
                    // link followed.
                    let pointed = Rc::clone(&over_it);
                    let show = move || {
                        if to.is_some() || pointed.get() {
                            pointed.set(to.is_some());
                            over.set(to);
                        }
                    };
                    // Assigning drops the timer before, which cancels it.
                    *timer.borrow_mut() =
                        (!inside(e)).then(|| due::after(PendingKind::Pausing, REST, show));
                }),
            ),
            listen(
                "click",
                Box::new(move |e| {
                    let to = meaning_at(e);
                    if to.as_ref().is_some_and(|(_, words)| {
                        words.matches("label .term:not(.quiet)").unwrap_or(false)
                    }) {
                        // Otherwise the label would move the focus, which closes the explanation.
                        e.prevent_default();
                    }
                    // A tap elsewhere finds no explanation, and closes the open one.
                    clicked.set(true);
                    click.set(to);
                }),
            ),
            listen(
                "focusin",
                Box::new(move |e| {
                    // The link in an open explanation may have the focus.
                    if !inside(e) {
                        pointed.set(false);
                        focus.set(focused(e));
                    }
                }),
            ),
            listen(
                "keydown",
                Box::new(move |e| pressed(e, now.borrow().as_ref(), &key)),
            ),
        ];
        move || drop(listeners)
    });
}

fn pressed(
    e: &Event,
    open: Option<&(Explanation, Element)>,
    set: &UseStateSetter<OpenExplanation>,
) {
    let key = e.unchecked_ref::<KeyboardEvent>();
    let back = |words: &Element| {
        let _ = words.unchecked_ref::<HtmlElement>().focus();
    };
    match (key.key().as_str(), open) {
        ("Escape", Some((_, words))) => {
            // Esc only closes the explanation here.
            e.prevent_default();
            if inside(e) {
                back(words);
            }
            set.set(None);
        }
        // The explanation is at the end of the document, so Tab must continue from its words.
        ("Tab", Some((_, words))) if inside(e) => {
            if key.shift_key() {
                e.prevent_default();
            }
            back(words);
        }
        ("Enter" | " ", _)
            // A term is no button to the browser, which presses only its own kinds by key.
            if element(e).is_some_and(|e| e.matches("span.term").unwrap_or(false)) =>
        {
            e.prevent_default();
            let link = browser::document()
                .query_selector("#explained a")
                .ok()
                .flatten();
            match link.and_then(|l| l.dyn_into::<HtmlElement>().ok()) {
                Some(link) => drop(link.focus()),
                // A reason has no chapter to go to.
                None => set.set(meaning_at(e)),
            }
        }
        _ => {}
    }
}
