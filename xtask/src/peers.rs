//! The lines that Packscope writes, executed: a Python with the tools they are for, and the tests in `tests/python`.

use crate::native::TESTED;
use crate::{python, tools};
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use xshell::{Shell, cmd};

const TESTS: &str = "tests/python";

/// Builds the command line, and runs the tests on it.
pub fn test(sh: &Shell) -> Result<()> {
    let python = with_peers(sh)?;
    cmd!(sh, "cargo build {TESTED...} --bin packscope").run()?;
    if !tools::has("java") {
        println!(
            "there is no Java: the tests of Spark are skipped (Debian: `apt install default-jre-headless`)"
        );
    }
    // A test that never ends says where it stands, and ends the run: the longest takes two minutes on a busy machine.
    let ends = ["-o", "faulthandler_timeout=1200", "-o", "faulthandler_exit_on_timeout=true"];
    cmd!(sh, "{python} -m pytest -q -rs -p no:cacheprovider {ends...} {TESTS}")
        .env(
            "PACKSCOPE",
            tools::target(sh).join("debug").join("packscope").with_extension(std::env::consts::EXE_EXTENSION),
        )
        // Tensors this small gain nothing by threads, and lose much where others use the cores.
        .env("OMP_NUM_THREADS", "1")
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .run()
        .context("lines that Packscope writes do not do what they say")
}

/// A Python that has PyTorch and all that `requirements.txt` names, installed once for each version of that list.
pub fn with_peers(sh: &Shell) -> Result<PathBuf> {
    let torch = python::with_torch(sh)?;
    let lists = ["requirements.txt", "trainers.txt"].map(|list| sh.current_dir().join(TESTS).join(list));
    let mut pinned = String::new();
    for list in &lists {
        pinned += &sh.read_file(list)?;
    }
    let root =
        tools::once(&format!("peers-{:08x}", number(&pinned)), |root| install(sh, &torch, root, &lists))?;
    Ok(python::interpreter(&root))
}

fn install(sh: &Shell, torch: &Path, root: &Path, [needed, trainers]: &[PathBuf; 2]) -> Result<()> {
    // PyTorch is that of the Python it is made of: what PyPI has brings gigabytes for GPUs.
    python::environment(sh, torch, root, &["--system-site-packages"])?;
    let (needed, trainers) = (needed.display().to_string(), trainers.display().to_string());
    python::pip(sh, root, &["-r", &needed])?;
    // Their sources are read, and what packs is run: all they need to train is left out.
    python::pip(sh, root, &["--no-deps", "-r", &trainers])
}

/// A number for a text: another list has an environment of its own. 32-bit FNV-1a.
fn number(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
