//! Web Worker that counts tokens: loaded when someone brings a tokenizer. No arithmetic of its own; the page ends it to
//! cancel, and keeps what it was told so far.

use js_sys::{Array, Uint8Array};
use packscope::error::{Error, Result};
use packscope::ingest::{Ingested, Source};
use packscope::tokens::{self, Counter, Options, Tokenizer};
use packscope::wire::{Ask, Reply, TokenizerPart, decode, encode};
use std::cell::RefCell;
use std::ops::ControlFlow;
use wasm_bindgen::prelude::*;
use web_sys::{Blob, DedicatedWorkerGlobalScope, FileReaderSync, MessageEvent};

thread_local! {
    /// The tokenizer of the last question, with its version: it takes longer to load than most files to look at.
    static TOKENIZER: RefCell<Option<(u64, Tokenizer)>> = const { RefCell::new(None) };
}

/// Milliseconds between two signs of progress, each with all lengths so far.
const TICK: f64 = 100.0;

fn main() {
    let listen = Closure::<dyn Fn(MessageEvent)>::new(|event: MessageEvent| {
        let message = Array::from(&event.data());
        let ask = decode(&Uint8Array::new(&message.get(0)).to_vec());
        let reply = match (ask, message.get(1).dyn_into::<Blob>()) {
            (Ok(ask), Ok(blob)) => answer(&ask, &blob),
            (Ok(_), Err(_)) => Err(Error::Empty),
            (Err(error), _) => {
                return send(&Reply::Refused(format!(
                    "the page and its reader do not match ({error}); reload the page"
                )));
            }
        };
        send(&reply.unwrap_or_else(|error| Reply::Refused(error.to_string())));
    });
    scope().set_onmessage(Some(listen.as_ref().unchecked_ref()));
    listen.forget();
    send(&Reply::Ready);
}

fn scope() -> DedicatedWorkerGlobalScope {
    js_sys::global().unchecked_into()
}

fn send(reply: &Reply) {
    if let Ok(bytes) = encode(reply) {
        let bytes = Uint8Array::from(bytes.as_slice());
        // Nothing is left to tell anyone when the page is gone.
        let _ = scope().post_message_with_transfer(&bytes, &Array::of1(&bytes.buffer()));
    }
}

fn answer(ask: &Ask, blob: &Blob) -> Result<Reply> {
    match ask {
        Ask::Tokenizer(part) => with(part, blob, |tokenizer| Ok(Reply::Tokenizer(tokenizer.about().clone()))),
        Ask::TokensLook { tokenizer: part, options } => with(part, blob, |tokenizer| {
            let looked = tokens::look(&Texts::behind(part, blob), tokenizer, options)?;
            Ok(Reply::TokensLooked(Box::new(looked)))
        }),
        Ask::TokensCount { tokenizer: part, options } => {
            with(part, blob, |tokenizer| count(part, &Texts::behind(part, blob), tokenizer, options))
        }
        _ => Err(Error::Empty),
    }
}

/// Does something with the tokenizer at the beginning of a blob.
fn with(part: &TokenizerPart, blob: &Blob, act: impl FnOnce(&Tokenizer) -> Result<Reply>) -> Result<Reply> {
    TOKENIZER.with_borrow_mut(|kept| {
        if kept.as_ref().is_none_or(|(version, _)| *version != part.version) {
            let bytes = slice(blob, 0.0, part.size as f64)?;
            *kept = Some((part.version, Tokenizer::load(&bytes)?));
        }
        kept.as_ref().map_or(Err(Error::Empty), |(_, tokenizer)| act(tokenizer))
    })
}

fn count(part: &TokenizerPart, texts: &Texts<'_>, tokenizer: &Tokenizer, options: &Options) -> Result<Reply> {
    let counter = Counter::new(tokenizer, &part.name, options);
    let now = || scope().performance().map_or(0.0, |p| p.now());
    let (mut last, mut tokens, mut far) = (now(), 0, (0, texts.size()));
    let read = tokens::count(texts, counter, &mut |done, of, counter| {
        (tokens, far) = (counter.counted().1, (done, of));
        if now() - last > TICK
            && let Ok(so_far) = counter.so_far(done, of)
        {
            last = now();
            send(&counted(so_far, far, tokens, true));
        }
        ControlFlow::Continue(())
    })?;
    let [tokens] = read.histogram.total();
    Ok(counted(read, far, tokens, false))
}

fn counted(read: Ingested, (done, of): (u64, u64), tokens: u64, more: bool) -> Reply {
    let counts = read.histogram.lengths();
    Reply::TokensCounted { done, of, tokens, counts, description: Box::new(read.description), more }
}

/// The file behind the tokenizer.
struct Texts<'b> {
    blob: &'b Blob,
    from: f64,
}

impl<'b> Texts<'b> {
    fn behind(part: &TokenizerPart, blob: &'b Blob) -> Self {
        Self { blob, from: part.size as f64 }
    }
}

impl Source for Texts<'_> {
    fn size(&self) -> u64 {
        (self.blob.size() - self.from).max(0.0) as u64
    }

    fn read(&self, at: u64, length: usize) -> Result<Vec<u8>> {
        let from = self.from + at as f64;
        slice(self.blob, from, from + length as f64)
    }
}

/// A part of a file.
fn slice(blob: &Blob, from: f64, to: f64) -> Result<Vec<u8>> {
    let unreadable = |_| Error::Input {
        place: "the file".to_owned(),
        message: "the browser could not read it; it may have been moved or changed".to_owned(),
    };
    let reader = FileReaderSync::new().map_err(unreadable)?;
    let part = blob.slice_with_f64_and_f64(from, to.min(blob.size())).map_err(unreadable)?;
    let buffer = reader.read_as_array_buffer(&part).map_err(unreadable)?;
    Ok(Uint8Array::new(&buffer).to_vec())
}
