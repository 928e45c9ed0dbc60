//! Messages between a worker and the page.

use crate::wire::{WorkerRequest, WorkerResponse, decode, encode};
use js_sys::{Array, Uint8Array};
use packscope::packing::Step;
use std::ops::ControlFlow;
use wasm_bindgen::prelude::*;
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

/// Milliseconds between two signs of progress.
const TICK: f64 = 50.0;

/// Returns the reply to a message that cannot be decoded.
fn outdated() -> WorkerResponse {
    let why = "the page was updated meanwhile: reload it; the address keeps the settings";
    WorkerResponse::Refused(why.to_owned())
}

/// Calls `on_request` for every message of the page, with the array that it came in, and tells the page that it listens.
pub fn listen(on_request: impl Fn(Array, WorkerRequest) + 'static) {
    // The message lets the page tell a bug from a lack of memory.
    std::panic::set_hook(Box::new(|panic| {
        wasm_bindgen::throw_str(&panic.to_string())
    }));
    let listen = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
        let parts = Array::from(&event.data());
        match decode(&Uint8Array::new(&parts.get(0)).to_vec()) {
            Ok(message) => on_request(parts, message),
            // Page and worker are built together, so a message that does not decode comes from
            // another version.
            Err(_) => send(&outdated()),
        }
    });
    scope().set_onmessage(Some(listen.as_ref().unchecked_ref()));
    // The worker listens until it is ended, so the closure is never freed.
    listen.forget();
    send(&WorkerResponse::Ready);
}

fn scope() -> DedicatedWorkerGlobalScope {
    js_sys::global().unchecked_into()
}

pub fn send(reply: &WorkerResponse) {
    let bytes = encode(reply).or_else(|error| {
        // The page waits for a reply: it says what is wrong, and computes on.
        encode(&WorkerResponse::Refused(format!(
            "the answer cannot be sent: {error}"
        )))
    });
    if let Ok(bytes) = bytes {
        let bytes = Uint8Array::from(bytes.as_slice());
        // A failure means that the page is gone.
        let _ = scope().post_message_with_transfer(&bytes, &Array::of1(&bytes.buffer()));
    }
}

/// Returns the milliseconds of the worker's clock; the library has none.
pub fn milliseconds() -> f64 {
    scope().performance().map_or(0.0, |p| p.now())
}

/// Returns a callback for readers that reports the bytes read, and in total, now and then; to cancel, the page ends the worker.
pub fn ticks() -> impl FnMut(u64, u64) -> ControlFlow<()> {
    let mut last = milliseconds();
    move |done, of| {
        if milliseconds() - last > TICK {
            last = milliseconds();
            send(&WorkerResponse::Progress(Step::Done { done, of }));
        }
        ControlFlow::Continue(())
    }
}
