//! Encoding of questions and decoding of replies, by parts of the program that are loaded when a worker is asked.

use super::{Job, JobQueue};
use crate::due;
use crate::lazy::{LazyPart, PartLoad};
use crate::watchdog::Trouble;
use crate::zip;
use js_sys::Uint8Array;
use packscope::histogram::Sizes;
use packscope_page::part;
use packscope_page::wire::{
    Encoded, EncodedRequest, PartResponse, WorkerRequest, WorkerResponse, decode, encode,
};
use std::cell::RefCell;
use web_sys::MessageEvent;

/// Functions between questions, replies and their bytes.
#[derive(Clone, Copy)]
pub(super) struct Codec {
    /// Decodes the reply to a question; `None` before a question is asked.
    read: fn(&[u8], Option<&WorkerRequest>) -> Option<WorkerResponse>,
    pub write: fn(&WorkerRequest) -> Option<Vec<u8>>,
    pub data: fn(&Sizes) -> Option<Vec<u8>>,
}

/// The codec of answers about packs of sequences, and of messages without an answer.
static PLAIN: LazyPart<Codec> = LazyPart::new(|| Box::pin(load_replies()));
/// The codec of all answers, which the first view does not need.
static ALL: LazyPart<Codec> = LazyPart::new(|| Box::pin(load_further()));

part! { replies:
    fn load_replies() -> PartLoad<Codec> {
        // An answer that needs the other codec never comes here: `needs_all` is asked first.
        let read = |bytes: &[u8], _: Option<&WorkerRequest>| decode::<WorkerResponse<Encoded>>(bytes).ok()?.decode_with(|_| Err(())).ok();
        Ok(Codec { read, write, data })
    }
}

part! { further:
    fn load_further() -> PartLoad<Codec> {
        let read = |bytes: &[u8], ask: Option<&WorkerRequest>| {
            let decode_part = |encoded: Encoded| ask.and_then(|ask| PartResponse::decode(&encoded, ask).ok()).ok_or(());
            decode::<WorkerResponse<Encoded>>(bytes).ok()?.decode_with(decode_part).ok()
        };
        Ok(Codec { read, write, data })
    }
}

fn write(ask: &WorkerRequest) -> Option<Vec<u8>> {
    encode(&EncodedRequest::from(ask)).ok()
}

fn data(sizes: &Sizes) -> Option<Vec<u8>> {
    encode(&EncodedRequest::Data(sizes.clone())).ok()
}

/// Returns a codec of all answers, or of the others only, if it is loaded. Every codec writes all messages.
pub(super) fn codec(all: bool) -> Option<Codec> {
    ALL.get().or_else(|| PLAIN.get().filter(|_| !all))
}

thread_local! {
    /// The data sent last, with their message: a million sizes take longer to encode than a frame lasts, so that they are
    /// encoded once for all workers.
    static LAST_DATA: RefCell<Option<(Sizes, Uint8Array)>> = const { RefCell::new(None) };
}

/// Returns a copy of the message with these data, to be transferred to a worker; `None` if encoding fails.
pub(super) fn data_message(
    data: &Sizes,
    encode: impl FnOnce(&Sizes) -> Option<Vec<u8>>,
) -> Option<Uint8Array> {
    LAST_DATA.with_borrow_mut(|last| {
        if !last.as_ref().is_some_and(|(sizes, _)| sizes.is_same(data)) {
            // The old message is dropped first, so that both are never in memory together.
            *last = None;
            let bytes = encode(data)?;
            *last = Some((data.clone(), Uint8Array::from(bytes.as_slice())));
        }
        last.as_ref()
            .map(|(_, message)| message.slice(0, message.length()))
    })
}

fn needs_all(job: Option<&Job>) -> bool {
    job.is_some_and(|job| !matches!(job.ask, WorkerRequest::Lengths(_)))
}

impl JobQueue {
    /// Returns a codec, once it and, on queues that read files, the compression of links are loaded.
    fn codec(&self, all: bool) -> Option<Codec> {
        codec(all).filter(|_| !self.0.role.reads_files() || zip::is_there())
    }

    async fn load_codec(&self, all: bool) -> PartLoad<()> {
        // Files that are opened get a link, whose length is known only with the compression.
        if self.0.role.reads_files() {
            zip::load().await?;
        }
        let part = if all { &ALL } else { &PLAIN };
        part.load().await.map(drop)
    }

    /// Loads the codec for the question that is answered or waits, and handles the messages that arrived before it.
    pub(super) fn learn(&self) {
        let (generation, all) = {
            let state = self.0.state.borrow();
            (
                state.generation,
                needs_all(state.flying()) || needs_all(state.waiting.as_ref()),
            )
        };
        if self.codec(all).is_some() {
            return;
        }
        let queue = self.clone();
        due::load(async move {
            if queue.load_codec(all).await.is_err() {
                return queue.lose(generation, Trouble::Missing);
            }
            queue.read(generation);
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

    /// Handles the messages that arrived, in their order, up to one whose codec is not loaded; `learn` goes on from there.
    /// They are of no use once the lane has another worker.
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
        // Another lane may have loaded the codec meanwhile: a newer message waits for older ones all the same.
        let codec = self.codec(needs_all(state.flying()))?;
        let message = state.unread.pop_front()?;
        let ask = state.flying().map(|job| &job.ask);
        Some((codec.read)(&message.to_vec(), ask))
    }
}
