//! What all workers that read files share: they listen, have files at hand, answer.

use js_sys::{Array, Uint8Array};
use packscope::error::{Error, Result};
use packscope::ingest::Source;
use packscope::wire::{Ask, Reply, decode, encode};
use wasm_bindgen::prelude::*;
use web_sys::{Blob, DedicatedWorkerGlobalScope, FileReaderSync, MessageEvent};

/// Answers every message with what `answer` says to the question and the files that come with it.
pub fn serve(answer: fn(Ask, &[BlobSource]) -> Result<Reply>) {
    // Its words tell the page a mistake of ours from a want of memory.
    std::panic::set_hook(Box::new(|panic| wasm_bindgen::throw_str(&panic.to_string())));
    let listen = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
        let message = Array::from(&event.data());
        let blobs = message.iter().skip(1).filter_map(|blob| blob.dyn_into::<Blob>().ok());
        let sources: Vec<BlobSource> = blobs.map(BlobSource).collect();
        send(&match decode(&Uint8Array::new(&message.get(0)).to_vec()) {
            Ok(ask) => answer(ask, &sources).unwrap_or_else(|error| Reply::Refused(error.to_string())),
            Err(_) => Reply::Refused(
                "the page was updated meanwhile: reload it; the address keeps the settings".to_owned(),
            ),
        });
    });
    scope().set_onmessage(Some(listen.as_ref().unchecked_ref()));
    listen.forget();
    send(&Reply::Ready);
}

fn scope() -> DedicatedWorkerGlobalScope {
    js_sys::global().unchecked_into()
}

/// Says something.
pub fn send(reply: &Reply) {
    if let Ok(bytes) = encode(reply) {
        let bytes = Uint8Array::from(bytes.as_slice());
        // Nothing is left to tell anyone when the page is gone.
        let _ = scope().post_message_with_transfer(&bytes, &Array::of1(&bytes.buffer()));
    }
}

/// Milliseconds of the worker's clock; the library has none.
pub fn now() -> f64 {
    scope().performance().map_or(0.0, |p| p.now())
}

/// A file of the browser.
pub struct BlobSource(Blob);

impl Source for BlobSource {
    fn size(&self) -> u64 {
        self.0.size() as u64
    }

    fn read(&self, at: u64, length: usize) -> Result<Vec<u8>> {
        let unreadable = |_| Error::Input {
            place: "the file".to_owned(),
            message: "the browser could not read it; it may have been moved or changed".to_owned(),
        };
        let end = at.saturating_add(length as u64).min(self.size());
        let reader = FileReaderSync::new().map_err(unreadable)?;
        let slice = self.0.slice_with_f64_and_f64(at.min(end) as f64, end as f64).map_err(unreadable)?;
        let buffer = reader.read_as_array_buffer(&slice).map_err(unreadable)?;
        Ok(Uint8Array::new(&buffer).to_vec())
    }
}
