//! Zooming into the histogram of lengths: a mouse drags across a part of it; the wheel (with Ctrl,
//! or on the focused drawing) and the keys + and − zoom in steps; Esc, 0 and a double click show
//! all again. Fingers scroll the page.

use crate::plot::CanvasSize;
use crate::shared::Same;
use gloo_events::{EventListener, EventListenerOptions};
use packscope_chart::histogram::{BarPlaces, Input, Layout, layout};
use packscope_chart::{Area, Chart};
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlElement, KeyboardEvent, MouseEvent, PointerEvent, WheelEvent};
use yew::prelude::*;

/// The first and the last length in view; `None` if all are.
pub type Window = Option<[u32; 2]>;

#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// The element around the canvas.
    pub place: NodeRef,
    /// The drawing on it.
    pub chart: Same<Input>,
    /// The axis of all lengths.
    pub whole: BarPlaces,
    pub room: Option<CanvasSize>,
    /// The length under the pointer.
    pub hover: Option<u32>,
    pub window: Window,
    pub set: Callback<Window>,
}

/// Mouse movements up to this many pixels are a press.
const SLIP: f64 = 5.0;
/// A part with fewer lengths is not divided further.
const FEWEST: u32 = 4;
/// The factor by which a key zooms in.
const KEY: f64 = 0.5;

/// The rectangle that a mouse draws, and the listeners on the canvas.
#[component]
pub fn Zoom(props: &Props) -> Html {
    let (brush, newest) = (use_node_ref(), use_mut_ref(|| props.clone()));
    // The listeners stay while the limit is dragged, which changes the drawing in each frame.
    *newest.borrow_mut() = props.clone();
    use_effect_with((), {
        let (place, brush) = (props.place.clone(), brush.clone());
        move |()| {
            let canvas = place
                .cast::<Element>()
                .and_then(|place| place.query_selector("canvas").ok()?);
            let hand = Rc::new(ZoomHandler {
                now: move || newest.borrow().clone(),
                from: Cell::new(None),
                brush,
            });
            // Beside those of the drawing itself, which knows nothing of zooming.
            let listeners = canvas.map(|canvas| listen(&canvas, &hand));
            move || drop(listeners)
        }
    });
    html! { <div ref={brush} class="brush" hidden=true aria-hidden="true" /> }
}

struct ZoomHandler<F> {
    now: F,
    /// The place where a mouse was pressed.
    from: Cell<Option<f64>>,
    brush: NodeRef,
}

fn listen<F: Fn() -> Props + 'static>(
    canvas: &Element,
    hand: &Rc<ZoomHandler<F>>,
) -> Vec<EventListener> {
    let on = |name: &'static str, act: fn(&ZoomHandler<F>, &Event)| {
        let hand = Rc::clone(hand);
        let options = EventListenerOptions::enable_prevent_default();
        EventListener::new_with_options(canvas, name, options, move |e| act(&hand, e))
    };
    vec![
        on("pointerdown", |hand, e| hand.press(e.unchecked_ref())),
        on("pointermove", |hand, e| hand.brush_to(e.unchecked_ref())),
        on("pointerup", |hand, e| hand.lift(e.unchecked_ref())),
        on("pointercancel", |hand, _| hand.let_go()),
        on("wheel", |hand, e| hand.wheel(e.unchecked_ref())),
        on("dblclick", |hand, _| (hand.now)().set.emit(None)),
        on("keydown", |hand, e| hand.key(e.unchecked_ref())),
    ]
}

impl<F: Fn() -> Props> ZoomHandler<F> {
    /// Begins to brush, unless a finger or the limit is meant.
    fn press(&self, e: &PointerEvent) {
        let props = (self.now)();
        let is_mouse = e.pointer_type() == "mouse" && e.button() == 0;
        let at = (f64::from(e.offset_x()), f64::from(e.offset_y()));
        let Some(room) = props.room.filter(|_| is_mouse) else {
            return;
        };
        // A press on the needle drags the limit.
        let free = props.chart.grip(at, &room.measure()).is_none();
        self.from.set(free.then_some(at.0));
    }

