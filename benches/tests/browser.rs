//! The browser's half of the benchmark: the same code as wasm, timed by the page's clock.
#![cfg(target_arch = "wasm32")]

use wasm_bindgen_test::{console_log, wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

#[wasm_bindgen_test]
fn bench() {
    let clock = web_sys::window().and_then(|w| w.performance());
    let clock = clock.expect("a browser has a clock");
    let now = || clock.now();
    console_log!("{}{}", packscope_benches::optima(&now), packscope_benches::report(&now));
}
