//! Efficiency against depth, with the bound; a press on a depth chooses it.

use super::figure::{Figure, Keys, drawn, use_hover};
use super::{choice, scale};
use crate::plot::{IN_VIEW, use_in_view};
use crate::shared::{CompareProps, Same};
use packscope::packing::{Algorithm, Depth};
use packscope_chart::Chart;
use packscope_chart::depth::{AlgorithmCurve, Input};
use packscope_page::state::{Action, AppState, findings};
use std::rc::Rc;
use yew::prelude::*;

#[component]
pub fn Depths(props: &CompareProps) -> Html {
    let node = use_node_ref();
    // Optima at other depths are searched only while the chart is in view.
    use_in_view(&node, IN_VIEW, props.dispatch.reform(Action::DepthsInView));
    let (hover, onhover) = use_hover();
    let state = &props.state;
    let settings = (
        state.sequences.settings.depth,
        state.sequences.settings.algorithm,
        state.log_padding,
    );
    let chart = use_memo(
        (Same(Rc::clone(&state.sequences.comparison)), settings),
        |_| input(state),
    );
    let title = findings::of_depths(state, curve_of(state));
    let title = title.unwrap_or_else(|| "Efficiency against depth".to_owned());
    let onpick = {
        let (chart, dispatch) = (Rc::clone(&chart), props.dispatch.clone());
        Callback::from(move |[at, _]: [u32; 2]| {
            dispatch.emit(Action::Depth(chart.depths[at as usize]))
        })
    };
    let set = |log| props.dispatch.reform(move |_| Action::LogPadding(log));
    let log = state.log_padding;
    let label = format!("{} {title}.", chart.summary());
    let hint = if log {
        "efficiency, log axis: higher means less padding"
    } else {
        "efficiency"
    };
    html! {
        // With `tabindex`, a jump to the section can give it the focus.
        <section class="depths" id="along-depths" tabindex="-1" ref={node}>
            <h2>{ &title }</h2>
            <div class="caption">
                <p>{ hint }</p>
                { choice(
                    "Scale of padding",
                    &[("linear", !log, set(false)), ("log", log, set(true))],
                ) }
            </div>
            <Figure
                name="depths"
                {title}
                theme={state.theme}
                class="tall-depths"
                {label}
                chart={drawn(&chart)}
                keys={Keys::Pick}
                {hover}
                {onhover}
                {onpick}
            />
        </section>
    }
}

/// Returns the algorithm whose curve stands for the chosen one.
fn curve_of(state: &AppState) -> Algorithm {
    let chosen = state.sequences.settings.algorithm;
    if state.sequences.curves().contains(&chosen) {
        chosen
    } else {
        Algorithm::Lpfhp
    }
}

fn input(state: &AppState) -> Input {
    let depths = state.sequences.depths();
    let efficiency = |a: Algorithm, d: &Depth| {
        state
            .sequences
            .row((a, *d))
            .map(|p| p.figures.efficiency[0])
    };
    let algorithms = state.sequences.curves();
    let curve = |a: &Algorithm| AlgorithmCurve {
        name: a.short_name(),
        values: depths.iter().map(|d| efficiency(*a, d)).collect(),
    };
    // A lower bound on packs holds for every algorithm, so LPFHP’s row has it; it bounds the
    // efficiency from above: tokens ÷ (packs · slots of a row).
    let bound = |d: &Depth| {
        let f = &state.sequences.row((Algorithm::Lpfhp, *d))?.figures;
        let row = f.slots[0] as f64 / f.packs as f64;
        Some((f.real_tokens[0] as f64 / (f.lower_bound? as f64 * row)).min(1.0))
    };
    Input {
        curves: algorithms.iter().map(curve).collect(),
        bound: depths.iter().map(bound).collect(),
        chosen: algorithms
            .iter()
            .position(|a| *a == state.sequences.settings.algorithm),
        depth: depths
            .iter()
            .position(|d| *d == state.sequences.settings.depth),
        scale: scale(state.log_padding),
        caption: "sequences per row at most (depth)",
        depths,
    }
}
