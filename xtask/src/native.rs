//! Tests that need nothing but cargo: of the engine and the command line, of these commands, and of inputs that once broke
//! something.

use crate::tools;
use anyhow::Result;
use xshell::{Shell, cmd};

const PACKAGES: [&str; 6] = ["--package", "packscope", "--package", "xtask", "--package", "packscope-fuzz"];

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
    let features = ["--features", "cli,plot"];
    if !tools::has("cargo-nextest") {
        return Ok(cmd!(sh, "cargo test {PACKAGES...} {features...}").run()?);
    }
    cmd!(sh, "cargo nextest run --no-fail-fast {PACKAGES...} {features...}").run()?;
    // Examples in the documentation, which nextest does not know.
    Ok(cmd!(sh, "cargo test --doc --package packscope {features...}").run()?)
}
