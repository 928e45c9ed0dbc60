//! Messages to and from a worker.

use super::JobQueue;
use crate::due;
use crate::lazy::{LazyPart, PartLoad};
use crate::watchdog::Trouble;
use crate::zip;
use js_sys::Uint8Array;
use packscope::histogram::Sizes;
use packscope_page::part;
use packscope_page::wire::{WorkerRequest, WorkerResponse, decode, encode};
use std::cell::RefCell;
use web_sys::MessageEvent;

/// Encodes and decodes messages. The page answers its first question by itself: it needs no worker before it is on screen.
#[derive(Clone, Copy)]
struct Codec {
    encode: fn(&WorkerRequest) -> Option<Vec<u8>>,
    decode: fn(&[u8]) -> Option<WorkerResponse>,
}

static CODEC: LazyPart<Codec> = LazyPart::new(|| Box::pin(load_codec()));

part! { replies:
    fn load_codec() -> PartLoad<Codec> {
        Ok(Codec {
            encode: |request| encode(request).ok(),
            decode: |bytes| decode(bytes).ok(),
        })
    }
}

thread_local! {
    /// The data sent last, with their message: a million sizes take longer to encode than a frame lasts, so that they are
    /// encoded once for all workers.
    static LAST_DATA: RefCell<Option<(Sizes, Uint8Array)>> = const { RefCell::new(None) };
}

/// Returns a copy of the message with these data, to be transferred to a worker; `None` if encoding fails.
pub(super) fn data_message(data: &Sizes) -> Option<Uint8Array> {
    LAST_DATA.with_borrow_mut(|last| {
        if !last.as_ref().is_some_and(|(sizes, _)| sizes.is_same(data)) {
            // The old message is dropped first, so that both are never in memory together.
            *last = None;
            *last = Some((data.clone(), message(&WorkerRequest::Data(data.clone()))?));
        }
        last.as_ref()
            .map(|(_, message)| message.slice(0, message.length()))
    })
}

/// Returns a message, to be transferred to a worker; `None` if encoding fails. A worker is sent messages once it is known
/// to be ready, so that the code for them is loaded.
pub(super) fn message(request: &WorkerRequest) -> Option<Uint8Array> {
    let bytes = (CODEC.get()?.encode)(request)?;
    Some(Uint8Array::from(bytes.as_slice()))
}

impl JobQueue {
    /// Returns the codec, once replies can be handled: files that are opened get a link, whose length is known only with
    /// its compression.
    fn codec(&self) -> Option<Codec> {
        CODEC
            .get()
            .filter(|_| !self.0.role.reads_files() || zip::is_there())
    }

    async fn load_codec(&self) -> PartLoad<()> {
        if self.0.role.reads_files() {
            zip::load().await?;
        }
        CODEC.load().await.map(drop)
    }

    /// Loads the code that replies need, and handles those that arrived before it.
    pub(super) fn load_code(&self, generation: u32) {
        if self.codec().is_some() {
            return;
        }
        let queue = self.clone();
        due::load(async move {
            match queue.load_codec().await {
                Ok(()) => queue.read(generation),
                Err(_) => queue.lose(generation, Trouble::Missing),
            }
        });
    }

    pub(super) fn receive(&self, generation: u32, event: &MessageEvent) {
        {
            let mut state = self.0.state.borrow_mut();
            if state.generation != generation {
                return;
            }
            state.unread.push_back(Uint8Array::new(&event.data()));
        }
        self.read(generation);
    }

    /// Handles the messages that arrived, in their order. They are of no use once the lane has another worker.
    fn read(&self, generation: u32) {
        while let Some(reply) = self.next_reply(generation) {
            self.on_reply(generation, reply);
        }
    }

    /// Returns the reply of the oldest unread message, which may not be understood; `None` if there is none to read yet.
    fn next_reply(&self, generation: u32) -> Option<Option<WorkerResponse>> {
        let mut state = self.0.state.borrow_mut();
        if state.generation != generation {
            return None;
        }
        let codec = self.codec()?;
        let message = state.unread.pop_front()?;
        Some((codec.decode)(&message.to_vec()))
    }
}
