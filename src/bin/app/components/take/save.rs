//! Files that the visitor is given, and what goes to the clipboard.

use crate::browser;
use gloo_timers::callback::Timeout;
use js_sys::{Array, Uint8Array};
use wasm_bindgen::JsCast;
use web_sys::{Blob, BlobPropertyBag, HtmlAnchorElement, Url};
use yew::prelude::*;

/// Gives the visitor a file of these parts, which may be more than memory holds.
pub fn save(name: &str, parts: &Array) {
    let options = BlobPropertyBag::new();
    // A kind that every browser saves, whatever it could show.
    options.set_type("application/octet-stream");
    let Ok(blob) = Blob::new_with_str_sequence_and_options(parts, &options) else { return };
    let Ok(url) = Url::create_object_url_with_blob(&blob) else { return };
    let link =
        browser::document().create_element("a").ok().and_then(|a| a.dyn_into::<HtmlAnchorElement>().ok());
    if let Some(link) = link {
        link.set_href(&url);
        link.set_download(name);
        link.click();
    }
    // The browser reads it after this; what it has read it keeps.
    Timeout::new(60_000, move || drop(Url::revoke_object_url(&url))).forget();
}

/// Gives the visitor a file with this text.
pub fn save_text(name: &str, text: &str) {
    save(name, &Array::of1(&Uint8Array::from(text.as_bytes())));
}

/// A button that gives a file: the name is known, the text is made when it is wanted.
pub fn save_button(words: &str, name: String, text: impl Fn() -> String + 'static) -> Html {
    let label = format!("Save as {words}: {name}");
    let file = name.clone();
    let onclick = Callback::from(move |_: MouseEvent| save_text(&name, &text()));
    html! { <button type="button" class="word" aria-label={label} data-file={file} {onclick}>{ words }</button> }
}

/// Properties of [`struct@Copy`].
#[derive(Clone, PartialEq, Properties)]
pub struct CopyProps {
    /// What is copied.
    pub text: AttrValue,
    /// What it is, for those who do not see it.
    pub label: AttrValue,
}

/// A button that copies, and says so.
#[component]
pub fn Copy(props: &CopyProps) -> Html {
    let said = use_state_eq(|| "Copy");
    let onclick = {
        let (text, said) = (props.text.clone(), said.setter());
        Callback::from(move |_: MouseEvent| {
            let (text, said) = (text.clone(), said.clone());
            wasm_bindgen_futures::spawn_local(async move {
                said.set(if browser::copy(&text).await { "Copied" } else { "Not allowed: select and copy" });
                Timeout::new(2500, move || said.set("Copy")).forget();
            });
        })
    };
    html! { <>
        <button type="button" class="word" aria-label={format!("Copy {}", props.label)} {onclick}>{ *said }</button>
        <span class="unseen" role="status">{ if *said == "Copy" { "" } else { *said } }</span>
    </> }
}
