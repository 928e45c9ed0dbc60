//! The page: built into `dist/`, in folders and files whose names change when their contents do.
//!
//! Each program goes through the same steps: cargo builds it with its relocations, `wasm_split` takes the parts off that
//! are loaded on demand, wasm-bindgen writes the bindings of the rest, wasm-opt makes every file small or fast. (trunk,
//! which the page was built with before, cannot split.)

use crate::serve::Server;
use crate::{integrity, size, tools, wasm};
use anyhow::{Context, Result, anyhow};
use std::collections::BTreeMap;
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
/// Which files each part of a program that is loaded on demand is made of.
pub const PARTS: &str = "target/parts.json";
/// Part → the files of which it is made, without extension.
pub type Parts = BTreeMap<String, Vec<String>>;
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

/// How well the page is built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quality {
    /// As it is put on a host.
    Best,
    /// In a tenth of the time, several times as large and as slow: to see a change while it is made.
    Quick,
}

impl Quality {
    /// The profile that a program is compiled with.
    fn profile(self, program: &Program) -> &'static str {
        if self == Self::Best { program.profile } else { "quick" }
    }
}

/// What the compiler made of the page's programs, by name.
pub fn built(sh: &Shell, quality: Quality) -> impl Iterator<Item = (&'static str, PathBuf)> {
    let folder = tools::target(sh).join("wasm32-unknown-unknown");
    PROGRAMS.iter().map(move |program| {
        (program.name, folder.join(quality.profile(program)).join(program.name).with_extension("wasm"))
    })
}

/// Builds the static folder.
pub fn dist(sh: &Shell, quality: Quality) -> Result<()> {
    let mut folders = wasm::toolchain(sh)?;
    folders.extend(tools::for_page(sh)?);
    let path = tools::path_with(&folders)?;
    let stage = sh.current_dir().join(STAGE);
    sh.remove_path(&stage)?;
    sh.create_dir(&stage)?;
    let mut html = sh.read_file("index.html")?;
    let mut parts = Parts::new();
    compile(sh, &path, quality)?;
    for (program, (name, compiled)) in PROGRAMS.iter().zip(built(sh, quality)) {
        let (folder, its) = program
            .made(sh, &path, &stage, &compiled, quality)
            .with_context(|| format!("building {name}"))?;
        parts.extend(its);
        html = html.replace("<html ", &format!("<html data-{}=\"{folder}\" ", program.name));
        if program.name == "app" {
            html = with_app(html, sh, &stage, &folder)?;
        }
    }
    copy_static(sh, &stage, &mut html)?;
    fs::write(stage.join("index.html"), html)?;
    service_worker(sh, &stage)?;
    fs::write(sh.current_dir().join(PARTS), serde_json::to_string_pretty(&parts)?)?;
    let dist = sh.current_dir().join(DIST);
    sh.remove_path(&dist)?;
    Ok(fs::rename(stage, dist)?)
}

/// Compiles all programs, those alike at once: linking each takes one core.
fn compile(sh: &Shell, path: &OsStr, quality: Quality) -> Result<()> {
    let mut alike = BTreeMap::<_, Vec<String>>::new();
    for program in &PROGRAMS {
        let features = if quality == Quality::Best { program.features } else { WORKERS };
        let bins = alike.entry((quality.profile(program), features)).or_default();
        bins.push(format!("--bin={}", program.name));
    }
    for ((profile, features), bins) in alike {
        let build = cmd!(
            sh,
            "cargo build --target wasm32-unknown-unknown --profile {profile} --features {features} {bins...}"
        );
        wasm::own_cargo(build, path).run()?;
    }
    Ok(())
}

/// The page with its scripts, and what app and style must be.
fn with_app(html: String, sh: &Shell, stage: &Path, folder: &str) -> Result<String> {
    let hash = |name: &str| integrity::of_file(&stage.join(folder).join(name));
    let html = html
        .replace("<html ", &format!("<html data-wasm=\"{}\" ", hash("app_bg.wasm")?))
        .replace("./app/app.js\"", &format!("./{folder}/app.js\" integrity=\"{}\"", hash("app.js")?));
    integrity::seal(&html, &sh.read_file("static/boot.js")?, stage, folder)
}

