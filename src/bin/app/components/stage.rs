//! A dialog that fills the screen and enlarges what is in it as far as it fits: scenes of Learn, and the picture of an
//! epoch. Part of what is loaded on demand.

use crate::{browser, lazy_style};
use gloo_events::EventListener;
use js_sys::{Function, Reflect};
use wasm_bindgen::prelude::*;
use web_sys::{HtmlDialogElement, HtmlElement, KeyboardEvent};
use yew::prelude::*;

/// CSS pixels of the width that is enlarged: that of a chapter.
const WIDE: f64 = 1000.0;
/// The most that it is enlarged.
const MOST: f64 = 2.6;

#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// The accessible name.
    pub label: String,
    /// Another value where the content is another, which is then fitted anew.
    pub content: String,
    /// CSS pixels of the width that is enlarged.
    #[prop_or(WIDE)]
    pub wide: f64,
    /// Receives keys that nothing within has taken.
    pub onkey: Callback<KeyboardEvent>,
    /// Whether the first thing within that takes keys has the focus, where no key does anything else.
    #[prop_or_default]
    pub holds: bool,
    pub onclose: Callback<()>,
    /// The line at the foot.
    pub foot: Html,
    pub children: Html,
}

/// The elements that take arrow keys themselves.
const HANDLES: &str =
    "[role=slider], [role=spinbutton], .piece, .choice, input, select, canvas[tabindex]";

/// The dialog, open as long as it is on the page; the whole screen is asked for, and the window is filled where that is
/// refused.
#[component]
pub fn Stage(props: &Props) -> Html {
    let (dialog, fitted) = (use_node_ref(), use_node_ref());
    let size = use_size();
    use_opened(&dialog);
    {
        let fitted = fitted.clone();
        // After every rendering: what has grown beyond the screen is made smaller; only other content, and another window,
        // make anything larger, so that nothing pulses while a knob moves.
        let last = use_mut_ref(|| None);
        let (now, wide) = ((props.content.clone(), size), props.wide);
        use_effect(move || {
            let fresh = last.borrow().as_ref() != Some(&now);
            *last.borrow_mut() = Some(now);
            if let Some(fitted) = fitted.cast::<HtmlElement>() {
                fit(&fitted, wide, fresh);
            }
        });
    }
    {
        let fitted = fitted.clone();
        use_effect_with((props.content.clone(), size), {
            let holds = props.holds;
            move |_| focus(&fitted, holds)
        });
    }
    let onclose = props.onclose.reform(|_: Event| leave_screen());
    let onkeydown = {
        let onkey = props.onkey.clone();
        Callback::from(move |e: KeyboardEvent| {
            if e.ctrl_key() || e.alt_key() || e.meta_key() || e.key() == "Escape" {
                return;
            }
            let target = e.target_dyn_into::<web_sys::Element>();
            let taken = e.default_prevented()
                || e.key().starts_with("Arrow")
                    && target
                        .is_some_and(|t| t.closest(HANDLES).is_ok_and(|found| found.is_some()));
            if !taken {
                onkey.emit(e.clone());
            }
            // N and P turn chapters, and arrows go from choice to choice; other keys of the page would act behind the dialog.
            if !matches!(e.key().as_str(), "n" | "p") && !e.key().starts_with("Arrow") {
                e.stop_propagation();
            }
        })
    };
    let close = {
        let dialog = dialog.clone();
        Callback::from(move |_: MouseEvent| {
            if let Some(dialog) = dialog.cast::<HtmlDialogElement>() {
                dialog.close();
            }
        })
    };
    html! {
        <dialog ref={dialog} class="stage" aria-label={props.label.clone()} {onclose} {onkeydown}>
            <div class="stage-room" tabindex="-1" autofocus=true>
                <div
                    ref={fitted}
                    class="chapter"
                    // Canvases are measured when they are made: of another size are other canvases.
                    key={format!("{} {size:?}", props.content)}
                >
                    { props.children.clone() }
                </div>
            </div>
            <p class="stage-foot">
                { props.foot.clone() }
                <button type="button" class="word" onclick={close}>{ "Leave (Esc)" }</button>
            </p>
        </dialog>
    }
}

