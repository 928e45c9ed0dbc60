//! Tests that need only cargo: of the engine and the command line, of these commands, and of inputs that once broke
//! something.

use crate::tools;
use anyhow::Result;
use std::path::{Path, PathBuf};
use xshell::{Shell, cmd};

/// The packages of native and browser tests, always chosen together: cargo compiles a crate anew for each choice of
/// packages that changes its features.
pub const TESTED: [&str; 3] = [
    "--workspace",
    "--exclude=packscope-benches",
    "--exclude=xtask",
];

/// The crates that are published, each after those that it needs.
pub const PUBLISHED: [&str; 5] = [
    "--package=packscope-core",
    "--package=packscope-files",
    "--package=packscope",
    "--package=packscope-chart",
    "--package=packscope-cli",
];

/// Their targets that need no browser.
const NATIVE: [&str; 3] = ["--test=it", "--test=replay", "--test=wasm"];

/// Features of the libraries; each compiles without the others.
const FEATURES: [(&str, &[&str]); 2] = [
    ("packscope-files", &["parquet", "tokenizer", "chat"]),
    ("packscope", &["files", "parquet", "tokenizer", "chat"]),
];

/// Lints the libraries without features, and with each feature alone, and makes the packages to publish.
pub fn each_feature(sh: &Shell) -> Result<()> {
    for (package, features) in FEATURES {
        cmd!(
            sh,
            "cargo clippy --package {package} --lib --examples -- -D warnings"
        )
        .run()?;
        for feature in features {
            cmd!(
                sh,
                "cargo clippy --package {package} --lib --features {feature} -- -D warnings"
            )
            .run()?;
        }
    }
    package(sh)
}

/// Makes the packages to publish, and compiles each of them with the others as packages.
fn package(sh: &Shell) -> Result<()> {
    // A folder of its own, so that what is forgotten is not what the other steps have compiled.
    let target = &tools::target(sh).join("publish");
    forget_packages(sh, target)?;
    // They only have to compile: without optimisation that takes half the time.
    let package = cmd!(
        sh,
        "cargo package {PUBLISHED...} --allow-dirty --target-dir {target}"
    );
    Ok(package
        .env("CARGO_PROFILE_DEV_OPT_LEVEL", "0")
        .env("CARGO_PROFILE_DEV_DEBUG", "0")
        .run()?)
}

/// Removes what cargo has kept of our packages. It takes a package of a version for the same for ever: those that it
/// packed, unpacked or compiled for an earlier commit would be those that the others are compiled with.
fn forget_packages(sh: &Shell, target: &Path) -> Result<()> {
    sh.remove_path(target.join("package"))?;
    cmd!(sh, "cargo clean {PUBLISHED...} --target-dir {target}").run()?;
    // As cargo itself finds its home.
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")));
    let Some(unpacked) = home.map(|home| home.join("registry/src")) else {
        return Ok(());
    };
    if !unpacked.is_dir() {
        return Ok(());
    }
    for registry in sh.read_dir(unpacked)? {
        // A registry that is a folder has no name before its hash.
        let name = registry.file_name().unwrap_or_default().to_string_lossy();
        if !name.starts_with('-') {
            continue;
        }
        for package in sh.read_dir(&registry)? {
            let name = package.file_name().unwrap_or_default().to_string_lossy();
            if name.starts_with("packscope") {
                sh.remove_path(package)?;
            }
        }
    }
    Ok(())
}

const NEXTEST: &[&str] = &["nextest", "run"];
const TEST: &[&str] = &["test"];

fn has_nextest() -> bool {
    tools::has("cargo-nextest")
}

/// Runs the native tests of the outer circle, which are otherwise ignored, and those of inputs by chance. Measurements,
/// which are ignored too, are no tests.
pub fn outer(sh: &Shell) -> Result<()> {
    let (run, only): (_, &[&str]) = if has_nextest() {
        let tests = &["--run-ignored=only", "--filterset", "not test(measured)"];
        (NEXTEST, tests)
    } else {
        (TEST, &["--", "--ignored", "--skip", "measured"])
    };
    let tests = cmd!(
        sh,
        "cargo {run...} --no-fail-fast {TESTED...} {NATIVE...} --test=chance {only...}"
    );
    Ok(tests.env("PROPTEST_RNG_SEED", SEED).run()?)
}

/// The seed of proptest: the same inputs each time, so that a change is not rejected for an older fault. Other inputs
/// are drawn by `cargo xtask fuzz`, and by `cargo test` without this.
const SEED: &str = "2022";

/// Runs the native tests; with nextest if it is installed, which starts slow tests first and does not stop at a
/// failure. Also compiles the browser tests, which need the same crates.
pub fn test(sh: &Shell) -> Result<()> {
    cmd!(
        sh,
        "cargo test --no-run {TESTED...} {NATIVE...} --test=browser"
    )
    .run()?;
    let (run, profile) = if has_nextest() {
        (NEXTEST, "--cargo-profile")
    } else {
        (TEST, "--profile")
    };
    let tests = cmd!(sh, "cargo {run...} --no-fail-fast {TESTED...} {NATIVE...}");
    tests.env("PROPTEST_RNG_SEED", SEED).run()?;
    // In the profile of this program.
    cmd!(
        sh,
        "cargo {run...} --no-fail-fast --package xtask {profile} xtask"
    )
    .run()?;
    // Examples in the documentation, which nextest does not support.
    Ok(cmd!(sh, "cargo test --doc {TESTED...}").run()?)
}
