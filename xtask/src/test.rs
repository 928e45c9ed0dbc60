//! Tests in two circles. The inner one, `cargo xtask test`, says whether it works: native tests, tests as wasm, and the
//! page as `cargo xtask serve` builds it, in a browser. `--all` adds the outer one: lints of all features, other tools,
//! and tests that take long; in a browser it tests the page as it is released instead. A test is in the outer circle if
//! it is ignored with the reason "outer circle", or is in a module `long` or `release` of the browser tests.

use crate::beside::Beside;
use crate::steps::Steps;
use crate::{browser, budget, deny, native, page, peers, python, wheel};
use anyhow::{Result, bail};
use xshell::{Shell, cmd};

/// The circle and the part of the tests to run.
struct Request {
    all: bool,
    /// One part alone, as CI runs them side by side; all of them if `None`.
    part: Option<Part>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Tests that need only cargo.
    Native,
    /// Tests in a browser, of the page and of the engine as wasm.
    Page,
    /// Tests that run what Packscope writes with the Python libraries it is for; with `--all` only.
    Python,
}

impl Request {
    fn parse(args: &[String]) -> Result<Self> {
        let (mut all, mut part) = (false, None);
        for arg in args {
            match (arg.as_str(), part) {
                ("--all", _) => all = true,
                ("native", None) => part = Some(Part::Native),
                ("page", None) => part = Some(Part::Page),
                ("python", None) => part = Some(Part::Python),
                _ => bail!("test takes --all, and native, page or python for one part alone"),
            }
        }
        if part == Some(Part::Python) && !all {
            bail!("tests with Python are run by `cargo xtask test --all python`");
        }
        Ok(Self { all, part })
    }

    fn has(&self, part: Part) -> bool {
        match self.part {
            Some(only) => part == only,
            None => self.all || part != Part::Python,
        }
    }
}

/// Runs `cargo xtask test [--all] [PART]`: every step up to the first that fails, or with `--all` every step, since a
/// run that takes long is to find all there is.
pub fn run(sh: &Shell, args: &[String]) -> Result<()> {
    let request = Request::parse(args)?;
    let mut steps = if request.all {
        Steps::all()
    } else {
        Steps::default()
    };
    let began = steps.began();
    // Pages use one core for long, and tools and Python packages are downloaded: all beside the native steps.
    let beside = |part, name| {
        let start = || Beside::start(sh, name, &began);
        request.has(part).then(start).transpose()
    };
    let with_peers = beside(Part::Python, "peers-setup")?;
    let tools = beside(Part::Page, "tools-setup")?;
    let built = if request.all {
        "pages-and-their-tests"
    } else {
        "page-and-its-tests"
    };
    let pages = beside(Part::Page, built)?;
    let mut advisories = None;
    match (request.part, request.all) {
        (None, true) => advisories = Some(check_source(sh, &mut steps)?),
        (None, false) => check_tested(sh, &mut steps)?,
        _ => {}
    }
    if request.has(Part::Native) {
        steps.run("native tests", || native::test(sh))?;
        if request.all {
            steps.run("native tests, outer circle", || native::outer(sh))?;
        }
    }
    let mut compared = None;
    if let Some(with_peers) = with_peers {
        steps.join("set-up of Python, beside the others", with_peers)?;
        steps.run("measuring script", || python::measuring_script(sh))?;
        // They use one core, and take longer than any other step.
        compared = Some(Beside::start(sh, "peers", &began)?);
    }
    if let (Some(tools), Some(pages)) = (tools, pages) {
        steps.join("tools, beside the others", tools)?;
        steps.join("page, tests as wasm, beside the others", pages)?;
        if request.all {
            released(sh, &mut steps)?;
        } else {
            steps.run("browser tests", || browser::inner(sh))?;
        }
    }
    if let Some(compared) = compared {
        steps.join("peers, beside the others", compared)?;
    }
    advisories
        .iter()
        .for_each(|said| println!("\ndependencies: {said}"));
    steps.finish()
}

