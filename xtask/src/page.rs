//! Builds the page with Trunk (`Trunk.toml`): Trunk calls [`compile`] before it begins, and [`seal`] on its output.
//! Trunk cannot split a program, which must happen before wasm-bindgen. So a release starts from cargo's output of each
//! program: `wasm_split` splits off the parts that are loaded on demand, wasm-bindgen writes the bindings of the rest,
//! wasm-opt optimises every file for size or speed, and names get the hashes of contents.

use crate::files::{DIST, PARTS, Parts, collect, copy, hash_of, part_files, plain};
use crate::{integrity, style, tools, wasm};
use anyhow::{Context, Result, anyhow, ensure};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::hash::Hasher;
use std::path::{Path, PathBuf};
use std::process::Command;
use xshell::{Cmd, Shell, cmd};

/// The folder of the page during development.
pub const SERVED: &str = "target/serve";
/// Features of today's browsers, which wasm-opt may use.
const WASM: [&str; 7] = [
    "--enable-bulk-memory",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
    "--enable-simd",
];

/// Assumptions that hold for these programs: the first kilobyte, the far end of the stack, is never addressed, and memory
/// starts as zeros. They save 2 kB until the answer.
const MEMORY: [&str; 2] = ["--low-memory-unused", "--zero-filled-memory"];
/// Functions with similar names are similar, and compress better side by side: 2 kB less until the answer. Then the names
/// go.
const COMPACT: [&str; 3] = [
    "--reorder-functions-by-name",
    "--strip-debug",
    "--strip-producers",
];

/// A program of the page; `index.html` names its profiles and features to Trunk.
struct Program {
    name: &'static str,
    profile: &'static str,
    features: &'static str,
    /// Flags for the aim of wasm-opt.
    aim: &'static [&'static str],
}

/// The page only lays out, draws and asks its workers, so it is optimised for size, twice, which saves 2 kB before the
/// answer. The worker, which reads and packs, is optimised for speed.
const PROGRAMS: [Program; 2] = [
    Program {
        name: "app",
        profile: "page",
        features: "page,split",
        aim: &["-Oz", "-Oz"],
    },
    Program {
        name: "worker",
        profile: "release",
        features: WORKERS,
        aim: &["-O3"],
    },
];
/// The code that makes the programs, with its versions of tools, besides the crates in `Cargo.lock`.
const MAKERS: [&[u8]; 6] = [
    include_bytes!("page.rs"),
    include_bytes!("files.rs"),
    include_bytes!("integrity.rs"),
    include_bytes!("../parts.js"),
    include_bytes!("tools.rs"),
    include_bytes!("../wasm-opt.js"),
];
/// One set for all workers, without the page's features: functions with one caller are inlined, which makes workers 2 %
/// smaller.
const WORKERS: &str = "split,parquet,tokenizer";
/// The profile of all programs during development, and their features: one set, so that the library is compiled once, for
/// tests compiled to wasm too.
pub const DEVELOP: (&str, &str) = ("develop", "page,split,parquet,tokenizer");
/// `index.html` with those features, for Trunk during development; made anew before each build.
const DEVELOP_INDEX: &str = "develop.html";

/// Returns the compiled programs of a release, by name.
pub fn built(sh: &Shell) -> impl Iterator<Item = (&'static str, PathBuf)> {
    let folder = tools::target(sh).join("wasm32-unknown-unknown");
    PROGRAMS.iter().map(move |program| {
        (
            program.name,
            folder
                .join(program.profile)
                .join(program.name)
                .with_extension("wasm"),
        )
    })
}

/// Returns a command of Trunk, with everything that it needs.
fn trunk<'s>(sh: &'s Shell, args: &[&str]) -> Result<Cmd<'s>> {
    let path = tools::path_with(&[wasm::toolchain(sh)?, tools::for_page(sh)?].concat())?;
    Ok(wasm::own_cargo(cmd!(sh, "trunk {args...}"), &path))
}

