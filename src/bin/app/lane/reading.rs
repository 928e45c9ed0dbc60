//! Decoding of workers' replies, by parts of the program that are loaded when a worker is asked.

use super::{Job, Lane};
use crate::due;
use crate::lazy::{Loading, Part};
use crate::watch::Trouble;
use crate::zip;
use js_sys::Uint8Array;
use packscope::part;
use packscope::wire::{Ask, Further, Reply, Sealed, decode};
use web_sys::MessageEvent;

/// Decodes the reply to a question; `None` before a question is asked.
type Read = fn(&[u8], Option<&Ask>) -> Option<Reply>;

/// The decoder of answers about packs of sequences, and of messages without an answer.
static READ: Part<Read> = Part::new(|| Box::pin(load_replies()));
/// The decoder of all answers, which the first view does not need.
static READ_ALL: Part<Read> = Part::new(|| Box::pin(load_further()));

part! { replies:
    fn load_replies() -> Loading<Read> {
        Ok(|bytes, _| decode::<Reply<Sealed>>(bytes).ok()?.open(|_| Err(())).ok())
    }
}

part! { further:
    fn load_further() -> Loading<Read> {
        Ok(|bytes, ask| {
            let open = |sealed: Sealed| Further::open(&sealed, ask?).ok();
            decode::<Reply<Sealed>>(bytes).ok()?.open(|sealed| open(sealed).ok_or(())).ok()
        })
    }
}

/// Returns a decoder for all answers, or for the others only, if it is loaded.
fn decoder(all: bool) -> Option<Read> {
    READ_ALL.get().or_else(|| READ.get().filter(|_| !all))
}

fn needs_all(job: Option<&Job>) -> bool {
    job.is_some_and(|job| !matches!(job.ask, Ask::Lengths(_)))
}

impl Lane {
    /// Returns a decoder, once it and, on lanes that read files, the compression of links are loaded.
    fn read(&self, all: bool) -> Option<Read> {
        decoder(all).filter(|_| !self.0.role.reads_files() || zip::is_there())
    }

    async fn load_read(&self, all: bool) -> Loading<()> {
        if self.0.role.reads_files() {
            zip::load().await?;
        }
        let part = if all { &READ_ALL } else { &READ };
        part.load().await.map(drop)
    }

    /// Loads the decoder for the question that is answered or waits, and handles the messages that arrived before it.
    pub(super) fn learn_to_read(&self) {
        let (generation, all) = {
            let state = self.0.state.borrow();
            (state.generation, needs_all(state.flying()) || needs_all(state.waiting.as_ref()))
        };
        if self.read(all).is_some() {
            return;
        }
        let lane = self.clone();
        due::load(async move {
            if lane.load_read(all).await.is_err() {
                return lane.lose(generation, Trouble::Missing);
            }
            let unread = {
                let mut state = lane.0.state.borrow_mut();
                if state.generation == generation { std::mem::take(&mut state.unread) } else { Vec::new() }
            };
            unread.into_iter().for_each(|message| lane.decode(generation, message));
        });
    }

    pub(super) fn receive(&self, generation: u32, event: &MessageEvent) {
        self.decode(generation, Uint8Array::new(&event.data()));
    }

    /// Handles a message, or keeps it until its decoder is loaded.
    fn decode(&self, generation: u32, message: Uint8Array) {
        let reply = {
            let state = self.0.state.borrow();
            let read = self.read(needs_all(state.flying()));
            read.map(|read| read(&message.to_vec(), state.flying().map(|job| &job.ask)))
        };
        match reply {
            Some(reply) => self.hear(generation, reply),
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
