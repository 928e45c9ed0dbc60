//! Sentences shared by the headlines of batches and of queries.

use crate::components::explained::terms;
use crate::components::{figure, tied};
use packscope::api::batch::{Mode, Report, parts};
use packscope::histogram::Overlong;
use packscope::words::{count, plural};
use packscope_page::state::AppState;
use packscope_page::state::batches::findings;
use yew::prelude::*;

/// Returns the assumptions of the estimated speed-up in words.
pub fn assumed(state: &AppState, mode: Mode) -> String {
    let how = match mode {
        Mode::RealTime => "Time goes with the tokens of a query, all else left out",
        _ => {
            "By the same model as below, under Speed-up: what is chosen there counts here, waiting for the slowest accelerator too"
        }
    };
    format!(
        "An estimate against random batches without dropping. {how}. {}",
        findings::of_machines(state, mode)
    )
}

/// Says how many of how many sequences were simulated, where not all were.
pub fn part(report: &Report) -> Html {
    // One row alone needs no name.
    parts(&[(String::new(), report)]).map_or_else(Html::default, |part| {
        html! {
            <>
                <b>{ tied(&part) }</b>
                { " " }
            </>
        }
    })
}

/// Draws the waste in the unit of the lengths, and the number of sequences longer than the limit.
pub fn waste(report: &Report, unit: &str) -> Html {
    let tokens = figure(
        "waste_tokens",
        report.waste_tokens,
        count(report.waste_tokens),
    );
    let n = report.overlong_items;
    if n == 0 {
        return html! { <>{ terms("Waste: ") }{ tokens }{ format!(" {unit}. ") }</> };
    }
    let done = match report.settings.overlong {
        Overlong::Truncate => "cut",
        Overlong::Drop => "dropped",
        Overlong::Split => "split",
        Overlong::Reject => "refused",
    };
    let are = if n == 1 { "is" } else { "are" };
    html! {
        <>
            <b>{ format!("{} {are} longer than the limit and {done}", plural(n, "sequence")) }</b>
            { terms("; waste: ") }
            { tokens }
            { format!(" {unit}. ") }
        </>
    }
}
