//! Tools that cargo does not bring: installed once into a folder shared by all clones, and reused.

use anyhow::{Context, Result, bail};
use std::path::PathBuf;
use xshell::{Shell, cmd};

/// Newer versions want a newer compiler than the one pinned here.
const TRUNK: &str = "0.21.14";
const BINARYEN: &str = "132.0.0";

/// The folder of the tools: `$PACKSCOPE_TOOLS`, or one in the user's cache.
pub fn folder() -> Result<PathBuf> {
    let folder = match std::env::var_os("PACKSCOPE_TOOLS") {
        Some(folder) => PathBuf::from(folder),
        None => dirs::cache_dir()
            .context("there is no cache folder for this user; set PACKSCOPE_TOOLS to a folder for the tools")?
            .join("packscope-tools"),
    };
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    Ok(folder)
}

/// The folders of the tools that build the page, to be put on PATH.
pub fn for_page(sh: &Shell) -> Result<Vec<PathBuf>> {
    Ok(vec![trunk(sh)?, wasm_bindgen(sh)?, wasm_opt(sh)?])
}

fn trunk(sh: &Shell) -> Result<PathBuf> {
    // A release build of trunk takes twice as long and gains nothing here.
    cargo_install(sh, "trunk", TRUNK, &["--locked", "--no-default-features"])
}

/// The bindings' tool must be of the very version in Cargo.lock.
pub fn wasm_bindgen(sh: &Shell) -> Result<PathBuf> {
    let lock = sh.read_file("Cargo.lock")?;
    let version = locked(&lock, "wasm-bindgen").context("Cargo.lock names no wasm-bindgen")?;
    // Without --locked: its own lock names versions that mirrors may lack.
    cargo_install(sh, "wasm-bindgen-cli", version, &[])
}

fn locked<'l>(lock: &'l str, name: &str) -> Option<&'l str> {
    let (_, after) = lock.split_once(&format!("name = \"{name}\"\nversion = \""))?;
    Some(after.split_once('"')?.0)
}

fn cargo_install(sh: &Shell, name: &str, version: &str, options: &[&str]) -> Result<PathBuf> {
    let tools = folder()?;
    let root = tools.join(format!("{name}-{version}"));
    let stamp = root.join("installed");
    if !stamp.exists() {
        println!("installing {name} {version} into {} (once)", root.display());
        let build = tools.join("build");
        cmd!(sh, "cargo install {name} --version {version} --debug --root {root} {options...}")
            .env("CARGO_TARGET_DIR", &build)
            .run()
            .with_context(|| format!("{name} {version} could not be installed"))?;
        // Written last: an interrupted installation is begun anew.
        std::fs::write(stamp, "")?;
    }
    Ok(root.join("bin"))
}

fn wasm_opt(sh: &Shell) -> Result<PathBuf> {
    let root = folder()?.join(format!("binaryen-{BINARYEN}"));
    let bin = root.join("node_modules").join(".bin");
    let stamp = root.join("installed");
    if !stamp.exists() {
        if !has("npm") {
            bail!(
                "npm is missing: it brings wasm-opt. Install Node.js (https://nodejs.org, or `apt install npm`)"
            );
        }
        println!("installing binaryen {BINARYEN} into {} (once)", root.display());
        std::fs::create_dir_all(&root)?;
        let package = format!("binaryen@{BINARYEN}");
        cmd!(sh, "npm install --silent --no-audit --no-fund --prefix {root} {package}")
            .run()
            .context("wasm-opt could not be installed from npm")?;
        std::fs::write(stamp, "")?;
    }
    Ok(bin)
}

/// Chromium and its driver, for tests.
pub struct Browser {
    /// The browser's program.
    pub chromium: PathBuf,
    /// The driver's program.
    pub driver: PathBuf,
}

/// Finds Chromium (or Chrome) with its driver; on Debian, as root, installs them.
pub fn browser(sh: &Shell) -> Result<Browser> {
    if let Some(found) = find_browser() {
        return Ok(found);
    }
    apt_install(sh, &["chromium", "chromium-driver"]).ok();
    find_browser().context(
        "Chromium and chromedriver are missing: install both (Debian: `apt install chromium chromium-driver`), \
         or name them in CHROME and CHROMEDRIVER",
    )
}

fn find_browser() -> Option<Browser> {
    let named = |variable, names: &[&str]| match std::env::var_os(variable) {
        Some(path) => Some(PathBuf::from(path)),
        None => names.iter().find_map(|name| find(name)),
    };
    let chromium = named("CHROME", &["chromium", "chromium-browser", "google-chrome", "chrome"])?;
    Some(Browser { chromium, driver: named("CHROMEDRIVER", &["chromedriver"])? })
}

/// Installs Debian packages that are missing; needs root.
pub fn apt_install(sh: &Shell, packages: &[&str]) -> Result<()> {
    let missing = |p: &&&str| cmd!(sh, "dpkg -s {p}").quiet().ignore_stdout().ignore_stderr().run().is_err();
    let missing: Vec<&&str> = packages.iter().filter(missing).collect();
    if missing.is_empty() {
        return Ok(());
    }
    if !has("apt-get") {
        bail!("apt-get is missing");
    }
    let env = ("DEBIAN_FRONTEND", "noninteractive");
    cmd!(sh, "apt-get -q update").env(env.0, env.1).run()?;
    cmd!(sh, "apt-get -q install -y --no-install-recommends {missing...}").env(env.0, env.1).run()?;
    Ok(())
}

/// Whether a program is on PATH.
pub fn has(program: &str) -> bool {
    find(program).is_some()
}

/// The file of a program on PATH.
pub fn find(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let names = [program.to_owned(), format!("{program}.exe"), format!("{program}.cmd")];
    std::env::split_paths(&path)
        .flat_map(|folder| names.iter().map(move |n| folder.join(n)))
        .find(|file| file.is_file())
}

/// PATH with these folders first.
pub fn path_with(first: &[PathBuf]) -> Result<std::ffi::OsString> {
    let old = std::env::var_os("PATH").unwrap_or_default();
    Ok(std::env::join_paths(first.iter().cloned().chain(std::env::split_paths(&old)))?)
}
