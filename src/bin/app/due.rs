//! The work that the page has yet to do. The root element names it in `data-due`, and lacks that attribute while the page
//! rests: everything heard is drawn, every question answered, every timer run out. Tests, and programs that print or capture
//! the page, wait for it.
//!
//! Timers, futures and questions are made here or reported here; `tests/it/architecture.rs` sees to it.

use crate::browser;
use gloo_events::{EventListener, EventListenerOptions, EventListenerPhase};
use gloo_timers::callback::Timeout;
use std::cell::{Cell, RefCell};
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use yew::platform::spawn_local;
use yew::scheduler::{self, Runnable};

/// A kind of work.
#[derive(Clone, Copy)]
pub enum Due {
    /// Something was heard that is not drawn yet.
    Drawing,
    /// A worker has a question to answer.
    Asked,
    /// Two frames since the last drawing, in which observers report.
    Frames,
    /// The address does not name the present settings yet.
    Address,
    /// Screen readers were not told yet.
    Announcing,
    /// A file or a part of the page is loading, or is being stored.
    Loading,
    /// A pause runs before something else begins.
    Pausing,
}

/// Names of the kinds in the attribute, in the order of [`Due`].
const NAMES: [&str; 7] = ["drawing", "asked", "frames", "address", "announcing", "loading", "pausing"];

/// Events of visitors and of the browser after which there may be something to draw.
const EVENTS: [&str; 25] = [
    "beforeprint",
    "cancel",
    "change",
    "click",
    "close",
    "dragleave",
    "dragover",
    "drop",
    "focusin",
    "focusout",
    "hashchange",
    "input",
    "keydown",
    "keyup",
    "paste",
    "pointercancel",
    "pointerdown",
    "pointerleave",
    "pointermove",
    "pointerout",
    "pointerup",
    "resize",
    "scroll",
    "toggle",
    "visibilitychange",
];

thread_local! {
    /// How much there is of each kind.
    static COUNTS: [Cell<u32>; NAMES.len()] = const { [const { Cell::new(0) }; NAMES.len()] };
    /// Counts what was heard, so that the frames after an older drawing end nothing.
    static HEARD: Cell<u32> = const { Cell::new(0) };
    /// The attribute as it was written last; `None` before.
    static SHOWN: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Work that is due as long as this value lives.
pub struct Held(Due);

impl Held {
    /// Counts until it is dropped.
    pub fn new(due: Due) -> Self {
        COUNTS.with(|counts| counts[due as usize].set(counts[due as usize].get() + 1));
        show();
        Self(due)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        COUNTS.with(|counts| counts[self.0 as usize].set(counts[self.0 as usize].get() - 1));
        heard();
    }
}

/// Calls back after so many milliseconds, unless the returned value is dropped before.
pub fn after(due: Due, milliseconds: u32, act: impl FnOnce() + 'static) -> Timeout {
    timer(milliseconds, Box::new(act), Some(Held::new(due)))
}

/// The same of what is no work of the page: a watch over others, or the end of a thing that nobody looks at any more.
pub fn aside(milliseconds: u32, act: impl FnOnce() + 'static) -> Timeout {
    timer(milliseconds, Box::new(act), None)
}

// Once in the program, not once for each caller: so are the futures below.
fn timer(milliseconds: u32, act: Box<dyn FnOnce()>, held: Option<Held>) -> Timeout {
    Timeout::new(milliseconds, move || {
        act();
        drop(held);
        heard();
    })
}

/// Runs a future that loads or stores.
pub fn load(future: impl Future<Output = ()> + 'static) {
    let (future, held): (Pin<Box<dyn Future<Output = ()>>>, _) = (Box::pin(future), Held::new(Due::Loading));
    spawn_local(async move {
        future.await;
        drop(held);
    });
}

/// Reports that there may be something to draw.
pub fn heard() {
    HEARD.set(HEARD.get().wrapping_add(1));
    COUNTS.with(|counts| counts[Due::Frames as usize].set(1));
    let drawing = COUNTS.with(|counts| counts[Due::Drawing as usize].replace(1));
    show();
    if drawing == 0 {
        Timeout::new(0, draw).forget();
    }
}

/// Does nothing, in its turn.
struct Turn(Rc<Cell<bool>>);

impl Runnable for Turn {
    fn run(self: Box<Self>) {
        self.0.set(true);
    }
}

/// Waits until Yew has nothing to draw. It draws within the microtask in which it is told of something, and goes on after a
/// `setTimeout` of 0 where that takes longer than a frame: a turn that comes within this microtask found it idle.
fn draw() {
    let turned = Rc::new(Cell::new(false));
    scheduler::push(Box::new(Turn(Rc::clone(&turned))));
    spawn_local(async move {
        if turned.get() {
            drawn();
        } else {
            Timeout::new(0, draw).forget();
        }
    });
}

fn drawn() {
    COUNTS.with(|counts| counts[Due::Drawing as usize].set(0));
    show();
    let heard = HEARD.get();
    let seen = move || {
        if HEARD.get() == heard {
            COUNTS.with(|counts| counts[Due::Frames as usize].set(0));
            show();
        }
    };
    // A page out of sight has no frames.
    if browser::is_visible() {
        // Observers report behind a frame.
        let behind = move || {
            Timeout::new(0, seen).forget();
        };
        frame(move || frame(behind));
    } else {
        seen();
    }
}

fn frame(act: impl FnOnce() + 'static) {
    let act = Closure::once_into_js(act);
    let _ = browser::window().request_animation_frame(act.unchecked_ref());
}

/// Writes the attribute.
fn show() {
    let kinds = NAMES.iter().zip(COUNTS.with(|counts| counts.each_ref().map(Cell::get)));
    let due = kinds.filter(|(_, count)| *count > 0).map(|(name, _)| *name);
    let due = due.collect::<Vec<_>>().join(" ");
    if SHOWN.with_borrow(|shown| shown.as_ref() == Some(&due)) {
        return;
    }
    let root = browser::root();
    let _ =
        if due.is_empty() { root.remove_attribute("data-due") } else { root.set_attribute("data-due", &due) };
    SHOWN.set(Some(due));
}

/// Listens to all that happens on the page, from now on.
pub fn listen() {
    for name in EVENTS {
        let options = EventListenerOptions { phase: EventListenerPhase::Capture, passive: true };
        EventListener::new_with_options(&browser::window(), name, options, |_| heard()).forget();
    }
    heard();
}
