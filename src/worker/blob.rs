//! Files of the browser, for the workers that read them.

use super::PartError;
use super::post::{listen, send};
use crate::wire::{WorkerRequest, WorkerResponse};
use js_sys::Uint8Array;
use packscope::error::{Error, Result};
use packscope::ingest::{Ahead, File, Source};
use wasm_bindgen::JsCast;
use web_sys::{Blob, FileReaderSync};

/// Answers every message by calling `answer` with the question and the files that come with it, unless `keep` takes it.
pub fn serve<F: Future<Output = std::result::Result<WorkerResponse, PartError>> + 'static>(
    keep: fn(WorkerRequest) -> Option<WorkerRequest>,
    answer: fn(WorkerRequest, Vec<BlobSource>) -> F,
) {
    listen(move |event, message| {
        let Some(message) = keep(message) else { return };
        let blobs = event
            .iter()
            // The first element of the array is the encoded question, the rest are its files.
            .skip(1)
            .filter_map(|blob| blob.dyn_into::<Blob>().ok());
        let sources: Vec<BlobSource> = blobs
            .map(|blob| BlobSource(Ahead::new(FileWindow(blob))))
            .collect();
        // Parts of the worker may have to be fetched before the answer; the page sends no second
        // question meanwhile.
        wasm_bindgen_futures::spawn_local(async move {
            let reply = answer(message, sources).await;
            send(&reply.unwrap_or_else(WorkerResponse::from));
        });
    });
}

/// A file of the browser, each read of which takes as long as reading a good part of it.
#[derive(Clone)]
pub struct BlobSource(Ahead<FileWindow>);

impl Source for BlobSource {
    fn size(&self) -> u64 {
        self.0.size()
    }

    fn at_once(&self) -> usize {
        self.0.at_once()
    }

    fn read(&self, at: u64, length: usize) -> Result<Vec<u8>> {
        self.0.read(at, length)
    }
}

#[derive(Clone)]
struct FileWindow(Blob);

impl Source for FileWindow {
    fn size(&self) -> u64 {
        self.0.size() as u64
    }

    fn at_once(&self) -> usize {
        // Each read is asked of another process: Chromium gives 80 to 100 MB a second in pieces of 4 MiB, 130 in these.
        16 << 20
    }

    fn read(&self, at: u64, length: usize) -> Result<Vec<u8>> {
        let unreadable = |_| Error::Input {
            place: "the file".to_owned(),
            message: "the browser could not read it; it may have been moved or changed".to_owned(),
        };
        let end = at.saturating_add(length as u64).min(self.size());
        // Only workers have synchronous reads; the readers of the library are synchronous.
        let reader = FileReaderSync::new().map_err(unreadable)?;
        let slice = self
            .0
            // JavaScript has no 64-bit integers, and `f64` is exact far beyond the size of any
            // file.
            .slice_with_f64_and_f64(at.min(end) as f64, end as f64)
            .map_err(unreadable)?;
        let buffer = reader.read_as_array_buffer(&slice).map_err(unreadable)?;
        Ok(Uint8Array::new(&buffer).to_vec())
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
