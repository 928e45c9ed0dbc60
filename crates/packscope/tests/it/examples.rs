//! Runs the examples: each prints exactly the recorded output.

use std::cell::RefCell;
use std::fmt::{Arguments, Write};

thread_local! {
    static PRINTED: RefCell<String> = const { RefCell::new(String::new()) };
}

fn print(line: Arguments) {
    PRINTED.with_borrow_mut(|printed| writeln!(printed, "{line}").unwrap());
}

/// What the examples print comes here.
macro_rules! println {
    ($($line:tt)*) => { crate::examples::print(format_args!($($line)*)) };
}

#[path = "../../examples/assign.rs"]
mod assign;
#[path = "../../examples/batches.rs"]
mod batches;
#[path = "../../examples/graphs.rs"]
mod graphs;
#[path = "../../examples/pack.rs"]
mod pack;
#[path = "../../examples/prove.rs"]
mod prove;
#[path = "../../examples/sweep.rs"]
mod sweep;

#[test]
fn examples_print_what_is_recorded() {
    type Main = fn() -> packscope::Result<()>;
    let examples: [(&str, Main, &str); 6] = [
        (
            "assign",
            assign::main,
            include_str!("../../../../tests/data/examples/assign.txt"),
        ),
        (
            "batches",
            batches::main,
            include_str!("../../../../tests/data/examples/batches.txt"),
        ),
        (
            "graphs",
            graphs::main,
            include_str!("../../../../tests/data/examples/graphs.txt"),
        ),
        (
            "pack",
            pack::main,
            include_str!("../../../../tests/data/examples/pack.txt"),
        ),
        (
            "prove",
            prove::main,
            include_str!("../../../../tests/data/examples/prove.txt"),
        ),
        (
            "sweep",
            sweep::main,
            include_str!("../../../../tests/data/examples/sweep.txt"),
        ),
    ];
    for (name, main, recorded) in examples {
        main().unwrap();
        assert_eq!(PRINTED.take(), recorded, "{name}");
    }
    let files = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/examples")).unwrap();
    assert_eq!(files.count(), examples.len(), "an example that nobody runs");
}
