//! The cost of rounding up, folded: each sequence against each row, by multiples that libraries ask
//! for.

use super::explained::terms;
use super::fold::{Fold, use_fold};
use super::{entry_of, framed, titled};
use crate::shared::AnswerProps;
use packscope::api::{OF_PACKS, OF_SEQUENCES, RoundingCost, rounding};
use packscope::words::{count, percent};
use yew::prelude::*;

#[component]
pub fn Roundings(props: &AnswerProps) -> Html {
    let Fold { open, ontoggle } = use_fold("rounding");
    let Some(answer) = &props.state.sequences.answer else {
        return Html::default();
    };
    let report = &answer.report;
    // The rows that a report leaves out cannot be rounded, and those listed stand for no others.
    let whole = report.unlisted_packs == 0 && report.settings.algorithm.fills_rows();
    if !whole {
        return Html::default();
    }
    // A function, so that nothing is computed while it is folded.
    let table = || {
        let tokens = report.figures.real_tokens.first().copied().unwrap_or(0);
        let rows = rounding(&report.strategies, report.settings.limit, tokens);
        let heads = html! {
            <>
                <th>{ "Multiple of" }</th>
                <th>{ "Each sequence" }</th>
                <th>{ "Each row" }</th>
                <th>{ "Padding of rows" }</th>
            </>
        };
        framed(
            ["compare still", "What rounding up costs"],
            None,
            heads,
            rows.iter().map(row),
        )
    };
    html! {
        <details class="panel rounding" id="rounding" {open} {ontoggle}>
            <summary>
                <h2>{ titled("Rows that end early: what rounding up costs") }</h2>
            </summary>
            if open {
                <p class="caption">
                    <span>
                        { terms(
                            "slots added to the tokens, if rows end with their last sequence and one or the other is rounded up; in the last line, to the limit",
                        ) }
                    </span>
                </p>
                { table() }
                <p class="small">
                    { "Each sequence: " }
                    { OF_SEQUENCES }
                    { ". Each row: " }
                    { OF_PACKS }
                    { ". “Align to” packs sequences that are rounded up." }
                </p>
            }
        </details>
    }
}

fn row(row: &RoundingCost) -> Html {
    let added = |share: f64| Some([share.to_string(), format!("+{}", percent(share))]);
    html! {
        <tr data-multiple={row.multiple.to_string()}>
            <th scope="row">{ count(u64::from(row.multiple)) }</th>
            { entry_of("sequence_added", "", added(row.sequence_added), "") }
            { entry_of("pack_added", "", added(row.pack_added), "") }
            { entry_of(
                "pack_padding",
                "",
                Some([row.pack_padding.to_string(), percent(row.pack_padding)]),
                "",
            ) }
        </tr>
    }
}
