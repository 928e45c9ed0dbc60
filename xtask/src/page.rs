//! The page: built into `dist/`, in folders and files whose names change when their contents do.
//!
//! Each program goes through the same steps: cargo builds it with its relocations, `wasm_split` takes the parts off that
//! are loaded on demand, wasm-bindgen writes the bindings of the rest, wasm-opt makes every file small or fast. (trunk,
//! which the page was built with before, cannot split.)

use crate::serve::Server;
use crate::{size, tools, wasm};
use anyhow::{Context, Result, anyhow};
use std::ffi::OsStr;
use std::fs;
use std::hash::Hasher;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use xshell::{Shell, cmd};

/// Where the page is built.
pub const DIST: &str = "dist";
/// The same while it is built: what is there stays until the next one is whole.
const STAGE: &str = "target/stage";
/// What today's browsers have, and what wasm-opt may use.
const WASM: [&str; 7] = [
    "--enable-bulk-memory",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
    "--enable-simd",
];

/// A program of the page.
struct Program {
    name: &'static str,
    profile: &'static str,
    features: &'static str,
    /// What wasm-opt aims at.
    aim: &'static str,
    /// Whether parts of it are loaded on demand.
    split: bool,
}

/// The page itself only lays out, draws and asks its workers: it is made small. What reads and packs is made fast.
const PROGRAMS: [Program; 5] = [
    Program { name: "app", profile: "page", features: "web", aim: "-Oz", split: true },
    Program { name: "worker", profile: "release", features: WORKERS, aim: "-O3", split: true },
    Program { name: "reader", profile: "release", features: WORKERS, aim: "-O3", split: false },
    Program { name: "reader-tokens", profile: "release", features: WORKERS, aim: "-O3", split: false },
    Program { name: "reader-parquet", profile: "release", features: WORKERS, aim: "-O3", split: false },
];
/// One set for all workers, so that the library is compiled once for them.
pub const WORKERS: &str = "web,parquet,tokenizer";

/// The names of the page's programs.
pub fn programs() -> impl Iterator<Item = &'static str> {
    PROGRAMS.iter().map(|program| program.name)
}

/// Builds the static folder.
pub fn dist(sh: &Shell) -> Result<()> {
    let mut folders = wasm::toolchain(sh)?;
    folders.extend(tools::for_page(sh)?);
    let path = tools::path_with(&folders)?;
    let stage = sh.current_dir().join(STAGE);
    sh.remove_path(&stage)?;
    sh.create_dir(&stage)?;
    let mut html = sh.read_file("index.html")?;
    for program in &PROGRAMS {
        let folder =
            program.build(sh, &path, &stage).with_context(|| format!("building {}", program.name))?;
        html = html.replace("<html ", &format!("<html data-{}=\"{folder}\" ", program.name));
        html = html.replace(&format!("./{}/", program.name), &format!("./{folder}/"));
    }
    copy_static(sh, &stage, &mut html)?;
    fs::write(stage.join("index.html"), html)?;
    service_worker(sh, &stage)?;
    let dist = sh.current_dir().join(DIST);
    sh.remove_path(&dist)?;
    Ok(fs::rename(stage, dist)?)
}

