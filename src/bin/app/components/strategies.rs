//! The strategies of the plan, folded: a table of shapes of packs with their counts, and a matrix
//! if it is small.

use super::{hues, rows};
use crate::components::explained::{terms, why};
use crate::components::figure::{Figure, Fitted, drawn};
use crate::components::fold::{Fold, use_fold};
use crate::shared::AnswerProps;
use packscope::api::{PackShape, Report};
use packscope::words::{count, percent, plural};
use packscope_chart::Hues;
use packscope_chart::matrix::Input;
use packscope_page::state::findings;
use std::rc::Rc;
use yew::prelude::*;

const FIRST: usize = 10;
/// Further strategies shown at each press.
const MORE: usize = 50;
/// The most columns of a matrix that fits beside the table; a larger one is below it.
const BESIDE: usize = 28;

#[component]
pub fn Strategies(props: &AnswerProps) -> Html {
    // The number shown, and the version of the data, since other data start again at the first
    // ones.
    let shown = use_state_eq(|| (0, FIRST));
    let Fold { open, ontoggle } = use_fold("strategies");
    let Some(answer) = &props.state.sequences.answer else {
        return Html::default();
    };
    let (report, data) = (&answer.report, answer.ticket.data);
    let why = findings::why_no_matrix(report);
    let listed = report.strategies.len();
    let beside = why.is_none() && listed <= BESIDE;
    // Beside the matrix there is room for all.
    let first = if beside { listed } else { FIRST };
    // Data that were replaced start with the first strategies again, without an effect that resets
    // the state.
    let many = if shown.0 == data {
        shown.1.max(first)
    } else {
        first
    };
    let more = {
        let shown = shown.setter();
        Callback::from(move |_| shown.set((data, many + MORE)))
    };
    html! {
        <details class="panel strategies" id="strategies" {open} {ontoggle}>
            <summary>
                <h2>{ crate::components::titled(&findings::of_strategies(report)) }</h2>
            </summary>
            <div class={classes!(beside.then_some("beside"))}>
                <div>
                    <p class="caption">
                        <span>
                            { terms(
                                "a strategy is the shape of a row, with how many rows have it; most used first",
                            ) }
                        </span>
                    </p>
                    { table(report, hues(&props.state.sequences, report.settings.limit), many) }
                    <p class="small more">
                        if listed > many {
                            <button type="button" class="word" onclick={more}>
                                { show(listed, many, report) }
                            </button>
                        }
                        { findings::of_other_strategies(report, many) }
                        if let Some(why) = &why {
                            <span>{ why }</span>
                        }
                    </p>
                </div>
                // A hidden canvas has no size, and no text that the browser's search could find.
                if why.is_none() && open {
                    <Matrix state={props.state.clone()} />
                }
            </div>
        </details>
    }
}

/// The label of the button that shows more strategies, or all.
fn show(listed: usize, many: usize, report: &Report) -> String {
    if listed > many + MORE || report.unlisted_packs > 0 {
        format!("Show {} more", (listed - many).min(MORE))
    } else {
        format!("Show all {}", count(listed as u64))
    }
}

fn table(report: &Report, hues: Hues, many: usize) -> Html {
    let mut carried = 0;
    // Rows are drawn in their order, so the sum can be carried from one to the next.
    let with_sum = |shape| row(report, shape, hues, &mut carried);
    html! {
        <table class="packs shapes">
            <caption class="unseen">
                { format!(
                    "Strategies, most used first: the first {} of {}",
                    many.min(report.strategies.len()),
                    strategies_in_words(report)
                ) }
            </caption>
            <thead>
                <tr>
                    <th scope="col">{ "Lengths" }</th>
                    <th scope="col" class="wide">{ rows::scale(report.settings.limit) }</th>
                    <th scope="col" class="extra">{ "Sequences" }</th>
                    <th scope="col" class="extra">{ "Tokens" }</th>
                    <th scope="col" class="extra">{ "Empty" }</th>
                    <th scope="col">{ "Rows" }</th>
                    <th scope="col" class="extra">{ "Share" }</th>
                    <th scope="col">
                        { why("Sum", "Share of all rows, together with the rows above.") }
                    </th>
                </tr>
            </thead>
            <tbody>{ for report.strategies.iter().take(many).map(with_sum) }</tbody>
        </table>
    }
}

/// Returns the number of strategies in words, or a lower bound if it is unknown.
fn strategies_in_words(report: &Report) -> String {
    report.figures.strategies.map_or_else(
        || format!("more than {}", count(report.strategies.len() as u64)),
        count,
    )
}

fn row(report: &Report, shape: &PackShape, hues: Hues, carried: &mut u64) -> Html {
    let limit = report.settings.limit;
    let share = |packs: u64| packs as f64 / report.figures.packs.max(1) as f64;
    *carried += shape.count;
    // Rows of sorted batches end with their sequence: their padding depends on the batch.
    let padded = report.settings.algorithm.fills_rows();
    let empty = if padded {
        count(u64::from(limit) - shape.used())
    } else {
        "–".to_owned()
    };
    html! {
        <tr>
            <th scope="row">{ rows::named(shape, 4) }</th>
            <td class="wide">{ rows::bar(shape, limit, hues, padded, None, &Callback::noop()) }</td>
            <td class="extra">{ count(shape.depth()) }</td>
            <td class="extra">{ count(shape.used()) }</td>
            <td class="extra">{ empty }</td>
            <td data-figure="strategy_packs" data-value={shape.count.to_string()}>
                { count(shape.count) }
            </td>
            <td class="extra">{ percent(share(shape.count)) }</td>
            <td>{ percent(share(*carried)) }</td>
        </tr>
    }
}

/// The strategy matrix, as high as its rows need.
#[component]
fn Matrix(props: &AnswerProps) -> Html {
    let answer = &props.state.sequences.answer;
    let chart = use_memo(answer.as_ref().map(|a| a.ticket), |_| {
        let report = &answer.as_ref()?.report;
        let limit = report.settings.limit;
        let hues = hues(&props.state.sequences, limit);
        Some(Rc::new(Input {
            shapes: report.strategies.clone(),
            limit,
            hues,
        }))
    });
    let (Some(answer), Some(chart)) = (answer, &*chart) else {
        return Html::default();
    };
    let (report, rows) = (&answer.report, chart.lengths().len() as u64);
    html! {
        <div class="matrix">
            <p class="caption">
                { "how often each length is in a row of each shape; grey: slots that stay empty" }
            </p>
            <Fitted class="tall-matrix" chart={drawn(chart)}>
                <Figure
                    name="strategies"
                    title={findings::of_strategies(report)}
                    theme={props.state.theme}
                    class="filled"
                    label={label(report, rows)}
                    chart={drawn(chart)}
                />
            </Fitted>
        </div>
    }
}

/// Describes the matrix: its size, the most used strategy, and a reference to the table.
fn label(report: &Report, rows: u64) -> String {
    let first = report.strategies.first().map_or_else(String::new, |shape| {
        let name = rows::name(shape, usize::MAX);
        format!(
            " Most used: {name}, {} of {} rows.",
            count(shape.count),
            count(report.figures.packs)
        )
    });
    let noun = if report.strategies.len() == 1 {
        "strategy"
    } else {
        "strategies"
    };
    format!(
        "Strategy matrix: how often each of {} is in a row, by {} {noun}.{first} The table lists them all.",
        plural(rows, "length"),
        report.strategies.len(),
    )
}
