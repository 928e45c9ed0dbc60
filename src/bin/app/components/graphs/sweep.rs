//! The sweep of limits: a map of the limits tried, filled in as they are computed.

use super::sweep_controls::Controls;
use super::tried::Tried;
use super::{Props, notes};
use crate::components::behind::behind;
use crate::components::{filtered, titled};
use crate::plot::{Draw, Plot, Room, further};
use crate::shared::Same;
use packscope::chart::Frame;
use packscope::chart::{limits_line, sweep as chart};
use packscope::state::GraphState;
use packscope::state::graphs::{Action, Words, findings};
use packscope::sweep::{Method, Point, Range};
use packscope::words::{count, percent};
use std::rc::Rc;
use yew::prelude::*;

/// The least points at one second limit that make a line.
const LINE: usize = 3;

/// The sweep.
#[component]
pub fn Sweep(props: &Props) -> Html {
    let hover = use_state_eq(|| None::<[u32; 2]>);
    let state = &props.state.graphs;
    let points = Same(Rc::clone(&state.course.points));
    let key = (state.version(), points, state.course.swept, state.ranges(), state.limits());
    let target = state.course.target.to_bits();
    let field = use_memo((key.clone(), target), |_| Rc::new(Field::new(state)));
    let draw = use_memo((key, target, *hover), |_| Field::drawing(&field, *hover));
    let at = |field: &Rc<Field>| {
        let field = Rc::clone(field);
        move |(x, y, room): (f64, f64, Room)| field.with(None, |i| chart::layout(i, &room.measure()).at(x, y))
    };
    let onpoint = {
        let (at, hover) = (at(&field), hover.setter());
        Callback::from(move |place: Option<_>| hover.set(place.and_then(&at)))
    };
    let onpress = {
        let at = at(&field);
        filtered(&props.dispatch, move |place| at(place).map(Action::Limits))
    };
    let onstep = {
        let (field, hover) = (Rc::clone(&field), hover.clone());
        Callback::from(move |step| hover.set(field.stepped(*hover, step)))
    };
    let onenter = {
        let hover = hover.clone();
        Some(filtered(&props.dispatch, move |()| hover.map(Action::Limits)))
    };
    let stale = !state.course.points.is_empty() && !state.is_swept();
    html! {
        <section class={classes!("sweep", stale.then_some("stale"))} id="sweep" tabindex="-1" data-sweep={data(state)} data-points={state.course.points.len().to_string()}>
            <h2>{ titled(&findings::of_sweep(state)) }</h2>
            <div class="pair">
                <div>
                    <div class="caption"><p>{ readout(state, *hover) }</p></div>
                    <Plot name="sweep" title={findings::of_sweep(state)} theme={props.state.theme} class="tall-sweep" label={field.with(None, chart::summary)} draw={(*draw).clone()} {onpoint} {onpress} {onstep} {onenter} />
                    <Tried state={props.state.clone()} dispatch={props.dispatch.clone()} />
                </div>
                <div>
                    <Controls state={props.state.clone()} dispatch={props.dispatch.clone()} />
                    { found(props) }
                    <Line state={props.state.clone()} dispatch={props.dispatch.clone()} />
                    if state.words().are_graphs() { { notes::of_sweep() } }
                </div>
            </div>
        </section>
    }
}

/// The progress of the sweep, for tests and styles.
fn data(state: &GraphState) -> &'static str {
    match (state.course.running, state.course.points.is_empty()) {
        (true, _) => "running",
        (false, true) => "none",
        (false, false) => "over",
    }
}

/// The limits under the pointer in words, or a hint.
fn readout(state: &GraphState, hover: Option<[u32; 2]>) -> String {
    match hover {
        Some(limits) => match state.course.at(limits) {
            Some(point) => findings::point(point, &state.words()),
            None => format!("{}: not tried yet", findings::limits(limits)),
        },
        None if state.course.points.is_empty() => {
            let words = state.words();
            format!("harmonic mean of {} and {} efficiency, by both limits", words.one(0), words.one(1))
        }
        None => "a click takes the limits under the pointer; the arrow keys move, Enter takes".to_owned(),
    }
}

/// The findings in words, with buttons that adopt their limits.
fn found(props: &Props) -> Html {
    let state = &props.state.graphs;
    let (course, words) = (&state.course, state.words());
    let take = |p: &Point<2>| {
        let limits = p.limits;
        let onclick = props.dispatch.reform(move |_| Action::Limits(limits));
        html! { <button type="button" class="word" {onclick}>{ findings::limits(limits) }</button> }
    };
    let rest = |p: &Point<2>| {
        findings::point(p, &words).split_once(':').map(|(_, rest)| rest.to_owned()).unwrap_or_default()
    };
    let item = |name: &str, p: &Point<2>| {
        let checked = if course.is_checked(p.limits) { " (checked)" } else { "" };
        let loss = findings::of_loss(state, p.limits);
        html! { <li><b>{ name }</b>{ " " }{ take(p) }{ ":" }{ rest(p) }{ loss }{ checked }{ "." }</li> }
    };
    let Some(best) = course.best() else { return Html::default() };
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
                <b>{ "Pareto front" }</b>{ format!(", {}: no smaller limits are fuller. ", packscope::words::plural(front.len() as u64, "point")) }
                { for front.iter().rev().take(6).enumerate().map(|(i, p)| html! { <>{ if i > 0 { ", " } else { "" } }{ take(p) }</> }) }
                if front.len() > 6 { { " …" } }
            </li>
        </ul>
    }
}

