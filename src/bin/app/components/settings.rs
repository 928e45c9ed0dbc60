//! Settings shared by all views: limit, depth, choices, switches, overlong policy.

use super::exact::entered;
use super::explained::{quiet, terms};
use super::slider::{Slider, slider, whole};
use super::{filtered, list};
use packscope::histogram::Overlong;
use packscope::packing::Depth;
use packscope::words::count;
use packscope_page::state::{Action, AppState, Budget};
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// The control of a limit, with its value and its maximum on the slider.
pub fn limit_of(
    id: &'static str,
    label: &str,
    unit: &str,
    (value, max): (u32, u32),
    set: &Callback<u32>,
) -> Html {
    // The slider starts at 1, and the marks are spaced evenly; five of millions have no room.
    let marks = (0..=4)
        .step_by(if max < 1_000_000 { 1 } else { 2 })
        .map(|i| count(1 + u64::from(max.saturating_sub(1)) * i / 4))
        .collect();
    let (at, typed) = ((value, [1, max]), whole(set));
    let (label, unit, value) = (label.to_owned(), unit.to_owned(), value.to_string());
    let shown = Slider {
        id,
        label,
        unit,
        value,
        most: u32::MAX,
        at,
        marks,
        typed,
        moved: set.clone(),
    };
    html! { <section class="control">{ slider(shown) }</section> }
}

/// The control of the depth, one of those on offer.
pub fn depth_of(
    label: &str,
    hint: &str,
    (depth, depths): (Depth, &[Depth]),
    set: Callback<Depth>,
) -> Html {
    // The depths on offer include the present one.
    let at = depths.iter().position(|d| *d == depth).unwrap_or(0);
    let words = |d: &Depth| {
        if *d == Depth::Unlimited {
            "∞".to_owned()
        } else {
            d.to_string()
        }
    };
    let last = depths.len() - 1;
    let oninput = {
        let depths = depths.to_vec();
        filtered(&set, move |e: InputEvent| {
            depths.get(entered::<usize>(&e)?).copied()
        })
    };
    // The value of the slider is a place in the list, which says nothing when read out.
    let spoken = if depth == Depth::Unlimited {
        "unlimited".to_owned()
    } else {
        depth.to_string()
    };
    html! {
        <section class="control">
            <div class="line">
                <label for="depth">{ terms(label) }</label>
                // An `output` is read out at each change unless told otherwise; the slider says its
                // value itself.
                <output for="depth" aria-live="off">{ words(&depth) }</output>
            </div>
            <input
                id="depth"
                type="range"
                min="0"
                max={last.to_string()}
                value={at.to_string()}
                aria-valuetext={spoken}
                {oninput}
            />
            <div class="marks" aria-hidden="true">
                {
                    for depths
                        .iter()
                        .enumerate()
                        .map(|(i, d)| html! {
                            <span class={classes!((i == at).then_some("needle"))}>
                                { words(d) }
                            </span>
                        })
                }
            </div>
            <p class="hint">{ terms(hint) }</p>
        </section>
    }
}

/// An option of [`choices`].
pub struct ChoiceOption {
    /// The name in the URL.
    pub value: String,
    /// The name people read.
    pub name: String,
    /// The result, such as the number of packs; may be empty.
    pub figure: String,
    /// A description of one line; may be empty.
    pub about: String,
    /// Further settings of the option.
    pub more: Html,
    pub chosen: bool,
    pub choose: Callback<Event>,
}

