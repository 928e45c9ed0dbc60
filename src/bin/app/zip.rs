//! What deflates and inflates data in addresses: a part of its own, loaded with the first such address, and with what reads
//! files of the visitor's own.

use crate::lazy::{Loading, Part};
use packscope::part;
use packscope::state::custom::{self, Zip};
use std::hint::black_box;

static ZIP: Part<()> = Part::new(|| Box::pin(load_zip()));

part! { zip:
    fn load_zip() -> Loading<()> {
        // The compiler, which sees that they are always the same functions, would call them directly.
        custom::bring(black_box(Zip::new()));
        Ok(())
    }
}

/// Whether it is there.
pub fn is_there() -> bool {
    ZIP.get().is_some()
}

/// Loads it.
pub async fn load() -> Loading<()> {
    if is_there() { Ok(()) } else { ZIP.load().await }
}

/// Does what an address asks for, once what reads its data is there; nothing if that does not come, of which the page
/// that starts says that it is late.
pub fn before(hash: &str, act: impl FnOnce() + 'static) {
    if is_there() || !custom::carries(hash) {
        return act();
    }
    wasm_bindgen_futures::spawn_local(async {
        if load().await.is_ok() {
            act();
        }
    });
}
