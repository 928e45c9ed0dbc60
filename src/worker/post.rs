//! Messages between a worker and the page.

use crate::wire::{Ask, Reply, decode, encode};
use js_sys::{Array, Uint8Array};
use wasm_bindgen::prelude::*;
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

/// Calls `hear` for every question of the page, with the message that brought it, and tells the page that it listens.
pub fn listen(hear: impl Fn(Array, Ask) + 'static) {
    // The message lets the page tell a bug from a lack of memory.
    std::panic::set_hook(Box::new(|panic| wasm_bindgen::throw_str(&panic.to_string())));
    let listen = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
        let message = Array::from(&event.data());
        match decode(&Uint8Array::new(&message.get(0)).to_vec()) {
            Ok(ask) => hear(message, ask),
            Err(_) => send(&Reply::Refused(
                "the page was updated meanwhile: reload it; the address keeps the settings".to_owned(),
            )),
        }
    });
    scope().set_onmessage(Some(listen.as_ref().unchecked_ref()));
    listen.forget();
    send(&Reply::Ready);
}

fn scope() -> DedicatedWorkerGlobalScope {
    js_sys::global().unchecked_into()
}

/// Sends a reply to the page.
pub fn send(reply: &Reply) {
    if let Ok(bytes) = encode(reply) {
        let bytes = Uint8Array::from(bytes.as_slice());
        // A failure means that the page is gone.
        let _ = scope().post_message_with_transfer(&bytes, &Array::of1(&bytes.buffer()));
    }
}

/// Returns the milliseconds of the worker's clock; the library has none.
pub fn now() -> f64 {
    scope().performance().map_or(0.0, |p| p.now())
}
