//! The foot of the page: what happens to data, the papers, the keys, and the colours.

use packscope_page::state::{Action, AppState, Tab, Theme, View};
use yew::prelude::*;

pub fn foot(state: &AppState, dispatch: &Callback<Action>) -> Html {
    let theme = |theme: Theme| dispatch.reform(move |_| Action::Theme(theme));
    let at = state.theme;
    html! {
        <footer class="foot">
            <p>
                <b>{ "Your data stays in this page." }</b>
                { " Nothing is uploaded; the page makes no request to any other host." }
            </p>
            <p>
                { "After Krell, Kosec, Perez, Fitzgibbon 2022, " }
                <i>{ "Efficient Sequence Packing without Cross-contamination" }</i>
                { "; Krell, Lopez, Anand, Helal, Fitzgibbon 2022, " }
                <i>{ "Tuple Packing" }</i>
                { "; Nagarajan, Raghunathan 2023, " }
                <i>{ "TokenDrop + BucketSampler" }</i>
                { "." }
            </p>
            <div class="actions">
                if state.view != View::Learn {
                    <button
                        type="button"
                        class="word"
                        onclick={dispatch.reform(|_: MouseEvent| Action::Room(Tab::All))}
                    >
                        { "All on one page" }
                    </button>
                }
                <super::keys::Keys view={state.view} dispatch={dispatch.clone()} />
                { super::choice("Colours", &[
                    ("auto", at == Theme::System, theme(Theme::System)),
                    ("light", at == Theme::Light, theme(Theme::Light)),
                    ("dark", at == Theme::Dark, theme(Theme::Dark)),
                ]) }
            </div>
        </footer>
    }
}
