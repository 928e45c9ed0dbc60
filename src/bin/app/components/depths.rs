//! Efficiency against depth, with the bound; a press on a depth chooses it.

use super::{choice, colours};
use crate::app::Props;
use crate::engine::curves;
use crate::plot::{Draw, Plot, Room};
use packscope::chart::depths::{Curve, Depths as Chart, Frame, draw};
use packscope::packing::{Algorithm, Depth};
use packscope::state::{Action, AppState, findings};
use packscope::words::percent;
use plotters::prelude::IntoDrawingArea;
use plotters_canvas::CanvasBackend;
use std::rc::Rc;
use yew::prelude::*;

/// The chart.
#[component]
pub fn Depths(props: &Props) -> Html {
    let state = &props.state;
    let chart = Rc::new(chart(state));
    let shown = curve_of(state);
    let title = findings::of_depths(state, shown).unwrap_or_else(|| "Efficiency against depth".to_owned());
    let onpress = {
        let (dispatch, chart) = (props.dispatch.clone(), Rc::clone(&chart));
        Callback::from(move |(x, _, room): (f64, f64, Room)| {
            let frame = Frame::new(room.width, room.height, &chart);
            dispatch.emit(Action::Depth(chart.depths[frame.nearest(x)]));
        })
    };
    let draw: Draw = {
        let (chart, theme) = (Rc::clone(&chart), state.theme);
        Rc::new(move |backend: CanvasBackend, room: Room| {
            let frame = Frame::new(room.width, room.height, &chart);
            let _ = draw(&backend.into_drawing_area(), room.scale, colours(theme), &frame, &chart);
        })
    };
    let set = |log| props.dispatch.reform(move |_| Action::LogPadding(log));
    let log = state.log_padding;
    let label =
        format!("Efficiency against depth for {} algorithms and the bound. {title}.", chart.curves.len());
    let hint = if log { "efficiency; each line up leaves far less padding" } else { "efficiency" };
    html! {
        <section class="depths">
            <h2>{ title }</h2>
            <div class="caption">
                <p>{ hint }</p>
                { choice("Scale of padding", &[("linear", !log, set(false)), ("log", log, set(true))]) }
            </div>
            <Plot class="tall-depths" {label} {draw} version={0} {onpress} />
            <div class="unseen">{ behind(&chart) }</div>
        </section>
    }
}

/// The algorithm whose curve stands for the chosen one.
fn curve_of(state: &AppState) -> Algorithm {
    let chosen = state.settings.algorithm;
    if curves(&state.settings).contains(&chosen) { chosen } else { Algorithm::Lpfhp }
}

fn chart(state: &AppState) -> Chart {
    let depths = state.depths();
    let efficiency = |a: Algorithm, d: &Depth| state.point(a, *d).map(|p| p.figures.efficiency[0]);
    let curve = |a: Algorithm| Curve {
        name: super::table::short_name(a).to_owned(),
        efficiency: depths.iter().map(|d| efficiency(a, d)).collect(),
        chosen: a == state.settings.algorithm,
    };
    let bound = |d: &Depth| {
        let f = &state.point(Algorithm::Lpfhp, *d)?.figures;
        let slots = f.lower_bound? as f64 * f64::from(state.settings.limit);
        Some((f.real_tokens[0] as f64 / slots).min(1.0))
    };
    Chart {
        curves: curves(&state.settings).into_iter().map(curve).collect(),
        bound: depths.iter().map(bound).collect(),
        chosen: depths.iter().position(|d| *d == state.settings.depth).unwrap_or(0),
        log: state.log_padding,
        depths,
    }
}

fn behind(chart: &Chart) -> Html {
    let cell = |e: &Option<f64>| html! { <td>{ e.map_or_else(|| "–".to_owned(), percent) }</td> };
    html! {
        <table>
            <caption>{ "Efficiency by depth" }</caption>
            <thead><tr><th>{ "algorithm" }</th>{ for chart.depths.iter().map(|d| html! { <th>{ d.to_string() }</th> }) }</tr></thead>
            <tbody>
                { for chart.curves.iter().map(|c| html! { <tr><th>{ &c.name }</th>{ for c.efficiency.iter().map(cell) }</tr> }) }
                <tr><th>{ "no plan is above" }</th>{ for chart.bound.iter().map(cell) }</tr>
            </tbody>
        </table>
    }
}
