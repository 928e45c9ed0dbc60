//! The name of the page, and what can be done with all of it.

use crate::app::Props;
use crate::browser;
use gloo_timers::callback::Timeout;
use packscope::state::{Action, Theme, View};
use packscope::words::capital;
use wasm_bindgen_futures::JsFuture;
use yew::prelude::*;

/// The top line.
#[component]
pub fn Top(props: &Props) -> Html {
    let copied = use_state_eq(|| "");
    let share = {
        let copied = copied.setter();
        let hash = props.state.hash();
        Callback::from(move |_| {
            browser::set_hash(&hash);
            let copied = copied.clone();
            wasm_bindgen_futures::spawn_local(async move {
                let address = browser::window().location().href().unwrap_or_default();
                let done =
                    JsFuture::from(browser::window().navigator().clipboard().write_text(&address)).await;
                copied.set(if done.is_ok() { "Link copied" } else { "The link is in the address bar" });
                let copied = copied.clone();
                Timeout::new(2500, move || copied.set("")).forget();
            });
        })
    };
    let theme = |theme: Theme| props.dispatch.reform(move |_| Action::Theme(theme));
    let at = props.state.theme;
    let tab = |view: View| {
        let shown = props.state.view == view;
        let onclick = props.dispatch.reform(move |_| Action::View(view));
        html! {
            <button type="button" class="tab" aria-current={shown.then_some("page")} {onclick}>{ capital(view.name()) }</button>
        }
    };
    html! {
        <header class="top">
            <a class="brand" href="./">
                <svg viewBox="0 0 22 16" aria-hidden="true">
                    <path class="l7" d="M0 0h10v4H0z" /><path class="l3" d="M11 0h11v4H11z" />
                    <path class="l5" d="M0 6h7v4H0z" /><path class="l1" d="M8 6h8v4H8z" /><path class="pad" d="M17 6h5v4h-5z" />
                    <path class="l6" d="M0 12h15v4H0z" /><path class="l0" d="M16 12h6v4h-6z" />
                </svg>
                { "Packscope" }
            </a>
            <nav class="tabs" aria-label="Views">{ for View::ALL.into_iter().map(tab) }</nav>
            <div class="actions">
                <span role="status">{ *copied }</span>
                <button type="button" class="word" onclick={share}>{ "Share" }</button>
                <super::keys::Keys dispatch={props.dispatch.clone()} />
                { super::choice("Colours", &[
                    ("auto", at == Theme::System, theme(Theme::System)),
                    ("light", at == Theme::Light, theme(Theme::Light)),
                    ("dark", at == Theme::Dark, theme(Theme::Dark)),
                ]) }
            </div>
        </header>
    }
}
