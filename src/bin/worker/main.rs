//! Web Worker: decode, run, answer. No arithmetic of its own; the page ends it to cancel.

mod batches;
mod kinds;
mod parts;
mod solve;

use js_sys::{Array, Uint8Array};
use packscope::api::{self, Settings};
use packscope::error::{Error, Result};
use packscope::histogram::Histogram;
use packscope::packing::Step;
use packscope::wire::{Ask, Counts, LengthRow, Question, Reply, decode, encode};
use std::cell::RefCell;
use wasm_bindgen::prelude::*;
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

/// The data that questions are about.
#[derive(Default)]
struct Data {
    lengths: Option<Histogram<1>>,
    /// Lengths with stopwords, where these were counted.
    texts: Option<Histogram<2>>,
    graphs: Option<Histogram<2>>,
}

thread_local! {
    static DATA: RefCell<Data> = RefCell::default();
}

/// Milliseconds between two signs of progress.
const TICK: f64 = 50.0;

fn main() {
    // Its words tell the page a mistake of ours from a want of memory.
    std::panic::set_hook(Box::new(|panic| wasm_bindgen::throw_str(&panic.to_string())));
    let listen = Closure::<dyn Fn(MessageEvent)>::new(|event: MessageEvent| {
        match decode(&js_sys::Uint8Array::new(&Array::from(&event.data()).get(0)).to_vec()) {
            Ok(Ask::Data(counts)) => load(counts),
            Ok(ask) => wasm_bindgen_futures::spawn_local(async {
                let reply = answer(ask).await.unwrap_or_else(|error| Reply::Refused(error.to_string()));
                send(&reply);
            }),
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

fn send(reply: &Reply) {
    if let Ok(bytes) = encode(reply) {
        let bytes = Uint8Array::from(bytes.as_slice());
        // Nothing is left to tell anyone when the page is gone.
        let _ = scope().post_message_with_transfer(&bytes, &Array::of1(&bytes.buffer()));
    }
}

/// Milliseconds of the worker's clock; the engine has none.
fn now() -> f64 {
    scope().performance().map_or(0.0, |p| p.now())
}

/// Of all data only the newest is kept.
fn load(counts: Counts) {
    DATA.set(match counts {
        Counts::Lengths(counts) => Data { lengths: Histogram::from_lengths(counts).ok(), ..Data::default() },
        Counts::Texts(counts) => {
            let texts = Histogram::from_counts(counts).ok();
            Data { lengths: texts.as_ref().and_then(|t| t.marginal(0)), texts, ..Data::default() }
        }
        Counts::Graphs(counts) => Data { graphs: Histogram::from_counts(counts).ok(), ..Data::default() },
    });
}

/// What takes no part of the worker that is loaded on demand is answered here.
async fn answer(ask: Ask) -> Result<Reply> {
    match ask {
        Ask::Lengths(question) if is_simple(&question) => DATA.with_borrow(|data| {
            let lengths = data.lengths.as_ref().ok_or(Error::Empty)?;
            solve::answer(&question, |s| Ok(kinds::Simple(api::Prepared::new(lengths, s)?)))
        }),
        ask => parts::answer(ask).await,
    }
}

/// Whether nothing in the question takes a solver.
fn is_simple(question: &Question<Settings, LengthRow>) -> bool {
    match question {
        Question::Report { settings, .. } => settings.algorithm.is_simple(),
        Question::Compare { points, .. } => points.iter().all(|(algorithm, _)| algorithm.is_simple()),
        Question::Prove { .. } => false,
    }
}

/// Tells the page now and then how far it is.
fn ticks() -> impl FnMut(Step) {
    let mut last = now();
    move |step| {
        if now() - last > TICK {
            last = now();
            send(&Reply::Progress(step));
        }
    }
}
