//! Algorithms and heuristics side by side (Table 2 of the paper): choosing is comparing.

use super::{Props, notes};
use crate::components::explained::{quiet, terms, why};
use crate::components::settings::left_out;
use crate::components::sorting;
use packscope::api::tuple::Settings;
use packscope::api::{Compared, Packing};
use packscope::metrics::Figures;
use packscope::order;
use packscope::packing::tuple::Algorithm;
use packscope::state::GraphState;
use packscope::state::graphs::{Action, Row, Words, findings};
use packscope::words::{capital, count, seconds};
use yew::prelude::*;

/// The order of the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    Packs,
    Name,
    Time,
}

/// The comparison of algorithms and heuristics.
#[component]
pub fn Table(props: &Props) -> Html {
    let order = use_state_eq(|| Order::Packs);
    let state = &props.state.graphs;
    let words = state.words();
    let rows = sorted(state, &words, *order);
    let head = |name, by, class| sorting(&order, name, by, class);
    let title = findings::of_table(state).unwrap_or_else(|| "All ways to pack at these limits".to_owned());
    let stale = !state.is_compared();
    html! {
        <section class={classes!("algorithms", words.are_graphs().then_some("beside-note"))}>
            <h2>{ crate::components::titled(&title) }</h2>
            <div>
                <div class="scroll">
                <table class="compare of-graphs" data-state={if stale { "computing" } else { "current" }}>
                    <thead><tr>
                        { head("Algorithm", Order::Name, "") }{ head("Packs", Order::Packs, "") }
                        <th class="extra">{ why("Above", "Packs above the lower bound.") }</th>
                        <th>{ capital(words.short(0)) }</th><th>{ capital(words.short(1)) }</th><th class="mean">{ terms("Harmonic mean") }</th>{ head("Time", Order::Time, "time") }
                    </tr></thead>
                    <tbody>{ for rows.into_iter().map(|(row, point)| line(props, &words, row, point)) }</tbody>
                </table>
                </div>
                <p class="small">{ quiet(&format!("Slots that are filled, and as a bar what stays empty, from 0 to 10 %. {} only and {} only have no limit for the other component: it is taken to be the largest sum that occurs.", capital(words.short(0)), words.short(1))) }</p>
            </div>
            if words.are_graphs() { { notes::of_table() } }
        </section>
    }
}

fn sorted<'a>(
    state: &'a GraphState,
    words: &Words,
    order: Order,
) -> Vec<(Row, Option<&'a Compared<Settings>>)> {
    let mut rows: Vec<_> = state.rows().into_iter().map(|row| (row, state.row(row))).collect();
    order::sort_by(&mut rows, |(a, p), (b, q)| {
        let by = |f: &dyn Fn(&Compared<Settings>) -> f64| {
            let value = |p: &Option<&Compared<Settings>>| p.map_or(f64::INFINITY, f);
            value(p).total_cmp(&value(q))
        };
        // Rows that keep to one limit only come last.
        let rivals = b.keeps_all_limits().cmp(&a.keeps_all_limits());
        match order {
            Order::Packs => rivals.then(by(&|p| p.figures.packs as f64)),
            Order::Time => rivals.then(by(&|p| p.seconds)),
            Order::Name => words.row(*a).cmp(&words.row(*b)),
        }
    });
    rows
}

fn line(props: &Props, words: &Words, row: Row, point: Option<&Compared<Settings>>) -> Html {
    let chosen = props.state.graphs.settings.row() == row;
    let choose = props.dispatch.reform(move |_| Action::Choose(row));
    let f = point.map(|p| &p.figures);
    let cell = |name: &'static str, class: &'static str, value: Option<(String, String)>| match value {
        Some((exact, shown)) => html! { <td {class} data-figure={name} data-value={exact}>{ shown }</td> },
        None => html! { <td {class}>{ "–" }</td> },
    };
    let heuristic = row.heuristic.map(|h| h.to_string());
    html! {
        // The key keeps the element of a row when others move, with its focus.
        <tr key={words.row(row)} data-algorithm={row.algorithm.name()} data-heuristic={heuristic} class={classes!(chosen.then_some("chosen"))} onclick={choose.clone()}>
            <th scope="row"><button type="button" class="name" data-why={row.heuristic.map(|_| "")} aria-description={row.heuristic.map(|h| words.say(&h.about()))} aria-pressed={chosen.to_string()} onclick={choose.clone()}>{ words.row(row) }</button></th>
            { cell("packs", "", f.map(|f| (f.packs.to_string(), count(f.packs)))) }
            { above(f, row) }
            if props.state.is_row_left_out(row) {
                { left_out(row.algorithm == Algorithm::Optimal, &choose) }
            } else {
                { filled("efficiency", Some(0), f.map(|f| 1.0 - findings::padding(f, 0))) }
                { filled("efficiency", Some(1), f.map(|f| 1.0 - findings::padding(f, 1))) }
            }
            { filled("efficiency_harmonic", None, f.map(|f| f.efficiency_harmonic)) }
            { cell("seconds", "time", point.map(|p| (p.seconds.to_string(), seconds(p.seconds)))) }
        </tr>
    }
}

/// Packs above the bound.
fn above(f: Option<&Figures>, row: Row) -> Html {
    let bound = f.and_then(|f| f.bound().map(|b| (f.packs, b))).filter(|_| row.keeps_all_limits());
    let Some((packs, bound)) = bound else { return html! { <td class="extra">{ "–" }</td> } };
    let words = match packs.saturating_sub(bound.packs) {
        0 => "0".to_owned(),
        n => format!("+{}", count(n)),
    };
    let known = format!("The bound is {}: {}.", count(bound.packs), bound.kind.words());
    html! { <td class="extra">{ why(words, &known) }</td> }
}

/// Width of a bar in CSS pixels, and the share of padding that fills it.
const BAR: (f64, f64) = (44.0, 0.1);

/// The share of filled slots, with the padding as a bar; a bar too long is cut.
fn filled(name: &'static str, component: Option<usize>, efficiency: Option<f64>) -> Html {
    let class = classes!("filled-share", component.is_none().then_some("mean"));
    let Some(efficiency) = efficiency else { return html! { <td {class}>{ "–" }</td> } };
    let (width, all) = BAR;
    let padding = (1.0 - efficiency).max(0.0);
    let bar = (padding / all * width).min(width);
    html! {
        <td {class} data-figure={name} data-component={component.map(|k| k.to_string())} data-value={efficiency.to_string()}>
            <span>{ packscope::words::efficiency(efficiency) }</span>
            <svg width={width.to_string()} height="10" aria-hidden="true">
                <rect class="pad" width={format!("{bar:.1}")} height="10" />
                if padding > all { <path class="cut" d="M34 0l-3 10h2l3-10zM39 0l-3 10h2l3-10z" /> }
            </svg>
        </td>
    }
}
