//! Tools that cargo does not provide: installed once into a folder shared by all clones, and reused.

use anyhow::{Context, Result, bail};
use std::fs::{self, File};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Child;
use std::time::Duration;
use xshell::{Shell, cmd};

/// The newest version that today's compiler builds.
const TRUNK: &str = "0.21.14";
const BINARYEN: &str = "132.0.0";
const AXE: &str = "4.14.1";
const GECKODRIVER: &str = "0.37.1";
/// Older versions of wasm-opt fail on the output of today's compiler.
const OLDEST_WASM_OPT: u32 = 120;

/// Returns the folder of the tools: `$PACKSCOPE_TOOLS`, or one in the user's cache.
pub fn folder() -> Result<PathBuf> {
    let folder = match std::env::var_os("PACKSCOPE_TOOLS") {
        Some(folder) => PathBuf::from(folder),
        None => dirs::cache_dir()
            .context("there is no cache folder for this user; set PACKSCOPE_TOOLS to a folder for the tools")?
            .join("packscope-tools"),
    };
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    Ok(folder)
}

/// Returns the folder of one tool; installs the tool there if it is missing.
pub fn once(name: &str, install: impl FnOnce(&Path) -> Result<()>) -> Result<PathBuf> {
    let root = folder()?.join(name);
    let stamp = root.join("installed");
    if stamp.exists() {
        return Ok(root);
    }
    // Two clones may be set up at the same time: the second waits, then reuses the first one's work.
    let _one = one_at_a_time(name)?;
    if stamp.exists() {
        return Ok(root);
    }
    println!("installing {name} into {} (once)", root.display());
    if root.exists() {
        fs::remove_dir_all(&root).context("cannot remove what an interrupted installation left")?;
    }
    fs::create_dir_all(&root)?;
    install(&root).with_context(|| format!("{name} could not be installed"))?;
    // Written last, so that an interrupted installation is started anew.
    fs::write(stamp, "")?;
    Ok(root)
}

/// Returns a 32-bit FNV-1a hash of a text, by which each list of Python packages has its own environment.
pub fn number(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}

/// Waits until no other process does the work of this name.
pub fn one_at_a_time(name: &str) -> Result<File> {
    let lock = File::create(folder()?.join(format!("{name}.lock")))?;
    // The system frees the lock when the process ends, however it ends, so none is left behind.
    lock.lock()?;
    Ok(lock)
}

/// Returns the folders of the tools that build the page, to be put on PATH.
pub fn for_page(sh: &Shell) -> Result<Vec<PathBuf>> {
    let installs: [fn(&Shell) -> Result<PathBuf>; 3] = [trunk, wasm_bindgen, wasm_opt];
    // Where they are built, each takes half of the machine, which is idle once the page is compiled.
    std::thread::scope(|scope| {
        let started = installs.map(|install| {
            let sh = sh.clone();
            scope.spawn(move || install(&sh))
        });
        let ended = started.map(|tool| {
            tool.join()
                .unwrap_or_else(|_| bail!("a tool's installation panicked"))
        });
        ended.into_iter().collect()
    })
}

/// Returns the folder of Trunk, which builds and serves the page.
fn trunk(sh: &Shell) -> Result<PathBuf> {
    let host = host(sh, "rustc")?;
    let archive = if host.contains("windows") {
        "zip"
    } else {
        "tar.gz"
    };
    let url = format!(
        "https://github.com/trunk-rs/trunk/releases/download/v{TRUNK}/trunk-{host}.{archive}"
    );
    // Its other features use the network, and are not needed.
    install(
        sh,
        "trunk",
        TRUNK,
        (&url, &["trunk"]),
        &["--locked", "--no-default-features"],
    )
}

/// Returns the folder of wasm-bindgen's tool, in exactly the version of Cargo.lock.
pub fn wasm_bindgen(sh: &Shell) -> Result<PathBuf> {
    let lock = sh.read_file("Cargo.lock")?;
    let version = locked(&lock, "wasm-bindgen").context("Cargo.lock names no wasm-bindgen")?;
    // For Linux its makers release programs linked to musl, which run on any distribution.
    let host = host(sh, "rustc")?.replace("-gnu", "-musl");
    let name = format!("wasm-bindgen-{version}-{host}");
    let url = format!(
        "https://github.com/wasm-bindgen/wasm-bindgen/releases/download/{version}/{name}.tar.gz"
    );
    // Without --locked: its own lock file names versions that mirrors may lack.
    install(
        sh,
        "wasm-bindgen-cli",
        version,
        (&url, &["wasm-bindgen", "wasm-bindgen-test-runner"]),
        &[],
    )
}