/// Runs `cargo xtask check`: all that looks at the source, and the page as it is released within its budget.
pub fn check(sh: &Shell) -> Result<()> {
    let mut steps = Steps::all();
    let page = Beside::start(sh, "release-page", &steps.began())?;
    let said = check_source(sh, &mut steps)?;
    steps.join("page as it is released, beside the others", page)?;
    steps.run("size, within its budget", || budget::check(sh))?;
    println!("\ndependencies: {said}");
    steps.finish()
}

/// Checks the form of the source, and lints what the native tests compile.
fn check_tested(sh: &Shell, steps: &mut Steps) -> Result<()> {
    steps.run("format", || Ok(cmd!(sh, "cargo fmt --all --check").run()?))?;
    steps.run("lints", || {
        let tested = native::TESTED;
        Ok(cmd!(sh, "cargo clippy {tested...} --all-targets -- -D warnings").run()?)
    })
}

/// Checks form, lints with all features and with each alone, documentation, packages and dependencies; returns whether
/// advisories were looked up.
fn check_source(sh: &Shell, steps: &mut Steps) -> Result<String> {
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
        // Both of the same packages, so that what they need is checked once.
        let excluded = [
            "--exclude=packscope-benches",
            "--exclude=packscope-browser-tests",
            "--exclude=xtask",
        ];
        let doc = [
            "--workspace",
            "--lib",
            "--bins",
            "--no-deps",
            "--all-features",
        ];
        let public = cmd!(sh, "cargo doc {doc...} {excluded...}");
        public.env("RUSTDOCFLAGS", "-D warnings").run()?;
        // Links in docs of what is private, which go stale with every name that changes.
        let private = cmd!(
            sh,
            "cargo doc {doc...} {excluded...} --document-private-items"
        );
        Ok(private
            .env("RUSTDOCFLAGS", "-D rustdoc::broken_intra_doc_links")
            .run()?)
    })?;
    steps.run("features by themselves, package", || {
        native::each_feature(sh)
    })?;
    let mut said = String::new();
    steps.run("dependencies", || {
        said = deny::check(sh)?;
        Ok(())
    })?;
    Ok(said)
}

/// Tests the wheel that has the page as it is released, runs all browser tests on that page, and some of them in Firefox and
/// as Trunk serves the page.
fn released(sh: &Shell, steps: &mut Steps) -> Result<()> {
    steps.run("size, within its budget", || budget::check(sh))?;
    steps.run("wheel", || wheel::test(sh))?;
    steps.run("browser tests", || browser::short(sh))?;
    steps.run("browser tests that take long", || browser::long(sh))?;
    steps.run("browser tests, Firefox", || browser::in_firefox(sh))?;
    steps.run("page as `trunk serve` has it", || {
        page::with_served(sh, |url| browser::served(sh, url))
    })
}

/// Runs the steps of the inner circle that need other tools than the native ones: `cargo xtask page-and-its-tests`,
/// which runs beside them.
pub fn page_and_its_tests(sh: &Shell) -> Result<()> {
    let mut steps = Steps::default();
    served_page(sh, &mut steps)?;
    steps.finish()
}

/// The same with the page as it is released: `cargo xtask pages-and-their-tests`.
pub fn pages_and_their_tests(sh: &Shell) -> Result<()> {
    let mut steps = Steps::default();
    served_page(sh, &mut steps)?;
    steps.run("page as it is released", || page::dist(sh))?;
    steps.finish()
}

fn served_page(sh: &Shell, steps: &mut Steps) -> Result<()> {
    // If tools are missing, this waits for `tools-setup`.
    steps.run("page as it is served", || page::develop(sh))?;
    steps.run("tests as wasm", || browser::wasm_tests(sh))
}

/// Prepares for tests with Python: `cargo xtask peers-setup`.
pub fn peers_setup(sh: &Shell) -> Result<()> {
    peers::with_peers(sh).map(drop)
}
