//! The frame of every view: the top line and the foot.

use super::rooms::tab;
use crate::jump;
use crate::shared::Props;
use packscope_page::state::{Action, AppState, Tab, Theme, View};
use yew::prelude::*;

/// The top line: the name of the page, the views, and actions on the whole page.
#[component]
pub fn Top(props: &Props) -> Html {
    let view = |view: View| {
        let shown = props.state.view == view;
        let onclick = props.dispatch.reform(move |_| Action::View(view));
        tab(view.name(), [shown; 2], onclick)
    };
    html! {
        <header class="top">
            // A button and no link: `#main` would take the place of the settings in the address.
            <button
                type="button"
                class="unseen skip"
                onclick={Callback::from(|_: MouseEvent| jump::go_to("main"))}
            >
                { "Skip to the answer" }
            </button>
            <a class="brand" href="./">
                <svg viewBox="0 0 22 16" aria-hidden="true">
                    <path class="l7" d="M0 0h10v4H0z" />
                    <path class="l3" d="M11 0h11v4H11z" />
                    <path class="l5" d="M0 6h7v4H0z" />
                    <path class="l1" d="M8 6h8v4H8z" />
                    <path class="pad" d="M17 6h5v4h-5z" />
                    <path class="l6" d="M0 12h15v4H0z" />
                    <path class="l0" d="M16 12h6v4h-6z" />
                </svg>
                { "Packscope" }
            </a>
            <nav class="tabs" role="tablist" aria-label="Views">
                { for View::ALL.into_iter().map(view) }
            </nav>
            <div class="actions">
                <super::find::Find state={props.state.clone()} dispatch={props.dispatch.clone()} />
                if props.state.view != View::Learn {
                    <button
                        type="button"
                        class="word"
                        onclick={Callback::from(|_: MouseEvent| jump::go_to("take"))}
                    >
                        { "Export" }
                    </button>
                    <button
                        type="button"
                        class="word"
                        onclick={Callback::from(|_: MouseEvent| jump::go_into("take", "lines"))}
                    >
                        { "Code" }
                    </button>
                }
                { super::pin::in_top(&props.state, &props.dispatch) }
                <super::share::Share state={props.state.clone()} dispatch={props.dispatch.clone()} />
            </div>
        </header>
    }
}

/// The foot of the page: what happens to data, the papers, the keys, and the colours.
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
