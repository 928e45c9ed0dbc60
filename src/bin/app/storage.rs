//! The visitor's own data that are too large for an address, stored in this browser for reloads and later visits.
//!
//! They are stored in the browser's request cache, each under an address that is never requested from a host: its API
//! is smaller than that of a database, and exists wherever the page works offline.

use crate::browser;
use crate::due;
use crate::shared::SharedState;
use js_sys::{Array, Uint8Array, decode_uri_component, encode_uri_component};
use packscope::histogram::Sizes;
use packscope_page::state::Action;
use packscope_page::state::custom::{Custom, is_stored};
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Cache, Request, Response};
use yew::prelude::*;

/// The name of the cache; the service worker deletes caches of old versions, whose names begin differently.
const CACHE: &str = "data of packscope";

#[derive(Debug, Clone, PartialEq)]
pub struct StorageKey {
    /// The key in the address.
    pub key: String,
    pub graphs: bool,
    pub name: String,
}

async fn cache() -> Result<Cache, JsValue> {
    // `caches` is missing in some windows, such as private ones in Firefox, and on pages over plain HTTP.
    Ok(JsFuture::from(browser::window().caches()?.open(CACHE))
        .await?
        .unchecked_into())
}

/// Returns the path of the data, made of key, kind and name.
fn path(key: &str, custom: &Custom) -> String {
    // Kind and name are in the path, so that a list of what is stored needs no body to be read.
    let kind = if matches!(custom.sizes, Sizes::Graphs(_)) {
        "graphs"
    } else {
        "lengths"
    };
    format!(
        "./stored/{key}/{kind}/{}",
        String::from(encode_uri_component(&custom.name))
    )
}

fn stored(url: &str) -> Option<StorageKey> {
    // The last one: the page itself may lie below a folder of this name.
    let (_, rest) = url.rsplit_once("/stored/")?;
    let (key, rest) = rest.split_once('/').filter(|(key, _)| is_stored(key))?;
    let (kind, name) = rest.split_once('/')?;
    let name = String::from(decode_uri_component(name).ok()?);
    Some(StorageKey {
        key: key.to_owned(),
        graphs: kind == "graphs",
        name,
    })
}

/// Lists all stored data; empty if there are none.
pub async fn list() -> Vec<StorageKey> {
    requests()
        .await
        .unwrap_or_default()
        .iter()
        .filter_map(|request| stored(&request.url()))
        .collect()
}

async fn requests() -> Result<Vec<Request>, JsValue> {
    let requests: Array = JsFuture::from(cache().await?.keys())
        .await?
        .unchecked_into();
    Ok(requests.iter().map(JsCast::unchecked_into).collect())
}

/// Returns the request under which data are stored; `None` if there are none of this key.
async fn request(key: &str) -> Result<Option<Request>, JsValue> {
    let is = |request: &Request| stored(&request.url()).is_some_and(|stored| stored.key == key);
    Ok(requests().await?.into_iter().find(is))
}

/// Stores data, unless they are stored already. Returns false if the browser refuses or has no room.
pub async fn put(key: &str, custom: &Custom) -> bool {
    // The key is made from the data, so equal keys mean equal data.
    if matches!(request(key).await, Ok(Some(_))) {
        return true;
    }
    let bytes = Uint8Array::from(custom.stored().as_slice());
    let write = async || {
        let response = Response::new_with_opt_js_u8_array(Some(&bytes))?;
        JsFuture::from(cache().await?.put_with_str(&path(key, custom), &response)).await
    };
    write().await.is_ok()
}

/// Returns data from storage; `None` if there are none of this key.
pub async fn get(key: &str) -> Option<Custom> {
    let request = request(key).await.ok()??;
    let found = JsFuture::from(cache().await.ok()?.match_with_request(&request))
        .await
        .ok()?;
    let response: Response = found.dyn_into().ok()?;
    let bytes = JsFuture::from(response.array_buffer().ok()?).await.ok()?;
    Custom::from_stored(&Uint8Array::new(&bytes).to_vec()).ok()
}

pub async fn remove(key: &str) {
    if let (Ok(Some(request)), Ok(cache)) = (request(key).await, cache().await) {
        let _ = JsFuture::from(cache.delete_with_request(&request)).await;
    }
}

/// Stores the visitor's own data that the address cannot hold.
#[hook]
pub fn use_storage(state: &SharedState, dispatch: &Rc<Callback<Action>>) {
    use_stored(
        state
            .sequences
            .data
            .as_ref()
            .and_then(|data| data.to_store()),
        dispatch,
    );
    use_stored(
        state.graphs.data.as_ref().and_then(|data| data.to_store()),
        dispatch,
    );
}

#[hook]
fn use_stored(to_store: Option<(String, Custom)>, dispatch: &Rc<Callback<Action>>) {
    let dispatch = Rc::clone(dispatch);
    // The key is a hash of the data, so it stands for them here.
    let key = to_store.as_ref().map(|(key, _)| key.clone());
    use_effect_with(key, move |_| {
        let Some((key, custom)) = to_store else {
            return;
        };
        due::load(async move {
            if !put(&key, &custom).await {
                dispatch.emit(Action::Unreadable(format!("{} {REFUSED}", custom.name)));
            }
        });
    });
}

const REFUSED: &str = "is too large for the address, and this browser does not store it (no room, or a private \
    window): after a reload the file has to be opened again.";
