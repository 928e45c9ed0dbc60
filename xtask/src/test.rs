//! Everything a change must pass, cheapest first.

use crate::{browser, page, peers, python, size, wasm};
use anyhow::Result;
use std::time::{Duration, Instant};
use xshell::{Shell, cmd};

/// Runs every step; stops at the first that fails.
pub fn all(sh: &Shell) -> Result<()> {
    let mut steps = Steps::default();
    steps.run("format", || Ok(cmd!(sh, "cargo fmt --all --check").run()?))?;
    steps.run("lints", || {
        Ok(cmd!(sh, "cargo clippy --workspace --all-targets --features cli,plot -- -D warnings").run()?)
    })?;
    steps.run("documentation", || {
        Ok(cmd!(sh, "cargo doc --no-deps --features cli,plot").env("RUSTDOCFLAGS", "-D warnings").run()?)
    })?;
    steps.run("native tests", || {
        Ok(cmd!(sh, "cargo test --package packscope --package xtask --features cli,plot").run()?)
    })?;
    steps.run("peers", || peers::test(sh))?;
    steps.run("measuring script, toy size", || python::measuring_script(sh))?;
    steps.run("set-up for the browser", || crate::setup(sh))?;
    steps.run("lints, wasm", || {
        let bins = page::programs().map(|name| format!("--bin={name}"));
        let bins: Vec<String> = bins.collect();
        let mut args = vec!["clippy", "--target=wasm32-unknown-unknown", "--lib", "--test=wasm"];
        args.extend(bins.iter().map(String::as_str));
        args.extend(["--features", page::WORKERS, "--", "-Dwarnings"]);
        Ok(wasm::cargo(sh, &args)?.run()?)
    })?;
    steps.run("wasm tests", || browser::wasm_tests(sh))?;
    steps.run("page", || page::dist(sh).and_then(|()| size::print(sh)))?;
    steps.run("browser tests", || browser::test(sh, &[]))?;
    steps.print();
    Ok(())
}

#[derive(Default)]
struct Steps {
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

    fn print(&self) {
        println!("\n== all passed");
        for (name, time) in &self.times {
            println!("{:>7.1} s  {name}", time.as_secs_f64());
        }
        let total: Duration = self.times.iter().map(|(_, time)| *time).sum();
        println!("{:>7.1} s  altogether", total.as_secs_f64());
    }
}
