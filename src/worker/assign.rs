//! Items assigned to packs: files are read once more, and the assignment goes to the page in pieces.

use super::blob::BlobSource;
use super::post::send;
use super::progress::files;
use crate::error::{Error, Result};
use crate::export;
use crate::ingest::{Each, File, Options, Part};
use crate::wire::{Ask, Reply};

/// Reads files and calls back for each item; or returns the part that reads them, where this worker cannot.
pub type Tell = fn(&[File<'_>], &Options, bool, &mut Each<'_>) -> Result<Option<Part>>;

/// Answers [`Ask::Assign`].
pub fn assign(ask: Ask, sources: &[BlobSource], tell: Tell) -> Result<Reply> {
    let Ask::Assign { options, pairs, names, plan, form, seed, items } = ask else {
        return Err(Error::Empty);
    };
    let files = files(&names, sources);
    let mut needs = None;
    let mut read = |each: &mut Each<'_>| {
        needs = tell(&files, &options, pairs, each)?;
        Ok(())
    };
    let assigned =
        export::assign(&plan, (form, seed, items), &mut read, |piece| send(&Reply::Piece(piece.to_vec())));
    match needs {
        Some(part) => Ok(Reply::Needs(part)),
        None => Ok(Reply::Assigned(assigned?)),
    }
}
