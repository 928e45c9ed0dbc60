//! What the headline of batches and that of queries both say.

use crate::components::explained::terms;
use crate::components::figure;
use packscope::api::batch::Report;
use packscope::cost::StepCost;
use packscope::histogram::Overlong;
use packscope::words::{count, mean, plural};
use yew::prelude::*;

/// What the estimate of time rests on.
pub fn assumed(cost: StepCost) -> String {
    format!(
        "An estimate against random batches without dropping. The time of a step is slots × (1 + L ÷ {}) + {}, in the time of one slot: L is the length of its rows, and the last number what every step costs, however small it is. Both follow from the model and the accelerator that are chosen below, under Speed-up.",
        mean(1.0 / cost.square).trim_end_matches(".0"),
        mean(cost.step_slots).trim_end_matches(".0"),
    )
}

/// What the limit does to longer sequences.
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