/// Returns a command of Trunk that serves the page; takes Trunk's options.
fn trunk_serve<'s>(sh: &'s Shell, built: Built, options: &[&str]) -> Result<Cmd<'s>> {
    match built {
        Built::Develop => trunk_develop(sh, "serve", options),
        Built::Release | Built::ByTrunkAlone => {
            sh.create_dir(SERVED)?;
            trunk(sh, &[&["serve", "--dist", SERVED], options].concat())
        }
    }
}

/// Returns a command of Trunk that builds, or builds and serves, the page for development.
fn trunk_develop<'s>(sh: &'s Shell, command: &str, options: &[&str]) -> Result<Cmd<'s>> {
    sh.create_dir(SERVED)?;
    develop_index(sh)?;
    let index = [
        command,
        "--dist",
        SERVED,
        DEVELOP_INDEX,
        "--html-output",
        "index.html",
    ];
    trunk(sh, &[&index, options].concat())
}

/// Builds the page as [`serve`] has it, without serving it.
pub fn develop(sh: &Shell) -> Result<()> {
    prepare(sh, Built::Develop)?;
    Ok(trunk_develop(sh, "build", &[])?.run()?)
}

fn develop_index(sh: &Shell) -> Result<()> {
    let index = sh.read_file("index.html")?;
    let features = |program: &Program| format!("data-cargo-features=\"{}\"", program.features);
    ensure!(
        PROGRAMS
            .iter()
            .all(|program| index.contains(&features(program))),
        "index.html: other features"
    );
    let all = format!("data-cargo-features=\"{}\"", DEVELOP.1);
    let index = PROGRAMS.iter().fold(index, |index, program| {
        index.replace(&features(program), &all)
    });
    Ok(sh.write_file(DEVELOP_INDEX, index)?)
}

/// Compiles all programs, for Trunk's hook to find, while missing tools are installed: both take minutes.
fn prepare(sh: &Shell, built: Built) -> Result<()> {
    let path = tools::path_with(&wasm::toolchain(sh)?)?;
    let root = sh.current_dir();
    let installed = || shell_in(&root).and_then(|sh| tools::for_page(&sh));
    // A `Shell` cannot be shared by threads, so the other one has its own.
    let (compiled, installed) = rayon::join(|| compile_as(built, &root, &path), installed);
    installed?;
    compiled
}

/// Builds the folder for a host.
pub fn dist(sh: &Shell) -> Result<()> {
    prepare(sh, Built::Release)?;
    put_together(sh)
}

/// Lets Trunk make the folder for a host from compiled programs.
pub fn put_together(sh: &Shell) -> Result<()> {
    Ok(trunk(sh, &["build", "--release", "--dist", DIST])?.run()?)
}

/// Builds the page, serves it until it is stopped, and builds it again after each change; takes Trunk's options.
pub fn serve(sh: &Shell, options: &[String]) -> Result<()> {
    let options: Vec<_> = options.iter().map(String::as_str).collect();
    let built = if options.contains(&"--release") {
        Built::Release
    } else {
        Built::Develop
    };
    prepare(sh, built)?;
    Ok(trunk_serve(sh, built, &options)?.run()?)
}

/// Calls `work` with the address of the page built and served by `trunk serve`.
pub fn with_served(sh: &Shell, work: impl FnOnce(&str) -> Result<()>) -> Result<()> {
    let port = tools::free_port()?;
    let command = trunk_serve(sh, Built::Develop, &["--port", &port.to_string()])?;
    let mut server = Command::from(command)
        .current_dir(sh.current_dir())
        .spawn()?;
    // It listens once it has built.
    // Killed before its outcome is looked at: a failed test must leave no server behind.
    let outcome = tools::until_it_listens("trunk serve", &mut server, port)
        .and_then(|()| work(&format!("http://127.0.0.1:{port}/")));
    server.kill()?;
    server.wait()?;
    outcome
}

/// Whether Trunk, which calls this, builds a release.
fn is_release() -> bool {
    std::env::var("TRUNK_PROFILE").is_ok_and(|profile| profile == "release")
}

