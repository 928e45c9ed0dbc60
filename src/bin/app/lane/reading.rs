//! Decoding of workers' replies, by a part of the program that is loaded with the first worker.

use super::Lane;
use crate::due;
use crate::lazy::{Loading, Part};
use crate::watch::Trouble;
use crate::zip;
use js_sys::Uint8Array;
use packscope::part;
use packscope::wire::{Reply, decode};
use web_sys::MessageEvent;

type Read = fn(&[u8]) -> Option<Reply>;

/// The decoder of replies: an eighth of the program, not needed before there is a worker.
static READ: Part<Read> = Part::new(|| Box::pin(load_replies()));

part! { replies:
    fn load_replies() -> Loading<Read> {
        Ok(|bytes| decode(bytes).ok())
    }
}

impl Lane {
    /// Returns the decoder of replies, once it and, on lanes that read files, the compression of links are loaded.
    fn read(&self) -> Option<Read> {
        READ.get().filter(|_| !self.0.role.reads_files() || zip::is_there())
    }

    async fn load_read(&self) -> Loading<Read> {
        if self.0.role.reads_files() {
            zip::load().await?;
        }
        READ.load().await
    }

    /// Loads the decoder of replies, and handles the messages that arrived before it.
    pub(super) fn learn_to_read(&self, generation: u32) {
        if self.read().is_some() {
            return;
        }
        let lane = self.clone();
        due::load(async move {
            let Ok(read) = lane.load_read().await else { return lane.lose(generation, Trouble::Missing) };
            let unread = {
                let mut state = lane.0.state.borrow_mut();
                if state.generation == generation { std::mem::take(&mut state.unread) } else { Vec::new() }
            };
            unread.iter().for_each(|message| lane.hear(generation, read(&message.to_vec())));
        });
    }

    pub(super) fn receive(&self, generation: u32, event: &MessageEvent) {
        let message = Uint8Array::new(&event.data());
        match self.read() {
            Some(read) => self.hear(generation, read(&message.to_vec())),
            None => self.keep(generation, message),
        }
    }

    fn keep(&self, generation: u32, message: Uint8Array) {
        let mut state = self.0.state.borrow_mut();
        if state.generation == generation {
            state.unread.push(message);
        }
    }
}
