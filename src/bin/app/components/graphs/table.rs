//! Algorithms and heuristics side by side, as in Table 2 of *Tuple Packing*; a press on a row
//! chooses one.

use super::{Props, notes};
use crate::components::explained::{quiet, terms, why};
use crate::components::fold::{Fold, use_room_fold};
use crate::components::settings::{computing, left_out, proof};
use crate::components::{NONE, Order, PENDING, entry, entry_of, framed, sorting};
use packscope::api::PackingSettings;
use packscope::api::tuple::Settings;
use packscope::ingest::ItemWords;
use packscope::metrics::Figures;
use packscope::order;
use packscope::packing::tuple::TupleAlgorithm;
use packscope::words::{capital, count, seconds};
use packscope_page::query::ComparisonRow;
use packscope_page::state::GraphState;
use packscope_page::state::graphs::{Action, TupleRow, findings, row_name};
use yew::prelude::*;

#[component]
pub fn Table(props: &Props) -> Html {
    let order = use_state_eq(|| Order::Count);
    let Fold { open, ontoggle } = use_room_fold("algorithms");
    let state = &props.state.graphs;
    let words = state.words();
    let rows = sorted(state, &words, *order, state.rows());
    let beyond = sorted(state, &words, *order, state.rows_beyond().into());
    // Sorted by name or time, each row stands alone.
    let groups = match *order {
        // Equal counts are neighbours only in this order.
        Order::Count => state.grouped(&rows),
        _ => rows.into_iter().map(|row| vec![row]).collect(),
    };
    let head = |name, by, class| sorting(&order, name, by, class);
    let filled = match words.attention {
        Some(_) => {
            "Token slots that are filled, and the mean attention of packs ÷ its limit, each with the rest as a bar"
        }
        None => "Slots that are filled, and as a bar what stays empty",
    };
    let title =
        findings::of_table(state).unwrap_or_else(|| "All ways to pack at these limits".to_owned());
    let stale = !state.is_compared();
    html! {
        <details class="panel algorithms" id="algorithms" {open} {ontoggle}>
            <summary>
                <h2>{ crate::components::titled(&title) }</h2>
            </summary>
            <div class={classes!(state.is_published().then_some("beside-note"))}>
                <div>
                    { framed(
                        ["compare of-graphs", ""],
                        Some(!stale),
                        html! {
                            <>
                                { head("Algorithm", Order::Name, "") }
                                { head("Packs", Order::Count, "") }
                                <th class="extra">
                                    { why("Above", "Packs above the lower bound.") }
                                </th>
                                <th>{ capital(words.short(0)) }</th>
                                <th>{ capital(words.short(1)) }</th>
                                <th class="mean">{ terms("Harmonic mean") }</th>
                                { head("Time", Order::Time, "time") }
                            </>
                        },
                        groups
                            .iter()
                            .map(|group| line(props, &words, group))
                            .chain([below()])
                            .chain(beyond.iter().map(|row| line(props, &words, &[*row]))),
                    ) }
                    <p class="small">
                        { quiet(&format!(
                            "{filled}, from 0 to 10 %. Without a limit, the slots of a pack are the largest sum that occurs."
                        )) }
                    </p>
                </div>
                if state.is_published() {
                    { notes::of_table() }
                }
            </div>
        </details>
    }
}

/// The line above the rows that ignore a limit.
fn below() -> Html {
    html! {
        <tr class="beyond">
            // As many columns as the table has.
            <th colspan="7" scope="rowgroup">
                { "These ignore one of the limits: fewer packs of theirs are no gain" }
            </th>
        </tr>
    }
}

fn sorted(state: &GraphState, words: &ItemWords, order: Order, of: Vec<TupleRow>) -> Vec<TupleRow> {
    let mut rows: Vec<_> = of.into_iter().map(|row| (row, state.row(row))).collect();
    order::sort_by(&mut rows, |(a, p), (b, q)| {
        let key = |p: &Option<&ComparisonRow<Settings>>| match (p, order) {
            (None, _) => f64::INFINITY,
            (Some(p), Order::Time) => p.seconds,
            (Some(p), _) => p.figures.packs as f64,
        };
        match order {
            Order::Name => row_name(words, *a).cmp(&row_name(words, *b)),
            _ => key(p).total_cmp(&key(q)),
        }
    });
    rows.into_iter().map(|(row, _)| row).collect()
}

