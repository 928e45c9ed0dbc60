//! The progress of a reader, and files with their names.

use super::blob::BlobSource;
use super::post::{milliseconds, send};
use crate::wire::WorkerResponse;
use packscope::ingest::{File, Source};
use packscope::packing::Step;
use std::ops::ControlFlow;

/// Milliseconds between two signs of progress.
const TICK: f64 = 50.0;

/// Returns a callback that reports the bytes read, and in total, now and then; to cancel, the page ends the worker.
pub fn ticks() -> impl FnMut(u64, u64) -> ControlFlow<()> {
    let mut last = milliseconds();
    move |done, of| {
        if milliseconds() - last > TICK {
            last = milliseconds();
            send(&WorkerResponse::Progress(Step::Done { done, of }));
        }
        ControlFlow::Continue(())
    }
}

/// Returns the files with their names.
pub fn files<'a>(names: &'a [String], sources: &'a [BlobSource]) -> Vec<File<'a>> {
    let pairs = names.iter().zip(sources);
    pairs
        .map(|(name, source)| File {
            name: name.as_str(),
            source: source as &dyn Source,
        })
        .collect()
}
