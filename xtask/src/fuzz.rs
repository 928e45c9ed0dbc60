//! Fuzzing with libFuzzer on the usual toolchain: nothing is installed but, on Debian, a missing C++ compiler.
//!
//! What cargo-fuzz does, less what needs a nightly compiler (address sanitizer): the code tells libFuzzer which
//! branches were taken and what was compared. See `fuzz/README.md`.

use crate::tools;
use anyhow::{Context, Result, bail, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use xshell::{Shell, cmd};

/// Seconds for each target unless said otherwise.
const LONG: u64 = 60;

/// Megabytes that an input may take: more is a finding.
const MEMORY: u64 = 2_048;

/// Seconds that an input may take: more is a finding.
const PATIENCE: u64 = 60;

/// As cargo-fuzz sets them without a sanitizer.
const FLAGS: [&str; 7] = [
    "--cfg=fuzzing",
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Cllvm-args=-simplifycfg-branch-fold-threshold=0",
];

/// `cargo xtask fuzz [TARGET] [SECONDS]`.
pub fn run(sh: &Shell, args: &[String]) -> Result<()> {
    let number = |text: &String| text.parse::<u64>().ok();
    let (target, seconds) = match args {
        [] => (None, LONG),
        [one] => number(one).map_or((Some(one), LONG), |seconds| (None, seconds)),
        [target, seconds] => (Some(target), number(seconds).context("seconds are a whole number")?),
        _ => bail!("fuzz takes a target and seconds, and nothing else"),
    };
    let all = targets()?;
    let chosen: Vec<&String> =
        all.iter().filter(|name| target.is_none_or(|target| target == *name)).collect();
    ensure!(!chosen.is_empty(), "there is no such target; targets are: {}", all.join(", "));
    let folder = build(sh)?;
    let findings: Vec<Vec<String>> =
        chosen.into_iter().map(|name| fuzz(sh, &folder, name, seconds)).collect::<Result<_>>()?;
    let findings = findings.concat();
    ensure!(findings.is_empty(), "found by fuzzing, see fuzz/README.md:\n{}", findings.join("\n"));
    Ok(())
}

/// A file in `fuzz_targets` is a target.
fn targets() -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir("fuzz/fuzz_targets")? {
        names.extend(entry?.path().file_stem().map(|stem| stem.to_string_lossy().into_owned()));
    }
    names.sort();
    Ok(names)
}

/// Builds all targets; returns the folder that they are in.
fn build(sh: &Shell) -> Result<PathBuf> {
    compiler(sh)?;
    let host = tools::host(sh, "rustc")?;
    // With a target named, the flags are not those of build scripts and macros.
    cmd!(sh, "cargo build --package packscope-fuzz --bins --profile fuzz --target {host}")
        .env("RUSTFLAGS", FLAGS.join(" "))
        .run()?;
    Ok(tools::target(sh).join(&host).join("fuzz"))
}

/// libFuzzer is C++.
fn compiler(sh: &Shell) -> Result<()> {
    let there = || std::env::var_os("CXX").is_some() || tools::has("c++");
    if there() {
        return Ok(());
    }
    let installed = tools::apt_install(sh, &["g++"]);
    ensure!(
        there(),
        "a C++ compiler is missing, which builds libFuzzer: install one (Debian: `apt install g++`), or name it in CXX{}",
        installed.err().map(|error| format!(" ({error:#})")).unwrap_or_default()
    );
    Ok(())
}

/// Fuzzes one target; names the inputs that were found to break it.
fn fuzz(sh: &Shell, folder: &Path, name: &str, seconds: u64) -> Result<Vec<String>> {
    let program = folder.join(name);
    // libFuzzer writes what it learns to the first folder, where the next time begins; what is kept for all is in
    // `fuzz/corpus`.
    let learnt = folder.join("learnt").join(name);
    fs::create_dir_all(&learnt)?;
    let found = PathBuf::from("fuzz/artifacts").join(name);
    let kept = [format!("fuzz/corpus/{name}"), format!("fuzz/regressions/{name}")];
    let kept: Vec<&String> = kept.iter().filter(|folder| Path::new(folder).is_dir()).collect();
    fs::create_dir_all(&found)?;
    let before = listed(&found)?;
    println!("{name}, {seconds} s");
    let prefix = format!("-artifact_prefix={}/", found.display());
    // Unless told, libFuzzer keeps every input above ten seconds, which busy machines need for any.
    let limits = [
        format!("-max_total_time={seconds}"),
        format!("-timeout={PATIENCE}"),
        format!("-report_slow_units={PATIENCE}"),
        format!("-rss_limit_mb={MEMORY}"),
        format!("-malloc_limit_mb={}", MEMORY / 2),
    ];
    let told =
        cmd!(sh, "{program} {prefix} {limits...} -max_len=20000 -print_final_stats=1 {learnt} {kept...}")
            .quiet()
            .ignore_status()
            .output()?;
    let log = String::from_utf8_lossy(&told.stderr);
    let number = |what: &str| log.lines().rev().find_map(|line| line.split_once(what)).map(|(_, n)| n.trim());
    println!("  {} inputs tried", number("stat::number_of_executed_units:").unwrap_or("no"));
    let new: Vec<String> = listed(&found)?.into_iter().filter(|path| !before.contains(path)).collect();
    if !told.status.success() {
        eprint!("{log}");
        ensure!(!new.is_empty(), "the fuzzer of {name} ended with {}", told.status);
    }
    Ok(new)
}

fn listed(folder: &Path) -> Result<Vec<String>> {
    fs::read_dir(folder)?.map(|entry| Ok(entry?.path().display().to_string())).collect()
}
