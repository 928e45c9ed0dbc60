//! The tokens of the first record while options are chosen, and the progress of counting.

use crate::components::figure;
use packscope::words::plural;
use packscope_page::state::tokens::{Panel, Progress};
use web_sys::HtmlInputElement;
use yew::prelude::*;

pub fn is_checked(e: &Event) -> bool {
    e.target_dyn_into::<HtmlInputElement>()
        .is_some_and(|input| input.checked())
}

/// The tokens of the first record, or the reason why there are none.
pub fn preview(panel: &Panel) -> Html {
    if let Some(problem) = panel.problem() {
        return html! {
            <p class="wrong" role="alert" data-wrong="tokens">{ "First record: " }{ problem }</p>
        };
    }
    let Some(Ok(preview)) = panel.looked.as_ref().map(|looked| &looked.preview) else {
        return Html::default();
    };
    // The preview lists the first tokens only.
    let left = preview.tokens.saturating_sub(preview.pieces.len() as u64);
    html! {
        <>
            <p>
                { "First record: " }
                { figure("preview_tokens", preview.tokens, plural(preview.tokens, "token")) }
            </p>
            <p class="pieces" aria-label="Tokens of the first record">
                { for preview.pieces.iter().map(|piece| html! { <span>{ visible(piece) }</span> }) }
                if left > 0 {
                    { format!(" and {} more", packscope::words::count(left)) }
                }
            </p>
        </>
    }
}

/// Returns a token with visible line breaks and tabs.
fn visible(piece: &str) -> String {
    piece
        .replace('\n', "⏎")
        .replace('\r', "␍")
        .replace('\t', "⇥")
}

/// The progress, with buttons to keep or discard the lengths so far.
pub fn progress(
    progress: &Progress,
    keep: Callback<MouseEvent>,
    discard: Callback<MouseEvent>,
) -> Html {
    let share = progress.done as f64 / progress.of.max(1) as f64;
    html! {
        <div class="notice" role="status" data-notice="counting">
            <p>{ progress.words() }</p>
            <progress max="1" value={format!("{share:.3}")} aria-label="Counting tokens" />
            <button type="button" class="word" onclick={keep} disabled={progress.records == 0}>
                { "Keep what was counted" }
            </button>
            <button type="button" class="word" onclick={discard}>{ "Discard (Esc)" }</button>
        </div>
    }
}
