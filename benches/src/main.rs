//! The native half of the benchmark; see `lib.rs`.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a benchmark measures"
)]

fn main() {
    let start = std::time::Instant::now();
    let now = || start.elapsed().as_secs_f64() * 1e3;
    // One part alone, where that is all one wants to know.
    let mut args = std::env::args().skip(1);
    match args.next().as_deref() {
        Some("budgets") => print!("{}", packscope_benches::budgets::report(&now)),
        Some("batches") => print!("{}", packscope_benches::batches::report(&now)),
        Some("ranks") => print!("{}", packscope_benches::ranks::report(&now)),
        Some("speedup") => print!("{}", packscope_benches::speedup::report(&now)),
        // The folder gets the lists of lengths, for packers of other languages.
        #[cfg(not(target_arch = "wasm32"))]
        Some("peers") => print!(
            "{}",
            packscope_benches::peers::report(&now, args.next().unwrap().as_ref())
        ),
        _ => {
            print!(
                "{}{}",
                packscope_benches::optima(&now),
                packscope_benches::report(&now)
            );
            print!("{}", packscope_benches::ranks::report(&now));
        }
    }
}
