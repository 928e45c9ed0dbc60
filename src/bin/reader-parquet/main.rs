//! Web Worker that reads Parquet, and other files opened together with it.

use packscope::error::Result;
use packscope::ingest;
use packscope::wire::{Ask, Reply};
use packscope::worker::{BlobSource, assign, files, serve, ticks};

fn main() {
    serve(answer);
}

fn answer(ask: Ask, sources: &[BlobSource]) -> Result<Reply> {
    let Ask::Read { options, pairs, names } = ask else {
        return assign(ask, sources, |files, options, pairs, each| {
            let mut each = |size: &[u32], count| each(size, count);
            ingest::parquet::open_telling(files, options, pairs, &mut ticks(), &mut each).map(|_| None)
        });
    };
    let read = ingest::parquet::open(&files(&names, sources), &options, pairs, &mut ticks())?;
    Ok((*read).into())
}
