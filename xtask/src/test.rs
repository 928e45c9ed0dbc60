//! The tests that a change must pass, cheapest first; with `--all` also those that need other tools, or more time.

use crate::beside::Beside;
use crate::steps::Steps;
use crate::{browser, budget, deny, native, page, peers, python};
use anyhow::{Result, bail};
use xshell::{Shell, cmd};

/// Runs `cargo xtask test [--all]`: every step, up to the first that fails.
pub fn run(sh: &Shell, args: &[String]) -> Result<()> {
    let all = match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => false,
        ["--all"] => true,
        _ => bail!("test takes --all, and nothing else"),
    };
    let mut steps = Steps::default();
    let began = steps.began();
    // The page uses one core for long, and tools and Python packages are downloaded: all beside the native steps.
    let peers = all
        .then(|| Beside::start(sh, "peers-setup", &began))
        .transpose()?;
    let beside = ["tools-setup", "page-and-its-tests"].map(|name| Beside::start(sh, name, &began));
    change(sh, &mut steps, beside)?;
    let mut said = None;
    if let Some(peers) = peers {
        steps.join("set-up of Python, beside the others", peers)?;
        said = Some(rest(sh, &mut steps)?);
    }
    println!("\n== all passed");
    steps.print();
    said.iter()
        .for_each(|said| println!("dependencies: {said}"));
    Ok(())
}

/// Runs the tests for every change, which need cargo, Node.js and a browser.
fn change(sh: &Shell, steps: &mut Steps, [tools, page]: [Result<Beside>; 2]) -> Result<()> {
    let (tools, page) = (tools?, page?);
    // The cheapest first, so that what fails early fails at once.
    steps.run("format", || Ok(cmd!(sh, "cargo fmt --all --check").run()?))?;
    steps.run("lints", || {
        // Includes the page, all of which compiles natively.
        Ok(cmd!(
            sh,
            "cargo clippy --workspace --all-targets --all-features -- -D warnings"
        )
        .run()?)
    })?;
    steps.run("documentation", || {
        // With the features of the lints, which have already checked its dependencies.
        let packages = native::PUBLISHED;
        let doc = cmd!(
            sh,
            "cargo doc {packages...} --package packscope-page --lib --no-deps --all-features"
        );
        Ok(doc.env("RUSTDOCFLAGS", "-D warnings").run()?)
    })?;
    steps.run("native tests", || native::test(sh))?;
    steps.join("tools, beside the others", tools)?;
    steps.join("page, tests as wasm, beside the others", page)?;
    steps.run("size, within its budget", || budget::check(sh))?;
    steps.run("browser tests", || browser::short(sh))
}

/// Runs tests that need Python, Java, Firefox, the network, or minutes; returns whether advisories were checked.
fn rest(sh: &Shell, steps: &mut Steps) -> Result<String> {
    let beside = Beside::start(sh, "peers", &steps.began())?;
    let mut said = String::new();
    steps.run("dependencies", || {
        said = deny::check(sh)?;
        Ok(())
    })?;
    steps.run("features by themselves, package", || {
        native::each_feature(sh)
    })?;
    steps.run("inputs by chance", || native::ignored(sh, "chance"))?;
    steps.run("measuring script", || python::measuring_script(sh))?;
    steps.run("browser tests that take long", || browser::long(sh))?;
    steps.run("browser tests, Firefox", || browser::in_firefox(sh))?;
    steps.run("page as `trunk serve` has it", || {
        page::with_served(sh, |url| browser::served(sh, url))
    })?;
    // They use one core, and take longer than any other step.
    steps.join("peers, beside the others", beside)?;
    Ok(said)
}

/// Runs the steps that need other tools than the native ones: `cargo xtask page-and-its-tests`, which runs beside them.
pub fn page_and_its_tests(sh: &Shell) -> Result<()> {
    let mut steps = Steps::default();
    steps.run("programs of the page", || page::compile_release(sh))?;
    // If tools are missing, this waits for `tools-setup`.
    steps.run("page", || page::put_together(sh))?;
    steps.run("tests as wasm", || browser::wasm_tests(sh))?;
    steps.print();
    Ok(())
}

/// Prepares for `--all`: `cargo xtask peers-setup`.
pub fn peers_setup(sh: &Shell) -> Result<()> {
    peers::with_peers(sh).map(drop)
}
