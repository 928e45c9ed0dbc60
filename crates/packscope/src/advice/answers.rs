//! Answers about a library at its settings, of all kinds.

use crate::api::trainer::{LibrariesQuestion, LibrariesRequest, LibraryAnswer, Pass};
use crate::error::Result;
use crate::packing::Progress;
use crate::trainer::{LibraryFamily, LibrarySettings};

/// Returns what a library does with the data at its settings and limits, in one order of arrival.
///
/// # Errors
/// Limits, names and values that are refused; [`Error::Cancelled`](crate::error::Error::Cancelled).
pub(super) fn answer_of<K>(
    data: &K::Data,
    chosen: &LibrarySettings<K>,
    seed: u64,
    progress: &mut Progress,
) -> Result<LibraryAnswer<K>>
where
    K: Pass<RequestLimits = <K as LibraryFamily>::Limits>,
{
    let request = LibrariesRequest::<K> {
        counts: Vec::new(),
        order: Vec::new(),
        given: chosen.limit,
        question: LibrariesQuestion::One {
            library: chosen.library.id.to_owned(),
            settings: chosen.fields(),
            packs: false,
        },
        seed,
        seeds: 1,
        optimum: false,
    };
    Ok(request.on(data, progress)?.answers.remove(0))
}
