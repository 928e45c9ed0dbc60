//! Access to the browser, in one place.

use gloo_timers::callback::Timeout;
use packscope::words::is_hidden;
use std::cell::Cell;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, Document, Element, Event, FileList, History, HtmlElement, Storage, Window};

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
pub fn worker_url(name: &str) -> String {
    let script = root().get_attribute(&format!("data-{name}"));
    // A release names it with its hash; Trunk by itself names workers alike in every build.
    format!("./{}", script.unwrap_or_else(|| format!("{name}_loader.js")))
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

/// Milliseconds between two looks for an element that is on its way, and how often it is looked for.
const LOOK: (u32, u32) = (50, 200);

thread_local! {
    /// How often someone has gone anywhere: of two elements that are on their way the later one is gone to.
    static GONE: Cell<u32> = const { Cell::new(0) };
    /// Whether the page is to be printed as soon as all of it is there.
    static PRINTING: Cell<bool> = const { Cell::new(false) };
}

/// Returns the element that has the focus; `None` where it fell to the page, as when a pressed button is gone.
fn focused() -> Option<Element> {
    document().active_element().filter(|element| element.tag_name() != "BODY")
}

/// Asks for the parts of the page that are not loaded yet.
fn want() {
    if let Ok(event) = Event::new(WANTED) {
        let _ = window().dispatch_event(&event);
    }
}

/// Goes to an element as soon as it is there, and `then` into it, unless one goes elsewhere meanwhile, or the focus does.
fn seek(id: String, then: Option<&'static str>, gone: u32, looks: u32, focus: Option<Element>) {
    let stays = focused().is_none_or(|now| focus.as_ref() == Some(&now));
    if looks > 0 && GONE.get() == gone && stays {
        let look = move || match element(&id) {
            Some(_) => go(&id, then),
            None => seek(id, then, gone, looks - 1, focus),
        };
        Timeout::new(LOOK.0, look).forget();
    }
}

/// Scrolls to an element and focuses it, without changing the address. A folded part is unfolded, and so is one that
/// it lies in; its summary has the focus. One that is not there yet is asked for, and gone to when it comes.
pub fn go_to(id: &str) {
    go(id, None);
}

/// Unfolds a part and goes to what is in it, as soon as that is there.
pub fn go_into(fold: &str, id: &'static str) {
    go(fold, Some(id));
}

fn go(id: &str, then: Option<&'static str>) {
    let gone = GONE.get() + 1;
    GONE.set(gone);
    let Some(element) = element(id) else {
        want();
        return seek(id.to_owned(), then, gone, LOOK.1, focused());
    };
    let fold = element.closest("details").ok().flatten();
    let own = fold.as_ref().is_some_and(|fold| fold.is_same_node(Some(&element)));
    let summary = fold.and_then(|fold| {
        let _ = fold.set_attribute("open", "");
        fold.query_selector("summary").ok().flatten()
    });
    element.scroll_into_view();
    let focus = summary.filter(|_| own).unwrap_or(element);
    let _ = focus.dyn_into::<HtmlElement>().map(|element| element.focus());
    if let Some(then) = then {
        seek(then.to_owned(), None, gone, LOOK.1, focused());
    }
}

/// Prints the page once all of it is there, or does not come: what a browser prints is what is there when it is asked.
pub fn print_whole() {
    // However often the keys are pressed meanwhile.
    if !PRINTING.replace(true) {
        want();
        print_after(LOOK.1);
    }
}

/// Whether parts of the page are not loaded yet.
pub fn is_partial() -> bool {
    document().query_selector("[data-far]").is_ok_and(|part| part.is_some())
}

fn print_after(looks: u32) {
    if looks == 0 || !is_partial() {
        PRINTING.set(false);
        let _ = window().print();
    } else {
        Timeout::new(LOOK.0, move || print_after(looks - 1)).forget();
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
