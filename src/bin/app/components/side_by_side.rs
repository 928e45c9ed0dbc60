//! Files opened together, side by side.

use super::framed;
use crate::shared::SharedState;
use packscope::words::{count, percent};
use packscope_page::state::{Action, FileRow};
use yew::prelude::*;

#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    pub state: SharedState,
    pub dispatch: Callback<Action>,
}

#[component]
pub fn SideBySide(props: &Props) -> Html {
    let rows = props.state.side_by_side();
    if rows.is_empty() {
        return Html::default();
    }
    let limit = count(u64::from(props.state.sequences.settings.limit));
    html! {
        <section class="files-apart" aria-label="Files side by side">
            // The first row is that of all files together.
            <h2>{ format!("{} files, read as one", count(rows.len() as u64 - 1)) }</h2>
            { framed(
                ["compare", ""],
                None,
                html! {
                    <>
                        <th scope="col">{ "File" }</th>
                        <th scope="col">{ "Sequences" }</th>
                        <th scope="col">{ "Mean" }</th>
                        <th scope="col">{ "Longest" }</th>
                        <th scope="col">{ format!("Padding at {limit}, unpacked") }</th>
                    </>
                },
                rows.iter().enumerate().map(|(i, row)| line(i, row, props)),
            ) }
            <p class="hint">
                { "Press a file to see it alone; pin it, and press another to compare their packs." }
            </p>
        </section>
    }
}

fn line(i: usize, row: &FileRow, props: &Props) -> Html {
    let show = row.show.clone();
    let onclick = props.dispatch.reform(move |_: MouseEvent| show.clone());
    let name = if i == 0 {
        "All of them"
    } else {
        row.name.as_str()
    };
    html! {
        <tr aria-selected={row.shown.to_string()} data-file={row.name.clone()}>
            <th scope="row">
                <button type="button" class="word" aria-pressed={row.shown.to_string()} {onclick}>
                    { name }
                </button>
            </th>
            <td data-figure="items" data-value={row.summary.items.to_string()}>
                { count(row.summary.items) }
            </td>
            <td>{ format!("{:.1}", row.summary.mean) }</td>
            <td>{ count(u64::from(row.summary.max)) }</td>
            <td data-figure="padding_share" data-value={row.summary.padding_share.to_string()}>
                { percent(row.summary.padding_share) }
            </td>
        </tr>
    }
}
