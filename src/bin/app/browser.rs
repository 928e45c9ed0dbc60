//! Access to the browser, in one place.

use packscope::words::is_hidden;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, Document, Event, FileList, History, HtmlElement, Storage, Window};

/// Returns the element of this id.
pub fn element(id: &str) -> Option<web_sys::Element> {
    document().get_element_by_id(id)
}

/// Removes the answer of the opening page, which stands in the document until the page itself has it.
pub fn end_opening() {
    element("opening").into_iter().for_each(|opening| opening.remove());
}

/// Returns the window, which exists wherever this runs.
pub fn window() -> Window {
    web_sys::window().unwrap_throw()
}

/// Returns the document.
pub fn document() -> Document {
    window().document().unwrap_throw()
}

/// Returns the root element, which carries the theme and the names of built files.
pub fn root() -> HtmlElement {
    document().document_element().unwrap_throw().unchecked_into()
}

/// Whether the tab can be seen.
pub fn is_visible() -> bool {
    !document().hidden()
}

/// Returns the milliseconds since the page began to load.
pub fn now() -> f64 {
    window().performance().map_or(0.0, |p| p.now())
}

/// Returns the address of a worker, relative to the page, so that the page may lie under any path of any host.
pub fn worker_url() -> String {
    let script = root().get_attribute("data-worker");
    // A release names it with its hash; Trunk by itself names workers alike in every build.
    format!("./{}", script.as_deref().unwrap_or("worker_loader.js"))
}

/// Returns the files of a list with their names, without invisible characters.
pub fn files(list: Option<FileList>) -> Vec<(String, Blob)> {
    let list = list.iter().flat_map(|list| (0..list.length()).filter_map(|i| list.get(i)));
    let name = |name: String| name.chars().filter(|c| !is_hidden(*c)).collect();
    list.map(|file| (name(file.name()), file.into())).collect()
}

/// Returns the address after `#`.
pub fn hash() -> String {
    let hash = window().location().hash().unwrap_or_default();
    hash.strip_prefix('#').map_or_else(String::new, str::to_owned)
}

/// Writes the hash, as a new entry of the history or in place of the present one, as nobody wants to go back to a moved
/// slider. Returns false if the browser refuses.
pub fn set_hash(hash: &str, new: bool) -> bool {
    let (url, ours) = (format!("#{hash}"), JsValue::TRUE);
    let write = |h: History| match new {
        true => h.push_state_with_url(&ours, "", Some(&url)).is_ok(),
        false => h.replace_state_with_url(&ours, "", Some(&url)).is_ok(),
    };
    window().history().is_ok_and(write)
}

/// Whether this page wrote the present entry of the history, and no link did.
pub fn is_ours() -> bool {
    window().history().and_then(|h| h.state()).is_ok_and(|state| state.is_truthy())
}

/// Copies a text. Returns false if that failed: pages over plain HTTP, and some in frames, may not.
pub async fn copy(text: &str) -> bool {
    let navigator = window().navigator();
    let there = js_sys::Reflect::get(&navigator, &"clipboard".into()).is_ok_and(|c| c.is_object());
    there && JsFuture::from(navigator.clipboard().write_text(text)).await.is_ok()
}

/// Whether a media query matches.
pub fn media(query: &str) -> bool {
    window().match_media(query).ok().flatten().is_some_and(|m| m.matches())
}

/// The name of the event that asks for the parts of the page that are not loaded yet.
pub const WANTED: &str = "wanted";

/// Milliseconds between two looks for what is on its way, and how often it is looked for.
pub const LOOK: (u32, u32) = (50, 200);

/// Asks for the parts of the page that are not loaded yet.
pub fn want() {
    if let Ok(event) = Event::new(WANTED) {
        let _ = window().dispatch_event(&event);
    }
}

/// Returns a text that this browser keeps for the page; empty where there is none, or the browser refuses.
pub fn kept(name: &str) -> String {
    store().and_then(|store| store.get_item(name).ok().flatten()).unwrap_or_default()
}

/// Stores a text in this browser, if it allows that.
pub fn keep(name: &str, text: &str) {
    if let Some(store) = store() {
        let _ = store.set_item(name, text);
    }
}

fn store() -> Option<Storage> {
    window().local_storage().ok().flatten()
}
