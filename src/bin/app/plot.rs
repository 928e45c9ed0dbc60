//! A canvas that is redrawn when its size, the screen's density, the theme or its content changes.

use crate::browser;
use crate::components::plot_out::Save;
use crate::due::{self, PendingKind};
use crate::paint::paint;
use crate::pointer::{At, PointerCallbacks, PointerGuard, use_pointer};
use crate::shared::Same;
use gloo_events::EventListener;
use js_sys::Array;
use packscope_chart::{Frame, Scene, Theme};
use packscope_page::state::Theme as Wanted;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use web_sys::{
    Element, HtmlCanvasElement, HtmlElement, IntersectionObserver, IntersectionObserverEntry,
    IntersectionObserverInit, ResizeObserver,
};
use yew::prelude::*;

/// The size of a drawing and the density of the screen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CanvasSize {
    pub width: f64,
    pub height: f64,
    /// Device pixels per CSS pixel.
    pub scale: f64,
    /// Whether the system prefers dark colours.
    pub dark: bool,
}

impl CanvasSize {
    /// Returns the frame of a drawing that fills the room.
    pub fn frame(self, theme: Theme) -> Frame {
        Frame::canvas(self.width, self.height, self.scale, theme)
    }

    /// Returns a frame for measuring; positions do not depend on colours.
    pub fn measure(self) -> Frame {
        self.frame(Theme::LIGHT)
    }
}

pub const DARK: &str = "(prefers-color-scheme: dark)";

/// Returns the colours of drawings, as chosen or as the system prefers.
pub fn colours(theme: Wanted) -> Theme {
    let dark = match theme {
        Wanted::System => browser::media(DARK),
        theme => theme == Wanted::Dark,
    };
    if dark { Theme::DARK } else { Theme::LIGHT }
}

pub type DrawPlot = Rc<dyn Fn(&Frame) -> Scene>;

#[derive(Properties)]
pub struct Props {
    /// The CSS class that gives the canvas its height.
    pub class: &'static str,
    pub name: &'static str,
    #[prop_or_default]
    pub title: AttrValue,
    /// The text alternative of the plot.
    pub label: String,
    pub theme: Wanted,
    /// The drawing function; a new one is called at once.
    pub draw: DrawPlot,
    /// Receives the size once it is known, and whenever it changes.
    #[prop_or_default]
    pub onroom: Callback<CanvasSize>,
    /// Receives the pointer's position in CSS pixels with the size of the canvas, or `None` when the pointer leaves.
    #[prop_or_default]
    pub onpoint: Callback<Option<At<CanvasSize>>>,
    /// Receives the position of a press; not called for a finger that scrolls the page.
    #[prop_or_default]
    pub onpress: Callback<At<CanvasSize>>,
    /// Receives the end of a press. Without it, dragging with a finger does not press.
    #[prop_or_default]
    pub onrelease: Option<Callback<()>>,
    /// Receives arrow keys on the focused plot as steps right and upwards. Without it, the plot cannot be focused.
    #[prop_or_default]
    pub onstep: Option<Callback<[i32; 2]>>,
    /// Receives Enter on the focused plot.
    #[prop_or_default]
    pub onenter: Option<Callback<()>>,
    /// Whether a press grabs something, so that a finger drags it instead of scrolling the page.
    #[prop_or_default]
    pub held: Option<PointerGuard>,
}

/// Returns the steps of an arrow key; ten at once with Shift.
fn steps(e: &KeyboardEvent) -> Option<[i32; 2]> {
    let far = if e.shift_key() { 10 } else { 1 };
    match e.key().as_str() {
        "ArrowRight" => Some([far, 0]),
        "ArrowLeft" => Some([-far, 0]),
        "ArrowUp" => Some([0, far]),
        "ArrowDown" => Some([0, -far]),
        _ => None,
    }
}

impl PartialEq for Props {
    fn eq(&self, other: &Self) -> bool {
        self.label == other.label
            && self.title == other.title
            && self.theme == other.theme
            // Callbacks are left out: many are made anew in each rendering, and comparing them
            // would draw each time.
            && Rc::ptr_eq(&self.draw, &other.draw)
    }
}

