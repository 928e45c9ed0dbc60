//! A compiler for wasm32-unknown-unknown: rustup's if it can be downloaded, else Debian's and std built from source.

use crate::tools;
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use xshell::{Shell, cmd};

const TARGET: &str = "wasm32-unknown-unknown";
const DEBIAN: [&str; 5] = [
    "rustc-web",
    "cargo-web",
    "rust-web-src",
    "rust-web-clippy",
    "lld-22",
];

/// Returns folders to put first on PATH for wasm builds; none if rustup's compiler has the target.
///
/// `PACKSCOPE_WASM=debian` skips rustup, to test the alternative.
pub fn toolchain(sh: &Shell) -> Result<Vec<PathBuf>> {
    let debian_only = std::env::var_os("PACKSCOPE_WASM").is_some_and(|way| way == "debian");
    if !debian_only && has_target(sh) {
        return Ok(Vec::new());
    }
    // Parallel steps wait here, and find the work done.
    let _one = tools::one_at_a_time("toolchain")?;
    if !debian_only && has_target(sh) {
        return Ok(Vec::new());
    }
    // If rustup's download failed once, every command would wait for it to fail again.
    let debian_built = debian_root(sh).is_some_and(|root| root.join("installed").exists());
    if !debian_only && !debian_built && add_target(sh) {
        return Ok(Vec::new());
    }
    let bin = debian(sh).with_context(|| {
        format!(
            "there is no compiler for {TARGET}: `rustup target add {TARGET}` failed, and so did the way over \
             Debian's packages {} (needs root and Debian 12 or later)",
            DEBIAN.join(" ")
        )
    })?;
    Ok(vec![bin])
}

fn has_target(sh: &Shell) -> bool {
    let sysroot = cmd!(sh, "rustc --print sysroot")
        .quiet()
        .read()
        .unwrap_or_default();
    Path::new(&sysroot)
        .join("lib/rustlib")
        .join(TARGET)
        .join("lib")
        .is_dir()
}

/// Whether rustup could install the target: it retries after interruptions, and stops by itself without a connection.
fn add_target(sh: &Shell) -> bool {
    tools::has("rustup") && cmd!(sh, "rustup target add {TARGET}").run().is_ok() && has_target(sh)
}

/// Returns the folder of a cargo that builds for wasm with Debian's compiler and our own sysroot, and otherwise runs
/// the original cargo. Built once, in about two minutes.
fn debian(sh: &Shell) -> Result<PathBuf> {
    // Before the folder is named: its name has the version of the compiler that this installs.
    tools::apt_install(sh, &DEBIAN)?;
    let root = debian_root(sh).context("/usr/bin/rustc tells no version")?;
    let name = root
        .file_name()
        .and_then(|name| name.to_str())
        .context("the folder has no name")?;
    let root = tools::once(name, |root| {
        println!("building the standard library for {TARGET} with Debian's compiler");
        let krate = tools::folder()?.join("build-std");
        let toolchain = root.join("toolchain");
        lay_out(sh, &toolchain, &build_std(sh, &krate)?)?;
        choose(&root.join("bin"), &toolchain.join("bin"))?;
        Ok(std::fs::remove_dir_all(krate)?)
    })?;
    Ok(root.join("bin"))
}

/// Returns the place of that sysroot: one for each version of Debian's compiler; `None` without the compiler.
fn debian_root(sh: &Shell) -> Option<PathBuf> {
    let version = cmd!(sh, "/usr/bin/rustc --version")
        .quiet()
        .ignore_stderr()
        .read()
        .ok()?;
    let version = version.split_whitespace().nth(1)?;
    Some(tools::folder().ok()?.join(format!("debian-wasm-{version}")))
}

/// Builds std with an empty crate; returns the folder of the libraries.
fn build_std(sh: &Shell, krate: &Path) -> Result<PathBuf> {
    std::fs::create_dir_all(krate.join("src"))?;
    // A separate workspace, without `panic = "abort"`, which would define panic_impl twice (E0152).
    let manifest = "[package]\nname = \"empty\"\nedition = \"2021\"\n[lib]\n[workspace]\n";
    std::fs::write(krate.join("Cargo.toml"), manifest)?;
    std::fs::write(krate.join("src/lib.rs"), "")?;
    let _inside = sh.push_dir(krate);
    cmd!(
        sh,
        "/usr/bin/cargo build --release -Z build-std=std,panic_abort,test --target {TARGET}"
    )
    .env("RUSTC", "/usr/bin/rustc")
    // `-Z` is only for nightly compilers; this variable allows it in a stable one.
    .env("RUSTC_BOOTSTRAP", "1")
    // Without bitcode, `lto = true` fails later.
    .env("RUSTFLAGS", "-C embed-bitcode=yes")
    .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", "wasm-ld-22")
    .env("CARGO_TARGET_DIR", krate.join("target"))
    .env_remove("RUSTUP_TOOLCHAIN")
    .run()?;
    Ok(krate.join("target").join(TARGET).join("release/deps"))
}

