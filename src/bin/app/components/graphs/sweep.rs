//! The sweep of limits: a map of the limits tried, filled in as they are computed.

use super::sweep_controls::Controls;
use super::tried::Tried;
use super::{Props, notes};
use crate::components::figure::{Figure, Keys, drawn, use_hover};
use crate::components::titled;
use crate::shared::Same;
use packscope::sweep::{SweepMethod, SweepPoint};
use packscope_chart::limits_line;
use packscope_chart::sweep::Input as Map;
use packscope_page::state::GraphState;
use packscope_page::state::graphs::{Action, findings};
use std::rc::Rc;
use yew::prelude::*;

/// The fewest points at one second limit that are drawn as a line.
const LINE: usize = 3;

#[component]
pub fn Sweep(props: &Props) -> Html {
    let (hover, onhover) = use_hover();
    let state = &props.state.graphs;
    let points = Same(Rc::clone(&state.course.points));
    let key = (
        state.version(),
        points,
        state.course.swept,
        state.ranges(),
        state.limits(),
    );
    let chart = use_memo((key, state.course.target.to_bits()), |_| map(state));
    let onpick = props.dispatch.reform(Action::Limits);
    // Points of other data or settings stay, dimmed, until a sweep replaces them.
    let stale = !state.course.points.is_empty() && !state.is_swept();
    html! {
        <section
            class={classes!("sweep", stale.then_some("stale"))}
            id="sweep"
            tabindex="-1"
            data-sweep={data(state)}
            data-points={state.course.points.len().to_string()}
        >
            <h2>{ titled(&findings::of_sweep(state)) }</h2>
            <div class="pair">
                <div>
                    <div class="caption">
                        <p>{ readout(state, hover) }</p>
                    </div>
                    <Figure
                        name="sweep"
                        title={findings::of_sweep(state)}
                        theme={props.state.theme}
                        class="tall-sweep"
                        chart={drawn(&chart)}
                        keys={Keys::Point}
                        {hover}
                        {onhover}
                        {onpick}
                    />
                    <Tried state={props.state.clone()} dispatch={props.dispatch.clone()} />
                </div>
                <div>
                    <Controls state={props.state.clone()} dispatch={props.dispatch.clone()} />
                    { findings(props) }
                    <Line state={props.state.clone()} dispatch={props.dispatch.clone()} />
                    // The note compares with the paper’s sets.
                    if state.is_published() {
                        { notes::of_sweep() }
                    }
                </div>
            </div>
        </section>
    }
}

/// The progress of the sweep, for tests and style sheets.
fn data(state: &GraphState) -> &'static str {
    match (state.course.running, state.course.points.is_empty()) {
        (true, _) => "running",
        (false, true) => "none",
        (false, false) => "over",
    }
}

/// Describes the limits under the pointer, or gives a hint.
fn readout(state: &GraphState, hover: Option<[u32; 2]>) -> String {
    match hover {
        Some(limits) => match state.course.point_at(limits) {
            Some(point) => findings::point(point, &state.words()),
            None => format!("{}: not tried yet", findings::limits(limits)),
        },
        None if state.course.points.is_empty() => {
            let words = state.words();
            format!(
                "harmonic mean of {} and {} efficiency, by both limits",
                words.singular(0),
                words.singular(1)
            )
        }
        None => "a press takes the limits there; the arrow keys move, Enter takes".to_owned(),
    }
}

/// The findings in words, with buttons that apply their limits.
fn findings(props: &Props) -> Html {
    let state = &props.state.graphs;
    let (course, words) = (&state.course, state.words());
    let take = |p: &SweepPoint<2>| {
        let limits = p.limits;
        let onclick = props.dispatch.reform(move |_| Action::Limits(limits));
        html! { <button type="button" class="word" {onclick}>{ findings::limits(limits) }</button> }
    };
    let rest = |p: &SweepPoint<2>| {
        findings::point(p, &words)
            // The sentence begins with the limits, which are a button here.
            .split_once(':')
            .map(|(_, rest)| rest.to_owned())
            .unwrap_or_default()
    };
    let item = |name: &str, p: &SweepPoint<2>| {
        let checked = if course.is_checked(p.limits) {
            " (checked)"
        } else {
            ""
        };
        let loss = findings::of_loss(state, p.limits);
        html! {
            <li>
                <b>{ name }</b>
                { " " }
                { take(p) }
                { ":" }
                { rest(p) }
                { loss }
                { checked }
                { "." }
            </li>
        }
    };
    let Some(best) = course.best() else {
        return Html::default();
    };
    let target = packscope::words::tick_percent(course.target);
    let front = course.front();
    html! {
        <ul class="found">
            { item("Best", best) }
            if let Some(smallest) = course.smallest() {
                { item(&format!("Smallest with {target} in both"), smallest) }
            } else {
                <li>{ findings::of_missed(state, &target) }</li>
            }
            <li>
                <b>{ "Pareto front" }</b>
                { format!(
                    ", {}: no smaller limits are fuller. ",
                    packscope::words::plural(front.len() as u64, "point")
                ) }
                {
                    for front
                        .iter()
                        .rev()
                        .take(6)
                        .enumerate()
                        .map(|(i, p)| html! { <>{ if i > 0 { ", " } else { "" } }{ take(p) }</> })
                }
                if front.len() > 6 {
                    { " …" }
                }
            </li>
        </ul>
    }
}

fn map(state: &GraphState) -> Map {
    let course = &state.course;
    // The axes are those of the points, also where the ranges were changed since.
    let ranges = course.swept.unwrap_or_else(|| state.ranges());
    Map {
        axes: ranges.map(|range| range.values().collect()),
        grid: course.points.is_empty() || course.method == SweepMethod::Grid,
        points: Rc::clone(&course.points),
        front: course.front().iter().map(|p| p.limits).collect(),
        adopted: state.limits(),
        best: course.best().map(|p| p.limits),
        smallest: course.smallest().map(|p| p.limits),
        names: state.words().components,
    }
}

/// Both efficiencies against the first limit, at the current second limit: the best limit is where
/// they cross.
#[component]
fn Line(props: &Props) -> Html {
    let state = &props.state.graphs;
    let key = (
        state.version(),
        Same(Rc::clone(&state.course.points)),
        state.limits(),
    );
    let chart = use_memo(key, |_| limits_line::Input {
        points: line(state),
        at: state.limits(),
        names: state.words().components,
    });
    if chart.points.len() < LINE {
        return Html::default();
    }
    let onpick = props
        .dispatch
        .reform(|[limit, _]: [u32; 2]| Action::Limit(0, limit));
    let title = chart.caption();
    html! {
        <div class="line-plot">
            <p class="caption">{ &title }</p>
            <Figure
                name="limits"
                {title}
                theme={props.state.theme}
                class="tall-line"
                chart={drawn(&chart)}
                keys={Keys::Pick}
                {onpick}
            />
        </div>
    }
}

/// Returns the first limits and efficiencies of the points at the current second limit, ascending.
fn line(state: &GraphState) -> Vec<(u32, [f64; 2])> {
    let edges = state.limits()[1];
    let here = state.course.points.iter().filter(|p| p.limits[1] == edges);
    let mut line: Vec<_> = here.map(|p| (p.limits[0], p.efficiency)).collect();
    line.sort_unstable_by_key(|(limit, _)| *limit);
    line
}
