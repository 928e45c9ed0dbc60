//! Settings and progress of a sweep.

use super::Props;
use crate::components::exact::Exact;
use crate::components::slider::real;
use crate::components::unseen::Announce;
use crate::components::waiting::use_left;
use crate::components::{filtered, list};
use packscope::api::PackingSettings;
use packscope::ingest::ItemWords;
use packscope::sweep::{Range, SweepMethod};
use packscope::words::{capital, count, plural};
use packscope_page::state::GraphState;
use packscope_page::state::graphs::{Action, row_name};
use yew::prelude::*;

#[component]
pub fn Controls(props: &Props) -> Html {
    let state = &props.state.graphs;
    let (ranges, words) = (state.ranges(), state.words());
    let method = filtered(&props.dispatch, |name: String| {
        name.parse().ok().map(Action::Method)
    });
    let methods = SweepMethod::ALL.map(|m| {
        (
            m.name().into(),
            m.long_name().into(),
            state.course.method == m,
        )
    });
    let (all, tried) = (pairs(&ranges), state.course.points.len() as u64);
    let swept = state.course.swept.map_or(all, |swept| pairs(&swept));
    // Each run is work of its own, whose pace is measured anew.
    let left = use_left(
        &format!("sweep {}", state.course.run),
        tried as f64 / swept.max(1) as f64,
    );
    let target = real(
        0.0..=100.0,
        &props
            .dispatch
            .reform(|percent| Action::Target(percent / 100.0)),
    );
    html! {
        <div class="sweep-controls" role="group" aria-label="Limits to try">
            <div class="ranges">
                <span />
                <span>{ "from" }</span>
                <span>{ "to" }</span>
                <span>{ "step" }</span>
                { for (0..2).map(|k| bounds(props, k, ranges[k], &words)) }
            </div>
            <div class="two">
                <div>
                    <label for="method">{ "Method" }</label>
                    { list("method", methods, &method) }
                </div>
                <div>
                    <label for="target">{ "Target for both, %" }</label>
                    <Exact
                        id="target"
                        class="field"
                        name="Target for both, %"
                        min=0.0
                        max=100.0
                        step="0.5"
                        value={((state.course.target * 1e4).round() / 100.0).to_string()}
                        typed={target}
                    />
                </div>
            </div>
            // No time limit ends a sweep, so only its pace says how long it still takes.
            { start(props, state, [tried, swept], left(f64::INFINITY)) }
        </div>
    }
}

/// Puts the first letter of a name in lower case, for use within a sentence.
fn uncapital(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| {
        std::iter::once(first.to_ascii_lowercase())
            .chain(letters)
            .collect()
    })
}

/// The fields for the first limit, the last limit and the step of one component.
fn bounds(props: &Props, k: usize, now: Range, words: &ItemWords) -> Html {
    let field = |label: &str, value: u32, change: fn(Range, u32) -> Range| {
        let typed = filtered(&props.dispatch, move |text: String| {
            // Invalid text, such as an unfinished number, changes nothing.
            let range = change(now, text.parse().ok()?);
            Some(Action::Range(
                k,
                Range::new(range.from, range.to, range.step).ok()?,
            ))
        });
        let label = format!("{} limit, {label}", words.singular(k));
        html! { <Exact class="field" name={capital(&label)} value={value.to_string()} {typed} /> }
    };
    html! {
        <>
            <span>{ capital(words.short(k)) }</span>
            { field("from", now.from, |r, from| Range { from, to: r.to.max(from), ..r }) }
            { field("to", now.to, |r, to| Range { to, ..r }) }
            { field("step", now.step, |r, step| Range { step, ..r }) }
        </>
    }
}

/// Names the algorithm of the points, and the one that checks those that matter.
fn packed_with(state: &GraphState, names: &ItemWords) -> String {
    if !state.is_sweep_checked() {
        return format!(
            "Packed with {}.",
            uncapital(&row_name(names, state.sweep_settings().row()))
        );
    }
    let checked = match (state.course.checked(), state.course.doubtful.len()) {
        (0, 0) => String::new(),
        (n, 0) => format!(
            " Best, smallest and front, and nearby limits, {} in all, are packed with Search too.",
            count(n)
        ),
        (n, left) => format!(
            " Checking with Search: {} of {} …",
            count(n),
            count(n + left as u64)
        ),
    };
    format!(
        "Packed with the best of four fast heuristics at each {}.{checked}",
        pair(names)
    )
}

/// Returns the word for a pair of limits: “pair”, or “point” if the items are pairs themselves.
fn pair(names: &ItemWords) -> &'static str {
    if names.are_graphs() { "pair" } else { "point" }
}

fn pairs(ranges: &[Range; 2]) -> u64 {
    ranges.iter().map(|range| u64::from(range.len())).product()
}

/// The start button, the progress with the time left, and the algorithm in use.
fn start(
    props: &Props,
    state: &GraphState,
    [tried, swept]: [u64; 2],
    left: Option<String>,
) -> Html {
    let course = &state.course;
    let (action, word) = if course.running {
        (Action::Stop, "Cancel (Esc)")
    } else {
        (Action::Start, "Start")
    };
    let onclick = props.dispatch.reform(move |_| action.clone());
    let grid = course.method == SweepMethod::Grid;
    let names = state.words();
    let pair = pair(&names);
    // Points of other ranges say nothing about the sweep to come.
    let begun = tried > 0 && state.is_on_offer();
    let words = match (course.running, begun) {
        (false, false) if grid => format!("{} to try", plural(pairs(&state.ranges()), pair)),
        (false, false) => "Looks only where it pays".to_owned(),
        _ if grid => format!("{} of {}", count(tried), plural(swept, pair)),
        _ => plural(tried, pair),
    };
    html! {
        <>
            <div class="line start">
                <button type="button" class="solid" {onclick} disabled={state.data.is_none()}>
                    { word }
                </button>
                <span>{ &words }</span>
                <Announce {words} held={course.running} />
            </div>
            if course.running {
                if grid {
                    <small class="left">{ left }</small>
                }
                <progress
                    max="1"
                    // Only of a grid is it known how many points there will be.
                    value={grid.then(|| format!("{:.3}", tried as f64 / swept.max(1) as f64))}
                    aria-label="Limits tried"
                />
            }
            if let Some(trouble) = &course.trouble {
                <p class="hint" role="alert">{ trouble }</p>
            }
            <p class="hint">
                { packed_with(state, &names) }
                if !course.points.is_empty() && !state.is_swept() {
                    <b>{ " The points on the map are of other settings; start again." }</b>
                }
            </p>
        </>
    }
}
