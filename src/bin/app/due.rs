//! The work that the page has yet to do. The attribute `data-due` of the root element lists it, and is absent while the
//! page is idle: every event is rendered, every question answered, every timer run out. Tests, and programs that print
//! or capture the page, wait for that.
//!
//! Timers, futures and questions must be created or reported here; `tests/it/architecture.rs` enforces it.

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

#[derive(Clone, Copy)]
pub enum PendingKind {
    /// An event was received and is not rendered yet.
    Drawing,
    /// A worker has an unanswered question.
    Asked,
    /// Two frames after the last rendering, in which observers report.
    Frames,
    /// The address does not reflect the current settings yet.
    Address,
    Announcing,
    /// A file or a part of the page is being loaded or stored.
    Loading,
    /// A timer runs before something else begins.
    Pausing,
}

/// The names of the kinds in the attribute, in the order of [`PendingKind`], whose discriminants
/// index them.
const NAMES: [&str; 7] = [
    "drawing",
    "asked",
    "frames",
    "address",
    "announcing",
    "loading",
    "pausing",
];

/// Events of visitors and of the browser after which there may be something to render.
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
    static COUNTS: [Cell<u32>; NAMES.len()] = const { [const { Cell::new(0) }; NAMES.len()] };
    /// Counts events, so that frames after an older rendering do not clear [`PendingKind::Frames`].
    static HEARD: Cell<u32> = const { Cell::new(0) };
    /// The attribute as last written; `None` at first.
    static SHOWN: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// A piece of work that is due as long as this value lives.
pub struct PendingWork(PendingKind);

impl PendingWork {
    /// Counts the work until the value is dropped.
    pub fn new(due: PendingKind) -> Self {
        COUNTS.with(|counts| counts[due as usize].set(counts[due as usize].get() + 1));
        show();
        Self(due)
    }
}

impl Drop for PendingWork {
    fn drop(&mut self) {
        COUNTS.with(|counts| counts[self.0 as usize].set(counts[self.0 as usize].get() - 1));
        notify_change();
    }
}

/// Calls back after this many milliseconds, unless the returned value is dropped before.
pub fn after(due: PendingKind, milliseconds: u32, act: impl FnOnce() + 'static) -> Timeout {
    timer(milliseconds, Box::new(act), Some(PendingWork::new(due)))
}

/// Like [`after`], for timers that are not work of the page: watchdogs, or the clean-up of something out of sight.
pub fn aside(milliseconds: u32, act: impl FnOnce() + 'static) -> Timeout {
    timer(milliseconds, Box::new(act), None)
}

// Not generic, so that it is compiled once and not for every caller; the futures below are boxed for the same reason.
fn timer(milliseconds: u32, act: Box<dyn FnOnce()>, held: Option<PendingWork>) -> Timeout {
    Timeout::new(milliseconds, move || {
        act();
        drop(held);
        notify_change();
    })
}

pub fn load(future: impl Future<Output = ()> + 'static) {
    let (future, held): (Pin<Box<dyn Future<Output = ()>>>, _) =
        (Box::pin(future), PendingWork::new(PendingKind::Loading));
    spawn_local(async move {
        future.await;
        drop(held);
    });
}

/// Returns the polls that remain after one more: those while something is loading are not counted, however slow the
/// line or the machine.
pub fn fewer(polls: u32) -> u32 {
    // `polls - 1` cannot underflow: callers stop at 0.
    let loads = COUNTS.with(|counts| counts[PendingKind::Loading as usize].get() > 0);
    if loads { polls } else { polls - 1 }
}

/// Reports that there may be something to render.
pub fn notify_change() {
    HEARD.set(HEARD.get().wrapping_add(1));
    // Set, not counted: however many events there are, one rendering and its two frames answer all
    // of them.
    COUNTS.with(|counts| counts[PendingKind::Frames as usize].set(1));
    let drawing = COUNTS.with(|counts| counts[PendingKind::Drawing as usize].replace(1));
    show();
    if drawing == 0 {
        Timeout::new(0, draw).forget();
    }
}

/// A task in Yew's scheduler that only records that it has run.
struct Turn(Rc<Cell<bool>>);

impl Runnable for Turn {
    fn run(self: Box<Self>) {
        self.0.set(true);
    }
}

/// Waits until Yew has nothing to render. Yew renders within the microtask in which it is notified, and continues after
/// a `setTimeout` of 0 if that takes longer than a frame: if the task runs within this microtask, Yew was idle.
fn draw() {
    // A task of our own in Yew's scheduler runs behind all that is already waiting there.
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
    COUNTS.with(|counts| counts[PendingKind::Drawing as usize].set(0));
    show();
    let heard = HEARD.get();
    let seen = move || {
        if HEARD.get() == heard {
            COUNTS.with(|counts| counts[PendingKind::Frames as usize].set(0));
            show();
        }
    };
    // A hidden page has no frames.
    if browser::is_visible() {
        // Observers report after a frame.
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

fn show() {
    let kinds = NAMES
        .iter()
        .zip(COUNTS.with(|counts| counts.each_ref().map(Cell::get)));
    let due = kinds.filter(|(_, count)| *count > 0).map(|(name, _)| *name);
    let due = due.collect::<Vec<_>>().join(" ");
    if SHOWN.with_borrow(|shown| shown.as_ref() == Some(&due)) {
        return;
    }
    let root = browser::root();
    let _ = if due.is_empty() {
        root.remove_attribute("data-due")
    } else {
        root.set_attribute("data-due", &due)
    };
    SHOWN.set(Some(due));
}

/// Listens from now on to all events that may lead to rendering.
pub fn listen() {
    for name in EVENTS {
        let options = EventListenerOptions {
            // Capturing sees the event before its handlers, even if one of them stops it from
            // rising to the window.
            phase: EventListenerPhase::Capture,
            passive: true,
        };
        EventListener::new_with_options(&browser::window(), name, options, |_| notify_change())
            .forget();
    }
    notify_change();
}
