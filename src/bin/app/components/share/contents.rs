//! The contents of the dialog of Share: the link, a card, the picture on a full screen, and code that embeds the page.

use super::card::{self, CardFile};
use super::{ContentsProps, address, copy};
use crate::components::stage::adopt_style;
use packscope::words::{count, plural};
use packscope_page::state::custom::{LINK, LinkData};
use packscope_page::state::{AppState, Source, View};
use wasm_bindgen::JsCast;
use web_sys::{HtmlInputElement, HtmlTextAreaElement};
use yew::prelude::*;

#[component]
pub fn Contents(props: &ContentsProps) -> Html {
    let state = &props.state;
    use_effect_with((), |()| adopt_style());
    let (link, code) = (address(&state.link()), embed_code(state));
    let card = use_memo(state.clone(), CardFile::new);
    let press = |text: &str, words: &'static str| {
        let (text, said) = (text.to_owned(), props.said.clone());
        Callback::from(move |_: MouseEvent| copy(text.clone(), words, said.clone()))
    };
    let save = |words: &str, save: fn(&CardFile)| {
        let card = card.clone();
        let onclick = Callback::from(move |_: MouseEvent| save(&card));
        html! { <button type="button" class="word" {onclick}>{ words.to_owned() }</button> }
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
            <h3>{ "A card" }</h3>
            <img class="card" src={card.preview()} alt={card.words()} />
            <p class="hint">{ card::about_code(&card) }</p>
            <p class="line">
                { save("Save as PNG", CardFile::save_png) }
                { save("Save as SVG", CardFile::save_svg) }
                if state.view == View::Sequences && state.sequences.answer.is_some() {
                    <button
                        type="button"
                        class="word"
                        onclick={props.fill.reform(|_: MouseEvent| ())}
                    >
                        { "Picture on the full screen" }
                    </button>
                }
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
