//! The native half of the benchmark; see `lib.rs`.
#![allow(clippy::disallowed_methods, reason = "a benchmark measures")]

fn main() {
    let start = std::time::Instant::now();
    print!("{}", packscope_benches::report(&|| start.elapsed().as_secs_f64() * 1e3));
}
