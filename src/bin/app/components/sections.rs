//! The line of contents: links to the parts below the answer, named by the question that each answers.

use crate::jump;
use packscope::api::batch::Mode;
use packscope::state::{AppState, View};
use yew::prelude::*;

/// The id of a part, and its title.
type Section = (&'static str, &'static str);

const SEQUENCES: [Section; 6] = [
    ("shared-rows", "what shares a row"),
    ("along-depths", "how deep to pack"),
    ("algorithms", "which algorithm"),
    ("trainer", "what your trainer does"),
    ("other-limits", "which limit"),
    ("strategies", "every kind of row"),
];
const GRAPHS: [Section; 3] =
    [("algorithms", "which way to pack"), ("trainer", "what your loader does"), ("sweep", "which limits")];
const BATCHES: [Section; 4] = [
    ("algorithms", "which sampler"),
    ("trainer", "what your sampler does"),
    ("largest-batches", "how large a batch may be"),
    ("differences", "where the paper differs"),
];
/// The parts of every view.
const ALL: [Section; 4] = [
    ("speedup", "time saved"),
    ("optimiser", "the optimiser"),
    ("bill", "money saved"),
    ("take", "export and code"),
];

/// Draws the links of the view; none if the page is embedded in another.
pub fn sections(state: &AppState) -> Html {
    let one_by_one = state.view == View::Batches && state.batch_settings().mode == Mode::RealTime;
    let own: &[Section] = match state.view {
        View::Sequences => &SEQUENCES,
        View::Graphs => &GRAPHS,
        // Queries one by one are not batched.
        View::Batches if one_by_one => &BATCHES[..1],
        View::Batches => &BATCHES,
        View::Learn => &[],
    };
    if state.embed {
        return html! {};
    }
    html! {
        <nav class="sections" aria-label="Parts of this page">
            { for own.iter().chain(&ALL).map(|(id, tells)| html! {
                <button type="button" class="word" data-to={*id} onclick={Callback::from(|_: MouseEvent| jump::go_to(id))}>{ *tells }</button>
            }) }
        </nav>
    }
}