/// Opens the dialog on the whole screen, and closes it when the visitor leaves that.
#[hook]
fn use_opened(dialog: &NodeRef) {
    let dialog = dialog.clone();
    use_effect_with((), move |()| {
        adopt_style();
        let open = dialog.cast::<HtmlDialogElement>();
        // `showModal` throws for a dialog that is open.
        if let Some(dialog) = open.as_ref().filter(|dialog| !dialog.open()) {
            let _ = dialog.show_modal();
        }
        // A dialog itself may not fill the screen; the page below it may. A refusal changes nothing.
        if let Some(Ok(asked)) = call(&browser::root(), "requestFullscreen") {
            let ignored = Closure::once_into_js(|_: JsValue| ());
            if let Some(promise) = asked.dyn_ref::<js_sys::Promise>() {
                let _ = Reflect::get(promise, &"catch".into())
                    .ok()
                    .and_then(|then| then.dyn_into::<Function>().ok())
                    .map(|then| then.call1(promise, &ignored));
            }
        }
        let listener = EventListener::new(&browser::document(), "fullscreenchange", move |_| {
            if let Some(dialog) = open
                .as_ref()
                .filter(|dialog| dialog.open() && !fills_screen())
            {
                dialog.close();
            }
        });
        move || {
            drop(listener);
            leave_screen();
        }
    });
}

/// Gives the focus to what takes keys, or to the scene, from which they come to the stage.
fn focus(fitted: &NodeRef, holds: bool) {
    let Some(fitted) = fitted.cast::<HtmlElement>() else {
        return;
    };
    let handle = || {
        fitted
            .query_selector("[role=slider], .piece")
            .ok()
            .flatten()
    };
    let first = holds
        .then(handle)
        .flatten()
        .or_else(|| fitted.parent_element());
    if let Some(first) = first.and_then(|first| first.dyn_into::<HtmlElement>().ok()) {
        let _ = first.focus();
    }
}

/// Calls a method without arguments, if there is one.
fn call(of: &JsValue, method: &str) -> Option<Result<JsValue, JsValue>> {
    let method = Reflect::get(of, &method.into()).ok()?;
    Some(method.dyn_into::<Function>().ok()?.call0(of))
}

fn fills_screen() -> bool {
    let element = Reflect::get(&browser::document(), &"fullscreenElement".into());
    element.is_ok_and(|element| element.is_truthy())
}

fn leave_screen() {
    if fills_screen() {
        let _ = call(&browser::document(), "exitFullscreen");
    }
}

/// Returns the width and height of the window.
#[hook]
fn use_size() -> [u32; 2] {
    let now = || {
        let window = browser::window();
        let of = |side: Result<JsValue, JsValue>| {
            side.ok().and_then(|side| side.as_f64()).unwrap_or_default() as u32
        };
        [of(window.inner_width()), of(window.inner_height())]
    };
    let size = use_state_eq(now);
    let set = size.setter();
    use_effect_with((), move |()| {
        let listener = EventListener::new(&browser::window(), "resize", move |_| set.set(now()));
        move || drop(listener)
    });
    *size
}

/// Enlarges an element as far as its parent has room.
fn fit(fitted: &HtmlElement, wide: f64, fresh: bool) {
    let Some(room) = fitted.parent_element() else {
        return;
    };
    let (width, height) = (
        f64::from(room.client_width()),
        f64::from(room.client_height()),
    );
    let style = fitted.style();
    let shown: f64 = style
        .get_property_value("zoom")
        .ok()
        .and_then(|zoom| zoom.parse().ok())
        .unwrap_or(1.0);
    if !fresh && room.scroll_height() <= room.client_height() {
        return;
    }
    // Narrow windows have the content at its usual size, and scroll.
    let wide = wide.min(width);
    let set = |name: &str, value: String| {
        let _ = style.set_property(name, &value);
    };
    set("zoom", "1".to_owned());
    set("width", format!("{wide}px"));
    let tall = f64::from(fitted.offset_height()).max(1.0);
    let fits = (width / wide).min(height / tall).clamp(1.0, MOST);
    let zoom = if fresh { fits } else { fits.min(shown) };
    set("zoom", format!("{zoom:.3}"));
}

/// Adds the style of stages and cards.
pub fn adopt_style() {
    lazy_style::adopt(include_str!("../../../../static/style/lazy/stage.css"));
}
