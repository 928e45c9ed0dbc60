//! Web Worker that reads files, except those that need a large library, which have workers of their own.

use packscope::error::Result;
use packscope::ingest::{self, Opened};
use packscope::wire::{Ask, Reply};
use packscope::worker::{BlobSource, assign, files, serve, ticks};

fn main() {
    serve(answer);
}

fn answer(ask: Ask, sources: &[BlobSource]) -> Result<Reply> {
    let Ask::Read { options, pairs, names } = ask else {
        return assign(ask, sources, |files, options, pairs, each| {
            Ok(match ingest::open_telling(files, options, pairs, &mut ticks(), each)? {
                Opened::Read(_) => None,
                Opened::Needs(part) => Some(part),
            })
        });
    };
    Ok(match ingest::open(&files(&names, sources), &options, pairs, &mut ticks())? {
        Opened::Read(read) => (*read).into(),
        Opened::Needs(part) => Reply::Needs(part),
    })
}
