//! Web Worker: decode, run, answer. No arithmetic of its own; the page ends it to cancel.

use js_sys::{Array, Uint8Array};
use packscope::api::{self, Settings};
use packscope::error::{Error, Result};
use packscope::histogram::Histogram;
use packscope::ingest::{Ingested, Options, Reader};
use packscope::packing::{Algorithm, Depth};
use packscope::wire::{Ask, Compared, Reply, decode, encode};
use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;
use wasm_bindgen::prelude::*;
use web_sys::{Blob, DedicatedWorkerGlobalScope, FileReaderSync, MessageEvent};

thread_local! {
    /// Whether this worker has solved anything yet.
    static WARM: Cell<bool> = const { Cell::new(false) };
    /// The data that questions are about.
    static DATA: RefCell<Option<Histogram<1>>> = const { RefCell::new(None) };
}

/// Bytes read from a file at once: memory does not grow with the file.
const CHUNK: f64 = 4.0 * 1024.0 * 1024.0;
/// Milliseconds between two signs of progress.
const TICK: f64 = 50.0;
/// Seconds below which a solve is timed more than once.
const FAST: f64 = 0.02;

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

fn load(counts: Vec<(u32, u64)>) {
    DATA.set(Histogram::from_lengths(counts).ok());
}

fn answer(ask: Ask, file: Option<Blob>) -> Result<Reply> {
    match ask {
        Ask::Data(_) => Err(Error::Empty),
        Ask::Report { settings, listed } => with_data(|data| report(data, &settings, listed)),
        Ask::Compare { settings, points } => with_data(|data| compare(data, &settings, &points)),
        Ask::Read(options) => {
            let read = read(&file.ok_or(Error::Empty)?, options)?;
            let counts = read.histogram.lengths();
            Ok(Reply::Read { counts, description: Box::new(read.description) })
        }
    }
}

fn with_data(ask: impl FnOnce(&Histogram<1>) -> Result<Reply>) -> Result<Reply> {
    DATA.with_borrow(|data| ask(data.as_ref().ok_or(Error::Empty)?))
}

fn report(data: &Histogram<1>, settings: &Settings, listed: u32) -> Result<Reply> {
    let solve = || {
        let start = now();
        let report = api::run_on(data, settings, listed, &mut ticks())?;
        Ok((report, (now() - start) / 1e3))
    };
    let (report, mut seconds) = solve()?;
    // The worker's first solve is mostly the browser compiling; its time is not shown.
    if !WARM.replace(true) && seconds < FAST {
        seconds = solve()?.1;
    }
    Ok(Reply::Report { report: Box::new(report), seconds })
}

fn compare(data: &Histogram<1>, settings: &Settings, points: &[(Algorithm, Depth)]) -> Result<Reply> {
    let mut compared = timed(data, settings, points)?;
    // A first run is mostly the browser compiling: what takes no time is run again and the best time kept.
    let fast = |c: &&Compared| c.seconds < FAST;
    let again: Vec<_> = compared.iter().filter(fast).map(|c| (c.algorithm, c.depth)).collect();
    for _ in 0..2 {
        let times = timed(data, settings, &again)?;
        for (kept, new) in compared.iter_mut().filter(|c| again.contains(&(c.algorithm, c.depth))).zip(times)
        {
            kept.seconds = kept.seconds.min(new.seconds);
        }
    }
    Ok(Reply::Compared(compared))
}

fn timed(data: &Histogram<1>, settings: &Settings, points: &[(Algorithm, Depth)]) -> Result<Vec<Compared>> {
    let mut compared = Vec::with_capacity(points.len());
    let mut start = now();
    api::compare(data, settings, points, &mut ticks(), &mut |algorithm, depth, figures| {
        let end = now();
        compared.push(Compared { algorithm, depth, figures, seconds: (end - start) / 1e3 });
        start = now();
    })?;
    Ok(compared)
}

/// A progress callback that tells the page now and then and always goes on.
fn ticks() -> impl FnMut(u64, u64) -> ControlFlow<()> {
    let mut last = now();
    move |done, of| {
        if now() - last > TICK {
            last = now();
            send(&Reply::Progress { done, of });
        }
        ControlFlow::Continue(())
    }
}

fn read(file: &Blob, options: Options) -> Result<Ingested> {
    let unreadable = |_| Error::Input {
        place: "the file".to_owned(),
        message: "the browser could not read it; it may have been moved or changed".to_owned(),
    };
    let from = FileReaderSync::new().map_err(unreadable)?;
    let mut reader = Reader::new(options);
    let mut tick = ticks();
    let (mut at, size) = (0.0, file.size());
    while at < size {
        let end = f64::min(at + CHUNK, size);
        let slice = file.slice_with_f64_and_f64(at, end).map_err(unreadable)?;
        let buffer = from.read_as_array_buffer(&slice).map_err(unreadable)?;
        reader.push(&Uint8Array::new(&buffer).to_vec())?;
        at = end;
        let _ = tick(at as u64, size as u64);
    }
    reader.finish()
}
