//! Fuzzing with libFuzzer on the usual toolchain: installs nothing but, on Debian, a missing C++ compiler.
//!
//! Like cargo-fuzz, without the parts that need a nightly compiler (address sanitizer): the code reports branches and
//! comparisons to libFuzzer. See `fuzz/README.md`.

use crate::tools;
use anyhow::{Context, Result, bail, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use xshell::{Shell, cmd};

/// Seconds for each target unless said otherwise.
const LONG: u64 = 60;

/// The maximum memory for an input, in megabytes: more is a finding.
const MEMORY: u64 = 2_048;

/// The maximum time for an input, in seconds: more is a finding.
const PATIENCE: u64 = 60;

/// Flags that cargo-fuzz sets without a sanitizer.
const FLAGS: [&str; 7] = [
    "--cfg=fuzzing",
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Cllvm-args=-simplifycfg-branch-fold-threshold=0",
];

/// Runs `cargo xtask fuzz [TARGET] [SECONDS]`.
pub fn run(sh: &Shell, args: &[String]) -> Result<()> {
    let number = |text: &String| text.parse::<u64>().ok();
    let (target, seconds) = match args {
        [] => (None, LONG),
        // No target's name is a number.
        [one] => number(one).map_or((Some(one), LONG), |seconds| (None, seconds)),
        [target, seconds] => (
            Some(target),
            number(seconds).context("seconds are a whole number")?,
        ),
        _ => bail!("fuzz takes a target and seconds, and nothing else"),
    };
    let all = targets()?;
    let chosen: Vec<&String> = all
        .iter()
        .filter(|name| target.is_none_or(|target| target == *name))
        .collect();
    ensure!(
        !chosen.is_empty(),
        "there is no such target; targets are: {}",
        all.join(", ")
    );
    let folder = build(sh)?;
    let findings: Vec<Vec<String>> = chosen
        .into_iter()
        .map(|name| fuzz(sh, &folder, name, seconds))
        .collect::<Result<_>>()?;
    let findings = findings.concat();
    ensure!(
        findings.is_empty(),
        "found by fuzzing, see fuzz/README.md:\n{}",
        findings.join("\n")
    );
    Ok(())
}

/// Lists the targets: the files in `fuzz_targets`.
fn targets() -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir("fuzz/fuzz_targets")? {
        names.extend(
            entry?
                .path()
                .file_stem()
                .map(|stem| stem.to_string_lossy().into_owned()),
        );
    }
    names.sort();
    Ok(names)
}

/// Builds all targets; returns their folder.
fn build(sh: &Shell) -> Result<PathBuf> {
    compiler(sh)?;
    let host = tools::host(sh, "rustc")?;
    // With an explicit target, the flags do not apply to build scripts and macros.
    cmd!(
        sh,
        "cargo build --package packscope-fuzz --bins --profile fuzz --target {host}"
    )
    .env("RUSTFLAGS", FLAGS.join(" "))
    .run()?;
    Ok(tools::target(sh).join(&host).join("fuzz"))
}

/// Makes sure of a C++ compiler, which libFuzzer needs.
fn compiler(sh: &Shell) -> Result<()> {
    let there = || std::env::var_os("CXX").is_some() || tools::has("c++");
    if there() {
        return Ok(());
    }
    let installed = tools::apt_install(sh, &["g++"]);
    ensure!(
        there(),
        "a C++ compiler is missing, which builds libFuzzer: install one (Debian: `apt install g++`), or name it in CXX{}",
        installed
            .err()
            .map(|error| format!(" ({error:#})"))
            .unwrap_or_default()
    );
    Ok(())
}

/// Fuzzes one target; returns the inputs that break it.
fn fuzz(sh: &Shell, folder: &Path, name: &str, seconds: u64) -> Result<Vec<String>> {
    let program = folder.join(name);
    // libFuzzer saves new inputs to the first folder, which the next run starts from; shared inputs are in
    // `fuzz/corpus`.
    let learnt = folder.join("learnt").join(name);
    fs::create_dir_all(&learnt)?;
    let found = PathBuf::from("fuzz/artifacts").join(name);
    let kept = [
        format!("fuzz/corpus/{name}"),
        format!("fuzz/regressions/{name}"),
    ];
    let kept: Vec<&String> = kept
        .iter()
        .filter(|folder| Path::new(folder).is_dir())
        .collect();
    fs::create_dir_all(&found)?;
    // Findings of earlier runs stay in the folder; only new ones fail this run.
    let before = listed(&found)?;
    println!("{name}, {seconds} s");
    let prefix = format!("-artifact_prefix={}/", found.display());
    // By default, libFuzzer saves every input slower than ten seconds, which on a busy machine may be any.
    let limits = [
        format!("-max_total_time={seconds}"),
        format!("-timeout={PATIENCE}"),
        format!("-report_slow_units={PATIENCE}"),
        format!("-rss_limit_mb={MEMORY}"),
        // A single allocation of half the memory is a finding too.
        format!("-malloc_limit_mb={}", MEMORY / 2),
    ];
    let told = cmd!(
        sh,
        "{program} {prefix} {limits...} -max_len=20000 -print_final_stats=1 {learnt} {kept...}"
    )
    .quiet()
    .ignore_status()
    .output()?;
    let log = String::from_utf8_lossy(&told.stderr);
    let number = |what: &str| {
        log.lines()
            .rev()
            .find_map(|line| line.split_once(what))
            .map(|(_, n)| n.trim())
    };
    println!(
        "  {} inputs tried",
        number("stat::number_of_executed_units:").unwrap_or("no")
    );
    let new: Vec<String> = listed(&found)?
        .into_iter()
        .filter(|path| !before.contains(path))
        .collect();
    // A program that ends without saving an input did not find anything: it could not run.
    if !told.status.success() {
        eprint!("{log}");
        ensure!(
            !new.is_empty(),
            "the fuzzer of {name} ended with {}",
            told.status
        );
    }
    Ok(new)
}

fn listed(folder: &Path) -> Result<Vec<String>> {
    fs::read_dir(folder)?
        .map(|entry| Ok(entry?.path().display().to_string()))
        .collect()
}
