//! The column under the hand: data, limits, depth, algorithm, heuristic, overhead.

use super::names::{about, long_name, of_heuristic};
use crate::address::load_graphs;
use crate::app::{Files, Shared};
use crate::components::chosen;
use crate::components::controls::{Way, choices, depth_of, limit_of, number, overlong};
use crate::components::data::{DataPicker, Pasted};
use packscope::cost::Overhead;
use packscope::histogram::Preset;
use packscope::packing::tuple::{Algorithm, Heuristic};
use packscope::state::graphs::{Action, POLICIES, Row};
use packscope::state::{Data, GraphState, Source};
use packscope::words::{count, mean, plural};
use yew::prelude::*;

/// Properties of [`Controls`].
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// The state.
    pub state: Shared,
    /// Changes what is about graphs.
    pub dispatch: Callback<Action>,
    /// Changes the whole page: loads data.
    pub shared: Callback<packscope::state::Action>,
    /// Reads files.
    pub files: Files,
}

/// All controls.
#[component]
pub fn Controls(props: &Props) -> Html {
    let state = &props.state.graphs;
    let (limits, most) = (state.limits(), state.largest_limits());
    let limit = |k: usize, id, label, unit| {
        let set = props.dispatch.reform(move |limit| Action::Limit(k, limit));
        limit_of(id, label, unit, (limits[k], most[k]), &set)
    };
    let depth = (state.settings.depth, &*state.depths());
    html! {
        <div class="controls" role="group" aria-label="Data and settings">
            { data(props) }
            { limit(0, "nodes", "Node limit", "nodes") }
            { limit(1, "edges", "Edge limit", "edges") }
            { largest(props, state) }
            { depth_of("Graphs per pack", "At most this many graphs share a row.", depth, props.dispatch.reform(Action::Depth)) }
            { algorithms(props, state) }
            { heuristics(props, state) }
            { others(props, state) }
        </div>
    }
}

fn data(props: &Props) -> Html {
    let Some(data) = &props.state.graphs.data else { return Html::default() };
    let pasted = Pasted {
        label: "Graphs: nodes, edges, and how many there are",
        example: "nodes,edges,count\n18,38,694\n20,42,2102\n…",
        hint: "A table with columns for nodes and edges, with a count or one graph per line.",
    };
    let pick = {
        let dispatch = props.shared.clone();
        Callback::from(move |preset: &'static Preset| load_graphs(preset, [true; 2], dispatch.clone()))
    };
    html! {
        <DataPicker source={data.source.clone()} sentence={sentence(data)} presets={Preset::GRAPHS} {pasted} {pick}
            open={props.files.open.clone()} reread={props.files.reread.clone()} />
    }
}

fn sentence(data: &Data<2>) -> String {
    if let Source::Own { description, .. } = &data.source {
        return format!("{}.", description.sentence());
    }
    let h = &data.histogram;
    let ([nodes, edges], [most_nodes, most_edges]) = (h.mean_size(), h.max().map(|m| count(u64::from(m))));
    format!(
        "{} graphs of {} sizes, up to {most_nodes} nodes and {most_edges} edges, mean {} and {}.",
        count(h.items()),
        count(h.distinct() as u64),
        mean(nodes),
        mean(edges)
    )
}

/// Back to limits that every graph fits.
fn largest(props: &Props, state: &GraphState) -> Html {
    let maxima = state.maxima();
    if state.limits() == maxima || state.data.is_none() {
        return Html::default();
    }
    let back = props.dispatch.reform(move |_| Action::Limits(maxima));
    let [nodes, edges] = maxima.map(|m| count(u64::from(m)));
    html! {
        <p class="hint after">
            { "The largest graph: " }<button type="button" class="word" onclick={back}>{ format!("{nodes} × {edges}") }</button>{ "." }
        </p>
    }
}

/// Packs of a row, once they are known.
fn packs(state: &GraphState, row: Row) -> String {
    state.point(row).map_or_else(|| "…".to_owned(), |p| count(p.figures.packs))
}

fn algorithms(props: &Props, state: &GraphState) -> Html {
    let way = |algorithm: Algorithm| Way {
        value: algorithm.name().to_owned(),
        name: long_name(algorithm).to_owned(),
        packs: packs(state, Row::new(algorithm, state.settings.heuristic)),
        about: about(algorithm),
        chosen: state.settings.algorithm == algorithm,
        choose: props.dispatch.reform(move |_| Action::Algorithm(algorithm)),
    };
    choices("algorithm", "Algorithm", Algorithm::ALL.into_iter().map(way))
}

fn heuristics(props: &Props, state: &GraphState) -> Html {
    let settings = &state.settings;
    let used = settings.algorithm.has_heuristic();
    let algorithm = if used { settings.algorithm } else { Algorithm::BestFit };
    let mut all = algorithm.heuristics().to_vec();
    if !all.contains(&settings.heuristic) {
        all.push(settings.heuristic);
    }
    let way = |heuristic: Heuristic| Way {
        value: heuristic.to_string(),
        name: packscope::words::capital(&heuristic.to_string()),
        packs: packs(state, Row::new(algorithm, heuristic)),
        about: of_heuristic(heuristic),
        chosen: used && settings.heuristic == heuristic,
        choose: props.dispatch.reform(move |_| Action::Heuristic(heuristic)),
    };
    choices("heuristic", "Heuristic: what is large", all.into_iter().map(way))
}

fn others(props: &Props, state: &GraphState) -> Html {
    let settings = &state.settings;
    let policy = {
        let dispatch = props.dispatch.clone();
        Callback::from(move |e: Event| {
            if let Ok(policy) = chosen(&e).parse() {
                dispatch.emit(Action::Overlong(policy));
            }
        })
    };
    let overhead = {
        let dispatch = props.dispatch.clone();
        Callback::from(move |e: InputEvent| {
            if let Some(percent) = number::<f64>(&e).filter(|p| p.is_finite() && *p >= 0.0) {
                let own = Overhead::Own(percent / 100.0);
                dispatch.emit(Action::Overhead(if percent > 0.0 { own } else { Overhead::Free }));
            }
        })
    };
    let share = match settings.overhead {
        Overhead::Own(share) => share,
        usual => usual.at_depth(u64::from(settings.depth.get())),
    };
    let over = state.answer.as_ref().map_or(0, |a| a.report.overlong_items);
    html! { <>
        <section class="control">
            <label for="overlong">{ "Graphs above a limit" }</label>
            <select id="overlong" onchange={policy}>
                { for POLICIES.into_iter().map(|p| html! { <option value={p.name()} selected={settings.overlong == p}>{ overlong(p) }</option> }) }
            </select>
            if over > 0 { <p class="hint">{ format!("{} above: waste, not padding.", plural(over, "graph")) }</p> }
        </section>
        <section class="control">
            <div class="line">
                <label for="overhead">{ "Overhead per step, %" }</label>
                <input id="overhead" type="number" class="exact" min="0" step="0.1" value={((share * 1e5).round() / 1e3).to_string()} oninput={overhead} />
            </div>
            <p class="hint">{ "None is published for graphs. Packed BERT on an IPU has 4.3 %." }</p>
        </section>
    </> }
}
