//! A number within a sentence that can be dragged, moved with the arrow keys, or typed.

use packscope_page::learn::Move;
use web_sys::HtmlElement;
use yew::prelude::*;

/// The approximate distance of a drag from the least to the greatest number, in CSS pixels.
const WAY: f64 = 240.0;

#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    pub name: &'static str,
    /// The accessible name.
    pub label: &'static str,
    pub range: [u32; 2],
    pub step: u32,
    pub value: u32,
    pub shown: String,
    pub moves: Callback<Move>,
}

/// Returns the value after a key; `None` for other keys.
fn pressed(key: &str, value: u32, [least, most]: [u32; 2], step: u32) -> Option<u32> {
    let tenth = (most - least).div_ceil(10).next_multiple_of(step.max(1));
    let moved = match key {
        "ArrowRight" | "ArrowUp" => value.saturating_add(step),
        "ArrowLeft" | "ArrowDown" => value.saturating_sub(step),
        "PageUp" => value.saturating_add(tenth),
        "PageDown" => value.saturating_sub(tenth),
        "Home" => least,
        "End" => most,
        _ => return None,
    };
    Some(moved.clamp(least, most))
}

/// Adds a digit to those that were typed; one that would lead above the greatest number begins anew. Returns the number
/// once it is in the range, at a step.
fn typed(digits: &mut String, key: &str, [least, most]: [u32; 2], step: u32) -> Option<u32> {
    digits.push_str(key);
    if digits.parse().ok().is_none_or(|number: u32| number > most) {
        key.clone_into(digits);
    }
    let number = digits.parse::<u32>().ok()?;
    let steps = number.checked_sub(least)? / step.max(1);
    (number <= most).then(|| least + steps * step.max(1))
}

/// Returns the number that a key asks for; digits count where the number is written as it is.
fn asked(
    e: &KeyboardEvent,
    digits: &mut String,
    is_plain: bool,
    (value, range, step): (u32, [u32; 2], u32),
) -> Option<u32> {
    let key = e.key();
    let is_digit = matches!(key.as_bytes(), [b'0'..=b'9']);
    if is_plain && is_digit && !e.ctrl_key() && !e.meta_key() && !e.alt_key() {
        return typed(digits, &key, range, step);
    }
    digits.clear();
    pressed(&key, value, range, step)
}

#[component]
pub fn Scrub(props: &Props) -> Html {
    let Props {
        name,
        label,
        range,
        step,
        value,
        shown,
        moves,
    } = props.clone();
    let [least, most] = range;
    // The position where the pointer took hold, and the number at that time.
    let held = use_mut_ref(|| None::<(f64, u32)>);
    // Keys may come faster than renderings: each starts from the result of the last one.
    let latest = use_mut_ref(|| value);
    *latest.borrow_mut() = value;
    let set = {
        let latest = latest.clone();
        move |number: u32| {
            *latest.borrow_mut() = number;
            moves.emit((name, vec![number]));
        }
    };
    let onpointerdown = {
        let held = held.clone();
        Callback::from(move |e: PointerEvent| {
            if let Some(element) = e.target_dyn_into::<HtmlElement>() {
                let _ = element.set_pointer_capture(e.pointer_id());
            }
            *held.borrow_mut() = Some((f64::from(e.client_x()), value));
        })
    };
    let onpointermove = {
        let (held, set) = (held.clone(), set.clone());
        Callback::from(move |e: PointerEvent| {
            let Some((from, at)) = *held.borrow() else {
                return;
            };
            let steps = f64::from((most - least) / step.max(1)).max(1.0);
            // Pixels of a step: few steps do not lie far apart, and many can still be told from
            // each other.
            let way = (WAY / steps).clamp(0.5, 14.0);
            let moved = ((f64::from(e.client_x()) - from) / way).round() * f64::from(step);
            let number = (f64::from(at) + moved).clamp(f64::from(least), f64::from(most)) as u32;
            if number != value {
                set(number);
            }
        })
    };
    let onpointerup = Callback::from(move |_: PointerEvent| *held.borrow_mut() = None);
    let digits = use_mut_ref(String::new);
    let onblur = {
        let digits = digits.clone();
        Callback::from(move |_: FocusEvent| digits.borrow_mut().clear())
    };
    // What is shown may be a power of two or a tenth of the number: then digits would be those of another one.
    let is_plain = shown.replace(',', "") == value.to_string();
    let onkeydown = Callback::from(move |e: KeyboardEvent| {
        let from = *latest.borrow();
        let number = asked(&e, &mut digits.borrow_mut(), is_plain, (from, range, step));
        if let Some(number) = number {
            e.prevent_default();
            set(number);
        }
    });
    let share = f64::from(value - least) / f64::from(most - least).max(1.0);
    // Inset, so that the knob is whole at both ends.
    let at = format!("{:.2}%", 4.0 + share * 92.0);
    html! {
        <span
            class="scrub"
            role="slider"
            tabindex="0"
            data-knob={name}
            aria-label={label}
            aria-valuemin={least.to_string()}
            aria-valuemax={most.to_string()}
            aria-valuenow={value.to_string()}
            aria-valuetext={shown.clone()}
            {onpointerdown}
            {onpointermove}
            onpointercancel={onpointerup.clone()}
            {onpointerup}
            {onkeydown}
            {onblur}
        >
            { shown }
            <svg width="100%" height="8" aria-hidden="true">
                <rect class="way" y="3" width="100%" height="2" />
                <rect class="gone" y="3" width={at.clone()} height="2" />
                <circle cx={at} cy="4" r="4" />
            </svg>
        </span>
    }
}
