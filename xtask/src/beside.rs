//! A step that runs beside others, since it mostly waits or uses one core.

use crate::tools;
use anyhow::{Context, Result, bail};
use std::fs::File;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::SystemTime;
use xshell::Shell;

/// The environment variable that tells parallel programs when the first of them began, in seconds since 1970.
pub const BEGAN: &str = "PACKSCOPE_BEGAN";

/// A running command of this program; it is killed when this value is dropped.
pub struct Beside {
    name: &'static str,
    child: Child,
    began: SystemTime,
    /// Its output, kept until the others are done.
    log: PathBuf,
}

impl Beside {
    /// Starts `cargo xtask NAME`, and passes on when the first step began.
    pub fn start(sh: &Shell, name: &'static str, began: &str) -> Result<Self> {
        let log = tools::target(sh).join(format!("{name}.log"));
        // A file and not a pipe, which would fill and stop the child, as nobody reads until the
        // end.
        let file = File::create(&log)?;
        let child = Command::new(std::env::current_exe()?)
            .arg(name)
            .env(BEGAN, began)
            .stdin(Stdio::null())
            .stdout(file.try_clone()?)
            .stderr(file)
            .spawn()
            .with_context(|| format!("cannot start {name}"))?;
        Ok(Self {
            name,
            child,
            began: SystemTime::now(),
            log,
        })
    }

    /// Waits for its end, and prints its output; returns when it began and when it ended.
    pub fn finish(mut self) -> Result<(SystemTime, SystemTime)> {
        let passed = self.child.wait()?.success();
        print!("{}", String::from_utf8_lossy(&std::fs::read(&self.log)?));
        if !passed {
            bail!("{} failed; what it said stands above", self.name);
        }
        // The last output marks the end: the process may have been waiting for the others since.
        Ok((self.began, std::fs::metadata(&self.log)?.modified()?))
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        // If it has ended already, killing it fails, and there is nothing left to do; waiting frees
        // its entry.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
