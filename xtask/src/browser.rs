//! Tests in a real browser: the engine as wasm, and the built page as a visitor uses it.

use crate::native::TESTED;
use crate::{files, page, size, tools, wasm};
use anyhow::{Context, Result, bail};
use std::io::Write;
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use wait_timeout::ChildExt;
use xshell::{Cmd, Shell, cmd};

/// Part of the names of slow browser tests: the module that they are in.
const LONG: &str = "long::";
/// The same of tests that need the page as it is released.
const RELEASE: &str = "release::";

/// The page under test.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Page {
    /// As `cargo xtask serve` builds it, whose programs the native build of a change has nearly compiled.
    Served,
    /// As it is put on a host, in [`DIST`](files::DIST): split, hashed and signed, which takes minutes.
    Released,
}

impl Page {
    fn folder(self) -> &'static str {
        match self {
            Self::Served => page::SERVED,
            Self::Released => files::DIST,
        }
    }
}

/// Runs the tests that are compiled to wasm, in Chromium.
pub fn wasm_tests(sh: &Shell) -> Result<()> {
    // As the page is compiled while one works on it, so that the library is not compiled again.
    let (profile, features) = page::DEVELOP;
    let args = [
        "test",
        "--target=wasm32-unknown-unknown",
        "--test=wasm",
        "--profile",
        profile,
        "--features",
        features,
    ];
    Ok(in_chromium(sh, &args)?.run()?)
}

fn in_chromium<'s>(sh: &'s Shell, args: &[&str]) -> Result<Cmd<'s>> {
    let browser = tools::chromium(sh)?;
    let runner = tools::wasm_bindgen(sh)?.join("wasm-bindgen-test-runner");
    let command = wasm::cargo(sh, args)?;
    let command = command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", runner);
    // The page must answer within these seconds, which it does not while a test is computing: plenty, for a busy
    // machine.
    Ok(command
        .env("CHROMEDRIVER", browser.driver)
        .env("WASM_BINDGEN_TEST_TIMEOUT", "900"))
}

/// Tests that also run in Firefox: each view, input and output, and accessibility. (Firefox's driver cannot click
/// elements within an SVG.)
const IN_FIREFOX: [&str; 8] = [
    "the_page_opens_with_the_answer",
    "limit_and_depth_move_by_keyboard",
    "own_files_are_dropped",
    "graphs_open_with_the_proven_optimum",
    "batches_open_with_the_answer",
    "chapters_follow_each_other_by_key_and_by_link",
    "the_needle_in_the_histogram",
    "in_firefox",
];

/// Runs browser tests on the page in `dist/`: those with these names, or the short ones, or with `--all` the long ones
/// too; with `--served` on the page as `cargo xtask serve` builds it. BROWSER chooses the browser.
pub fn test(sh: &Shell, names: &[String]) -> Result<()> {
    match names {
        [] => short(sh),
        [all] if all == "--all" => short(sh).and_then(|()| long(sh)),
        [served] if served == "--served" => inner(sh),
        [served, names @ ..] if served == "--served" => named(sh, Page::Served, names),
        names => named(sh, Page::Released, names),
    }
}

/// Runs tests with these names, of either circle.
fn named(sh: &Shell, page: Page, names: &[String]) -> Result<()> {
    chosen(sh, page, &both_circles(names))
}

/// Arguments that choose tests with these names of both circles. Ignored ones are of the outer circle, or measurements.
fn both_circles(names: &[impl AsRef<str>]) -> Vec<String> {
    let both = [
        "--include-ignored",
        "--skip",
        "timings::",
        "--skip",
        "measured",
    ];
    let names = names.iter().map(AsRef::as_ref);
    names.chain(both).map(str::to_owned).collect()
}

/// Runs the inner circle, on the page as it is served.
pub fn inner(sh: &Shell) -> Result<()> {
    let args = ["--skip", LONG, "--skip", RELEASE].map(str::to_owned);
    chosen(sh, Page::Served, &args)
}

/// Runs the tests of both circles on the released page, but for those that take long.
pub fn short(sh: &Shell) -> Result<()> {
    chosen(sh, Page::Released, &both_circles(&["--skip", LONG]))
}

/// Runs the long tests.
pub fn long(sh: &Shell) -> Result<()> {
    // Chromium has looked at all that in the short ones.
    chosen(
        sh,
        Page::Released,
        &[LONG, "--skip", "in_firefox"].map(str::to_owned),
    )
}

/// Tests of the page as served by Trunk.
const SERVED: [&str; 5] = [
    "the_page_opens_with_the_answer",
    "limit_and_depth_move_by_keyboard",
    "own_files_are_dropped",
    "graphs_open_with_the_proven_optimum",
    "chapters_follow_each_other_by_key_and_by_link",
];

