//! A canvas that is drawn anew when its size, the screen's density, the theme or what it shows changes.

use crate::app::Same;
use crate::browser;
use crate::components::colours;
use crate::components::plot_out::Save;
use gloo_events::{EventListener, EventListenerOptions};
use packscope::chart::{Frame, Scene, Theme};
use packscope::state::Theme as Wanted;
use plotters_canvas::CanvasBackend;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use web_sys::{HtmlCanvasElement, HtmlElement, MouseEvent, ResizeObserver};
use yew::prelude::*;

/// Room to draw in, CSS pixels, and device pixels per CSS pixel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Room {
    /// Width, CSS pixels.
    pub width: f64,
    /// Height, CSS pixels.
    pub height: f64,
    /// Device pixels per CSS pixel.
    pub scale: f64,
    /// Whether the system asks for dark colours.
    pub dark: bool,
}

impl Room {
    /// The frame of a drawing that fills the room.
    pub fn frame(self, theme: Theme) -> Frame {
        Frame::canvas(self.width, self.height, self.scale, theme)
    }

    /// A frame to measure with: where things are does not depend on their colours.
    pub fn measure(self) -> Frame {
        self.frame(Theme::LIGHT)
    }
}

/// The system's wish for dark colours.
pub const DARK: &str = "(prefers-color-scheme: dark)";

/// What is drawn in a frame.
pub type Draw = Rc<dyn Fn(&Frame) -> Scene>;

/// Properties of [`Plot`].
#[derive(Properties)]
pub struct Props {
    /// Class that gives the canvas its height.
    pub class: &'static str,
    /// What kind of plot it is, as the name of a saved one has it.
    pub name: &'static str,
    /// What is to be seen, over a saved one.
    #[prop_or_default]
    pub title: AttrValue,
    /// What the plot shows, for those who do not see it.
    pub label: String,
    /// The colours.
    pub theme: Wanted,
    /// Draws; a new one is called at once.
    pub draw: Draw,
    /// The pointer at (x, y) in CSS pixels of a canvas so wide, or gone.
    #[prop_or_default]
    pub onpoint: Callback<Option<(f64, f64, Room)>>,
    /// A press, with where it was.
    #[prop_or_default]
    pub onpress: Callback<(f64, f64, Room)>,
    /// The end of a press.
    #[prop_or_default]
    pub onrelease: Callback<()>,
    /// Arrow keys on the focused plot: steps to the right and upwards. Without, the plot cannot be focused.
    #[prop_or_default]
    pub onstep: Option<Callback<[i32; 2]>>,
    /// Whether a press has taken hold of something, so that a finger drags it and not the page.
    #[prop_or_default]
    pub held: Option<Rc<dyn Fn() -> bool>>,
}

/// Steps of an arrow key; ten at once with Shift.
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
            && Rc::ptr_eq(&self.draw, &other.draw)
    }
}

/// A canvas with a drawing of plotters.
#[component]
pub fn Plot(props: &Props) -> Html {
    let canvas = use_node_ref();
    let room = use_state(|| None::<Room>);
    use_room(canvas.clone(), room.setter());
    {
        let (canvas, draw) = (canvas.clone(), Rc::clone(&props.draw));
        use_effect_with((*room, props.theme, Same(Rc::clone(&props.draw))), move |(room, theme, _)| {
            if let (Some(room), Some(canvas)) = (*room, canvas.cast::<HtmlCanvasElement>()) {
                let frame = room.frame(colours(*theme));
                // A canvas that cannot be drawn on stays empty; its label still says what it shows.
                let _ = paint(&canvas, &draw(&frame), &frame);
            }
        });
    }
    let at = {
        let room = *room;
        move |e: &MouseEvent| Some((f64::from(e.offset_x()), f64::from(e.offset_y()), room?))
    };
    let onpointermove = {
        let onpoint = props.onpoint.clone();
        Callback::from(move |e: PointerEvent| onpoint.emit(at(&e)))
    };
    let onpointerleave = props.onpoint.reform(|_| None);
    let onpointerdown = {
        let onpress = props.onpress.clone();
        Callback::from(move |e: PointerEvent| {
            if let Some(at) = at(&e) {
                // So that a drag goes on outside the canvas.
                if let Some(canvas) = e.target_dyn_into::<HtmlCanvasElement>() {
                    let _ = canvas.set_pointer_capture(e.pointer_id());
                }
                onpress.emit(at);
            }
        })
    };
    let onpointerup = props.onrelease.reform(|_| ());
    let onpointercancel = onpointerup.clone();
    use_hold(canvas.clone(), props.held.clone());
    let onkeydown = props.onstep.clone().map(|onstep| {
        Callback::from(move |e: KeyboardEvent| {
            if let Some(steps) = steps(&e) {
                e.prevent_default();
                onstep.emit(steps);
            }
        })
    });
    let tabindex = onkeydown.as_ref().map(|_| "0");
    let size = room.map(|room| [room.width, room.height]);
    html! {
        <div class={classes!("plotted", props.class)}>
            <canvas ref={canvas} class="plot" role="img" aria-label={props.label.clone()} {tabindex} {onkeydown}
                {onpointermove} {onpointerleave} {onpointerdown} {onpointerup} {onpointercancel} />
            <Save name={props.name} title={props.title.clone()} draw={Same(Rc::clone(&props.draw))} {size} />
        </div>
    }
}

/// Keeps the page still while a finger drags what it has taken hold of. The press comes before this event.
#[hook]
fn use_hold(canvas: NodeRef, held: Option<Rc<dyn Fn() -> bool>>) {
    use_effect_with((), move |()| {
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

/// Paints a scene on a canvas that is made as large as its frame; `None` where there is no drawing on it.
pub fn paint(canvas: &HtmlCanvasElement, scene: &Scene, frame: &Frame) -> Option<()> {
    let (width, height) = frame.device_size();
    canvas.set_width(width);
    canvas.set_height(height);
    scene.paint(&mut CanvasBackend::with_canvas_object(canvas.clone())?, frame).ok()
}

/// Gives what holds a drawing the height that it wants at its width; asked again when `of` changes.
#[hook]
pub fn use_height<K: PartialEq + 'static>(node: &NodeRef, of: K, tall: impl Fn(f64) -> f64 + 'static) {
    let node = node.clone();
    use_effect_with(of, move |_| {
        let fit = move || {
            // Through the object model: the page's policy allows no style attribute.
            if let Some(place) = node.cast::<HtmlElement>() {
                let tall = tall(f64::from(place.client_width()));
                let _ = place.style().set_property("height", &format!("{tall}px"));
            }
        };
        fit();
        let listener = EventListener::new(&browser::window(), "resize", move |_| fit());
        move || drop(listener)
    });
}

/// Follows the size of the canvas and the density of the screen.
#[hook]
fn use_room(canvas: NodeRef, set: UseStateSetter<Option<Room>>) {
    use_effect_with((), move |()| {
        let element = canvas.cast::<HtmlCanvasElement>();
        let measured = element.clone();
        let measure = Closure::<dyn Fn()>::new(move || {
            if let Some(canvas) = &measured {
                let (width, height) = (f64::from(canvas.client_width()), f64::from(canvas.client_height()));
                let scale = browser::window().device_pixel_ratio();
                let dark = browser::media(DARK);
                set.set((width > 0.0 && height > 0.0).then_some(Room { width, height, scale, dark }));
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
            drop((query, measure));
        }
    });
}