/// Joins the style and compiles all programs at once; Trunk, which calls this, would compile one after the other.
pub fn compile(sh: &Shell) -> Result<()> {
    style::join(sh)?;
    let index = std::env::var("TRUNK_HTML_FILE").unwrap_or_default();
    let built = if is_release() {
        Built::Release
    } else if Path::new(&index).ends_with(DEVELOP_INDEX) {
        develop_index(sh)?;
        Built::Develop
    } else {
        Built::ByTrunkAlone
    };
    compile_as(
        built,
        &sh.current_dir(),
        &tools::path_with(&wasm::toolchain(sh)?)?,
    )
}

#[derive(Clone, Copy)]
enum Built {
    Release,
    Develop,
    /// Development by `trunk serve` on `index.html`, which names features of each program.
    ByTrunkAlone,
}

/// Compiles programs of one profile together, and in parallel those of another, which use another folder.
fn compile_as(built: Built, root: &Path, path: &OsStr) -> Result<()> {
    let mut alike = BTreeMap::<_, Vec<String>>::new();
    for program in &PROGRAMS {
        let how = match built {
            Built::Release => (program.profile, program.features),
            Built::Develop => DEVELOP,
            Built::ByTrunkAlone => (DEVELOP.0, program.features),
        };
        let bins = alike.entry(how).or_default();
        bins.push(format!("--bin={}", program.name));
    }
    // Cargo locks a profile's folder, so builds of one profile would wait for each other: they are
    // one command.
    alike.into_par_iter().try_for_each(|((profile, features), bins)| {
        let sh = shell_in(root)?;
        let build = cmd!(
            sh,
            "cargo build --target wasm32-unknown-unknown --profile {profile} --features {features} {bins...}"
        );
        Ok(wasm::own_cargo(build, path).run()?)
    })
}

/// Turns Trunk's staging folder into the folder for a host; does nothing in a development build.
pub fn seal(sh: &Shell) -> Result<()> {
    if !is_release() {
        return Ok(());
    }
    let stage = std::env::var_os("TRUNK_STAGING_DIR").map(PathBuf::from);
    let stage = stage.context("Trunk calls this, and says where its staging folder is")?;
    let path = tools::path_with(&tools::for_page(sh)?)?;
    let page = stage.join("index.html");
    let mut html = fs::read_to_string(&page)?;
    remove_bound(&stage)?;
    let mut parts = Parts::new();
    for (Program { name, .. }, (folder, its)) in PROGRAMS.iter().zip(all_made(sh, &path, &stage)?) {
        parts.extend(its);
        html = if *name == "app" {
            integrity::seal(&html, &sh.read_file("static/boot.js")?, &stage, &folder)?
        } else {
            html.replace(
                "<html ",
                &format!("<html data-{name}=\"{folder}/start.js\" "),
            )
        };
    }
    fs::write(page, integrity::allow_own_scripts(&html)?)?;
    service_worker(sh, &stage, &parts)?;
    Ok(fs::write(
        sh.current_dir().join(PARTS),
        serde_json::to_string_pretty(&parts)?,
    )?)
}

/// Puts all programs into the stage in parallel, as the tools use one core each. Returns their folders and parts.
fn all_made(sh: &Shell, path: &OsStr, stage: &Path) -> Result<Vec<(String, Parts)>> {
    let (root, built): (_, Vec<_>) = (sh.current_dir(), built(sh).collect());
    // `built` lists the programs in the order of `PROGRAMS`.
    let made =
        PROGRAMS
            .par_iter()
            .zip(&built)
            .with_max_len(1)
            .map(|(program, (name, compiled))| {
                let sh = shell_in(&root)?;
                program
                    .made(&sh, path, stage, compiled)
                    .with_context(|| format!("building {name}"))
            });
    made.collect()
}

/// Returns a shell for another thread.
pub fn shell_in(folder: &Path) -> Result<Shell> {
    let sh = Shell::new()?;
    sh.change_dir(folder);
    Ok(sh)
}