/// Returns the host's system and processor, as a compiler names them.
pub fn host(sh: &Shell, rustc: &str) -> Result<String> {
    let version = cmd!(sh, "{rustc} -vV").quiet().read()?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host
        .with_context(|| format!("{rustc} names no host"))?
        .to_owned())
}

fn locked<'l>(lock: &'l str, name: &str) -> Option<&'l str> {
    let (_, after) = lock.split_once(&format!("name = \"{name}\"\nversion = \""))?;
    Some(after.split_once('"')?.0)
}

/// Returns the folder of a tool: with the programs released by its makers if they can be downloaded and run, else built
/// by cargo.
fn install(
    sh: &Shell,
    name: &str,
    version: &str,
    (url, programs): (&str, &[&str]),
    options: &[&str],
) -> Result<PathBuf> {
    let root = once(&format!("{name}-{version}"), |root| {
        let bin = root.join("bin");
        match released(sh, url, programs, &bin) {
            Ok(()) => Ok(()),
            Err(error) => {
                println!("{name} is built here, since {url} is of no use: {error:#}");
                sh.remove_path(&bin)?;
                cargo_install(sh, root, name, version, options)
            }
        }
    })?;
    Ok(root.join("bin"))
}

/// Unpacks these programs of an archive into a folder, and checks that they run.
fn released(sh: &Shell, url: &str, programs: &[&str], bin: &Path) -> Result<()> {
    let archive = bin.with_extension("archive");
    // Retries, continuing after interruptions; gives up only if nothing arrives for a minute.
    let retry = [
        "--retry",
        "3",
        "--continue-at",
        "-",
        "--speed-limit",
        "1",
        "--speed-time",
        "60",
    ];
    cmd!(
        sh,
        "curl --fail --silent --show-error --location {retry...} --output {archive} {url}"
    )
    .run()?;
    let unpacked = bin.with_extension("unpacked");
    sh.create_dir(&unpacked)?;
    cmd!(sh, "tar -xf {archive} -C {unpacked}").run()?;
    sh.create_dir(bin)?;
    let mut files = Vec::new();
    crate::files::collect(&unpacked, &mut files)?;
    for name in programs {
        // Found by name, as archives have folders of different depth. Each is run once: it may be
        // for another processor, or need newer libraries than this system has.
        let is_it = |file: &&PathBuf| file.file_name().is_some_and(|n| n == exe(name).as_os_str());
        let program = files
            .iter()
            .find(is_it)
            .with_context(|| format!("there is no {name} in it"))?;
        cmd!(sh, "{program} --version")
            .ignore_stdout()
            .quiet()
            .run()?;
        sh.copy_file(program, bin)?;
    }
    sh.remove_path(archive)?;
    Ok(sh.remove_path(unpacked)?)
}

fn exe(name: &str) -> PathBuf {
    Path::new(name).with_extension(std::env::consts::EXE_EXTENSION)
}

/// Builds a program with cargo, unoptimised: a fraction of the time, and its work is short.
fn cargo_install(
    sh: &Shell,
    root: &Path,
    name: &str,
    version: &str,
    options: &[&str],
) -> Result<()> {
    // A separate target folder, so that no variable or setting of this project affects the tool.
    let build = folder()?.join(format!("build-{name}"));
    // The page is compiled at the same time, and takes longer: half of the machine stays for it.
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    let jobs = cores.div_ceil(2).to_string();
    cmd!(
        sh,
        "cargo install {name} --version {version} --debug --jobs {jobs} --root {root} {options...}"
    )
    .env("CARGO_TARGET_DIR", &build)
    // The tools are not debugged: this saves a third of the time and most of the size.
    .env("CARGO_PROFILE_DEV_DEBUG", "0")
    .run()?;
    Ok(sh.remove_path(build)?)
}