    /// Shows the rectangle from the press to the pointer.
    fn brush_to(&self, e: &PointerEvent) {
        let Some((from, to)) = self.brushed(e) else {
            return;
        };
        if let Some(brush) = self.brush.cast::<HtmlElement>() {
            // A press that has not moved shows nothing.
            brush.set_hidden((from - to).abs() <= SLIP);
            // Set through the DOM: the page's content security policy allows no style attribute.
            for (name, value) in [("left", from.min(to)), ("width", (from - to).abs())] {
                let _ = brush.style().set_property(name, &format!("{value}px"));
            }
        }
    }

    /// Zooms to what was brushed; a press that has not moved is none.
    fn lift(&self, e: &PointerEvent) {
        let ends = self.brushed(e);
        self.let_go();
        if let Some((from, to)) = ends.filter(|(from, to)| (from - to).abs() > SLIP) {
            let props = (self.now)();
            props.zoom(|plot, share| {
                [from.min(to), from.max(to)].map(|x| share((x - plot.left) / plot.width()))
            });
        }
    }

    fn let_go(&self) {
        self.from.set(None);
        if let Some(brush) = self.brush.cast::<HtmlElement>() {
            brush.set_hidden(true);
        }
    }

    /// Returns the places of the press and of the pointer.
    fn brushed(&self, e: &MouseEvent) -> Option<(f64, f64)> {
        Some((self.from.get()?, self.along(e)?))
    }

    /// Returns the place of the pointer, within the plot.
    fn along(&self, e: &MouseEvent) -> Option<f64> {
        let Layout { plot, .. } = (self.now)().layout()?;
        Some(f64::from(e.offset_x()).min(plot.right).max(plot.left))
    }

    fn wheel(&self, e: &WheelEvent) {
        let props = (self.now)();
        let canvas = e
            .target()
            .and_then(|target| target.dyn_into::<Element>().ok());
        let focused = crate::browser::document().active_element() == canvas;
        // A notch of most wheels is 100 pixels, a factor of 1.22. A finger on a touchpad sends many
        // small steps, which multiply to the same.
        let factor = (e.delta_y() * 0.002).exp().clamp(0.5, 2.0);
        // The page scrolls, unless the drawing is meant and there is something left to zoom out of.
        if (!e.ctrl_key() && !focused) || (factor >= 1.0 && props.window.is_none()) {
            return;
        }
        e.prevent_default();
        if let Some(x) = self.along(e) {
            props.step(factor, |plot| (x - plot.left) / plot.width());
        }
    }

    fn key(&self, e: &KeyboardEvent) {
        // Ctrl with +, − or 0 magnifies the page.
        if e.ctrl_key() || e.alt_key() || e.meta_key() {
            return;
        }
        let props = (self.now)();
        let factor = match e.key().as_str() {
            "+" | "=" => KEY,
            "-" if props.window.is_some() => 1.0 / KEY,
            "0" | "Escape" if props.window.is_some() => return props.set.emit(None),
            _ => return,
        };
        let Some(layout) = props.layout() else { return };
        let at = props.hover.map_or(0.5, |length| {
            (layout.x_of(length) - layout.plot.left) / layout.plot.width()
        });
        props.step(factor, |_| at);
    }
}

impl Props {
    fn layout(&self) -> Option<Layout> {
        Some(layout(&self.chart, &self.room?.measure()))
    }

    /// Zooms by a factor about a share of the width in view.
    fn step(&self, factor: f64, about: impl Fn(Area) -> f64) {
        self.zoom(|plot, share| {
            let at = about(plot);
            [at - at * factor, at + (1.0 - at) * factor].map(share)
        });
    }

    /// Shows what lies between two shares of the axis of all lengths. They are computed from the
    /// plot, and from a function that turns shares of what is in view into shares of that axis.
    fn zoom(&self, ends: impl FnOnce(Area, &dyn Fn(f64) -> f64) -> [f64; 2]) {
        let Some(Layout {
            plot, start, end, ..
        }) = self.layout()
        else {
            return;
        };
        let whole = &self.whole.0;
        let [first, last] =
            // A length reaches from half below it to half above.
            [f64::from(start) - 0.5, f64::from(end) + 0.5].map(|edge| whole.share(edge));
        let [from, to] = ends(plot, &|share| first + (last - first) * share);
        let [least, most] = whole.ends();
        let [from, to] = [from, to]
            .map(|share| (whole.length(share.clamp(0.0, 1.0)).round() as u32).clamp(least, most));
        match to - from {
            _ if [from, to] == [least, most] => self.set.emit(None),
            few if few < FEWEST => {}
            _ => self.set.emit(Some([from, to])),
        }
    }
}