/// Removes Trunk's bindings, which cover a whole program without parts, and the inline script of the page.
fn remove_bound(stage: &Path) -> Result<()> {
    for entry in fs::read_dir(stage)? {
        let path = entry?.path();
        if path.extension().is_some_and(|e| e == "js" || e == "wasm") {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}

impl Program {
    /// Puts the program into the stage; returns its folder, and its parts. Reuses output for the same input and tools.
    fn made(
        &self,
        sh: &Shell,
        path: &OsStr,
        stage: &Path,
        compiled: &Path,
    ) -> Result<(String, Parts)> {
        let mut of = fnv::FnvHasher::default();
        MAKERS.iter().for_each(|maker| of.write(maker));
        of.write(&fs::read(sh.current_dir().join("Cargo.lock"))?);
        of.write(&fs::read(compiled)?);
        let kept = sh.current_dir().join("target/page").join(self.name);
        let label = kept.with_extension("json");
        // Everything that decides the output: the code that makes it, the versions of its tools and
        // crates, and the input.
        let same = |(hash, _): &(u64, Parts)| *hash == of.finish();
        let known = fs::read(&label)
            .ok()
            .and_then(|label| serde_json::from_slice(&label).ok());
        let out = stage.join(self.name);
        let parts = match known.filter(same) {
            Some((_, parts)) => parts,
            None => {
                // It may not be there yet; if it cannot be removed, creating it or writing into it
                // fails.
                let _ = fs::remove_dir_all(&kept);
                fs::create_dir_all(&kept)?;
                let parts = self.build(sh, path, &kept, compiled)?;
                fs::write(label, serde_json::to_vec(&(of.finish(), &parts))?)?;
                parts
            }
        };
        copy(&kept, &out)?;
        // One hash for the folder, as its files name each other: a hash in each name would change
        // the others.
        let folder = format!("{}-{:016x}", self.name, hash_of(&out)?);
        fs::rename(&out, stage.join(&folder))?;
        Ok((folder, parts))
    }

    /// Splits, binds and optimises the program; returns its parts.
    fn build(&self, sh: &Shell, path: &OsStr, out: &Path, compiled: &Path) -> Result<Parts> {
        let name = self.name;
        let mut parts = Parts::new();
        let main = self.split_off(compiled, out, &mut parts)?;
        // Imports of the split parts from the main one are exported for them.
        let bind = "wasm-bindgen --target web --no-typescript --remove-producers-section --keep-lld-exports";
        let bind: Vec<&str> = bind.split(' ').collect();
        let (tool, flags) = bind.split_first().context("no tool")?;
        cmd!(
            sh,
            "{tool} {flags...} --out-name {name} --out-dir {out} {main}"
        )
        .env("PATH", path)
        .run()?;
        fs::remove_file(main)?;
        self.optimise(sh, path, out)?;
        // Before the hashes are written.
        let script = out.join(format!("{name}.js"));
        sh.write_file(
            &script,
            integrity::without_comments(&sh.read_file(&script)?),
        )?;
        integrity::seal_parts(out, name, &parts)?;
        if name != "app" {
            fs::write(out.join("start.js"), integrity::start(out, name)?)?;
        }
        Ok(parts)
    }

    /// Splits off the parts that are loaded on demand; returns the main one, which has no bindings yet.
    fn split_off(&self, built: &Path, out: &Path, parts: &mut Parts) -> Result<PathBuf> {
        let wasm = fs::read(built)?;
        let main = out.join("main.wasm");
        let module = format!("./{}.js", self.name);
        let mut options = wasm_split_cli_support::Options::new(&wasm);
        (
            options.output_dir,
            options.main_out_path,
            options.main_module,
        ) = (out, &main, &module);
        let split =
            wasm_split_cli_support::transform(options).map_err(|error| anyhow!("{error:#}"))?;
        for (part, files) in split.prefetch_map {
            parts.insert(format!("{}/{part}", self.name), files);
        }
        Ok(main)
    }

    fn optimise(&self, sh: &Shell, path: &OsStr, out: &Path) -> Result<()> {
        let mut files = Vec::new();
        collect(out, &mut files)?;
        // `main.wasm` is what wasm-bindgen has read; its output has another name.
        files.retain(|f| f.extension().is_some_and(|e| e == "wasm") && !f.ends_with("main.wasm"));
        let flags = [&MEMORY, self.aim, &COMPACT, &WASM].concat();
        match tools::wasm_opt_for_node()? {
            Some(program) => {
                let files: Vec<_> = files.iter().map(|file| file.to_string_lossy()).collect();
                let files = files.join("\n");
                let run = cmd!(sh, "node xtask/wasm-opt.js {program} {flags...}")
                    .stdin(files)
                    .quiet();
                // It warns about the names in each file, which are in a newer format.
                let output = run.ignore_status().output()?;
                ensure!(
                    output.status.success(),
                    "{}",
                    String::from_utf8_lossy(&output.stderr)
                );
            }
            None => optimise_each(sh, path, &flags, &files)?,
        }
        files
            .iter()
            .try_for_each(|file| Ok(fs::write(file, bare(&fs::read(file)?)?)?))
    }
}

/// Runs the wasm-opt on PATH on the files, one process for each.
fn optimise_each(sh: &Shell, path: &OsStr, flags: &[&str], files: &[PathBuf]) -> Result<()> {
    let root = sh.current_dir();
    files.par_iter().with_max_len(1).try_for_each(|file| {
        let sh = shell_in(&root)?;
        let run = cmd!(sh, "wasm-opt {flags...} {file} -o {file}").env("PATH", path);
        Ok(run.ignore_stderr().quiet().run()?)
    })
}

/// Returns a program without custom sections, which are not needed to run it: those for splitting (symbols and
/// relocations) are twice as long as the code.
fn bare(wasm: &[u8]) -> Result<Vec<u8>> {
    let mut module = wasm_encoder::Module::new();
    for payload in wasmparser::Parser::new(0).parse_all(wasm) {
        if let Some((id, range)) = payload?.as_section().filter(|(id, _)| *id != CUSTOM) {
            let data = &wasm[usize::try_from(range.start)?..usize::try_from(range.end)?];
            module.section(&wasm_encoder::RawSection { id, data });
        }
    }
    Ok(module.finish())
}

const CUSTOM: u8 = 0;

/// Files kept for offline use only after their first use: pictures for other programs, and files of these parts alone,
/// which are large and rarely needed.
const PICTURES: [&str; 2] = ["preview.png", "touch.png"];
const RARE: [&str; 3] = ["worker/chat", "worker/columns", "worker/texts"];

/// Returns the files, by their names without hashes, that belong to rare parts only.
fn rare(parts: &Parts, names: &[String]) -> BTreeSet<String> {
    let all: BTreeSet<String> = names.iter().map(|name| plain(name)).collect();
    let (rare, others): (Vec<_>, Vec<_>) =
        parts.keys().partition(|part| RARE.contains(&part.as_str()));
    let files = |of: Vec<&String>| -> BTreeSet<String> {
        of.into_iter()
            .flat_map(|part| part_files(part, parts, |file| all.contains(file)))
            .collect()
    };
    // A file that another part shares is kept from the beginning, as that part would lack it
    // offline.
    let others = files(others);
    files(rare)
        .into_iter()
        .filter(|file| !others.contains(file))
        .collect()
}

/// Writes the service worker with the list of files to keep, and a version that changes with any of them.
fn service_worker(sh: &Shell, stage: &Path, parts: &Parts) -> Result<()> {
    let mut files = Vec::new();
    collect(stage, &mut files)?;
    files.sort();
    // With `/` on every system: the service worker compares them with addresses.
    let names = files.iter().map(|file| {
        Ok(file
            .strip_prefix(stage)?
            .to_string_lossy()
            .replace('\\', "/"))
    });
    let names = names.collect::<Result<Vec<String>>>()?;
    let rare = rare(parts, &names);
    let is_kept = |plain: &String| !rare.contains(plain) && !PICTURES.contains(&plain.as_str());
    let kept: Vec<&String> = names.iter().filter(|name| is_kept(&plain(name))).collect();
    let script = sh.read_file("static/sw.js")?;
    let script = script
        .replace("VERSION_OF_THE_PAGE", &format!("{:016x}", hash_of(stage)?))
        .replace(
            "[\"FILES_OF_THE_PAGE\"]",
            &serde_json::to_string_pretty(&kept)?,
        );
    Ok(fs::write(stage.join("sw.js"), script)?)
}
