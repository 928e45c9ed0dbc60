//! Efficiency against depth, with the bound; a press on a depth chooses it.

use super::behind::behind;
use super::{choice, filtered, scale};
use crate::plot::{Draw, IN_VIEW, Plot, Room, use_in_view};
use crate::shared::{CompareProps, Same};
use packscope::chart::depth::{Curve, Input, layout, scene};
use packscope::chart::{Frame, Scale};
use packscope::packing::{Algorithm, Depth};
use packscope::state::{Action, AppState, findings};
use packscope::words::percent;
use std::rc::Rc;
use yew::prelude::*;

/// The chart of efficiency against depth.
#[component]
pub fn Depths(props: &CompareProps) -> Html {
    let node = use_node_ref();
    use_in_view(&node, IN_VIEW, props.dispatch.reform(Action::DepthsInView));
    let hover = use_state_eq(|| None::<usize>);
    let state = &props.state;
    let settings = (state.sequences.settings.depth, state.sequences.settings.algorithm, state.log_padding);
    let chart = use_memo((Same(Rc::clone(&state.sequences.comparison)), settings), |_| chart(state));
    let draw = use_memo((Same(Rc::clone(&chart)), *hover), |_| drawing(&chart, *hover));
    let shown = curve_of(state);
    let title = findings::of_depths(state, shown).unwrap_or_else(|| "Efficiency against depth".to_owned());
    let onpress = {
        let chart = Rc::clone(&chart);
        filtered(&props.dispatch, move |at| Some(Action::Depth(chart.depths[chart.index_at(at)?])))
    };
    let onpoint = {
        let (hover, chart) = (hover.setter(), Rc::clone(&chart));
        Callback::from(move |at: Option<_>| hover.set(at.and_then(|at| chart.index_at(at))))
    };
    let onstep = {
        let chart = Rc::clone(&chart);
        filtered(&props.dispatch, move |[right, up]: [i32; 2]| {
            let at = chart.depth.unwrap_or(0).saturating_add_signed((right + up) as isize);
            chart.depths.get(at).copied().map(Action::Depth)
        })
    };
    let set = |log| props.dispatch.reform(move |_| Action::LogPadding(log));
    let log = state.log_padding;
    let label =
        format!("Efficiency against depth for {} algorithms and the bound. {title}.", chart.curves.len());
    let hint = if log { "efficiency, log axis: higher means less padding" } else { "efficiency" };
    html! {
        <section class="depths" id="along-depths" tabindex="-1" ref={node}>
            <h2>{ &title }</h2>
            <div class="caption">
                <p>{ hint }</p>
                { choice("Scale of padding", &[("linear", !log, set(false)), ("log", log, set(true))]) }
            </div>
            <Plot name="depths" title={title.clone()} theme={state.theme} class="tall-depths" {label} draw={(*draw).clone()} {onpress} {onpoint} {onstep} />
            { table(&chart) }
        </section>
    }
}

fn drawing(chart: &Rc<Chart>, hover: Option<usize>) -> Draw {
    let chart = Rc::clone(chart);
    Rc::new(move |frame: &Frame| chart.with(hover, |input| scene(input, frame).0))
}

/// The algorithm whose curve represents the chosen one.
fn curve_of(state: &AppState) -> Algorithm {
    let chosen = state.sequences.settings.algorithm;
    if state.sequences.curves().contains(&chosen) { chosen } else { Algorithm::Lpfhp }
}

/// The data of the chart, independent of the state.
struct Chart {
    depths: Vec<Depth>,
    curves: Vec<(&'static str, Vec<Option<f64>>)>,
    bound: Vec<Option<f64>>,
    chosen: Option<usize>,
    depth: Option<usize>,
    scale: Scale,
}

impl Chart {
    /// Returns the index of the depth nearest to a point of the plot.
    fn index_at(&self, (x, _, room): (f64, f64, Room)) -> Option<usize> {
        self.with(None, |input| layout(input, &room.measure()).index_at(x))
    }

    /// Calls `f` with the chart's input, which borrows from `self`.
    fn with<T>(&self, hover: Option<usize>, f: impl FnOnce(&Input) -> T) -> T {
        let curves: Vec<Curve> = self.curves.iter().map(|(name, values)| Curve { name, values }).collect();
        f(&Input {
            depths: &self.depths,
            curves: &curves,
            bound: &self.bound,
            chosen: self.chosen,
            depth: self.depth,
            hover,
            scale: self.scale,
            caption: "sequences per row at most (depth)",
        })
    }
}

fn chart(state: &AppState) -> Chart {
    let depths = state.sequences.depths();
    let efficiency = |a: Algorithm, d: &Depth| state.sequences.row((a, *d)).map(|p| p.figures.efficiency[0]);
    let algorithms = state.sequences.curves();
    let curve =
        |a: &Algorithm| (a.short_name(), depths.iter().map(|d| efficiency(*a, d)).collect::<Vec<_>>());
    let bound = |d: &Depth| {
        let f = &state.sequences.row((Algorithm::Lpfhp, *d))?.figures;
        let row = f.slots[0] as f64 / f.packs as f64;
        Some((f.real_tokens[0] as f64 / (f.lower_bound? as f64 * row)).min(1.0))
    };
    Chart {
        curves: algorithms.iter().map(curve).collect(),
        bound: depths.iter().map(bound).collect(),
        chosen: algorithms.iter().position(|a| *a == state.sequences.settings.algorithm),
        depth: depths.iter().position(|d| *d == state.sequences.settings.depth),
        scale: scale(state.log_padding),
        depths,
    }
}

fn table(chart: &Chart) -> Html {
    let row = |name: &str, values: &[Option<f64>]| {
        let values = values.iter().map(|e| e.map_or_else(|| "–".to_owned(), percent));
        std::iter::once(name.to_owned()).chain(values).collect::<Vec<_>>()
    };
    let head = std::iter::once("algorithm".to_owned()).chain(chart.depths.iter().map(ToString::to_string));
    let curves = chart.curves.iter().map(|(name, values)| row(name, values));
    let rows = curves.chain([row("no plan is above", &chart.bound)]);
    behind("Efficiency by depth", head, rows)
}
