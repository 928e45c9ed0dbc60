//! What the page needs of the browser, in one place.

use packscope::words::is_hidden;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, Document, FileList, History, HtmlElement, Window};

/// The window; there always is one where this runs.
pub fn window() -> Window {
    web_sys::window().unwrap_throw()
}

/// The document.
pub fn document() -> Document {
    window().document().unwrap_throw()
}

/// The root element, which carries the theme and the names of built files.
pub fn root() -> HtmlElement {
    document().document_element().unwrap_throw().unchecked_into()
}

/// Whether the tab can be seen.
pub fn is_visible() -> bool {
    !document().hidden()
}

/// Milliseconds since the page began to load.
pub fn now() -> f64 {
    window().performance().map_or(0.0, |p| p.now())
}

/// Address of a worker, relative to the page: any path of any host will do.
pub fn worker_url(name: &str) -> String {
    let script = root().get_attribute(&format!("data-{name}"));
    // A release names it with its hash; Trunk by itself names workers alike in every build.
    format!("./{}", script.unwrap_or_else(|| format!("{name}_loader.js")))
}

/// Files with their names, as far as these can be seen.
pub fn files(list: Option<FileList>) -> Vec<(String, Blob)> {
    let list = list.iter().flat_map(|list| (0..list.length()).filter_map(|i| list.get(i)));
    let name = |name: String| name.chars().filter(|c| !is_hidden(*c)).collect();
    list.map(|file| (name(file.name()), file.into())).collect()
}

/// What follows `#` in the address.
pub fn hash() -> String {
    let hash = window().location().hash().unwrap_or_default();
    hash.strip_prefix('#').map_or_else(String::new, str::to_owned)
}

/// Writes the hash without adding to the history: a moved slider is no page one wants to go back to. Whether the browser
/// has let it.
pub fn set_hash(hash: &str) -> bool {
    let replace =
        |h: History| h.replace_state_with_url(&JsValue::NULL, "", Some(&format!("#{hash}"))).is_ok();
    window().history().is_ok_and(replace)
}

/// Copies a text; whether that could be done: pages that came over plain HTTP, and some within others, may not.
pub async fn copy(text: &str) -> bool {
    let navigator = window().navigator();
    let there = js_sys::Reflect::get(&navigator, &"clipboard".into()).is_ok_and(|c| c.is_object());
    there && JsFuture::from(navigator.clipboard().write_text(text)).await.is_ok()
}

/// Whether a media query holds.
pub fn media(query: &str) -> bool {
    window().match_media(query).ok().flatten().is_some_and(|m| m.matches())
}

/// Moves to an element and gives it the focus, without a word in the address.
pub fn go_to(id: &str) {
    if let Some(element) = document().get_element_by_id(id) {
        element.scroll_into_view();
        let _ = element.dyn_into::<HtmlElement>().map(|element| element.focus());
    }
}
