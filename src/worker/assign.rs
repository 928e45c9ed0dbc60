//! Assigns items to packs: reads files once more, and sends the assignment to the page in pieces.

use super::blob::{BlobSource, files};
use super::post::send;
use crate::wire::{Assign, FileRequest, WorkerResponse};
use packscope::error::{Error, Result};
use packscope::export;
use packscope::ingest::{File, Options, RecordVisitor};

/// Reads files and calls back for each item; returns whether it can read them.
pub type Tell = fn(&[File<'_>], &Options, bool, &mut RecordVisitor<'_>) -> Result<bool>;

/// Answers a request to assign items; `None` where `tell` cannot read the files.
pub fn assign(
    asked: &FileRequest,
    sources: &[BlobSource],
    tell: Tell,
) -> Result<Option<WorkerResponse>> {
    let FileRequest {
        options,
        pairs,
        names,
        assign: Some(Assign { plan, form, items }),
        ..
    } = asked
    else {
        return Err(Error::Empty);
    };
    let files = files(names, sources);
    let mut is_read = true;
    let mut read = |each: &mut RecordVisitor<'_>| {
        // Whether files can be read is known only after they are decoded, within `export::assign`;
        // the result is looked at below.
        is_read = tell(&files, options, *pairs, each)?;
        Ok(())
    };
    let assigned = export::assign(plan, (*form, None, *items), &mut read, |piece| {
        send(&WorkerResponse::Piece(piece.to_vec()))
    });
    // Before the outcome: an assignment of no items would be an error, though it is only the wrong
    // reader.
    if is_read {
        Ok(Some(WorkerResponse::Assigned(assigned?)))
    } else {
        Ok(None)
    }
}
