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
const NATIVE: [&str; 4] = ["--lib", "--test=it", "--test=replay", "--test=wasm"];

/// Features of the library; each compiles without the others.
const FEATURES: [&str; 8] = ["files", "parquet", "tokenizer", "chat", "plot", "cli", "state", "wire"];

/// Lints the library without features, and with each by itself, and compiles what would be published.
pub fn each_feature(sh: &Shell) -> Result<()> {
    cmd!(sh, "cargo clippy --package packscope --lib --examples -- -D warnings").run()?;
    for feature in FEATURES {
        cmd!(sh, "cargo clippy --package packscope --lib --features {feature} -- -D warnings").run()?;
    }
    Ok(cmd!(sh, "cargo package --package packscope --allow-dirty").run()?)
}

const NEXTEST: &[&str] = &["nextest", "run"];
const TEST: &[&str] = &["test"];

fn has_nextest() -> bool {
    tools::has("cargo-nextest")
}

/// Runs the tests of a target that are ignored otherwise, since they take long.
pub fn ignored(sh: &Shell, target: &str) -> Result<()> {
    let (run, only): (_, &[&str]) =
        if has_nextest() { (NEXTEST, &["--run-ignored=only"]) } else { (TEST, &["--", "--ignored"]) };
    Ok(cmd!(sh, "cargo {run...} --no-fail-fast {TESTED...} --test={target} {only...}").run()?)
}

/// The seed from which proptest draws: the same inputs each time, so that a change is not refused for a fault that was there before.
/// Other inputs are drawn by `cargo xtask fuzz`, and by `cargo test` without this.
const SEED: &str = "2022";

/// Runs them; with nextest where it is installed, which starts what is slow first and stops at nothing. Compiles the
/// browser tests too, which need the same.
pub fn test(sh: &Shell) -> Result<()> {
    cmd!(sh, "cargo test --no-run {TESTED...} {NATIVE...} --test=browser").run()?;
    let (run, profile) = if has_nextest() { (NEXTEST, "--cargo-profile") } else { (TEST, "--profile") };
    let tests = cmd!(sh, "cargo {run...} --no-fail-fast {TESTED...} {NATIVE...}");
    tests.env("PROPTEST_RNG_SEED", SEED).run()?;
    // As this program was compiled.
    cmd!(sh, "cargo {run...} --no-fail-fast --package xtask {profile} xtask").run()?;
    // Examples in the documentation, which nextest does not know.
    Ok(cmd!(sh, "cargo test --doc {TESTED...}").run()?)
}
