//! The native half of the benchmark; see `lib.rs`.
#![allow(clippy::disallowed_methods, reason = "a benchmark measures")]

fn main() {
    let start = std::time::Instant::now();
    let now = || start.elapsed().as_secs_f64() * 1e3;
    // One part alone, where that is all one wants to know.
    match std::env::args().nth(1).as_deref() {
        Some("batches") => print!("{}", packscope_benches::batches::report(&now)),
        Some("speedup") => print!("{}", packscope_benches::speedup::report(&now)),
        _ => print!("{}{}", packscope_benches::optima(&now), packscope_benches::report(&now)),
    }
}
