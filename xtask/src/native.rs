//! Tests that need only cargo: of the engine and the command line, of these commands, and of inputs that once broke
//! something.

use crate::tools;
use anyhow::Result;
use xshell::{Shell, cmd};

/// The packages of native and browser tests, always chosen together: cargo compiles a crate anew for each choice of
/// packages that changes its features.
pub const TESTED: [&str; 3] = [
    "--workspace",
    "--exclude=packscope-benches",
    "--exclude=xtask",
];

/// The crates that are published, each after those that it needs.
const PUBLISHED: [&str; 5] = [
    "--package=packscope-core",
    "--package=packscope-files",
    "--package=packscope",
    "--package=packscope-chart",
    "--package=packscope-cli",
];

/// Their targets that need no browser.
const NATIVE: [&str; 3] = ["--test=it", "--test=replay", "--test=wasm"];

/// Features of the engine; each compiles without the others. Those of reading files are among them, and the crate that
/// reads is linted with each as what the engine needs.
const FEATURES: [&str; 4] = ["files", "parquet", "tokenizer", "chat"];

/// Lints the libraries without features, and with each feature alone, and makes the packages to publish.
pub fn each_feature(sh: &Shell) -> Result<()> {
    let package = "--package=packscope";
    cmd!(sh, "cargo clippy {package} --lib --examples -- -D warnings").run()?;
    for feature in FEATURES {
        cmd!(
            sh,
            "cargo clippy {package} --lib --features {feature} -- -D warnings"
        )
        .run()?;
    }
    self::package(sh)
}

/// Makes the packages to publish, unpacks them, and checks each with the others as they were packed.
fn package(sh: &Shell) -> Result<()> {
    let target = &tools::target(sh).join("publish");
    let packed = target.join("package");
    sh.remove_path(&packed)?;
    // Cargo's own check of packages builds them, one after the other, where a check is enough; and it takes a
    // package of a version for the same for ever, so that others would be compiled with that of an earlier commit.
    cmd!(
        sh,
        "cargo package {PUBLISHED...} --allow-dirty --no-verify --target-dir {target}"
    )
    .run()?;
    let (mut members, mut patches) = (String::new(), String::new());
    for archive in sh.read_dir(&packed)? {
        if archive.extension().is_none_or(|end| end != "crate") {
            continue;
        }
        // With the time of now: packed files have one that never changes, by which cargo would take them for checked.
        cmd!(sh, "tar -x -m -f {archive} -C {packed}").run()?;
        let folder = archive.file_stem().unwrap_or_default().to_string_lossy();
        let package = folder.rsplit_once('-').map_or(&*folder, |(name, _)| name);
        members += &format!("{folder:?}, ");
        patches += &format!("{package} = {{ path = {folder:?} }}\n");
    }
    let manifest = format!(
        "[workspace]\nresolver = \"3\"\nmembers = [{members}]\n\n[patch.crates-io]\n{patches}"
    );
    sh.write_file(packed.join("Cargo.toml"), manifest)?;
    sh.copy_file("Cargo.lock", packed.join("Cargo.lock"))?;
    let manifest = packed.join("Cargo.toml");
    Ok(cmd!(
        sh,
        "cargo check --workspace --manifest-path {manifest} --target-dir {target}"
    )
    .run()?)
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