/// Draws one row, or one for several heuristics of an algorithm with equal results.
fn line(props: &Props, words: &ItemWords, group: &[TupleRow]) -> Html {
    let state = &props.state.graphs;
    let Some(&row) = group.first() else {
        return html! {};
    };
    let (f, alone) = (state.row(row).map(|p| &p.figures), group.len() == 1);
    let left = props.state.is_row_left_out(row);
    // A row that is being computed says so; a dash means that nothing will be computed.
    let coming = f.is_none() && !left;
    let chosen = group.contains(&state.settings.row());
    let choose = |row| {
        props
            .dispatch
            .reform(move |_: MouseEvent| Action::Choose(row))
    };
    let nothing = if coming { PENDING } else { NONE };
    let by: Vec<_> = group
        .iter()
        .filter_map(|row| row.heuristic)
        .map(|h| h.to_string())
        .collect();
    let heuristic = (!by.is_empty()).then(|| by.join(" "));
    // A press on a row of several heuristics, beside their names, chooses none.
    let onclick = alone.then(|| choose(row));
    html! {
        // The key keeps the element of a row, and its focus, when rows are reordered.
        <tr
            key={row_name(words, row)}
            data-algorithm={row.algorithm.name()}
            data-heuristic={heuristic}
            class={classes!(chosen.then_some("chosen"), (!alone).then_some("several"))}
            {onclick}
        >
            <th scope="row">
                if !alone {
                    { words.say(row.algorithm.long_name()) }
                    { ", all the same: " }
                }
                { for group.iter().map(|row| name(props, words, *row, alone)) }
                { proof(state.proof(row)) }
            </th>
            { entry(&Figures::PACKS, "", f, nothing) }
            { packs_above_bound(f, row) }
            if left {
                { left_out(row.algorithm == TupleAlgorithm::Optimal, &choose(row)) }
            } else if coming {
                { computing() }
            } else {
                { filled("efficiency", Some(0), f.map(|f| 1.0 - findings::padding(f, 0))) }
                { filled("efficiency", Some(1), f.map(|f| 1.0 - findings::padding(f, 1))) }
            }
            { filled("efficiency_harmonic", None, f.map(|f| f.efficiency_harmonic)) }
            { entry_of("seconds", "time", times(state, group), nothing) }
        </tr>
    }
}

/// The button that chooses a row, or one for each of several heuristics.
fn name(props: &Props, words: &ItemWords, row: TupleRow, alone: bool) -> Html {
    let pressed = props.state.graphs.settings.row() == row;
    let onclick = props
        .dispatch
        .reform(move |_: MouseEvent| Action::Choose(row));
    let about = row.heuristic.map(|h| words.say(&h.about()));
    let by = row.heuristic.map(|h| h.to_string());
    let short = row
        .heuristic
        .filter(|_| !alone)
        .map(|h| words.say(&h.short_name()));
    html! {
        <button
            type="button"
            class="name"
            data-by={by}
            data-why={about.as_ref().map(|_| "")}
            aria-description={about}
            aria-pressed={pressed.to_string()}
            {onclick}
        >
            { short.unwrap_or_else(|| row_name(words, row)) }
        </button>
    }
}

/// The time of a row; for several, the least and the most.
fn times(state: &GraphState, group: &[TupleRow]) -> Option<[String; 2]> {
    let all: Vec<f64> = group
        .iter()
        .filter_map(|row| Some(state.row(*row)?.seconds))
        .collect();
    let least = all.iter().copied().reduce(f64::min)?;
    let most = all.iter().copied().fold(least, f64::max);
    let [from, to] = [least, most].map(seconds);
    Some([
        least.to_string(),
        if from == to { from } else { span(&from, &to) },
    ])
}

/// Joins two durations; if they have the same unit, it appears once: “0.4–0.6 ms”.
fn span(from: &str, to: &str) -> String {
    let unit = |text: &str| {
        text.rsplit_once(['\u{a0}', ' '])
            .map(|(_, unit)| unit.to_owned())
    };
    let from = if unit(from) == unit(to) {
        from.trim_end_matches(|c: char| !c.is_ascii_digit())
    } else {
        from
    };
    format!("{from}–{to}")
}

/// The number of packs above the lower bound.
fn packs_above_bound(f: Option<&Figures>, row: TupleRow) -> Html {
    let bound = f
        .and_then(|f| f.bound().map(|b| (f.packs, b)))
        // The bound is that of packs under both limits.
        .filter(|_| row.keeps_all_limits());
    let Some((packs, bound)) = bound else {
        return html! { <td class="extra">{ NONE }</td> };
    };
    let words = match packs.saturating_sub(bound.packs) {
        0 => "0".to_owned(),
        n => format!("+{}", count(n)),
    };
    let known = format!(
        "The bound is {}: {}.",
        count(bound.packs),
        bound.kind.words()
    );
    html! { <td class="extra">{ why(words, &known) }</td> }
}

/// The width of a bar in CSS pixels, and the share of padding that fills it.
const BAR: (f64, f64) = (44.0, 0.1);

/// The share of filled slots, with the padding as a bar; a bar that is too long is cut off.
fn filled(name: &'static str, component: Option<usize>, efficiency: Option<f64>) -> Html {
    let class = classes!("filled-share", component.is_none().then_some("mean"));
    let Some(efficiency) = efficiency else {
        return html! { <td {class}>{ NONE }</td> };
    };
    let (width, all) = BAR;
    let padding = (1.0 - efficiency).max(0.0);
    let bar = (padding / all * width).min(width);
    html! {
        <td
            {class}
            data-figure={name}
            data-component={component.map(|k| k.to_string())}
            data-value={efficiency.to_string()}
        >
            <span>{ packscope::words::efficiency(efficiency) }</span>
            <svg width={width.to_string()} height="10" aria-hidden="true">
                <rect class="pad" width={format!("{bar:.1}")} height="10" />
                if padding > all {
                    // Two slanted cuts near the end of a bar that is 44 pixels wide.
                    <path class="cut" d="M34 0l-3 10h2l3-10zM39 0l-3 10h2l3-10z" />
                }
            </svg>
        </td>
    }
}
