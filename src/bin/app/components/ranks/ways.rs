//! Every way to deal with every weight, where ranks wait after every micro-batch and where they
//! wait once a step.

use super::table::{Cell, matrix};
use crate::components::titled;
use crate::shared::{Same, SharedState};
use packscope::api::fields::ranks::{DEALING, WAITING, WEIGHT};
use packscope::api::ranks::{Dealing, DealingRow, DealingTable, SyncPoint, Weight};
use packscope::words::capital;
use packscope_page::state::Action;
use packscope_page::state::ranks::findings::{of_compared, of_row, of_table, waits, when};
use yew::prelude::*;

#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    pub state: SharedState,
    pub dispatch: Callback<Action>,
    pub table: Option<Same<DealingTable>>,
}

#[component]
pub fn Ways(props: &Props) -> Html {
    let state = &props.state;
    let waiting = state.ranks_settings().waiting;
    let title = props
        .table
        .as_ref()
        .and_then(|table| of_table(state, table, waiting));
    let title = title.unwrap_or_else(|| "Every way to assign".to_owned());
    html! {
        <section class="algorithms" id="ways" tabindex="-1">
            <h2>{ titled(&title) }</h2>
            <div class="pair even">
                {
                    for [SyncPoint::MicroBatch, SyncPoint::Step]
                        .map(|waiting| table_for(props, waiting))
                }
            </div>
            if let Some(table) = &props.table {
                <p class="small">
                    { format!(
                        "Share of the time in which ranks are idle, on {}. Press a figure to use it. ",
                        of_compared(&state.ranks_settings(), table)
                    ) }
                    { format!(
                        "Best possible with whole sequences or rows: {} synchronised after every micro-batch, {} once a step.",
                        waits(table.bound[0]),
                        waits(table.bound[1])
                    ) }
                </p>
            }
        </section>
    }
}

/// The table for one kind of waiting: a row for each dealing, a column for each weight.
fn table_for(props: &Props, waiting: SyncPoint) -> Html {
    let now = props.state.ranks_settings();
    let rows = props.table.as_ref().map_or(&[][..], |table| &table.rows);
    let find = |dealing, weight| {
        rows.iter().find(|row: &&DealingRow| {
            row.dealing == dealing && (row.weight == weight || dealing.is_blind())
        })
    };
    let cell = |dealing: Dealing, weight: Weight| {
        let dispatch = props.dispatch.clone();
        // A cell is a choice of three settings.
        let take = move |_: MouseEvent| {
            let settings = [
                (DEALING.value.id, dealing.name()),
                (WEIGHT.value.id, weight.name()),
                (WAITING.value.id, waiting.name()),
            ];
            settings
                .into_iter()
                .for_each(|(id, text)| dispatch.emit(Action::Ranks(id, text.to_owned())));
        };
        Cell {
            value: find(dealing, weight).map(|row| of_row(row, waiting)),
            chosen: now.library.is_none()
                && (now.dealing, now.waiting) == (dealing, waiting)
                && (now.weight == weight || dealing.is_blind()),
            label: format!(
                "{}, {}, {}",
                dealing.long_name(),
                weight.long_name(),
                when(waiting)
            ),
            take: Callback::from(take),
        }
    };
    let row = |dealing: Dealing| {
        // Sequences that are dealt as they come are weighed by nothing: the row has one cell.
        let weights = if dealing.is_blind() {
            &[Weight::Tokens][..]
        } else {
            &Weight::ALL
        };
        (
            dealing.long_name(),
            weights
                .iter()
                .map(|weight| cell(dealing, *weight))
                .collect(),
        )
    };
    matrix(
        &format!("Synchronised {}", when(waiting)),
        (
            &capital(when(waiting)),
            // In the order of `Weight::ALL`, in words that are short enough for a phone.
            &["tokens", "L²", "verl", "slime", "model"],
        ),
        props.state.is_dealt(),
        Dealing::ALL.map(row),
    )
}
