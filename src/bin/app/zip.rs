//! Compression of data in addresses: a separate part, loaded with the first address that needs it, and with the reader
//! of the visitor's own files.

use crate::due;
use crate::lazy::{LazyPart, PartLoad};
use packscope_page::part;
use packscope_page::state::custom::{self, Zip};
use std::hint::black_box;

static ZIP: LazyPart<()> = LazyPart::new(|| Box::pin(load_zip()));

part! { zip:
    fn load_zip() -> PartLoad<()> {
        // `black_box` keeps the compiler from calling these functions directly, which would load them with the page.
        custom::bring(black_box(Zip::new()));
        Ok(())
    }
}

/// Whether the part is loaded.
pub fn is_there() -> bool {
    ZIP.get().is_some()
}

pub async fn load() -> PartLoad<()> {
    if is_there() { Ok(()) } else { ZIP.load().await }
}

/// Calls back once the data in an address can be decoded; with `false` if the part for it could not be loaded.
pub fn before(hash: &str, act: impl FnOnce(bool) + 'static) {
    // Called back within the call where nothing has to be loaded, so that the first frame is not
    // delayed.
    if is_there() || !custom::carries(hash) {
        return act(true);
    }
    due::load(async { act(load().await.is_ok()) });
}
