//! The link to the result on screen, and the code that embeds the page.

use crate::browser;
use crate::due;
use crate::shared::SharedState;
use packscope::words::{count, plural};
use packscope_page::state::custom::{LINK, LinkData};
use packscope_page::state::{AppState, Source, View};
use wasm_bindgen::JsCast;
use web_sys::{HtmlDialogElement, HtmlInputElement, HtmlTextAreaElement};
use yew::prelude::*;

#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    pub state: SharedState,
}

/// Milliseconds for which "copied" is shown.
const SAID: u32 = 2500;

/// A button that copies the link and opens a dialog.
#[component]
pub fn Share(props: &Props) -> Html {
    let (dialog, open) = (use_node_ref(), use_state_eq(|| false));
    let said = use_state_eq(|| "");
    let show = {
        let (dialog, open, said, state) = (
            dialog.clone(),
            open.setter(),
            said.setter(),
            props.state.clone(),
        );
        Callback::from(move |_: MouseEvent| {
            // The address follows with a delay. Written now, it is the link that is copied.
            crate::address::write(&state.hash(), &state.landmark());
            open.set(true);
            copy(address(&state.link()), "Link copied", said.clone());
            // `showModal` throws for a dialog that is open.
            if let Some(dialog) = dialog.cast::<HtmlDialogElement>().filter(|d| !d.open()) {
                let _ = dialog.show_modal();
            }
        })
    };
    let onclose = {
        // Esc closes the dialog too, and raises the same event.
        let open = open.setter();
        Callback::from(move |_: Event| open.set(false))
    };
    html! {
        <>
            <button type="button" class="word" aria-haspopup="dialog" onclick={show}>
                { "Share" }
            </button>
            <dialog ref={dialog} class="paste share" aria-label="Share" {onclose}>
                // A link with large data takes a moment to encode, so it is encoded only when the
                // dialog opens.
                if *open {
                    { contents(&props.state, &said) }
                }
                <form method="dialog" class="line">
                    <span role="status" class="needle">{ *said }</span>
                    <button class="solid">{ "Done" }</button>
                </form>
            </dialog>
        </>
    }
}

fn contents(state: &AppState, said: &UseStateHandle<&'static str>) -> Html {
    let (link, code) = (address(&state.link()), embed_code(state));
    let press = |text: &str, words: &'static str| {
        let (text, said) = (text.to_owned(), said.setter());
        Callback::from(move |_: MouseEvent| copy(text.clone(), words, said.clone()))
    };
    html! {
        <>
            <label for="share-link">{ "Link" }</label>
            <input
                id="share-link"
                class="field"
                type="text"
                readonly=true
                value={link.clone()}
                onfocus={Callback::from(select)}
            />
            <p class="hint" data-shared="">{ content_of_link(state) }</p>
            <p>
                <button type="button" class="word" onclick={press(&link, "Link copied")}>
                    { "Copy the link" }
                </button>
            </p>
            <label for="share-code">{ "To embed it in a page" }</label>
            <textarea
                id="share-code"
                rows="4"
                readonly=true
                spellcheck="false"
                value={code.clone()}
                onfocus={Callback::from(select)}
            />
            <p class="hint">
                { "Without the top line and the foot; good from 360 pixels of width. Add " }
                <code>{ "&hide=controls,speedup,foot" }</code>
                { " to leave parts out." }
            </p>
            <p>
                <button type="button" class="word" onclick={press(&code, "Code copied")}>
                    { "Copy the code" }
                </button>
            </p>
        </>
    }
}

fn content_of_link(state: &AppState) -> String {
    let sequences = || {
        state
            .sequences
            .data
            .as_ref()
            .map(|d| (&d.source, &d.carried, d.histogram.distinct()))
    };
    let graphs = || {
        state
            .graphs
            .data
            .as_ref()
            .map(|d| (&d.source, &d.carried, d.histogram.distinct()))
    };
    let shown = match state.view {
        View::Learn => return "The chapter, and its scene as it stands.".to_owned(),
        View::Graphs => graphs(),
        View::Sequences | View::Batches | View::Ranks => sequences(),
    };
    let Some((source, carried, sizes)) = shown else {
        return "Every setting.".to_owned();
    };
    match (source, carried) {
        (Source::Preset(_), _) => "Every setting, and the name of the data.".to_owned(),
        (_, LinkData { value: Some(_), .. }) => {
            format!(
                "Every setting, and your {} with their counts: the data are in the link.",
                plural(sizes as u64, "size")
            )
        }
        (
            _,
            LinkData {
                value: None, bytes, ..
            },
        ) => format!(
            "Your data are too large to travel: {} kB, and a link has room for {}. It has the settings.",
            count((*bytes as u64).div_ceil(1000)),
            // Base64: four characters of the link carry three bytes.
            LINK * 3 / 4 / 1000
        ),
    }
}

fn address(hash: &str) -> String {
    let here = browser::window().location().href().unwrap_or_default();
    let page = here.split('#').next().unwrap_or_default();
    format!("{page}#{hash}")
}

/// Returns the `<iframe>` that embeds the page, with a height that suits the view.
fn embed_code(state: &AppState) -> String {
    let height = if state.view == View::Learn { 900 } else { 760 };
    let link = address(&state.embedding())
        // The ampersand first, or it would be escaped in the other entity again.
        .replace('&', "&amp;")
        .replace('"', "&quot;");
    format!(
        "<iframe src=\"{link}\" title=\"Packscope\" width=\"100%\" height=\"{height}\" loading=\"lazy\" \
         style=\"border: 1px solid #d8e1e8\"></iframe>"
    )
}

/// Selects the text of a field, for copying by hand.
fn select(e: FocusEvent) {
    let Some(target) = e.target() else { return };
    match target.dyn_into::<HtmlInputElement>() {
        Ok(input) => input.select(),
        Err(target) => {
            if let Ok(area) = target.dyn_into::<HtmlTextAreaElement>() {
                area.select();
            }
        }
    }
}

fn copy(text: String, done: &'static str, said: UseStateSetter<&'static str>) {
    due::load(async move {
        said.set(if browser::copy(&text).await {
            done
        } else {
            "Copy it from the field"
        });
        due::aside(SAID, move || said.set("")).forget();
    });
}

/// The line above an embedded page: its name, and a link to the full page.
pub fn embedded(state: &AppState) -> Html {
    html! {
        <p class="embedded">
            <b>{ "Packscope" }</b>
            { " · " }
            <a href={format!("#{}", state.link())} target="_blank" rel="noopener">
                { "open in full" }
            </a>
        </p>
    }
}
