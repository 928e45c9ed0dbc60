//! Tests that need nothing but cargo: of the engine and the command line, of these commands, and of inputs that once broke
//! something.

use crate::tools;
use anyhow::Result;
use xshell::{Shell, cmd};

const PACKAGES: [&str; 6] = ["--package", "packscope", "--package", "xtask", "--package", "packscope-fuzz"];

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
