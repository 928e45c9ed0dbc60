//! The targets of fuzzing: functions over any bytes that panic where Packscope does not keep what it promises.
//!
//! The fuzzer calls them through `fuzz_targets`, plain tests with the inputs that are kept in `corpus` and
//! `regressions`.
#![forbid(unsafe_code)]

mod address;
mod batches;
mod carried;
mod dialects;
mod estimates;
mod files;
mod graphs;
mod make;
mod messages;
mod plan;
mod sequences;
mod text;
mod tokens;
mod unknown;

pub use address::address;
pub use batches::batches;
pub use carried::carried;
pub use dialects::dialects;
pub use estimates::estimates;
pub use files::{files, input};
pub use graphs::graphs;
pub use messages::messages;
pub use plan::plan;
pub use sequences::sequences;
pub use text::text;
pub use tokens::tokens;
pub use unknown::unknown;

use std::path::{Path, PathBuf};

/// The function that takes the bytes of an input.
pub type Body = fn(&[u8]);

/// Every target.
pub const TARGETS: [(&str, Body); 13] = [
    ("text", text),
    ("files", files),
    ("dialects", dialects),
    ("unknown", unknown),
    ("tokens", tokens),
    ("address", address),
    ("carried", carried),
    ("plan", plan),
    ("messages", messages),
    ("sequences", sequences),
    ("graphs", graphs),
    ("batches", batches),
    ("estimates", estimates),
];

/// The inputs that are kept of a target, in the order of their names.
pub fn kept(target: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["corpus", "regressions"].map(|kind| root.join(kind).join(target));
    let entries = folders
        .iter()
        .filter_map(|folder| std::fs::read_dir(folder).ok())
        .flatten();
    let mut paths: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    paths.sort();
    paths
}

/// Hands the files named on the command line to a body.
pub fn replay_arguments(body: Body) {
    for path in std::env::args_os().skip(1).map(PathBuf::from) {
        match std::fs::read(&path) {
            Ok(bytes) => {
                body(&bytes);
                println!("{}: as promised", path.display());
            }
            Err(error) => eprintln!("{}: {error}", path.display()),
        }
    }
}