/// A group of options, each with its result; `of` says what the results are.
pub fn choices(
    group: &'static str,
    legend: &'static str,
    of: &str,
    options: impl IntoIterator<Item = ChoiceOption>,
) -> Html {
    let radio = |o: ChoiceOption| {
        let id = format!("{group}-{}", o.value);
        html! {
            <div class="radio">
                <input
                    type="radio"
                    name={group}
                    id={id.clone()}
                    value={o.value}
                    checked={o.chosen}
                    onchange={o.choose}
                />
                <label for={id}>
                    <span class="line">
                        <b>{ o.name }</b>
                        <span>{ o.figure }</span>
                    </span>
                    if !o.about.is_empty() {
                        <small>{ quiet(&o.about) }</small>
                    }
                </label>
                { o.more }
            </div>
        }
    };
    html! {
        <fieldset class="control">
            <legend class="line">
                <span>{ terms(legend) }</span>
                <small>{ quiet(of) }</small>
            </legend>
            { for options.into_iter().map(radio) }
        </fieldset>
    }
}

pub fn deepest(depth: Depth) -> String {
    if depth == Depth::Unlimited {
        "any depth".to_owned()
    } else {
        format!("depth {depth}")
    }
}

pub fn switch(id: &'static str, name: &str, about: &str, on: bool, set: &Callback<bool>) -> Html {
    let onchange = filtered(set, |e: Event| {
        Some(e.target_dyn_into::<HtmlInputElement>()?.checked())
    });
    html! {
        <div class="radio">
            <input type="checkbox" {id} checked={on} {onchange} />
            <label for={id}>
                <b>{ terms(name) }</b>
                if !about.is_empty() {
                    <small>{ quiet(about) }</small>
                }
            </label>
        </div>
    }
}

/// The switch of the search in the background, for the whole page.
pub fn in_background(state: &AppState, dispatch: &Callback<Action>) -> Html {
    let about = "Computes the optimum, and what else takes long, before you ask. Off saves battery; what you choose is still computed.";
    switch(
        "background",
        "Search in the background",
        about,
        state.background.on,
        &dispatch.reform(Action::Background),
    )
}

/// The control of the time limit of the search for the optimum; nothing unless the optimum is
/// chosen.
pub fn budget(state: &AppState, optimal: bool, dispatch: &Callback<Action>) -> Html {
    if !optimal {
        return Html::default();
    }
    let set = filtered(dispatch, |name: String| {
        name.parse().ok().map(Action::Budget)
    });
    let now = state.background.budget;
    let all = Budget::ALL.map(|b| (b.name().into(), b.long_name().into(), b == now));
    html! {
        <p class="hint">
            <label for="budget">{ "Search for at most " }</label>
            { list("budget", all, &set) }
        </p>
    }
}

/// Two cells for a row that is computed only on request, with the button for it.
pub fn left_out(search: bool, choose: &Callback<MouseEvent>) -> Html {
    let (left, ask) = if search {
        ("not searched for", "search")
    } else {
        ("not run", "run")
    };
    html! {
        <td colspan="2" class="left-out" data-left-out="">
            { left }
            { " · " }
            <button type="button" class="word" onclick={choose.clone()}>{ ask }</button>
        </td>
    }
}

/// Two cells for a row that is being computed.
pub fn computing() -> Html {
    html! { <td colspan="2" class="left-out" data-coming="">{ "computing …" }</td> }
}

/// Draws whether the plan of the optimum is proven, for its row.
pub fn proof(known: Option<&str>) -> Html {
    known.map_or_else(
        Html::default,
        |known| html! { <small class="so-far">{ " " }{ known }</small> },
    )
}

/// Returns the name of an algorithm in a list; that of the optimum says whether its plan is proven.
pub fn with_proof(name: &str, known: Option<&str>) -> String {
    known.map_or_else(|| name.to_owned(), |known| format!("{name}, {known}"))
}

pub fn policy_of(
    label: String,
    policies: impl IntoIterator<Item = Overlong>,
    now: Overlong,
    set: Callback<String>,
) -> Html {
    let all = policies
        .into_iter()
        .map(|p| (p.name().into(), p.long_name().into(), now == p));
    html! {
        <>
            <label for="overlong">{ terms(&label) }</label>
            { list("overlong", all, &set) }
        </>
    }
}
