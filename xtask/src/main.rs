//! The developer's commands. Each does all the set-up it needs; see README.
//!
//!     cargo xtask serve [--port N]   build the page, serve it, build it again after each change
//!     cargo xtask test               everything a change must pass
//!     cargo xtask dist               the static folder for any host, in dist/
//!     cargo xtask browser [NAME]     browser tests alone, on a page built before
//!     cargo xtask peers              the lines that Packscope writes, executed by the tools they are for
//!     cargo xtask bench [REFERENCES] timings and sizes into benches/RESULTS.md
//!     cargo xtask setup              install what the others need, and nothing else

mod bench;
mod browser;
mod page;
mod peers;
mod python;
mod serve;
mod size;
mod test;
mod tools;
mod wasm;

use anyhow::{Context, Result, bail};
use std::process::ExitCode;
use xshell::Shell;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let sh = Shell::new()?;
    sh.change_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let mut args = std::env::args().skip(1);
    let command = args.next();
    let rest: Vec<String> = args.collect();
    match command.as_deref() {
        Some("serve") => page::serve(&sh, port(&rest)?),
        Some("test") => test::all(&sh),
        Some("dist") => page::dist(&sh).and_then(|()| size::print(&sh)),
        Some("browser") => browser::test(&sh, &rest),
        Some("peers") => peers::test(&sh),
        Some("bench") => bench::record(&sh, &rest),
        Some("setup") => setup(&sh),
        other => bail!(
            "{}; commands are: serve [--port N], test, dist, browser [NAME], peers, bench [REFERENCES], setup",
            match other {
                Some(name) => format!("there is no command {name:?}"),
                None => "a command is missing".to_owned(),
            }
        ),
    }
}

fn port(args: &[String]) -> Result<u16> {
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => Ok(8080),
        ["--port", port] | [port] => port.parse().context("the port is a number from 1 to 65535"),
        _ => bail!("serve takes --port N, and nothing else"),
    }
}

/// Installs what building and testing need; does nothing where all is there.
pub fn setup(sh: &Shell) -> Result<()> {
    wasm::toolchain(sh)?;
    tools::for_page(sh)?;
    tools::browser(sh)?;
    peers::with_peers(sh)?;
    Ok(())
}
