//! The developer's commands. Each does all the set-up it needs; see README.
//!
//!     cargo xtask serve [--port N]   build the page, serve it, build it again after each change; --quick in less time,
//!                                    for a slower page
//!     cargo xtask test               everything a change must pass
//!     cargo xtask dist [--quick]     the static folder for any host, in dist/
//!     cargo xtask page               the same folder, not weighed
//!     cargo xtask size [--write]     what people download, against its budget; --write sets the budget
//!     cargo xtask deny               dependencies: advisories, licences, sources, duplicates
//!     cargo xtask browser [NAME]     browser tests alone, on a page built before; BROWSER=firefox in Firefox
//!     cargo xtask peers              what Packscope writes, and its measuring script, run by the tools they are for
//!     cargo xtask fuzz [TARGET] [SECONDS]
//!                                    tries all sorts of inputs on what takes any: see fuzz/README.md
//!     cargo xtask bench [REFERENCES] timings and sizes into benches/RESULTS.md
//!     cargo xtask setup              install what the others need, and nothing else

mod bench;
mod beside;
mod browser;
mod budget;
mod deny;
mod fuzz;
mod integrity;
mod page;
mod peers;
mod python;
mod sections;
mod serve;
mod size;
mod test;
mod tools;
mod wasm;

use anyhow::{Context, Result, bail};
use page::Quality;
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
    let mut rest: Vec<String> = args.collect();
    match command.as_deref() {
        Some("serve") => {
            let quality = quality(&mut rest);
            page::serve(&sh, port(&rest)?, quality)
        }
        Some("test") => test::all(&sh),
        Some("dist") => {
            let quality = quality(&mut rest);
            page::dist(&sh, quality).and_then(|()| budget::print(&sh)).map(drop)
        }
        Some("page") => page::dist(&sh, Quality::Best),
        Some("size") => budget::command(&sh, &rest),
        Some("deny") => deny::check(&sh).map(|said| println!("{said}")),
        Some("browser") => browser::test(&sh, &rest),
        Some("peers") => peers::test(&sh).and_then(|()| python::measuring_script(&sh)),
        Some("fuzz") => fuzz::run(&sh, &rest),
        Some("bench") => bench::record(&sh, &rest),
        Some("setup") => setup(&sh),
        other => bail!(
            "{}; commands are: serve [--port N] [--quick], test, dist [--quick], page, size [--write], deny, browser [NAME], \
             peers, fuzz [TARGET] [SECONDS], bench [REFERENCES], setup",
            match other {
                Some(name) => format!("there is no command {name:?}"),
                None => "a command is missing".to_owned(),
            }
        ),
    }
}

/// Takes `--quick` from the arguments.
fn quality(args: &mut Vec<String>) -> Quality {
    let all = args.len();
    args.retain(|arg| arg != "--quick");
    if args.len() < all { Quality::Quick } else { Quality::Best }
}

fn port(args: &[String]) -> Result<u16> {
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => Ok(8080),
        ["--port", port] | [port] => port.parse().context("the port is a number from 1 to 65535"),
        _ => bail!("serve takes --port N and --quick, and nothing else"),
    }
}

/// Installs what building and testing need; does nothing where all is there.
fn setup(sh: &Shell) -> Result<()> {
    for_browser(sh)?;
    peers::with_peers(sh)?;
    Ok(())
}

/// Installs what the page is built and tested with.
pub fn for_browser(sh: &Shell) -> Result<()> {
    wasm::toolchain(sh)?;
    tools::for_page(sh)?;
    tools::chromium(sh)?;
    tools::firefox(sh)?;
    tools::axe(sh)?;
    Ok(())
}
