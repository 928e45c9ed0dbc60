//! A table of the ways to deal; a press on a cell takes its way.

use crate::components::explained::quiet;
use crate::components::{PENDING, framed};
use packscope_page::state::ranks::findings::{idle, waits};
use yew::prelude::*;

/// The factor of a way, shown as the share of waiting, with what pressing it does.
pub struct Cell {
    pub value: Option<f64>,
    pub chosen: bool,
    /// The accessible name, beside the factor.
    pub label: String,
    pub take: Callback<MouseEvent>,
}

/// Draws how long ranks wait by row and column; a row with a single cell has it under all columns.
pub fn matrix(
    caption: &str,
    (corner, columns): (&str, &[&'static str]),
    current: bool,
    rows: impl IntoIterator<Item = (&'static str, Vec<Cell>)>,
) -> Html {
    let heads = html! {
        <>
            <th>{ corner.to_owned() }</th>
            { for columns.iter().map(|name| html! { <th>{ quiet(name) }</th> }) }
        </>
    };
    let row = |(name, cells): (&'static str, Vec<Cell>)| {
        let span = (cells.len() == 1).then(|| columns.len().to_string());
        let cell = |cell: Cell| {
            // Dots keep the place of a share until the table is computed.
            let shown = cell.value.map_or_else(|| PENDING.to_owned(), waits);
            let exact = cell.value.map(|value| idle(value).to_string());
            html! {
                <td
                    colspan={span.clone()}
                    class={classes!(cell.chosen.then_some("chosen"))}
                    data-figure="idle"
                    data-value={exact}
                >
                    <button
                        type="button"
                        class="name"
                        aria-pressed={cell.chosen.to_string()}
                        aria-label={format!("{}: {shown}", cell.label)}
                        onclick={cell.take}
                    >
                        { &shown }
                    </button>
                </td>
            }
        };
        html! {
            <tr>
                <th scope="row">{ quiet(name) }</th>
                { for cells.into_iter().map(cell) }
            </tr>
        }
    };
    framed(
        ["compare of-ways", caption],
        Some(current),
        heads,
        rows.into_iter().map(row),
    )
}
