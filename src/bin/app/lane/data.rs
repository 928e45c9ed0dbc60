//! Messages with data: written once for all workers, as a million sizes take longer to write than a frame has time.

use js_sys::Uint8Array;
use packscope::histogram::Sizes;
use packscope::wire::{Ask, encode};
use std::cell::RefCell;

thread_local! {
    /// The data that were sent last, with their message.
    static LAST: RefCell<Option<(Sizes, Uint8Array)>> = const { RefCell::new(None) };
}

/// Returns a copy of the message with these data, for a worker to keep; `None` if it cannot be written.
pub(super) fn message(data: &Sizes) -> Option<Uint8Array> {
    LAST.with_borrow_mut(|last| {
        if !last.as_ref().is_some_and(|(sizes, _)| sizes.is_same(data)) {
            // What is forgotten first need not be in memory beside the new.
            *last = None;
            let bytes = encode(&Ask::Data(data.into())).ok()?;
            *last = Some((data.clone(), Uint8Array::from(bytes.as_slice())));
        }
        last.as_ref().map(|(_, message)| message.slice(0, message.length()))
    })
}
