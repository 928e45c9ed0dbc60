//! Content for screen readers alone: announcements of figures, and the tables behind plots.

use crate::due::{self, PendingKind};
use packscope_chart::Table;
use yew::prelude::*;

#[derive(Clone, PartialEq, Properties)]
pub struct AnnounceProps {
    pub words: String,
    /// Whether to withhold the text, while the search for a better answer runs.
    #[prop_or_default]
    pub held: bool,
}

/// Milliseconds without a change before an answer is announced: once, not at every step of a slider.
const REST: u32 = 900;

/// A live region that announces its text once it has stopped changing.
#[component]
pub fn Announce(props: &AnnounceProps) -> Html {
    let said = use_state_eq(String::new);
    let set = said.setter();
    use_effect_with((props.words.clone(), props.held), move |(words, held)| {
        let words = words.clone();
        let timer =
            (!held).then(|| due::after(PendingKind::Announcing, REST, move || set.set(words)));
        move || drop(timer)
    });
    html! { <p class="unseen" role="status">{ &*said }</p> }
}

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
