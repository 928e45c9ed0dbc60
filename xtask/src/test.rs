//! Everything a change must pass, cheapest first.

use crate::beside::Beside;
use crate::{browser, budget, deny, fuzz, page, wasm};
use anyhow::Result;
use std::time::{Duration, Instant};
use xshell::{Shell, cmd};

/// Runs every step; stops at the first that fails.
pub fn run(sh: &Shell, _args: &[String]) -> Result<()> {
    let mut steps = Steps { began: Instant::now(), times: Vec::new() };
    steps.run("format", || Ok(cmd!(sh, "cargo fmt --all --check").run()?))?;
    steps.run("lints", || {
        Ok(cmd!(sh, "cargo clippy --workspace --all-targets --features cli,plot -- -D warnings").run()?)
    })?;
    steps.run("documentation", || {
        Ok(cmd!(sh, "cargo doc --no-deps --features cli,plot").env("RUSTDOCFLAGS", "-D warnings").run()?)
    })?;
    let mut said = String::new();
    steps.run("dependencies", || {
        said = deny::check(sh)?;
        Ok(())
    })?;
    // Much of what follows is one thread, or a download at first: together they take the cores that there are.
    let peers = Beside::start(sh, "peers")?;
    let page = Beside::start(sh, "page")?;
    steps.run("set-up for the browser", || crate::for_browser(sh))?;
    steps.run("native tests", || {
        Ok(cmd!(
            sh,
            "cargo test --package packscope --package xtask --package packscope-fuzz --features cli,plot"
        )
        .run()?)
    })?;
    steps.run("fuzz, short", || fuzz::short(sh))?;
    steps.run("lints, wasm", || {
        let bins = page::programs().map(|name| format!("--bin={name}"));
        let bins: Vec<String> = bins.collect();
        let mut args = vec!["clippy", "--target=wasm32-unknown-unknown", "--lib", "--test=wasm"];
        args.extend(bins.iter().map(String::as_str));
        args.extend(["--features", page::WORKERS, "--", "-Dwarnings"]);
        Ok(wasm::cargo(sh, &args)?.run()?)
    })?;
    steps.run("wasm tests", || browser::wasm_tests(sh))?;
    steps.join("page, beside the others", page)?;
    steps.run("size, within its budget", || budget::check(sh))?;
    steps.join("peers, beside the others", peers)?;
    steps.run("browser tests", || browser::test(sh, &[]))?;
    steps.run("browser tests, Firefox", || browser::in_firefox(sh))?;
    steps.print();
    println!("dependencies: {said}");
    Ok(())
}

struct Steps {
    began: Instant,
    times: Vec<(&'static str, Duration)>,
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