#[component]
pub fn Plot(props: &Props) -> Html {
    let canvas = use_node_ref();
    let room = use_state(|| None::<CanvasSize>);
    use_room(canvas.clone(), room.setter());
    let scale = use_density();
    // The density changes without a change of size when the window moves to another screen.
    let room = room.map(|room| CanvasSize {
        scale: scale * room.scale,
        ..room
    });
    let blank = use_painted(&canvas, room, props);
    {
        let onroom = props.onroom.clone();
        use_effect_with(room, move |room| {
            room.iter().for_each(|room| onroom.emit(*room))
        });
    }
    let pointed = PointerCallbacks {
        onpoint: props.onpoint.clone(),
        onpress: props.onpress.clone(),
        onrelease: props.onrelease.clone(),
        held: props.held.clone(),
    };
    let on = use_pointer(&canvas, pointed, room);
    let onkeydown = keys(props);
    let onblur = props.onpoint.reform(|_: FocusEvent| None);
    let tabindex = onkeydown.as_ref().map(|_| "0");
    let size = room.map(|room| [room.width, room.height]);
    html! {
        <div class={classes!("plotted", props.class, blank.then_some("blank"))}>
            if blank {
                <p class="hint">
                    { "This browser lets the page draw nothing here. It would be: " }
                    { &props.label }
                </p>
            }
            <canvas
                ref={canvas}
                class="plot"
                role="img"
                aria-label={props.label.clone()}
                {tabindex}
                {onkeydown}
                {onblur}
                onpointermove={on.moves}
                onpointerleave={on.leaves}
                onpointerdown={on.presses}
                onpointerup={on.lifts}
                onpointercancel={on.cancels}
            />
            <Save
                name={props.name}
                title={props.title.clone()}
                draw={Same(Rc::clone(&props.draw))}
                {size}
            />
        </div>
    }
}

/// Returns the handler of keys on the focused plot; `None` if it handles none.
fn keys(props: &Props) -> Option<Callback<KeyboardEvent>> {
    let onstep = props.onstep.clone()?;
    let onenter = props.onenter.clone();
    Some(Callback::from(move |e: KeyboardEvent| {
        if let Some(steps) = steps(&e) {
            e.prevent_default();
            onstep.emit(steps);
        } else if let Some(onenter) = onenter.as_ref().filter(|_| e.key() == "Enter") {
            onenter.emit(());
        }
    }))
}

/// Milliseconds without a change before a drawing out of view is repainted.
const UNSEEN_REST: u32 = 150;

/// Paints whenever the content changes (after [`UNSEEN_REST`] if the canvas is out of view), and when the browser
/// restores a lost canvas. Returns whether painting failed.
#[hook]
fn use_painted(canvas: &NodeRef, room: Option<CanvasSize>, props: &Props) -> bool {
    let (blank, lost) = (use_state_eq(|| false), use_state_eq(|| 0));
    {
        let (canvas, draw, blank) = (canvas.clone(), Rc::clone(&props.draw), blank.setter());
        let drawing = Same(Rc::clone(&props.draw));
        let seen = use_mut_ref(|| true);
        use_in_view(&canvas, 0.0, {
            let seen = Rc::clone(&seen);
            Callback::from(move |now| *seen.borrow_mut() = now)
        });
        use_effect_with(
            (room, props.theme, drawing, *lost),
            move |(room, theme, ..)| {
                let (room, theme) = (*room, *theme);
                let now = move || {
                    if let (Some(room), Some(canvas)) = (room, canvas.cast::<HtmlCanvasElement>()) {
                        let frame = room.frame(colours(theme));
                        blank.set(paint(&canvas, &draw(&frame), &frame).is_none());
                    }
                };
                // Drawings out of view would delay the one that the visitor looks at while a slider
                // moves.
                let later = if *seen.borrow() {
                    now();
                    None
                } else {
                    Some(due::after(PendingKind::Pausing, UNSEEN_REST, now))
                };
                move || drop(later)
            },
        );
    }
    let canvas = canvas.clone();
    use_effect_with(*lost, move |times| {
        let times = times + 1;
        // A browser may drop the pixels of a canvas; it does not repaint them when it restores the
        // canvas.
        let listener = canvas
            .cast::<HtmlCanvasElement>()
            .map(|canvas| EventListener::new(&canvas, "contextrestored", move |_| lost.set(times)));
        move || drop(listener)
    });
    *blank
}

/// The visible share from which a chart counts as in view: more than its title.
pub const IN_VIEW: f64 = 0.3;

/// Emits whether at least this share of an element is in view, and `false` when it is removed.
#[hook]
pub fn use_in_view(node: &NodeRef, share: f64, seen: Callback<bool>) {
    use_observed(node, share, "0px", seen);
}

