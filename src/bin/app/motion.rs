//! Motion of a drawing: a share that runs from 0 to 1 when something new is shown, and stays at 1.

use crate::browser;
use gloo_events::EventListener;
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use yew::prelude::*;

/// Milliseconds that a motion takes.
const DURATION: f64 = 1200.0;
/// Visitors who ask for less motion see none.
const REDUCED: &str = "(prefers-reduced-motion: reduce)";
/// Events that end a motion at once.
const INTERRUPTS: [&str; 3] = ["pointerdown", "keydown", "wheel"];

/// Returns the share of a motion that is over: it begins when `of` changes to something, and a press, a key or the wheel
/// ends it.
#[hook]
pub fn use_motion<K: Clone + PartialEq + 'static>(of: Option<K>) -> f64 {
    let share = use_state_eq(|| 1.0);
    let begun = use_mut_ref(|| None::<K>);
    let begins =
        of.is_some() && *begun.borrow() != of && browser::is_visible() && !browser::media(REDUCED);
    let set = share.setter();
    use_effect_with(of, move |of| {
        begun.borrow_mut().clone_from(of);
        let motion = begins.then(|| Motion::begin(set));
        move || drop(motion)
    });
    // The effect comes after this frame, which would show the end before the beginning.
    if begins { 0.0 } else { *share }
}

/// A motion that runs until it is dropped.
struct Motion {
    over: Rc<Cell<bool>>,
    _interrupts: [EventListener; INTERRUPTS.len()],
}

impl Motion {
    fn begin(set: UseStateSetter<f64>) -> Self {
        let over = Rc::new(Cell::new(false));
        let interrupts = INTERRUPTS.map(|event| {
            let (over, set) = (Rc::clone(&over), set.clone());
            EventListener::new(&browser::window(), event, move |_| {
                over.set(true);
                set.set(1.0);
            })
        });
        set.set(0.0);
        step(set, Rc::clone(&over), browser::milliseconds());
        Self {
            over,
            _interrupts: interrupts,
        }
    }
}

impl Drop for Motion {
    fn drop(&mut self) {
        self.over.set(true);
    }
}

/// Sets the share at the next frame, and so on until the end.
fn step(set: UseStateSetter<f64>, over: Rc<Cell<bool>>, begin: f64) {
    let act = move || {
        if over.get() {
            return;
        }
        let share = ((browser::milliseconds() - begin) / DURATION).clamp(0.0, 1.0);
        set.set(share);
        if share < 1.0 {
            step(set, over, begin);
        }
    };
    let act = Closure::once_into_js(act);
    let _ = browser::window().request_animation_frame(act.unchecked_ref());
}
