//! The pointer on a canvas. A mouse acts where it is pressed. A finger or a pen may be about to scroll the page: it
//! acts where it taps and where it drags sideways, which style sheets leave to the canvas, but not once the browser
//! scrolls with it.

use crate::browser;
use gloo_events::{EventListener, EventListenerOptions};
use std::cell::RefCell;
use std::rc::Rc;
use web_sys::{HtmlCanvasElement, HtmlElement, MouseEvent};
use yew::prelude::*;

/// A position in CSS pixels, with a value that describes the canvas, such as its size.
pub type At<R> = (f64, f64, R);
pub type PointerGuard = Rc<dyn Fn() -> bool>;

/// CSS pixels that a tapping finger may slip.
const SLIP: f64 = 10.0;

pub struct PointerCallbacks<R: 'static> {
    /// Receives the pointer's position, or `None` when it leaves.
    pub onpoint: Callback<Option<At<R>>>,
    pub onpress: Callback<At<R>>,
    /// Receives the end of a press; `None` where nothing is dragged.
    pub onrelease: Option<Callback<()>>,
    /// Whether a press grabs something that a finger drags in any direction; called after the press.
    pub held: Option<PointerGuard>,
}

pub struct Handlers {
    pub moves: Callback<PointerEvent>,
    pub leaves: Callback<PointerEvent>,
    pub presses: Callback<PointerEvent>,
    pub lifts: Callback<PointerEvent>,
    pub cancels: Callback<PointerEvent>,
}

/// Returns the handlers for a pointer that moves, leaves, presses and releases.
#[hook]
pub fn use_pointer<R: Copy + 'static>(
    canvas: &NodeRef,
    pointed: PointerCallbacks<R>,
    room: Option<R>,
) -> Handlers {
    let at = move |e: &MouseEvent| {
        let canvas = e.target_dyn_into::<HtmlElement>()?;
        let place = canvas.get_bounding_client_rect();
        // On a full screen a canvas is enlarged, and its drawing is measured as if it were not.
        let scale = f64::from(canvas.client_width()) / place.width();
        let [x, y] = [
            f64::from(e.client_x()) - place.left(),
            f64::from(e.client_y()) - place.top(),
        ];
        Some((x * scale, y * scale, room?))
    };
    // The position of a finger that is down and has neither dragged nor been lifted yet.
    let down = use_mut_ref(|| None::<At<R>>);
    // Lifting a finger is not leaving: the readout stays until another place is touched.
    let touched = use_mut_ref(|| false);
    use_elsewhere(canvas, &touched, pointed.onpoint.reform(|()| None));
    use_hold(canvas.clone(), pointed.held.clone());
    let PointerCallbacks {
        onpoint,
        onpress,
        onrelease,
        held,
    } = pointed;
    let leaves = leaving(onpoint.clone());
    let presses = {
        let (onpoint, onpress, down, acts) = (
            onpoint.clone(),
            onpress.clone(),
            Rc::clone(&down),
            held.is_some(),
        );
        Callback::from(move |e: PointerEvent| {
            let first = e.is_primary();
            *down.borrow_mut() = at(&e).filter(|_| first && !acts && is_finger(&e));
            // A second finger zooms the page: only the first one acts.
            let Some(at) = at(&e).filter(|_| first) else {
                return;
            };
            if e.pointer_type() == "touch" {
                *touched.borrow_mut() = true;
                onpoint.emit(Some(at));
            }
            // The drag continues outside the canvas.
            if let Some(canvas) = e.target_dyn_into::<HtmlCanvasElement>() {
                let _ = canvas.set_pointer_capture(e.pointer_id());
            }
            // A finger presses later: when it drags sideways, or is lifted where it came down.
            if down.borrow().is_none() {
                onpress.emit(at);
            }
        })
    };
    let moves = {
        let (onpress, down, drags) = (onpress.clone(), Rc::clone(&down), onrelease.is_some());
        Callback::from(move |e: PointerEvent| {
            let at = at(&e);
            let from =
                at.and_then(|at| down.borrow().filter(|from| drags && is_sideways(from, &at)));
            if let Some(from) = from {
                *down.borrow_mut() = None;
                onpress.emit(from);
            }
            onpoint.emit(at);
        })
    };
    let ends = onrelease.unwrap_or_default();
    let lifts = {
        let (down, ends) = (Rc::clone(&down), ends.clone());
        Callback::from(move |e: PointerEvent| {
            let from = down.borrow_mut().take();
            if let Some(from) = from.filter(|from| at(&e).is_some_and(|at| !has_slipped(from, &at)))
            {
                onpress.emit(from);
            }
            ends.emit(());
        })
    };
    let cancels = Callback::from(move |_: PointerEvent| {
        *down.borrow_mut() = None;
        ends.emit(());
    });
    Handlers {
        moves,
        leaves,
        presses,
        lifts,
        cancels,
    }
}

/// Returns the listener for a pointer that leaves, which a lifted finger does not.
fn leaving<R: 'static>(onpoint: Callback<Option<At<R>>>) -> Callback<PointerEvent> {
    Callback::from(move |e: PointerEvent| {
        if e.pointer_type() != "touch" {
            onpoint.emit(None);
        }
    })
}

/// Whether the browser may take this pointer to scroll the page.
fn is_finger(e: &PointerEvent) -> bool {
    matches!(e.pointer_type().as_str(), "touch" | "pen")
}

// A tap is never quite still; beyond this distance it is a drag, whose direction tells what it is
// for.
fn has_slipped<R>(from: &At<R>, to: &At<R>) -> bool {
    (from.0 - to.0).hypot(from.1 - to.1) > SLIP
}

fn is_sideways<R>(from: &At<R>, to: &At<R>) -> bool {
    has_slipped(from, to) && (from.0 - to.0).abs() > (from.1 - to.1).abs()
}

/// Calls back on a press outside the canvas, once a finger has touched the canvas.
#[hook]
fn use_elsewhere(canvas: &NodeRef, touched: &Rc<RefCell<bool>>, gone: Callback<()>) {
    let (canvas, touched) = (canvas.clone(), Rc::clone(touched));
    use_effect_with(gone, move |gone| {
        let gone = gone.clone();
        let listener = EventListener::new(&browser::document(), "pointerdown", move |e| {
            let here = e
                .target()
                .is_some_and(|t| Some(t) == canvas.cast::<HtmlElement>().map(Into::into));
            if !here && touched.replace(false) {
                gone.emit(());
            }
        });
        move || drop(listener)
    });
}

/// Stops the page from scrolling while a finger drags something. `touchstart` comes after `pointerdown`.
#[hook]
fn use_hold(canvas: NodeRef, held: Option<PointerGuard>) {
    use_effect_with(held.is_some(), move |_| {
        let canvas = canvas.cast::<HtmlCanvasElement>();
        let listener = canvas.zip(held).map(|(canvas, held)| {
            let options = EventListenerOptions::enable_prevent_default();
            EventListener::new_with_options(&canvas, "touchstart", options, move |e| {
                if held() {
                    e.prevent_default();
                }
            })
        });
        move || drop(listener)
    });
}