/// Creates a toolchain folder: our libraries for wasm, links to Debian's for the host, and wrappers that set this
/// sysroot (a link alone does not change it).
fn lay_out(sh: &Shell, root: &Path, built: &Path) -> Result<()> {
    let host = tools::host(sh, "/usr/bin/rustc")?;
    let rustlib = root.join("lib/rustlib");
    let libraries = rustlib.join(TARGET).join("lib");
    let host_bin = rustlib.join(&host).join("bin");
    let bin = root.join("bin");
    for folder in [&libraries, &host_bin, &bin] {
        std::fs::create_dir_all(folder)?;
    }
    for file in std::fs::read_dir(built)? {
        let file = file?.path();
        if file
            .extension()
            .is_some_and(|e| e == "rlib" || e == "rmeta")
        {
            std::fs::copy(
                &file,
                libraries.join(file.file_name().context("a library without a name")?),
            )?;
        }
    }
    let debian = Path::new("/usr/lib/rustlib");
    link(
        &debian.join(&host).join("lib"),
        &rustlib.join(&host).join("lib"),
    )?;
    link(&debian.join("src"), &rustlib.join("src"))?;
    link(&debian.join("etc"), &rustlib.join("etc"))?;
    // Under this name, the compiler finds it without a linker setting.
    link(Path::new("/usr/bin/wasm-ld-22"), &host_bin.join("rust-lld"))?;
    link(Path::new("/usr/bin/cargo"), &bin.join("cargo"))?;
    // A copy: through a link it would find itself in /usr/bin, and there a driver without our sysroot.
    std::fs::copy("/usr/bin/cargo-clippy", bin.join("cargo-clippy"))?;
    for program in ["rustc", "rustdoc"] {
        wrapper(
            &bin.join(program),
            &format!("exec /usr/bin/{program} --sysroot '{}'", root.display()),
        )?;
    }
    // Its first argument must stay the compiler's name, so the sysroot is passed in a variable.
    wrapper(
        &bin.join("clippy-driver"),
        &format!("SYSROOT='{}' exec /usr/bin/clippy-driver", root.display()),
    )
}

/// Puts a cargo into `bin` that uses this toolchain if a target is given. Trunk runs cargo both for the page and for
/// its hooks, which are programs of the host.
fn choose(bin: &Path, toolchain: &Path) -> Result<()> {
    std::fs::create_dir_all(bin)?;
    let (here, toolchain) = (bin.display(), toolchain.display());
    wrapper(
        &bin.join("cargo"),
        &format!(
            // Without a target, the script takes its own folder off PATH, or it would call itself
            // for ever.
            "case \"$*\" in\n*{TARGET}*) PATH='{toolchain}':\"$PATH\" ;;\n\
             *) PATH=$(printf %s \"$PATH\" | sed 's|{here}:||g') ;;\nesac\nexport PATH\nexec cargo"
        ),
    )
}

#[cfg(unix)]
fn link(from: &Path, to: &Path) -> Result<()> {
    std::os::unix::fs::symlink(from, to).with_context(|| format!("cannot link {}", to.display()))
}

#[cfg(unix)]
fn wrapper(file: &Path, command: &str) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::write(file, format!("#!/bin/sh\n{command} \"$@\"\n"))?;
    Ok(std::fs::set_permissions(
        file,
        std::fs::Permissions::from_mode(0o755),
    )?)
}

#[cfg(not(unix))]
fn link(_: &Path, _: &Path) -> Result<()> {
    anyhow::bail!("Debian's packages are for Debian")
}

#[cfg(not(unix))]
fn wrapper(_: &Path, _: &str) -> Result<()> {
    anyhow::bail!("Debian's packages are for Debian")
}

/// Returns a command of cargo for wasm, with the right compiler.
pub fn cargo<'s>(sh: &'s Shell, args: &[&str]) -> Result<xshell::Cmd<'s>> {
    let path = tools::path_with(&toolchain(sh)?)?;
    Ok(own_cargo(cmd!(sh, "cargo {args...}"), &path))
}

/// Lets a child find cargo and compiler by PATH, instead of inheriting the outer cargo's variables.
pub fn own_cargo<'s>(command: xshell::Cmd<'s>, path: &std::ffi::OsStr) -> xshell::Cmd<'s> {
    command
        .env("PATH", path)
        .env_remove("RUSTC")
        .env_remove("RUSTDOC")
        .env_remove("CARGO")
}