impl Program {
    /// Builds it; returns the folder that it is in.
    fn build(&self, sh: &Shell, path: &OsStr, stage: &Path) -> Result<String> {
        let Self { name, profile, features, .. } = self;
        let build = cmd!(
            sh,
            "cargo build --target wasm32-unknown-unknown --profile {profile} --features {features} --bin {name}"
        );
        wasm::own_cargo(build, path).run()?;
        let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| "target".into(), PathBuf::from);
        let built =
            sh.current_dir().join(target).join(format!("wasm32-unknown-unknown/{profile}/{name}.wasm"));
        let out = stage.join(name);
        fs::create_dir_all(&out)?;
        let main = if self.split { self.split_off(&built, &out)? } else { built };
        let bind =
            "wasm-bindgen --target web --no-typescript --remove-name-section --remove-producers-section";
        let bind: Vec<&str> = bind.split(' ').collect();
        let (tool, flags) = bind.split_first().context("no tool")?;
        // What the split parts take from the main one is exported for them.
        let keep = self.split.then_some("--keep-lld-exports");
        cmd!(sh, "{tool} {flags...} {keep...} --out-name {name} --out-dir {out} {main}")
            .env("PATH", path)
            .run()?;
        if self.split {
            fs::remove_file(main)?;
        }
        self.optimise(sh, path, &out)?;
        if *name != "app" {
            let start = format!("import init from \"./{name}.js\";\nawait init();\n");
            fs::write(out.join("start.js"), start)?;
        }
        let folder = format!("{name}-{:016x}", hash_of(&out)?);
        fs::rename(&out, stage.join(&folder))?;
        Ok(folder)
    }

    /// Takes the parts off that are loaded on demand; returns the main one, which has no bindings yet.
    fn split_off(&self, built: &Path, out: &Path) -> Result<PathBuf> {
        let wasm = fs::read(built)?;
        let main = out.join("main.wasm");
        let module = format!("./{}.js", self.name);
        let mut options = wasm_split_cli_support::Options::new(&wasm);
        (options.output_dir, options.main_out_path, options.main_module) = (out, &main, &module);
        wasm_split_cli_support::transform(options).map_err(|error| anyhow!("{error:#}"))?;
        Ok(main)
    }

    fn optimise(&self, sh: &Shell, path: &OsStr, out: &Path) -> Result<()> {
        let mut files = Vec::new();
        size::collect(out, &mut files)?;
        for file in
            files.iter().filter(|f| f.extension().is_some_and(|e| e == "wasm") && !f.ends_with("main.wasm"))
        {
            let aim = self.aim;
            cmd!(sh, "wasm-opt {aim} --strip-debug --strip-producers {WASM...} {file} -o {file}")
                .env("PATH", path)
                .ignore_stderr()
                .quiet()
                .run()?;
        }
        Ok(())
    }
}

/// A number that changes when any file of a folder does.
fn hash_of(folder: &Path) -> Result<u64> {
    let mut files = Vec::new();
    size::collect(folder, &mut files)?;
    files.sort();
    let mut hasher = fnv::FnvHasher::default();
    for file in files {
        hasher.write(file.strip_prefix(folder)?.as_os_str().as_encoded_bytes());
        hasher.write(&fs::read(file)?);
    }
    Ok(hasher.finish())
}

/// What is served as it is. What the page names gets its contents into its name.
fn copy_static(sh: &Shell, stage: &Path, html: &mut String) -> Result<()> {
    for name in ["style.css", "icon.svg", "boot.js", "manifest.webmanifest"] {
        let contents = fs::read(sh.current_dir().join("static").join(name))?;
        let mut hasher = fnv::FnvHasher::default();
        hasher.write(&contents);
        let (stem, extension) = name.split_once('.').context("a file without extension")?;
        let named = format!("{stem}-{:016x}.{extension}", hasher.finish());
        *html = html.replace(&format!("static/{name}"), &named);
        fs::write(stage.join(named), contents)?;
    }
    // The manifest names it so.
    fs::copy(sh.current_dir().join("static/icon.svg"), stage.join("icon.svg"))?;
    let datasets = stage.join("datasets");
    fs::create_dir(&datasets)?;
    for entry in fs::read_dir(sh.current_dir().join("static/datasets"))? {
        let entry = entry?;
        fs::copy(entry.path(), datasets.join(entry.file_name()))?;
    }
    Ok(())
}

/// Parts that are kept for offline use once they were used, not before: large, and few need them.
const RARE: [&str; 2] = ["reader-parquet", "reader-tokens"];

/// Writes the service worker with the files that it keeps, and a version that changes with any of them.
fn service_worker(sh: &Shell, stage: &Path) -> Result<()> {
    let mut files = Vec::new();
    size::collect(stage, &mut files)?;
    files.sort();
    let names = files.iter().map(|file| Ok(file.strip_prefix(stage)?.to_string_lossy().replace('\\', "/")));
    let names = names.collect::<Result<Vec<String>>>()?;
    let kept: Vec<&String> =
        names.iter().filter(|name| !RARE.iter().any(|rare| name.starts_with(rare))).collect();
    let script = sh.read_file("static/sw.js")?;
    let script = script
        .replace("VERSION_OF_THE_PAGE", &format!("{:016x}", hash_of(stage)?))
        .replace("[\"FILES_OF_THE_PAGE\"]", &serde_json::to_string_pretty(&kept)?);
    Ok(fs::write(stage.join("sw.js"), script)?)
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
    let mut files = ["index.html", "Cargo.toml"].map(|name| root.join(name)).to_vec();
    for folder in ["src", "static"] {
        size::collect(&root.join(folder), &mut files)?;
    }
    // An editor may take a file away for a moment.
    let time = |file: &PathBuf| std::fs::metadata(file).and_then(|m| m.modified()).ok();
    Ok((files.len(), files.iter().filter_map(time).max()))
}