fn wasm_opt(sh: &Shell) -> Result<PathBuf> {
    let name = format!("binaryen-{BINARYEN}");
    if !folder()?.join(&name).join("installed").exists() && !has("npm") {
        return recent_wasm_opt(sh).context(
            "wasm-opt is missing, and so is npm, which brings it: install Node.js (https://nodejs.org, or \
             `apt install npm`), or put a recent wasm-opt on PATH (https://github.com/WebAssembly/binaryen)",
        );
    }
    Ok(npm_install(sh, "binaryen", BINARYEN)?.join(".bin"))
}

/// Returns the wasm-opt that npm installed for [`for_page`]: a program for node.
pub fn wasm_opt_for_node() -> Result<Option<PathBuf>> {
    let root = folder()?.join(format!("binaryen-{BINARYEN}"));
    Ok(root
        .join("installed")
        .exists()
        .then(|| root.join("node_modules/binaryen/bin/wasm-opt")))
}

/// Installs a package of npm; returns the folder of its modules.
fn npm_install(sh: &Shell, package: &str, version: &str) -> Result<PathBuf> {
    let root = once(&format!("{package}-{version}"), |root| {
        let package = format!("{package}@{version}");
        Ok(cmd!(
            sh,
            "npm install --silent --no-audit --no-fund --prefix {root} {package}"
        )
        .run()?)
    })?;
    Ok(root.join("node_modules"))
}

/// Returns the script that finds accessibility problems of a page. Tests run it in the page; it is not shipped.
pub fn axe(sh: &Shell) -> Result<PathBuf> {
    if !folder()?
        .join(format!("axe-core-{AXE}"))
        .join("installed")
        .exists()
        && !has("npm")
    {
        bail!(
            "axe-core is missing, and so is npm, which brings it: install Node.js (https://nodejs.org, or `apt install npm`)"
        );
    }
    Ok(npm_install(sh, "axe-core", AXE)?
        .join("axe-core")
        .join("axe.min.js"))
}

/// Returns the folder of a wasm-opt on PATH that is recent enough.
fn recent_wasm_opt(sh: &Shell) -> Option<PathBuf> {
    let program = find("wasm-opt")?;
    let version = cmd!(sh, "{program} --version").quiet().read().ok()?;
    let version: u32 = version
        .split_whitespace()
        .find_map(|word| word.parse().ok())?;
    // `wasm-opt --version` says `wasm-opt version 132 (…)`: the first word that is a number.
    (version >= OLDEST_WASM_OPT).then(|| program.parent().map(Path::to_owned))?
}

/// A browser with its driver, for tests.
pub struct Browser {
    pub name: &'static str,
    pub program: PathBuf,
    pub driver: PathBuf,
}

/// Finds Chromium (or Chrome) with its driver; on Debian, as root, installs them.
pub fn chromium(sh: &Shell) -> Result<Browser> {
    let mac = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";
    let find = || {
        let program = named(
            "CHROME",
            &["chromium", "chromium-browser", "google-chrome", "chrome"],
            mac,
        )?;
        Some(Browser {
            name: "chromium",
            program,
            driver: named("CHROMEDRIVER", &["chromedriver"], "")?,
        })
    };
    if let Some(found) = find() {
        return Ok(found);
    }
    let installed = apt_install(sh, &["chromium", "chromium-driver"]);
    find().with_context(|| {
        format!(
            "Chromium and chromedriver are missing: install both (Debian: `apt install chromium \
             chromium-driver`), or name them in CHROME and CHROMEDRIVER{}",
            reason(installed)
        )
    })
}

/// Finds Firefox, or on Debian, as root, installs it; builds its driver if there is none.
pub fn firefox(sh: &Shell) -> Result<Browser> {
    let mac = "/Applications/Firefox.app/Contents/MacOS/firefox";
    let find = || named("FIREFOX", &["firefox-esr", "firefox"], mac);
    let program = match find() {
        Some(found) => found,
        None => {
            let installed = apt_install(sh, &["firefox-esr"]);
            find().with_context(|| {
                format!(
                    "Firefox is missing: install it (Debian: `apt install firefox-esr`), or name it in FIREFOX{}",
                    reason(installed)
                )
            })?
        }
    };
    let driver = match named("GECKODRIVER", &["geckodriver"], "") {
        Some(found) => found,
        None => geckodriver(sh)
            .context("geckodriver could not be installed: install it, or name it in GECKODRIVER")?,
    };
    Ok(Browser {
        name: "firefox",
        program,
        driver,
    })
}

