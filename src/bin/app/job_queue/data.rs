//! Messages with data, encoded once for all workers: a million sizes take longer to encode than a frame lasts.

use js_sys::Uint8Array;
use packscope::histogram::Sizes;
use std::cell::RefCell;

thread_local! {
    /// The data sent last, with their message.
    static LAST: RefCell<Option<(Sizes, Uint8Array)>> = const { RefCell::new(None) };
}

/// Returns a copy of the message with these data, to be transferred to a worker; `None` if encoding fails.
pub(super) fn message(
    data: &Sizes,
    encode: impl FnOnce(&Sizes) -> Option<Vec<u8>>,
) -> Option<Uint8Array> {
    LAST.with_borrow_mut(|last| {
        if !last.as_ref().is_some_and(|(sizes, _)| sizes.is_same(data)) {
            // The old message is dropped first, so that both are never in memory together.
            *last = None;
            let bytes = encode(data)?;
            *last = Some((data.clone(), Uint8Array::from(bytes.as_slice())));
        }
        last.as_ref()
            .map(|(_, message)| message.slice(0, message.length()))
    })
}
