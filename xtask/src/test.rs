//! What a change must pass, cheapest first; and with `--all` what needs other tools, or more time.

use crate::beside::Beside;
use crate::{browser, budget, deny, fuzz, native, page, peers, python, tools};
use anyhow::{Result, bail};
use std::time::{Duration, Instant};
use xshell::{Shell, cmd};

/// `cargo xtask test [--all]`: runs every step; stops at the first that fails.
pub fn run(sh: &Shell, args: &[String]) -> Result<()> {
    let all = match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => false,
        ["--all"] => true,
        _ => bail!("test takes --all, and nothing else"),
    };
    let mut steps = Steps::default();
    // The page takes one core for long, and Python's packages are on their way: both beside what is native.
    let peers = all.then(|| Beside::start(sh, "peers-setup")).transpose()?;
    let page = Beside::start(sh, "page-and-its-tests")?;
    change(sh, &mut steps, page)?;
    let mut said = None;
    if let Some(peers) = peers {
        steps.join("set-up of Python, beside the others", peers)?;
        said = Some(rest(sh, &mut steps)?);
    }
    steps.print();
    said.iter().for_each(|said| println!("dependencies: {said}"));
    Ok(())
}

/// What every change must pass: needs cargo, Node.js and a browser.
fn change(sh: &Shell, steps: &mut Steps, page: Beside) -> Result<()> {
    steps.run("format", || Ok(cmd!(sh, "cargo fmt --all --check").run()?))?;
    steps.run("lints", || {
        // The page as well, which has no line that only a browser compiles.
        cmd!(sh, "cargo clippy --workspace --all-targets --all-features -- -D warnings").run()?;
        native::without_features(sh)
    })?;
    steps.run("documentation", || {
        // Of the same packages as the lints: what these have checked of others is checked once.
        let doc = cmd!(sh, "cargo doc --workspace --no-deps --all-features");
        Ok(doc.env("RUSTDOCFLAGS", "-D warnings").run()?)
    })?;
    steps.run("native tests", || native::test(sh))?;
    steps.join("page, tests as wasm, beside the others", page)?;
    steps.run("size, within its budget", || budget::check(sh))?;
    steps.run("browser tests", || browser::short(sh))
}

/// What needs Python, Java, Firefox, a C++ compiler, the network, or minutes; says whether advisories were checked.
fn rest(sh: &Shell, steps: &mut Steps) -> Result<String> {
    let beside = Beside::start(sh, "peers")?;
    let mut said = String::new();
    steps.run("dependencies", || {
        said = deny::check(sh)?;
        Ok(())
    })?;
    steps.run("features by themselves, package", || native::each_feature(sh))?;
    steps.run("fuzz, the same inputs each time", || fuzz::short(sh))?;
    steps.join("peers, beside the others", beside)?;
    steps.run("measuring script", || python::measuring_script(sh))?;
    steps.run("browser tests that take long", || browser::long(sh))?;
    steps.run("browser tests, Firefox", || browser::in_firefox(sh))?;
    steps.run("page as `trunk serve` has it", || page::with_served(sh, |url| browser::served(sh, url)))?;
    Ok(said)
}

/// What takes other tools than the native steps do: `cargo xtask page-and-its-tests`, which runs beside them.
pub fn page_and_its_tests(sh: &Shell) -> Result<()> {
    let root = sh.current_dir();
    let browser = || {
        let sh = page::shell_in(&root)?;
        tools::chromium(&sh)?;
        tools::axe(&sh)
    };
    let (page, browser) = rayon::join(|| page::dist(&page::shell_in(&root)?), browser);
    page?;
    browser?;
    browser::wasm_tests(sh)?;
    browser::compile(sh)
}

/// What only `--all` needs beforehand: `cargo xtask peers-setup`.
pub fn peers_setup(sh: &Shell) -> Result<()> {
    peers::with_peers(sh).map(drop)
}

struct Steps {
    began: Instant,
    times: Vec<(&'static str, Duration)>,
}

impl Default for Steps {
    fn default() -> Self {
        Self { began: Instant::now(), times: Vec::new() }
    }
}

impl Steps {
    fn run(&mut self, name: &'static str, step: impl FnOnce() -> Result<()>) -> Result<()> {
        println!("\n== {name}");
        let start = Instant::now();
        step()?;
        self.times.push((name, start.elapsed()));
        Ok(())
    }

    /// Waits for a step that began earlier.
    fn join(&mut self, name: &'static str, step: Beside) -> Result<()> {
        println!("\n== {name}");
        let took = step.finish()?;
        self.times.push((name, took));
        Ok(())
    }

    fn print(&self) {
        println!("\n== all passed");
        for (name, time) in &self.times {
            println!("{:>7.1} s  {name}", time.as_secs_f64());
        }
        println!("{:>7.1} s  altogether", self.began.elapsed().as_secs_f64());
    }
}
