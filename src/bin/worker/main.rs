//! Web Worker: decode, run, answer. No arithmetic of its own; the page ends it to cancel.

mod batches;
mod kinds;
mod solve;

use js_sys::{Array, Uint8Array};
use packscope::api::{self, any, speedup, tuple};
use packscope::error::{Error, Result};
use packscope::histogram::{Histogram, Size};
use packscope::ingest::{self, Ingested, Options, Reader};
use packscope::packing::{Step, go_on};
use packscope::wire::{Ask, Counts, Reply, Tried, decode, encode};
use std::cell::RefCell;
use wasm_bindgen::prelude::*;
use web_sys::{Blob, DedicatedWorkerGlobalScope, FileReaderSync, MessageEvent};

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

/// Bytes read from a file at once: memory does not grow with the file.
const CHUNK: f64 = 4.0 * 1024.0 * 1024.0;
/// Milliseconds between two signs of progress.
const TICK: f64 = 50.0;
/// Milliseconds after which points of a sweep are sent, and the next are asked for.
const PART: f64 = 40.0;

fn main() {
    let listen = Closure::<dyn Fn(MessageEvent)>::new(|event: MessageEvent| {
        let message = Array::from(&event.data());
        let file = message.get(1).dyn_into::<Blob>().ok();
        let ask = decode(&Uint8Array::new(&message.get(0)).to_vec());
        let reply = match ask {
            Ok(Ask::Data(counts)) => return load(counts),
            Ok(ask) => answer(ask, file).unwrap_or_else(|error| Reply::Refused(error.to_string())),
            Err(error) => {
                Reply::Refused(format!("the page and its worker do not match ({error}); reload the page"))
            }
        };
        send(&reply);
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

fn answer(ask: Ask, file: Option<Blob>) -> Result<Reply> {
    DATA.with_borrow(|data| {
        let lengths = || data.lengths.as_ref().ok_or(Error::Empty);
        let graphs = || data.graphs.as_ref().ok_or(Error::Empty);
        match ask {
            Ask::Data(_) => Err(Error::Empty),
            Ask::Lengths(question) => solve::answer(&question, |s| api::Prepared::new(lengths()?, s)),
            Ask::Graphs(question) => solve::answer(&question, |s| tuple::Prepared::<2>::new(graphs()?, s)),
            Ask::Batches(all) => batches::answer(data.texts.as_ref(), lengths()?, all),
            Ask::Sweep { settings, limits } => Ok(Reply::Swept(sweep(graphs()?, &settings, &limits))),
            Ask::Waiting(questions) => Ok(Reply::Waited(speedup::curves(&questions)?)),
            Ask::Any(requests) => {
                Ok(Reply::Any(requests.iter().map(|(_, request)| timed(request)).collect()))
            }
            Ask::Read { options, pairs } => read(&file.ok_or(Error::Empty)?, options, pairs),
        }
    })
}

/// A report, or why there is none, and the seconds it took.
fn timed(request: &any::Request) -> (std::result::Result<any::Report, String>, f64) {
    let start = now();
    let outcome = any::run(request, &mut go_on).map_err(|error| error.to_string());
    (outcome, (now() - start) / 1000.0)
}

/// Packs at these limits for as long as a page may wait, at least at one.
fn sweep(data: &Histogram<2>, settings: &tuple::Settings, limits: &[Size<2>]) -> Vec<Tried> {
    let start = now();
    let mut tried = Vec::new();
    for &limits in limits {
        tried.push(Tried::new(limits, tuple::evaluate(data, settings, limits)));
        if now() - start > PART {
            break;
        }
    }
    tried
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

/// Reads a file: graphs where it has two components, texts with their stopwords, or sequences.
fn read(file: &Blob, options: Options, pairs: bool) -> Result<Reply> {
    let (head, complete) = (chunk(file, 0.0)?, file.size() <= CHUNK);
    let components = if pairs { ingest::components_among_pairs } else { ingest::components };
    if components(&head, complete, &options) == 2 {
        let read = read_as::<2>(file, options)?;
        let counts = Counts::Graphs(read.histogram.entries().to_vec());
        return Ok(Reply::Read { counts, description: Box::new(read.description) });
    }
    if ingest::is_text(&head, complete, &options) {
        let read = read_as::<2>(file, options)?;
        let counts = Counts::Texts(read.histogram.entries().to_vec());
        return Ok(Reply::Read { counts, description: Box::new(read.description) });
    }
    let read = read_as::<1>(file, options)?;
    let counts = Counts::Lengths(read.histogram.lengths());
    Ok(Reply::Read { counts, description: Box::new(read.description) })
}

/// A part of a file, from a place on.
fn chunk(file: &Blob, at: f64) -> Result<Vec<u8>> {
    let unreadable = |_| Error::Input {
        place: "the file".to_owned(),
        message: "the browser could not read it; it may have been moved or changed".to_owned(),
    };
    let from = FileReaderSync::new().map_err(unreadable)?;
    let end = f64::min(at + CHUNK, file.size());
    let slice = file.slice_with_f64_and_f64(at, end).map_err(unreadable)?;
    let buffer = from.read_as_array_buffer(&slice).map_err(unreadable)?;
    Ok(Uint8Array::new(&buffer).to_vec())
}

fn read_as<const K: usize>(file: &Blob, options: Options) -> Result<Ingested<K>> {
    let mut reader = Reader::new(options);
    let mut tick = ticks();
    let (mut at, size) = (0.0, file.size());
    while at < size {
        reader.push(&chunk(file, at)?)?;
        at = f64::min(at + CHUNK, size);
        tick(Step::Done { done: at as u64, of: size as u64 });
    }
    reader.finish()
}
