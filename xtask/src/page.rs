//! The page: built by trunk into `dist/`, with names that change when their contents do.

use crate::serve::Server;
use crate::{size, tools, wasm};
use anyhow::{Context, Result};
use std::hash::Hasher;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use xshell::{Shell, cmd};

/// Where the page is built.
pub const DIST: &str = "dist";

/// Builds the static folder.
pub fn dist(sh: &Shell) -> Result<()> {
    let mut folders = wasm::toolchain(sh)?;
    folders.extend(tools::for_page(sh)?);
    let path = tools::path_with(&folders)?;
    // trunk builds offline, so that a missing tool is an error and not a download.
    wasm::own_cargo(cmd!(sh, "cargo fetch --quiet"), &path).run()?;
    wasm::own_cargo(cmd!(sh, "trunk build"), &path).run().context("the page could not be built")?;
    name_worker(&sh.current_dir().join(DIST))
}

/// trunk gives the page's files names with a hash, but not the worker's; a page would run an old
/// worker from a cache. So the worker's folder gets one, and the page is told.
fn name_worker(dist: &Path) -> Result<()> {
    let wasm = std::fs::read(dist.join("worker_bg.wasm"))?;
    let script = std::fs::read(dist.join("worker.js"))?;
    let mut hasher = fnv::FnvHasher::default();
    hasher.write(&[wasm, script].concat());
    let folder = format!("worker-{:016x}", hasher.finish());
    let to = dist.join(&folder);
    std::fs::create_dir_all(&to)?;
    for file in ["worker.js", "worker_bg.wasm", "worker_loader.js"] {
        let from = dist.join(file);
        std::fs::rename(&from, to.join(file)).with_context(|| format!("{} is missing", from.display()))?;
    }
    let index = dist.join("index.html");
    let html = std::fs::read_to_string(&index)?;
    let (app, _) = html
        .split_once("_bg.wasm")
        .and_then(|(before, rest)| Some((before.rsplit_once(['"', '/'])?.1, rest)))
        .context("index.html names no app")?;
    let html = html.replace("<html ", &format!("<html data-app=\"{app}\" data-worker=\"{folder}\" "));
    Ok(std::fs::write(index, html)?)
}

/// Builds the page, serves it until it is stopped, and builds it again after each change.
pub fn serve(sh: &Shell, port: u16) -> Result<()> {
    dist(sh)?;
    let server = Server::start(sh.current_dir().join(DIST), "/", port)?;
    println!("Packscope is at {} (built again after each change; Ctrl-C stops)", server.url());
    let mut built = watched(sh)?;
    loop {
        std::thread::sleep(Duration::from_millis(500));
        let now = watched(sh)?;
        if now != built {
            built = now;
            // A mistake in the code is told, and the last good page stays.
            match dist(sh) {
                Ok(()) => println!("built: reload {}", server.url()),
                Err(error) => eprintln!("not built: {error:#}"),
            }
        }
    }
}

/// Number and newest time of the files that the page is built from: differs after each change.
fn watched(sh: &Shell) -> Result<(usize, Option<SystemTime>)> {
    let root = sh.current_dir();
    let mut files = ["index.html", "Trunk.toml", "Cargo.toml"].map(|name| root.join(name)).to_vec();
    for folder in ["src", "static"] {
        size::collect(&root.join(folder), &mut files)?;
    }
    // An editor may take a file away for a moment.
    let time = |file: &PathBuf| std::fs::metadata(file).and_then(|m| m.modified()).ok();
    Ok((files.len(), files.iter().filter_map(time).max()))
}