fn geckodriver(sh: &Shell) -> Result<PathBuf> {
    let root = once(&format!("geckodriver-{GECKODRIVER}"), |root| {
        cargo_install(sh, root, "geckodriver", GECKODRIVER, &[])
    })?;
    Ok(root.join("bin/geckodriver"))
}

/// Returns a program that a variable names, or that is on PATH, or in its usual place.
fn named(variable: &str, names: &[&str], usual: &str) -> Option<PathBuf> {
    let usual = || Some(PathBuf::from(usual)).filter(|path| path.exists());
    let search = || names.iter().find_map(|name| find(name)).or_else(usual);
    std::env::var_os(variable)
        .map(PathBuf::from)
        .or_else(search)
}

fn reason(installed: Result<()>) -> String {
    installed
        .err()
        .map(|error| format!(" ({error:#})"))
        .unwrap_or_default()
}

/// Installs missing Debian packages; needs root.
pub fn apt_install(sh: &Shell, packages: &[&str]) -> Result<()> {
    let _one = one_at_a_time("apt")?;
    // `dpkg -s` needs no root, so that nothing is asked of a system that has everything.
    let missing = |p: &&&str| {
        cmd!(sh, "dpkg -s {p}")
            .quiet()
            .ignore_stdout()
            .ignore_stderr()
            .run()
            .is_err()
    };
    let missing: Vec<&&str> = packages.iter().filter(missing).collect();
    if missing.is_empty() {
        return Ok(());
    }
    if !has("apt-get") {
        bail!("apt-get is missing");
    }
    let _quiet = sh.push_env("DEBIAN_FRONTEND", "noninteractive");
    cmd!(sh, "apt-get -q update").run()?;
    Ok(cmd!(
        sh,
        "apt-get -q install -y --no-install-recommends {missing...}"
    )
    .run()?)
}

/// Returns a free port; nothing else here takes ports before it is used.
pub fn free_port() -> Result<u16> {
    Ok(TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port())
}

/// Waits until a program listens, as long as it runs, since a busy machine may take long.
pub fn until_it_listens(name: &str, child: &mut Child, port: u16) -> Result<()> {
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        if let Some(status) = child.try_wait()? {
            bail!("{name} did not start: {status}");
        }
        // No limit on the time: the program either listens or ends.
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}

pub fn target(sh: &Shell) -> PathBuf {
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| "target".into(), PathBuf::from);
    sh.current_dir().join(target)
}

pub fn has(program: &str) -> bool {
    find(program).is_some()
}

pub fn find(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let names = [
        program.to_owned(),
        format!("{program}.exe"),
        // npm's programs on Windows are scripts of this ending.
        format!("{program}.cmd"),
    ];
    std::env::split_paths(&path)
        .flat_map(|folder| names.iter().map(move |n| folder.join(n)))
        .find(|file| file.is_file())
}

pub fn path_with(first: &[PathBuf]) -> Result<std::ffi::OsString> {
    let old = std::env::var_os("PATH").unwrap_or_default();
    Ok(std::env::join_paths(
        first.iter().cloned().chain(std::env::split_paths(&old)),
    )?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_released_program_is_taken_where_it_runs() {
        use std::os::unix::fs::PermissionsExt;
        let sh = Shell::new().unwrap();
        let folder = sh.create_temp_dir().unwrap();
        let made = folder.path().join("tool-1.0");
        for (name, script) in [
            ("tool", "#!/bin/sh\necho tool 1.0\n"),
            ("broken", "#!/bin/sh\nexit 1\n"),
        ] {
            sh.write_file(made.join(name), script).unwrap();
            fs::set_permissions(made.join(name), fs::Permissions::from_mode(0o755)).unwrap();
        }
        let (archive, parent) = (folder.path().join("tool.tar.gz"), folder.path());
        cmd!(sh, "tar -czf {archive} -C {parent} tool-1.0")
            .quiet()
            .run()
            .unwrap();
        let url = format!("file://{}", archive.display());
        let bin = folder.path().join("bin");
        released(&sh, &url, &["tool"], &bin).unwrap();
        let tool = bin.join("tool");
        assert_eq!(
            cmd!(sh, "{tool} --version").quiet().read().unwrap(),
            "tool 1.0"
        );
        for programs in [["broken"], ["missing"]] {
            released(&sh, &url, &programs, &bin).unwrap_err();
        }
        released(&sh, "file:///nowhere", &["tool"], &bin).unwrap_err();
    }
}
