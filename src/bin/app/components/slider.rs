//! A number with its name and unit, as a field and a slider.

use super::exact::{Exact, entered};
use super::filtered;
use crate::components::explained::terms;
use packscope::accepts;
use packscope::words::count;
use std::ops::RangeBounds;
use yew::prelude::*;

pub struct Slider {
    pub id: &'static str,
    pub label: String,
    pub unit: String,
    /// The current number, as text.
    pub value: String,
    /// The largest number that can be typed.
    pub most: u32,
    /// The position of the slider, and its ends.
    pub at: (u32, [u32; 2]),
    /// The marks below the slider, evenly spaced.
    pub marks: Vec<String>,
    pub typed: Callback<String>,
    pub moved: Callback<u32>,
}

pub fn slider(slider: Slider) -> Html {
    let Slider {
        id,
        label,
        unit,
        value,
        most,
        at: (at, [least, last]),
        marks,
        typed,
        moved,
    } = slider;
    let oninput = filtered(&moved, |e: InputEvent| entered(&e));
    let spoken = value.parse().map_or_else(|_| value.clone(), count);
    html! {
        <>
            <div class="line">
                <label for={id}>{ terms(&label) }</label>
                <Exact
                    name={format!("{label}, {unit}")}
                    {value}
                    min={f64::from(least.min(1))}
                    max={f64::from(most)}
                    {typed}
                />
            </div>
            <input
                {id}
                type="range"
                min={least.to_string()}
                max={last.to_string()}
                value={at.to_string()}
                aria-valuetext={format!("{spoken} {unit}")}
                {oninput}
            />
            if !marks.is_empty() {
                <div class="marks" aria-hidden="true">
                    { for marks.into_iter().map(|m| html! { <span>{ m }</span> }) }
                </div>
            }
        </>
    }
}

/// A slider over the powers of two up to 2^`last`, for any whole number up to `most` when typed.
pub fn powers(
    id: &'static str,
    [label, unit]: [&str; 2],
    (value, most): (u32, u32),
    last: u32,
    set: &Callback<u32>,
) -> Html {
    slider(Slider {
        id,
        label: label.to_owned(),
        unit: unit.to_owned(),
        value: value.to_string(),
        most,
        // A typed number stands at the power of two below it.
        at: (value.max(1).ilog2().min(last), [0, last]),
        marks: (0..=last)
            .step_by(2)
            .map(|power| count(1 << power))
            .collect(),
        typed: whole(set),
        // Bounded, since a shift by 32 or more overflows.
        moved: set.reform(move |power: u32| 1 << power.min(last)),
    })
}

/// A slider for a share in percent: whole percents on the slider, any number when typed.
pub fn share(id: &'static str, label: &str, unit: &str, share: f64, set: &Callback<f64>) -> Html {
    let typed = real(0.0..=100.0, &set.reform(|percent| percent / 100.0));
    slider(Slider {
        id,
        label: label.to_owned(),
        unit: unit.to_owned(),
        // Two decimals of a percent: the product of floats alone has up to seventeen digits.
        value: ((share * 1e4).round() / 100.0).to_string(),
        most: 100,
        at: ((share * 100.0).round() as u32, [0, 100]),
        marks: [0, 25, 50, 75, 100].map(|p| format!("{p} %")).to_vec(),
        typed,
        moved: set.reform(|percent| f64::from(percent) / 100.0),
    })
}

/// Returns a callback for typed text that passes on positive whole numbers.
pub fn whole<T: std::str::FromStr + PartialOrd + Default + 'static>(
    set: &Callback<T>,
) -> Callback<String> {
    filtered(set, |text: String| {
        text.parse().ok().filter(|n| *n > T::default())
    })
}

/// Returns a callback for typed text that passes on finite numbers within a range.
pub fn real(range: impl RangeBounds<f64> + 'static, set: &Callback<f64>) -> Callback<String> {
    filtered(set, move |text: String| {
        accepts::number(&text).filter(|n| n.is_finite() && range.contains(n))
    })
}

/// Like [`whole`], but passes on `None` for empty text.
pub fn optional<T: std::str::FromStr + PartialOrd + Default + 'static>(
    set: &Callback<Option<T>>,
) -> Callback<String> {
    let (none, some) = (set.clone(), whole(&set.reform(Some)));
    Callback::from(move |text: String| {
        if text.is_empty() {
            none.emit(None)
        } else {
            some.emit(text)
        }
    })
}
