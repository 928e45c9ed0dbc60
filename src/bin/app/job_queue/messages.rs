//! Messages to and from a worker.

use super::JobQueue;
use crate::due;
use crate::watchdog::Trouble;
use crate::zip;
use js_sys::Uint8Array;
use packscope::histogram::Sizes;
use packscope_page::wire::{WorkerRequest, WorkerResponse, decode, encode};
use std::cell::RefCell;
use web_sys::MessageEvent;

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

/// Returns a message, to be transferred to a worker; `None` if encoding fails.
pub(super) fn message(request: &WorkerRequest) -> Option<Uint8Array> {
    Some(Uint8Array::from(encode(request).ok()?.as_slice()))
}

impl JobQueue {
    /// Whether replies can be handled: files that are opened get a link, whose length is known only with its
    /// compression.
    fn can_read(&self) -> bool {
        !self.0.role.reads_files() || zip::is_there()
    }

    /// Loads the code that replies need, and handles those that arrived before it.
    pub(super) fn load_code(&self, generation: u32) {
        if self.can_read() {
            return;
        }
        let queue = self.clone();
        due::load(async move {
            match zip::load().await {
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
        if state.generation != generation || !self.can_read() {
            return None;
        }
        let message = state.unread.pop_front()?;
        Some(decode(&message.to_vec()).ok())
    }
}
