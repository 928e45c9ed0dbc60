//! Assigns items to packs: reads files once more, and sends the assignment to the page in pieces.

use super::blob::BlobSource;
use super::post::{Sent, send};
use super::progress::files;
use crate::wire::{Assign, Files, Reply};
use packscope::error::{Error, Result};
use packscope::export;
use packscope::ingest::{Each, File, Options};

/// Reads files and calls back for each item; returns whether it can read them.
pub type Tell = fn(&[File<'_>], &Options, bool, &mut Each<'_>) -> Result<bool>;

/// Answers a request to assign items; `None` where `tell` cannot read the files.
pub fn assign(asked: &Files, sources: &[BlobSource], tell: Tell) -> Result<Option<Sent>> {
    let Files { options, pairs, names, assign: Some(Assign { plan, form, items }) } = asked else {
        return Err(Error::Empty);
    };
    let files = files(names, sources);
    let mut is_read = true;
    let mut read = |each: &mut Each<'_>| {
        is_read = tell(&files, options, *pairs, each)?;
        Ok(())
    };
    let assigned =
        export::assign(plan, (*form, None, *items), &mut read, |piece| send(&Reply::Piece(piece.to_vec())));
    if is_read { Ok(Some(Reply::Assigned(assigned?))) } else { Ok(None) }
}