/// Like [`use_in_view`], with a margin (as in CSS) round the window within which an element counts as in view.
#[hook]
pub fn use_observed(node: &NodeRef, share: f64, margin: &'static str, seen: Callback<bool>) {
    let node = node.clone();
    use_effect_with((), move |()| {
        let gone = seen.clone();
        let observed = Closure::<dyn Fn(Array)>::new(move |entries: Array| {
            // Of several entries the last one is current.
            let last = entries.pop().unchecked_into::<IntersectionObserverEntry>();
            seen.emit(last.intersection_ratio() >= share && last.is_intersecting());
            due::notify_change();
        });
        let options = IntersectionObserverInit::new();
        options.set_threshold(&share.into());
        options.set_root_margin(margin);
        let observer =
            IntersectionObserver::new_with_options(observed.as_ref().unchecked_ref(), &options)
                .ok();
        if let (Some(observer), Some(element)) = (&observer, node.cast::<Element>()) {
            observer.observe(&element);
        }
        move || {
            if let Some(observer) = observer {
                observer.disconnect();
            }
            drop(observed);
            // An observer says nothing about an element that is removed.
            gone.emit(false);
        }
    });
}

#[hook]
pub fn use_height<K: PartialEq + 'static>(
    node: &NodeRef,
    of: K,
    tall: impl Fn(f64) -> f64 + 'static,
) {
    let node = node.clone();
    // Measured once and on resizing: reading the width forces a layout of whatever has just changed.
    let width = use_mut_ref(|| 0.0);
    use_effect_with(of, move |_| {
        let fit = move |anew: bool| {
            // Set through the DOM: the page's content security policy allows no style attribute.
            if let Some(place) = node.cast::<HtmlElement>() {
                let mut width = width.borrow_mut();
                if anew || *width == 0.0 {
                    *width = f64::from(place.client_width());
                }
                let _ = place
                    .style()
                    .set_property("height", &format!("{}px", tall(*width)));
            }
        };
        fit(false);
        let listener = EventListener::new(&browser::window(), "resize", move |_| fit(true));
        move || drop(listener)
    });
}

/// Tracks the size of the canvas and the density of the screen.
#[hook]
fn use_room(canvas: NodeRef, set: UseStateSetter<Option<CanvasSize>>) {
    use_effect_with((), move |()| {
        let element = canvas.cast::<HtmlCanvasElement>();
        let measured = element.clone();
        let measure = Closure::<dyn Fn()>::new(move || {
            due::notify_change();
            if let Some(canvas) = &measured {
                let (width, height) = (
                    f64::from(canvas.client_width()),
                    f64::from(canvas.client_height()),
                );
                // CSS pixels of the canvas are larger on a full screen.
                let zoom = js_sys::Reflect::get(canvas, &"currentCSSZoom".into());
                let scale = zoom.ok().and_then(|zoom| zoom.as_f64()).unwrap_or(1.0);
                let dark = browser::media(DARK);
                // A folded part has no size: its canvas is drawn once it is unfolded.
                set.set((width > 0.0 && height > 0.0).then_some(CanvasSize {
                    width,
                    height,
                    scale,
                    dark,
                }));
            }
        });
        let observer = ResizeObserver::new(measure.as_ref().unchecked_ref()).ok();
        if let (Some(observer), Some(canvas)) = (&observer, &element) {
            observer.observe(canvas);
        }
        let query = browser::window().match_media(DARK).ok().flatten();
        if let Some(query) = &query {
            query.set_onchange(Some(measure.as_ref().unchecked_ref()));
        }
        move || {
            if let Some(observer) = observer {
                observer.disconnect();
            }
            // The browser keeps a query as long as it has a listener.
            if let Some(query) = query {
                query.set_onchange(None);
            }
            drop(measure);
        }
    });
}

/// Returns the device pixels per CSS pixel, which change with the screen and with zoom.
#[hook]
fn use_density() -> f64 {
    let density = use_state_eq(|| browser::window().device_pixel_ratio());
    let set = density.setter();
    use_effect_with(*density, move |density| {
        let query = browser::window()
            .match_media(&format!("(resolution: {density}dppx)"))
            .ok()
            .flatten();
        // The query detects a move to another screen; a change of the window's size detects zooming.
        let follow = move |_: &web_sys::Event| set.set(browser::window().device_pixel_ratio());
        let screen = query.map(|query| EventListener::new(&query, "change", follow.clone()));
        let zoom = EventListener::new(&browser::window(), "resize", follow);
        move || drop((screen, zoom))
    });
    *density
}
