//! The developer's commands. Each does all the set-up it needs; see README.
//!
//!     cargo xtask serve [PORT]     build the page and serve it
//!     cargo xtask test             everything a change must pass
//!     cargo xtask dist             the static folder for any host, in dist/
//!     cargo xtask browser [NAME]   browser tests alone, on a page built before

mod browser;
mod page;
mod serve;
mod size;
mod test;
mod tools;
mod wasm;

use anyhow::{Result, bail};
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
        Some("serve") => page::serve(&sh, rest.first().map(String::as_str)),
        Some("test") => test::all(&sh),
        Some("dist") => page::dist(&sh).and_then(|()| size::print(&sh)),
        Some("browser") => browser::test(&sh, &rest),
        other => bail!(
            "{}; commands are: serve [PORT], test, dist, browser [NAME]",
            match other {
                Some(name) => format!("there is no command {name:?}"),
                None => "a command is missing".to_owned(),
            }
        ),
    }
}
