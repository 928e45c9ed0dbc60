//! Access to the browser, in one place.

use packscope::words::is_hidden;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, Document, Event, FileList, History, HtmlElement, Storage, Window};

pub fn element(id: &str) -> Option<web_sys::Element> {
    document().get_element_by_id(id)
}

/// Removes the static answer in the document, which is shown until the page has rendered its own.
pub fn end_opening() {
    element("opening")
        .into_iter()
        .for_each(|opening| opening.remove());
}

pub fn window() -> Window {
    web_sys::window().unwrap_throw()
}

pub fn document() -> Document {
    window().document().unwrap_throw()
}

/// Returns the root element, which carries the theme and the names of built files.
pub fn root() -> HtmlElement {
    document()
        .document_element()
        .unwrap_throw()
        .unchecked_into()
}

pub fn is_visible() -> bool {
    !document().hidden()
}

/// Returns the milliseconds since the page began to load.
pub fn milliseconds() -> f64 {
    window().performance().map_or(0.0, |p| p.now())
}

/// Returns the URL of the worker script, relative to the page, so that the page works under any path of any host.
pub fn worker_url() -> String {
    let script = root().get_attribute("data-worker");
    // A release build names it with its hash; Trunk on its own uses the same name in every build.
    format!("./{}", script.as_deref().unwrap_or("worker_loader.js"))
}

/// Returns the files of a list with their names, stripped of invisible characters.
pub fn files(list: Option<FileList>) -> Vec<(String, Blob)> {
    let list = list
        .iter()
        .flat_map(|list| (0..list.length()).filter_map(|i| list.get(i)));
    // A name is shown and put into links: characters that turn the direction of writing could forge
    // what it says.
    let name = |name: String| name.chars().filter(|c| !is_hidden(*c)).collect();
    list.map(|file| (name(file.name()), file.into())).collect()
}

/// Returns the part of the address after `#`.
pub fn hash() -> String {
    let hash = window().location().hash().unwrap_or_default();
    hash.strip_prefix('#')
        .map_or_else(String::new, str::to_owned)
}

/// Writes the hash, as a new history entry or in place of the current one: nobody wants to go back through the steps of
/// a slider. Returns false if the browser refuses, which Chromium does without an error where there are too many.
pub fn set_hash(hash: &str, new: bool) -> bool {
    // The state object of an entry marks it as ours: links and typed addresses have none. See
    // `is_ours`.
    let (before, url, ours) = (self::hash(), format!("#{hash}"), JsValue::TRUE);
    let write = |h: History| match new {
        true => h.push_state_with_url(&ours, "", Some(&url)).is_ok(),
        false => h.replace_state_with_url(&ours, "", Some(&url)).is_ok(),
    };
    window().history().is_ok_and(write) && self::hash() != before
}

/// Whether this page wrote the current history entry, rather than a link.
pub fn is_ours() -> bool {
    window()
        .history()
        .and_then(|h| h.state())
        .is_ok_and(|state| state.is_truthy())
}

/// Copies a text. Returns false if that failed, as on pages over plain HTTP and in some frames.
pub async fn copy(text: &str) -> bool {
    let navigator = window().navigator();
    // web-sys declares `clipboard` as always present; where it is undefined, calling it would
    // throw.
    let there = js_sys::Reflect::get(&navigator, &"clipboard".into()).is_ok_and(|c| c.is_object());
    there
        && JsFuture::from(navigator.clipboard().write_text(text))
            .await
            .is_ok()
}

pub fn media(query: &str) -> bool {
    window()
        .match_media(query)
        .ok()
        .flatten()
        .is_some_and(|m| m.matches())
}

/// The name of the event that requests the parts of the page that are not loaded yet.
pub const WANTED: &str = "wanted";

/// Milliseconds between two polls for something on its way, and the most polls while nothing is loading.
pub const LOOK: (u32, u32) = (50, 200);

/// Requests the parts of the page that are not loaded yet.
pub fn want() {
    if let Ok(event) = Event::new(WANTED) {
        let _ = window().dispatch_event(&event);
    }
}

/// Returns a text from local storage; empty if there is none, or the browser refuses.
pub fn stored_text(name: &str) -> String {
    store()
        .and_then(|store| store.get_item(name).ok().flatten())
        .unwrap_or_default()
}

/// Stores a text in local storage, if the browser allows that.
pub fn keep(name: &str, text: &str) {
    if let Some(store) = store() {
        // Stored texts only remember choices; a full or forbidden store must not disturb the
        // visitor.
        let _ = store.set_item(name, text);
    }
}

fn store() -> Option<Storage> {
    window().local_storage().ok().flatten()
}
