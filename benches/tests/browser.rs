//! The browser's half of the benchmark: the same code as wasm, timed by the clock of a worker, as on the page.
#![cfg(target_arch = "wasm32")]

use wasm_bindgen::JsCast;
use wasm_bindgen_test::{console_log, wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_dedicated_worker);

#[wasm_bindgen_test]
fn bench() {
    let scope: web_sys::WorkerGlobalScope = js_sys::global().unchecked_into();
    let clock = scope.performance().expect("a browser has a clock");
    let now = || clock.now();
    console_log!("{}{}", packscope_benches::optima(&now), packscope_benches::report(&now));
}