impl Program {
    /// Puts it into the stage; returns its folder, and its parts. What was made of the same by the same is used again.
    fn made(
        &self,
        sh: &Shell,
        path: &OsStr,
        stage: &Path,
        compiled: &Path,
        quality: Quality,
    ) -> Result<(String, Parts)> {
        let mut of = fnv::FnvHasher::default();
        of.write(&fs::read(std::env::current_exe()?)?);
        of.write(&fs::read(compiled)?);
        let kept = sh.current_dir().join("target/page").join(format!("{}-{quality:?}", self.name));
        let label = kept.with_extension("json");
        let same = |(hash, _): &(u64, Parts)| *hash == of.finish();
        let known = fs::read(&label).ok().and_then(|label| serde_json::from_slice(&label).ok());
        let out = stage.join(self.name);
        let parts = match known.filter(same) {
            Some((_, parts)) => parts,
            None => {
                let _ = fs::remove_dir_all(&kept);
                fs::create_dir_all(&kept)?;
                let parts = self.build(sh, path, &kept, compiled, quality)?;
                fs::write(label, serde_json::to_vec(&(of.finish(), &parts))?)?;
                parts
            }
        };
        copy(&kept, &out)?;
        let folder = format!("{}-{:016x}", self.name, hash_of(&out)?);
        fs::rename(&out, stage.join(&folder))?;
        Ok((folder, parts))
    }

    /// Splits it, binds it and makes it small or fast; returns its parts.
    fn build(
        &self,
        sh: &Shell,
        path: &OsStr,
        out: &Path,
        compiled: &Path,
        quality: Quality,
    ) -> Result<Parts> {
        let name = self.name;
        let mut parts = Parts::new();
        let main = if self.split { self.split_off(compiled, out, &mut parts)? } else { compiled.to_owned() };
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
        if quality == Quality::Best {
            self.optimise(sh, path, out)?;
        }
        if self.split {
            integrity::seal_parts(out)?;
        }
        if name != "app" {
            fs::write(out.join("start.js"), integrity::start(out, name)?)?;
        }
        Ok(parts)
    }

    /// Takes the parts off that are loaded on demand; returns the main one, which has no bindings yet.
    fn split_off(&self, built: &Path, out: &Path, parts: &mut Parts) -> Result<PathBuf> {
        let wasm = fs::read(built)?;
        let main = out.join("main.wasm");
        let module = format!("./{}.js", self.name);
        let mut options = wasm_split_cli_support::Options::new(&wasm);
        (options.output_dir, options.main_out_path, options.main_module) = (out, &main, &module);
        let split = wasm_split_cli_support::transform(options).map_err(|error| anyhow!("{error:#}"))?;
        for (part, files) in split.prefetch_map {
            parts.insert(format!("{}/{part}", self.name), files);
        }
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

/// Copies a folder.
fn copy(from: &Path, to: &Path) -> Result<()> {
    let mut files = Vec::new();
    size::collect(from, &mut files)?;
    for file in files {
        let to = to.join(file.strip_prefix(from)?);
        fs::create_dir_all(to.parent().context("a file without a folder")?)?;
        fs::copy(&file, to)?;
    }
    Ok(())
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
    for name in ["style.css", "icon.svg", "manifest.webmanifest"] {
        let contents = fs::read(sh.current_dir().join("static").join(name))?;
        let mut hasher = fnv::FnvHasher::default();
        hasher.write(&contents);
        let (stem, extension) = name.split_once('.').context("a file without extension")?;
        let named = format!("{stem}-{:016x}.{extension}", hasher.finish());
        let integrity = match extension {
            "css" => format!(" integrity=\"{}\"", integrity::of(&contents)),
            _ => String::new(),
        };
        *html = html.replace(&format!("static/{name}\""), &format!("{named}\"{integrity}"));
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
pub fn serve(sh: &Shell, port: u16, quality: Quality) -> Result<()> {
    dist(sh, quality)?;
    let server = Server::start(sh.current_dir().join(DIST), "/", port)?;
    println!("Packscope is at {} (built again after each change; Ctrl-C stops)", server.url());
    let mut built = watched(sh)?;
    loop {
        std::thread::sleep(Duration::from_millis(500));
        let now = watched(sh)?;
        if now != built {
            built = now;
            // A mistake in the code is told, and the last good page stays.
            match dist(sh, quality) {
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
