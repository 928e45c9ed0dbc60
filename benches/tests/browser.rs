//! The browser's half of the benchmark: the same code as wasm, timed by the clock of a worker, as on the page.
#![cfg(target_arch = "wasm32")]

use wasm_bindgen::JsCast;
use wasm_bindgen_test::{console_log, wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_dedicated_worker);

fn clock() -> impl Fn() -> f64 {
    let scope: web_sys::WorkerGlobalScope = js_sys::global().unchecked_into();
    let clock = scope.performance().expect("a browser has a clock");
    move || clock.now()
}

#[wasm_bindgen_test]
fn bench() {
    console_log!(
        "{}{}",
        packscope_benches::optima(&clock()),
        packscope_benches::report(&clock())
    );
}

#[wasm_bindgen_test]
fn ranks() {
    console_log!("{}", packscope_benches::ranks::report(&clock()));
}
