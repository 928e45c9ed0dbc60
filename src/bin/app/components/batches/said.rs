//! Sentences shared by the headlines of batches and of queries.

use crate::components::explained::terms;
use crate::components::figure;
use packscope::api::batch::Report;
use packscope::cost::StepCost;
use packscope::histogram::Overlong;
use packscope::words::{count, mean, plural};
use yew::prelude::*;

/// The assumptions of the estimated speed-up.
pub fn assumed(cost: StepCost) -> String {
    format!(
        "An estimate against random batches without dropping. The time of a step is slots × (1 + L ÷ {}) + {}, in the time of one slot: L is the length of its rows, and the last number what every step costs, however small it is. Both follow from the model and the accelerator that are chosen below, under Speed-up.",
        mean(1.0 / cost.square).trim_end_matches(".0"),
        mean(cost.step_slots).trim_end_matches(".0"),
    )
}

/// The waste in tokens, and the sequences longer than the limit.
pub fn waste(report: &Report) -> Html {
    let tokens = figure("waste_tokens", report.waste_tokens, count(report.waste_tokens));
    let n = report.overlong_items;
    if n == 0 {
        return html! { <>{ terms("Waste: ") }{ tokens }{ " tokens. " }</> };
    }
    let done = match report.settings.overlong {
        Overlong::Truncate => "cut",
        Overlong::Drop => "dropped",
        Overlong::Split => "split",
        Overlong::Reject => "refused",
    };
    let are = if n == 1 { "is" } else { "are" };
    html! { <>
        <b>{ format!("{} {are} longer than the limit and {done}", plural(n, "sequence")) }</b>
        { terms("; waste: ") }{ tokens }{ " tokens. " }
    </> }
}
