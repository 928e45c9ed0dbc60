//! A number with its name and unit: to be typed, and to be moved.

use super::exact::{Exact, number};
use crate::components::explained::terms;
use packscope::words::count;
use yew::prelude::*;

/// What a slider shows, and what it changes.
pub struct Slider {
    /// Its id.
    pub id: &'static str,
    /// What it sets.
    pub label: String,
    /// Of what.
    pub unit: String,
    /// The number in force, as it is typed.
    pub value: String,
    /// The largest number that can be typed.
    pub most: u32,
    /// Where the slider stands, and its ends.
    pub at: (u32, [u32; 2]),
    /// What is below it, evenly spaced.
    pub marks: Vec<String>,
    /// What is typed.
    pub typed: Callback<String>,
    /// Where the slider is moved.
    pub moved: Callback<u32>,
}

/// The slider.
pub fn slider(slider: Slider) -> Html {
    let Slider { id, label, unit, value, most, at: (at, [least, last]), marks, typed, moved } = slider;
    let oninput = Callback::from(move |e: InputEvent| {
        if let Some(at) = number(&e) {
            moved.emit(at);
        }
    });
    let spoken = value.parse().map_or_else(|_| value.clone(), count);
    html! { <>
        <div class="line">
            <label for={id}>{ terms(&label) }</label>
            <Exact name={format!("{label}, {unit}")} {value} min={f64::from(least.min(1))} max={f64::from(most)} {typed} />
        </div>
        <input {id} type="range" min={least.to_string()} max={last.to_string()} value={at.to_string()} aria-valuetext={format!("{spoken} {unit}")} {oninput} />
        if !marks.is_empty() {
            <div class="marks" aria-hidden="true">{ for marks.into_iter().map(|m| html! { <span>{ m }</span> }) }</div>
        }
    </> }
}

/// A share, as percent: whole ones on the slider, any when typed.
pub fn share(id: &'static str, label: &str, unit: &str, share: f64, set: &Callback<f64>) -> Html {
    let typed = {
        let set = set.clone();
        Callback::from(move |text: String| {
            if let Some(percent) = text.parse::<f64>().ok().filter(|p| (0.0..=100.0).contains(p)) {
                set.emit(percent / 100.0);
            }
        })
    };
    slider(Slider {
        id,
        label: label.to_owned(),
        unit: unit.to_owned(),
        value: ((share * 1e4).round() / 100.0).to_string(),
        most: 100,
        at: ((share * 100.0).round() as u32, [0, 100]),
        marks: [0, 25, 50, 75, 100].map(|p| format!("{p} %")).to_vec(),
        typed,
        moved: set.reform(|percent| f64::from(percent) / 100.0),
    })
}

/// Whole numbers from 1 on, as they are typed.
pub fn whole<T: std::str::FromStr + PartialOrd + Default + 'static>(set: &Callback<T>) -> Callback<String> {
    let set = set.clone();
    Callback::from(move |text: String| {
        if let Some(number) = text.parse().ok().filter(|n| *n > T::default()) {
            set.emit(number);
        }
    })
}

/// The same, or nothing.
pub fn optional<T: std::str::FromStr + PartialOrd + Default + 'static>(
    set: &Callback<Option<T>>,
) -> Callback<String> {
    let (none, some) = (set.clone(), whole(&set.reform(Some)));
    Callback::from(move |text: String| if text.is_empty() { none.emit(None) } else { some.emit(text) })
}
