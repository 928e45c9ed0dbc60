//! The wheel for Python, with the page packed into its program; the same program as an archive; and tests of what pip
//! installs.

use crate::files::DIST;
use crate::{python, tools};
use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};
use xshell::{Shell, cmd};

const TESTS: &str = "tests/wheel";
const MANIFEST: &str = "crates/packscope-cli/Cargo.toml";
/// Tells the build of the command line which page to pack.
const EMBED: &str = "PACKSCOPE_EMBED";
/// Links for systems that are older than this one, and for other processors.
const ZIG: &str = "ziglang==0.17.0";

/// Builds the wheel and the archive of the program as they are released, of the page in `dist/`, into `target/wheels`:
/// `cargo xtask wheel [TARGET]`. For Linux it is linked by Zig, which knows older systems and other processors.
pub fn release(sh: &Shell, args: &[String]) -> Result<()> {
    let host = tools::host(sh, "rustc")?;
    let target = match args {
        [] => &host,
        [target] => target,
        _ => anyhow::bail!("wheel takes one target at most, such as aarch64-unknown-linux-gnu"),
    };
    let mut options = vec!["--release", "--target", target];
    // The oldest system that is still in use, whatever this one is.
    if target.contains("linux") {
        options.extend(["--compatibility", "manylinux_2_17", "--zig"]);
    }
    let out = tools::target(sh).join("wheels");
    let wheel = build(sh, &environment(sh, &[ZIG])?, &options, &out)?;
    let archive = archive(sh, &wheel, target)?;
    println!("{}\n{}", wheel.display(), archive.display());
    Ok(())
}

/// Builds the wheel with the page in `dist/`, alone in a folder; returns its path.
fn build(sh: &Shell, tools: &Path, options: &[&str], out: &Path) -> Result<PathBuf> {
    let page = sh.current_dir().join(DIST);
    ensure!(
        page.join("index.html").exists(),
        "there is no page in {DIST}/: build it with `cargo xtask dist`"
    );
    let tools = python::interpreter(tools);
    sh.remove_path(out)?;
    cmd!(
        sh,
        "{tools} -m maturin build --locked --manifest-path {MANIFEST} --out {out} {options...}"
    )
    .env(EMBED, page)
    // Where maturin finds Zig.
    .env("CARGO_ZIGBUILD_PYTHON_PATH", &tools)
    .run()?;
    let built = sh.read_dir(out)?;
    let wheel = built
        .into_iter()
        .find(|file| file.extension().is_some_and(|e| e == "whl"));
    wheel.context("maturin has left no wheel")
}

/// Packs the program that a wheel has, with its licence, for those without Python; returns the path, beside the wheel.
fn archive(sh: &Shell, wheel: &Path, target: &str) -> Result<PathBuf> {
    let out = wheel.parent().context("the wheel lies in no folder")?;
    // `packscope-VERSION-py3-none-PLATFORM.whl`.
    let called = wheel.file_name().and_then(|name| name.to_str());
    let version = called.and_then(|name| name.split('-').nth(1));
    let version = version.context("the wheel has no version in its name")?;
    let name = format!("packscope-{version}-{target}");
    let folder = out.join(&name);
    sh.create_dir(&folder)?;
    let suffix = if target.contains("windows") {
        ".exe"
    } else {
        ""
    };
    let program = format!("packscope{suffix}");
    sh.copy_file(
        tools::target(sh).join(target).join("release").join(program),
        &folder,
    )?;
    sh.copy_file("LICENSE", &folder)?;
    let archive = out.join(format!("{name}.tar.gz"));
    cmd!(sh, "tar -czf {archive} -C {out} {name}").run()?;
    sh.remove_path(folder)?;
    Ok(archive)
}

/// Builds the wheel quickly, installs it into a fresh environment, and tests it there.
pub fn test(sh: &Shell) -> Result<()> {
    // What is in it is that of a release; how fast it is, is not tested.
    let used = environment(sh, &[])?;
    let out = tools::target(sh).join("wheel");
    let wheel = build(sh, &used, &["--profile", "dev"], &out)?;
    let folder = sh.create_temp_dir()?;
    let fresh = folder.path().join("installed");
    let python = python::interpreter(&fresh);
    python::environment(sh, &python::interpreter(&used), &fresh, &[])?;
    let wheel = wheel.display().to_string();
    python::pip(sh, &fresh, &["--no-index", &wheel])?;
    // It sees the tools of the tests, and has nothing of its own but the wheel.
    let [tools, own] = [&python::interpreter(&used), &python].map(|python| {
        cmd!(
            sh,
            "{python} -c 'import sysconfig; print(sysconfig.get_path(\"purelib\"))'"
        )
        .read()
    });
    sh.write_file(Path::new(&own?).join("tools.pth"), tools?)?;
    // A hanging test prints its stack and ends the run.
    let ends = [
        "-o",
        "faulthandler_timeout=600",
        "-o",
        "faulthandler_exit_on_timeout=true",
    ];
    cmd!(
        sh,
        "{python} -m pytest -q -p no:cacheprovider {ends...} {TESTS}"
    )
    .env("PYTHONDONTWRITEBYTECODE", "1")
    // Kernels of the user are none of the tests'.
    .env("JUPYTER_DATA_DIR", folder.path().join("jupyter"))
    .env("IPYTHONDIR", folder.path().join("ipython"))
    .run()
    .context("the wheel is not what it is to be")
}

/// Returns the environment with the tools in `requirements.txt` and these, installed once for each version of that list.
fn environment(sh: &Shell, more: &[&str]) -> Result<PathBuf> {
    let list = sh.current_dir().join(TESTS).join("requirements.txt");
    let pinned = sh.read_file(&list)? + &more.join("\n");
    let python = std::env::var_os("PYTHON").map_or_else(|| "python3".into(), PathBuf::from);
    tools::once(&format!("wheel-{:08x}", tools::number(&pinned)), |root| {
        python::environment(sh, &python, root, &[])?;
        let list = list.display().to_string();
        python::pip(sh, root, &[&["-r", &list], more].concat())
    })
}
