//! Tests that need nothing but cargo: of the engine and the command line, of these commands, and of inputs that once broke
//! something.

use crate::tools;
use anyhow::Result;
use xshell::{Shell, cmd};

/// The packages of native and browser tests, always chosen together: for each choice of packages, cargo compiles a crate
/// anew whose features differ.
pub const TESTED: [&str; 4] = [
    "--package=packscope",
    "--package=packscope-fuzz",
    "--package=packscope-browser-tests",
    "--features=cli,plot",
];

/// Their targets that need no browser.
const NATIVE: [&str; 5] = ["--lib", "--bin=packscope", "--test=it", "--test=replay", "--test=wasm"];

/// Features of the library; each compiles without the others.
const FEATURES: [&str; 7] = ["files", "parquet", "tokenizer", "plot", "cli", "state", "wire"];

/// Lints the library and its examples as one has them who asks for no feature.
pub fn without_features(sh: &Shell) -> Result<()> {
    Ok(cmd!(sh, "cargo clippy --package packscope --lib --examples -- -D warnings").run()?)
}

/// Lints the library with each feature by itself, and compiles what would be published.
pub fn each_feature(sh: &Shell) -> Result<()> {
    for feature in FEATURES {
        cmd!(sh, "cargo clippy --package packscope --lib --features {feature} -- -D warnings").run()?;
    }
    Ok(cmd!(sh, "cargo package --package packscope --allow-dirty").run()?)
}

/// Runs them; with nextest where it is installed, which starts what is slow first and stops at nothing.
pub fn test(sh: &Shell) -> Result<()> {
    let run: &[&str] = if tools::has("cargo-nextest") { &["nextest", "run"] } else { &["test"] };
    cmd!(sh, "cargo {run...} --no-fail-fast {TESTED...} {NATIVE...}").run()?;
    // By itself, as this program was compiled.
    cmd!(sh, "cargo {run...} --no-fail-fast --package xtask").run()?;
    // Examples in the documentation, which nextest does not know.
    Ok(cmd!(sh, "cargo test --doc {TESTED...}").run()?)
}
