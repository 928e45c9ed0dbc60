//! Executes the lines that Packscope writes: a Python with their tools, and the tests in `tests/python`.

use crate::native::TESTED;
use crate::{python, tools};
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use xshell::{Shell, cmd};

const TESTS: &str = "tests/python";

pub fn test(sh: &Shell) -> Result<()> {
    let python = with_peers(sh)?;
    // As the native tests have it: `cargo build` would compile the library anew, without what tests depend on.
    cmd!(sh, "cargo test --no-run {TESTED...} --test=it").run()?;
    // A copy: other steps run beside these tests, and cargo removes a program for a moment while it puts another in its place.
    let own = sh.create_temp_dir()?;
    let built = tools::target(sh)
        .join("debug")
        .join("packscope")
        .with_extension(std::env::consts::EXE_EXTENSION);
    let packscope = own
        .path()
        .join(built.file_name().context("a program has a name")?);
    sh.copy_file(built, &packscope)?;
    if !tools::has("java") {
        println!(
            "there is no Java: the tests of Spark are skipped (Debian: `apt install default-jre-headless`)"
        );
    }
    // A hanging test prints its stack and ends the run: the longest takes two minutes on a busy machine.
    let ends = [
        "-o",
        "faulthandler_timeout=1200",
        "-o",
        "faulthandler_exit_on_timeout=true",
    ];
    cmd!(
        sh,
        "{python} -m pytest -q -rs -p no:cacheprovider {ends...} {TESTS}"
    )
    .env("PACKSCOPE", packscope)
    // Small tensors do not benefit from threads, and lose much if others use the cores.
    .env("OMP_NUM_THREADS", "1")
    .env("PYTHONDONTWRITEBYTECODE", "1")
    .run()
    .context("lines that Packscope writes do not do what they say")
}

/// Returns a Python with PyTorch and everything in `requirements.txt`, installed once for each version of that list.
pub fn with_peers(sh: &Shell) -> Result<PathBuf> {
    let torch = python::with_torch(sh)?;
    let lists =
        ["requirements.txt", "trainers.txt"].map(|list| sh.current_dir().join(TESTS).join(list));
    // Both lists decide the environment: a change of one of them makes a new one beside the old.
    let mut pinned = String::new();
    for list in &lists {
        pinned += &sh.read_file(list)?;
    }
    let root = tools::once(&format!("peers-{:08x}", tools::number(&pinned)), |root| {
        install(sh, &torch, root, &lists)
    })?;
    Ok(python::interpreter(&root))
}

fn install(sh: &Shell, torch: &Path, root: &Path, [needed, trainers]: &[PathBuf; 2]) -> Result<()> {
    // PyTorch comes from the base Python: PyPI's version brings gigabytes for GPUs.
    python::environment(sh, torch, root, &["--system-site-packages"])?;
    let (needed, trainers) = (needed.display().to_string(), trainers.display().to_string());
    python::pip(sh, root, &["-r", &needed])?;
    // Only their sources and packers are used, so dependencies for training are left out.
    python::pip(sh, root, &["--no-deps", "-r", &trainers])
}
