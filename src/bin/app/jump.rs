//! Moves to a part of the page, even one that is not loaded yet, and keeps it in place while parts above it load.

use crate::browser::{self, LOOK, document, element, window};
use crate::due::{self, PendingKind};
use gloo_events::EventListener;
use std::cell::{Cell, RefCell};
use wasm_bindgen::prelude::*;
use web_sys::{Element, HtmlElement, ResizeObserver};

/// Events by which a visitor moves on. Dragging a scroll bar raises none: it shows in the movement of the page.
const TURNS: [&str; 6] = [
    "wheel",
    "touchstart",
    "pointerdown",
    "keydown",
    "popstate",
    "hashchange",
];

thread_local! {
    /// The number of jumps: if two targets are still loading, the later jump wins.
    static GONE: Cell<u32> = const { Cell::new(0) };
    /// The target of the last jump, until the visitor moves on.
    static STAY: RefCell<Option<Stay>> = const { RefCell::new(None) };
    /// Whether the listeners are installed, which happens at the first jump.
    static LISTENING: Cell<bool> = const { Cell::new(false) };
}

struct Stay {
    id: String,
    /// Its position in the window, CSS pixels.
    top: f64,
    /// The height of the page at that time, CSS pixels.
    tall: f64,
}

/// Returns the focused element; `None` if that is the body, as after a focused button was removed.
fn focused() -> Option<Element> {
    document()
        .active_element()
        .filter(|element| element.tag_name() != "BODY")
}

/// Goes to an element once it exists, then to `then` in it, unless another jump begins or the focus moves meanwhile.
fn seek(id: String, then: Option<&'static str>, gone: u32, looks: u32, focus: Option<Element>) {
    // A visitor who has moved the focus elsewhere meanwhile must not be pulled away.
    let stays = focused().is_none_or(|now| focus.as_ref() == Some(&now));
    if looks > 0 && GONE.get() == gone && stays {
        let look = move || match element(&id) {
            Some(_) => go(&id, then),
            None => seek(id, then, gone, due::fewer(looks), focus),
        };
        due::after(PendingKind::Pausing, LOOK.0, look).forget();
    }
}

/// Scrolls to an element and focuses it, without changing the address. If the element is a folded part, or lies in one,
/// that is unfolded; of a folded part itself the summary gets the focus. An element that is not loaded yet is
/// requested, and jumped to once it exists. Parts that load above it do not move it until the visitor moves on.
pub fn go_to(id: &str) {
    go(id, None);
}

/// Unfolds a part, and jumps to an element in it as soon as that exists.
pub fn go_into(fold: &str, id: &'static str) {
    go(fold, Some(id));
}

fn go(id: &str, then: Option<&'static str>) {
    let gone = GONE.get() + 1;
    GONE.set(gone);
    let Some(element) = element(id) else {
        browser::want();
        return seek(id.to_owned(), then, gone, LOOK.1, focused());
    };
    if open_sheet(&element) {
        return seek(id.to_owned(), then, gone, LOOK.1, focused());
    }
    let fold = element.closest("details").ok().flatten();
    let own = fold
        .as_ref()
        .is_some_and(|fold| fold.is_same_node(Some(&element)));
    let summary = fold.and_then(|fold| {
        let _ = fold.set_attribute("open", "");
        fold.query_selector("summary").ok().flatten()
    });
    if !LISTENING.replace(true) {
        follow();
    }
    stay(id, &element);
    // Only something that can take the focus: a `details` cannot, its summary can.
    let focus = summary.filter(|_| own).unwrap_or(element);
    let _ = focus
        .dyn_into::<HtmlElement>()
        .map(|element| element.focus());
    if let Some(then) = then {
        seek(then.to_owned(), None, gone, LOOK.1, focused());
    }
}

/// Opens the sheet of settings if the element lies in it and is not drawn, as on phones. Returns whether it did.
fn open_sheet(element: &Element) -> bool {
    let sheet = element.closest(".controls:not(.open)").ok().flatten();
    let bar = sheet.and_then(|sheet| sheet.query_selector("button.bar").ok().flatten());
    let bar = bar.and_then(|bar| bar.dyn_into::<HtmlElement>().ok());
    // On wide screens the bar is what is not drawn.
    let bar = bar.filter(|bar| bar.get_bounding_client_rect().height() > 0.0);
    if let Some(bar) = &bar {
        bar.click();
        bar.blur().ok();
    }
    bar.is_some()
}

/// Scrolls to an element, and records its position.
fn stay(id: &str, element: &Element) {
    element.scroll_into_view();
    STAY.set(Some(Stay {
        id: id.to_owned(),
        top: top(element),
        tall: tall(),
    }));
}

fn top(element: &Element) -> f64 {
    element.get_bounding_client_rect().top()
}

fn tall() -> f64 {
    document()
        .body()
        .map_or(0.0, |body| body.get_bounding_client_rect().height())
}

/// Whether an element has moved in the window while the page kept its height, which means that someone has scrolled.
fn is_left(stay: &Stay) -> bool {
    // Within a CSS pixel: zoomed pages have fractional positions.
    let moved = element(&stay.id).is_none_or(|element| (top(&element) - stay.top).abs() > 1.0);
    moved && (tall() - stay.tall).abs() < 1.0
}

/// Scrolls back to the target of the jump whenever the page grows, until the visitor moves on.
fn follow() {
    let window = window();
    for turn in TURNS {
        EventListener::new(&window, turn, |_| STAY.set(None)).forget();
    }
    let scrolled = |_: &web_sys::Event| {
        if STAY.with_borrow(|stay| stay.as_ref().is_some_and(is_left)) {
            STAY.set(None);
        }
    };
    EventListener::new(&window, "scroll", scrolled).forget();
    // Parts above the target load later and push it down; the body's size is the only sign of all
    // of them.
    let grown = Closure::<dyn Fn()>::new(|| {
        due::notify_change();
        if let Some(Stay { id, .. }) = STAY.take()
            && let Some(element) = element(&id)
        {
            stay(&id, &element);
        }
    });
    if let Some((observer, body)) = ResizeObserver::new(grown.as_ref().unchecked_ref())
        .ok()
        .zip(document().body())
    {
        observer.observe(&body);
        grown.forget();
    }
}
