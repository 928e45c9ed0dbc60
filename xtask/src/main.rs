//! The developer's commands. Each does all the set-up it needs; see README.
//!
//! ```text
//! cargo xtask serve [OPTIONS]    build the page, serve it, build it again after each change; takes Trunk's options,
//!                                such as --port N, --open, and --release for the page as it is put on a host
//! cargo xtask test [--all] [PART]
//!                                tests for every change; with --all also those with other tools or more time;
//!                                native, page or python is one part alone
//! cargo xtask check              format, lints with all features, documentation, packages, dependencies, and the page
//!                                as it is released, within its budget
//! cargo xtask dist               the static folder for any host, in dist/
//! cargo xtask size [--write]     download sizes, against their budget; --write sets the budget
//! cargo xtask browser [NAME]     browser tests alone, on a page built before; BROWSER=firefox in Firefox
//! cargo xtask pictures           takes the pictures of README and of links anew, from a page built before
//! cargo xtask deny               dependencies: advisories, licences, sources, duplicates
//! cargo xtask peers              runs the code that Packscope writes, with the tools it is for
//! cargo xtask wheel [TARGET]     the wheel for Python and the program as an archive, with the page that is in dist/
//! cargo xtask wheel-test         installs such a wheel into a fresh environment, and tests it there
//! cargo xtask measure            the script that measures on a GPU, at toy size
//! cargo xtask fuzz [TARGET] [SECONDS]
//!                                fuzzing of everything that takes input: see fuzz/README.md
//! cargo xtask bench [REFERENCES] timings and sizes into benches/RESULTS.md
//! cargo xtask bench page         timings of the page alone
//! cargo xtask bench ranks        timings of ranks alone
//! cargo xtask setup              only installs what `test --all` needs
//! ```
//!
//! Trunk calls `cargo xtask compile` and `cargo xtask seal`; see `Trunk.toml`.

mod bench;
mod beside;
mod browser;
mod budget;
mod deny;
mod files;
mod fuzz;
mod integrity;
mod native;
mod page;
mod peers;
mod python;
mod sections;
mod size;
mod steps;
mod style;
mod test;
mod tools;
mod trainers;
mod wasm;
mod wheel;

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
    // All paths here are relative to the root, wherever the command is called.
    sh.change_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let mut args = std::env::args().skip(1);
    let command = args.next();
    let rest: Vec<String> = args.collect();
    match command.as_deref() {
        Some("serve") => page::serve(&sh, &rest),
        Some("test") => test::run(&sh, &rest),
        Some("check") => test::check(&sh),
        Some("dist") => page::dist(&sh).and_then(|()| budget::print(&sh)).map(drop),
        Some("size") => budget::command(&sh, &rest),
        Some("browser") => browser::test(&sh, &rest),
        Some("pictures") => browser::pictures(&sh),
        Some("deny") => deny::check(&sh).map(|said| println!("{said}")),
        Some("peers") => peers::test(&sh),
        Some("wheel") => wheel::release(&sh, &rest),
        Some("wheel-test") => wheel::test(&sh),
        Some("trainers") => trainers::compare(&sh),
        Some("measure") => python::measuring_script(&sh),
        Some("fuzz") => fuzz::run(&sh, &rest),
        // Before the general case, whose arguments are paths of clones.
        Some("bench") if rest == ["page"] => bench::of_page(&sh),
        Some("bench") if rest == ["ranks"] => bench::of_ranks(&sh),
        Some("bench") => bench::record(&sh, &rest),
        Some("setup") => setup(&sh),
        // Hooks of Trunk, and commands that run beside other steps of the tests.
        Some("compile") => page::compile(&sh),
        Some("seal") => page::seal(&sh),
        Some("page-and-its-tests") => test::page_and_its_tests(&sh),
        Some("pages-and-their-tests") => test::pages_and_their_tests(&sh),
        Some("release-page") => page::dist(&sh),
        Some("tools-setup") => for_browser(&sh),
        Some("peers-setup") => test::peers_setup(&sh),
        other => bail!(
            "{}; commands are: serve [OPTIONS], test [--all] [PART], check, dist, size [--write], browser [NAME], pictures, deny, peers, wheel [TARGET], \
             wheel-test, trainers, measure, fuzz [TARGET] [SECONDS], bench [REFERENCES], bench page, bench ranks, setup",
            match other {
                Some(name) => format!("there is no command {name:?}"),
                None => "a command is missing".to_owned(),
            }
        ),
    }
}

/// Installs everything for building and testing that is missing.
fn setup(sh: &Shell) -> Result<()> {
    for_browser(sh)?;
    tools::firefox(sh)?;
    peers::with_peers(sh)?;
    Ok(())
}

/// Installs everything to build the page, and to test it with every change.
pub fn for_browser(sh: &Shell) -> Result<()> {
    wasm::toolchain(sh)?;
    tools::for_page(sh)?;
    tools::chromium(sh)?;
    tools::axe(sh)?;
    Ok(())
}
