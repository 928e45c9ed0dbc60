//! Web Worker: decode, run, answer. No arithmetic of its own; the page ends it to cancel.

use js_sys::{Array, Uint8Array};
use packscope::api::{Prepared, Settings};
use packscope::error::{Error, Result};
use packscope::histogram::Histogram;
use packscope::ingest::{Ingested, Options, Reader};
use packscope::packing::{Algorithm, Depth, Packed, Step};
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
/// Seconds below which the first solve of all is done once more.
const COLD: f64 = 0.3;
/// Seconds after which a search shows what it has.
const GLANCE: f64 = 1.0;
/// Seconds of an optimum that is asked for as a plain report.
const BUDGET: f64 = 10.0;

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
        Ask::Compare { settings, points, budget } => {
            with_data(|data| compare(data, &settings, &points, budget))
        }
        Ask::Prove { settings, listed, budget } => with_data(|data| prove(data, &settings, listed, budget)),
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
    let prepared = Prepared::new(data, settings)?;
    let solve = || pack(&prepared, settings, listed, BUDGET);
    let (packed, mut seconds) = solve()?;
    // The worker's first solve is mostly the browser compiling; its time is not shown.
    if !WARM.replace(true) && seconds < COLD {
        seconds = solve()?.1;
    }
    Ok(Reply::Report { report: Box::new(prepared.report(settings, packed, listed)), seconds })
}

fn prove(data: &Histogram<1>, settings: &Settings, listed: u32, budget: f64) -> Result<Reply> {
    let settings = Settings { algorithm: Algorithm::Optimal, ..settings.clone() };
    let prepared = Prepared::new(data, &settings)?;
    let (packed, seconds) = pack(&prepared, &settings, listed, budget.min(GLANCE))?;
    let known = (packed.listing.packs, packed.bound.map_or(0, |b| b.packs));
    let report = prepared.report(&settings, packed, listed);
    if report.figures.gap == Some(0.0) || budget <= GLANCE {
        return Ok(Reply::Report { report: Box::new(report), seconds });
    }
    // A plan to look at while the long search, which begins anew, goes on.
    send(&Reply::Better { report: Box::new(report), seconds });
    let (packed, seconds) = timed(&prepared, &settings, listed, budget, known)?;
    Ok(Reply::Report { report: Box::new(prepared.report(&settings, packed, listed)), seconds })
}

/// Packs, with the seconds it took. The budget, in seconds, is that of the optimum.
fn pack(prepared: &Prepared, settings: &Settings, listed: u32, budget: f64) -> Result<(Packed, f64)> {
    timed(prepared, settings, listed, budget, (u64::MAX, 0))
}

/// As [`pack`], when packs and a bound are known from before.
fn timed(
    prepared: &Prepared,
    settings: &Settings,
    listed: u32,
    budget: f64,
    known: (u64, u64),
) -> Result<(Packed, f64)> {
    let start = now();
    let mut tick = ticks();
    let mut ask = |step| {
        tick(match step {
            Step::Found { packs, bound } => {
                Step::Found { packs: packs.min(known.0), bound: bound.max(known.1) }
            }
            step => step,
        });
        match step {
            Step::Found { .. } if now() - start > budget * 1e3 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    };
    let packed = prepared.pack(settings, listed, u64::MAX, &mut ask)?;
    Ok((packed, (now() - start) / 1e3))
}

fn compare(
    data: &Histogram<1>,
    settings: &Settings,
    points: &[(Algorithm, Depth)],
    budget: f64,
) -> Result<Reply> {
    let prepared = Prepared::new(data, settings)?;
    let mut compared = Vec::with_capacity(points.len());
    for &(algorithm, depth) in points {
        let settings = Settings { algorithm, depth, ..settings.clone() };
        let solve = || pack(&prepared, &settings, 0, budget);
        let (packed, mut seconds) = match solve() {
            Err(Error::TooManyItems { .. } | Error::TooManyStrategies { .. }) => continue,
            solved => solved?,
        };
        // A first run is mostly the browser compiling: what takes no time is run again, the best time kept.
        if seconds < FAST {
            seconds = seconds.min(solve()?.1).min(solve()?.1);
        }
        let figures = prepared.figures(&settings, &packed);
        let point = Compared { algorithm, depth, figures, seconds };
        if algorithm.takes_long() {
            send(&Reply::Point(Box::new(point)));
        } else {
            compared.push(point);
        }
    }
    Ok(Reply::Compared(compared))
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
        tick(Step::Done { done: at as u64, of: size as u64 });
    }
    reader.finish()
}