/// The data of the map, independent of the state.
struct Field {
    axes: [Vec<u32>; 2],
    grid: bool,
    points: Vec<chart::Point>,
    front: Vec<[u32; 2]>,
    adopted: [u32; 2],
    best: Option<[u32; 2]>,
    smallest: Option<[u32; 2]>,
    words: Words,
}

impl Field {
    fn new(state: &GraphState) -> Self {
        let course = &state.course;
        let ranges = course.swept.unwrap_or_else(|| state.ranges());
        let values = |r: Range| r.values().collect();
        let point = |p: &Point<2>| chart::Point { limits: p.limits, packs: p.packs, harmonic: p.harmonic };
        Self {
            axes: ranges.map(values),
            grid: course.points.is_empty() || course.method == Method::Grid,
            points: course.points.iter().map(point).collect(),
            front: course.front().iter().map(|p| p.limits).collect(),
            adopted: state.limits(),
            best: course.best().map(|p| p.limits),
            smallest: course.smallest().map(|p| p.limits),
            words: state.words(),
        }
    }

    /// Returns the limits after steps to the right and up; initially those in force, or the nearest on the map.
    fn stepped(&self, from: Option<[u32; 2]>, [right, up]: [i32; 2]) -> Option<[u32; 2]> {
        let near = |k: usize, value: u32| self.axes[k].iter().rposition(|v| *v <= value).unwrap_or(0);
        let steps = if from.is_some() { [right, up] } else { [0, 0] };
        let to = |k: usize, value: u32| {
            further(near(k, value), steps[k], self.axes[k].len()).map(|at| self.axes[k][at])
        };
        let [first, second] = from.unwrap_or(self.adopted);
        Some([to(0, first)?, to(1, second)?])
    }

    /// Calls `f` with the chart's input, which borrows from `self`.
    fn with<T>(&self, hover: Option<[u32; 2]>, f: impl FnOnce(&chart::Input) -> T) -> T {
        f(&chart::Input {
            axes: [&self.axes[0], &self.axes[1]],
            grid: self.grid,
            points: &self.points,
            adopted: Some(self.adopted),
            best: self.best,
            smallest: self.smallest,
            front: &self.front,
            hover,
            names: self.words.names(),
        })
    }

    fn drawing(field: &Rc<Self>, hover: Option<[u32; 2]>) -> Draw {
        let field = Same(Rc::clone(field));
        Rc::new(move |frame: &Frame| field.with(hover, |input| chart::scene(input, frame).0))
    }
}

/// Both efficiencies against the first limit, at the current second limit: the best is where they cross.
#[component]
fn Line(props: &Props) -> Html {
    let state = &props.state.graphs;
    let (limits, words) = (state.limits(), Rc::new(state.words()));
    let key = (state.version(), Same(Rc::clone(&state.course.points)), limits);
    let points = use_memo(key.clone(), |_| line(state));
    let draw: Rc<Draw> = use_memo(key, |_| {
        let (points, words) = (Rc::clone(&points), Rc::clone(&words));
        let draw: Draw = Rc::new(move |frame: &Frame| {
            let input = limits_line::Input { points: &points, at: limits[0], names: words.names() };
            limits_line::scene(&input, frame).0
        });
        draw
    });
    if points.len() < LINE {
        return Html::default();
    }
    let input = limits_line::Input { points: &points, at: limits[0], names: words.names() };
    let onpress = {
        let (points, words) = (Rc::clone(&points), Rc::clone(&words));
        filtered(&props.dispatch, move |(x, y, room): (f64, f64, Room)| {
            let input = limits_line::Input { points: &points, at: limits[0], names: words.names() };
            Some(Action::Limit(0, limits_line::layout(&input, &room.measure()).at(x, y)?))
        })
    };
    let onstep = {
        let (points, dispatch) = (Rc::clone(&points), props.dispatch.clone());
        Callback::from(move |[right, up]: [i32; 2]| {
            let at = points.iter().rposition(|(limit, _)| *limit <= limits[0]).unwrap_or(0);
            if let Some(to) = further(at, right + up, points.len()) {
                dispatch.emit(Action::Limit(0, points[to].0));
            }
        })
    };
    let [other, name] = [count(u64::from(limits[1])), words.names()[1].to_owned()];
    let title = format!("efficiency against the {} limit, at {other} {name}", words.one(0));
    html! {
        <div class="line-plot">
            <p class="caption">{ &title }</p>
            <Plot name="limits" title={title.clone()} theme={props.state.theme} class="tall-line" label={limits_line::summary(&input)} draw={(*draw).clone()} {onpress} {onstep} />
            { table(&title, &words, &points) }
        </div>
    }
}

fn table(caption: &str, words: &Words, points: &[(u32, [f64; 2])]) -> Html {
    let row = |(limit, efficiency): &(u32, [f64; 2])| {
        let [first, second] = efficiency.map(percent);
        vec![count(u64::from(*limit)), first, second]
    };
    let [first, second] = words.names();
    behind(caption, [&format!("{} limit", words.one(0)), first, second], points.iter().map(row))
}

/// First limits and efficiencies of the points at the current second limit, ascending.
fn line(state: &GraphState) -> Vec<(u32, [f64; 2])> {
    let edges = state.limits()[1];
    let here = state.course.points.iter().filter(|p| p.limits[1] == edges);
    let mut line: Vec<_> = here.map(|p| (p.limits[0], p.efficiency)).collect();
    line.sort_unstable_by_key(|(limit, _)| *limit);
    line
}