/// Runs those tests on a page served by another program.
pub fn served(sh: &Shell, url: &str) -> Result<()> {
    let run = |command: Cmd<'_>| Ok(command.env("PACKSCOPE_URL", url).run()?);
    let names = both_circles(&SERVED);
    with_page(sh, Page::Served, &tools::chromium(sh)?, &names, run)
}

fn chosen(sh: &Shell, page: Page, args: &[String]) -> Result<()> {
    let browser = match std::env::var("BROWSER").as_deref() {
        Ok("firefox") => tools::firefox(sh)?,
        Ok("chromium") | Err(_) => tools::chromium(sh)?,
        Ok(other) => bail!("BROWSER is {other:?}; tests are run in chromium or in firefox"),
    };
    with_page(sh, page, &browser, args, |command| Ok(command.run()?))
}

pub fn in_firefox(sh: &Shell) -> Result<()> {
    let names = both_circles(&IN_FIREFOX);
    let run = |command: Cmd<'_>| Ok(command.run()?);
    with_page(sh, Page::Released, &tools::firefox(sh)?, &names, run)
}

/// Takes the pictures of the page anew, and records the words in them.
pub fn pictures(sh: &Shell) -> Result<()> {
    let run = |command: Cmd<'_>| Ok(command.env("PACKSCOPE_PICTURES", "write").run()?);
    let names = ["pictures::".to_owned()];
    with_page(sh, Page::Released, &tools::chromium(sh)?, &names, run)
}

/// Measures how long a visitor waits; returns the output.
pub fn timings(sh: &Shell) -> Result<String> {
    // Timings are tests that are ignored otherwise, and print what they measure.
    let args = ["--ignored", "--nocapture", "timings::", "measured"].map(str::to_owned);
    let run = |command: Cmd<'_>| Ok(command.read()?);
    with_page(sh, Page::Released, &tools::chromium(sh)?, &args, run)
}

fn with_page<T>(
    sh: &Shell,
    page: Page,
    browser: &tools::Browser,
    args: &[String],
    run: impl FnOnce(Cmd) -> Result<T>,
) -> Result<T> {
    let folder = sh.current_dir().join(page.folder());
    if !folder.join("index.html").exists() {
        bail!(
            "there is no page yet in {}: run `cargo xtask dist` first, or `cargo xtask serve`",
            folder.display()
        );
    }
    // What the opening loads is counted of a release alone.
    let opening = match page {
        Page::Served => String::new(),
        Page::Released => size::opening(sh)?.join(" "),
    };
    let driver = Driver::start(browser)?;
    // Chromium's driver runs several browsers at once, Firefox's only one. Timed tests run alone. More threads than
    // cores are slower, each with a browser that waits for the others.
    let timed = args.iter().any(|arg| arg == "--ignored");
    let cores = std::thread::available_parallelism().map_or(2, |cores| cores.get().clamp(2, 4));
    let threads = if browser.name == "chromium" && !timed {
        cores
    } else {
        1
    }
    .to_string();
    run(cmd!(
        sh,
        "cargo test {TESTED...} --test browser --no-fail-fast -- --test-threads={threads} {args...}"
    )
    .env("WEBDRIVER_URL", format!("http://127.0.0.1:{}", driver.port))
    .env("BROWSER", browser.name)
    .env("BROWSER_PROGRAM", &browser.program)
    .env("AXE", tools::axe(sh)?)
    .env("PACKSCOPE_PAGE", page.folder())
    .env("PACKSCOPE_OPENING", opening))
}

/// Times packing in Chromium; returns the output.
pub fn wasm_bench(sh: &Shell, names: &[&str]) -> Result<String> {
    let package = "--package=packscope-benches";
    let target = "--target=wasm32-unknown-unknown";
    let args = [
        "test",
        package,
        target,
        "--test=browser",
        "--release",
        "--",
        "--nocapture",
    ];
    Ok(in_chromium(sh, &[&args, names].concat())?.read()?)
}

/// A running driver; it ends with its browsers when this value is dropped.
struct Driver {
    child: Child,
    port: u16,
    listens: bool,
}

impl Driver {
    fn start(browser: &tools::Browser) -> Result<Self> {
        // Several clones may test on one machine, so no port is fixed.
        let port = tools::free_port()?;
        let child = Command::new(&browser.driver)
            .arg(format!("--port={port}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("cannot start {}", browser.driver.display()))?;
        let mut driver = Self {
            child,
            port,
            listens: browser.name == "chromium",
        };
        tools::until_it_listens(
            &format!("the driver of {}", browser.name),
            &mut driver.child,
            port,
        )?;
        Ok(driver)
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // A stopped test leaves its browser open, and killing the driver would leave it running for ever; when asked to
        // shut down, the driver closes the browser first.
        let ask = || {
            let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
            stream.write_all(b"GET /shutdown HTTP/1.1\r\nHost: localhost\r\n\r\n")
        };
        if self.listens && ask().is_ok() {
            let _ = self.child.wait_timeout(Duration::from_secs(120));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
