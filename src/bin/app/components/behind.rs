//! The table behind a plot, for screen readers.

use packscope_chart::Table;
use yew::prelude::*;

/// A visually hidden table; the first cell of a row is its header.
pub fn behind(
    caption: &str,
    head: impl IntoIterator<Item = impl ToString>,
    rows: impl IntoIterator<Item = Vec<String>>,
) -> Html {
    hidden(Table::new(caption, head, rows))
}

/// Like [`behind`], for the table of a drawing.
pub fn hidden(
    Table {
        caption,
        head,
        rows,
    }: Table,
) -> Html {
    let row = |cells: Vec<String>| {
        let mut cells = cells.into_iter();
        let name = cells.next().unwrap_or_default();
        html! {
            <tr>
                <th scope="row">{ name }</th>
                { for cells.map(|cell| html! { <td>{ cell }</td> }) }
            </tr>
        }
    };
    html! {
        // Out of sight, but not `hidden`, which screen readers would skip. The style sheet shows it
        // to everyone where the browser can draw nothing (`.blank`).
        <div class="unseen">
            <table>
                <caption>{ caption }</caption>
                <thead>
                    <tr>
                        { for head.into_iter().map(|name| html! { <th scope="col">{ name }</th> }) }
                    </tr>
                </thead>
                <tbody>{ for rows.into_iter().map(row) }</tbody>
            </table>
        </div>
    }
}
