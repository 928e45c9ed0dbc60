//! A plain host of the page whose files can be taken away, cut short, replaced, or never sent; it can be asked what it heard.

use anyhow::{Result, anyhow};
use base64::prelude::{BASE64_STANDARD, Engine};
use sha2::{Digest, Sha256};
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

/// The path that the page is served under: it must work under any, so it is one that nothing could guess.
const BASE: &str = "/under/any/path/";

/// Runs before the page: nothing is kept for later, so that the host is asked for every file.
pub const UNKEPT: &str = "Object.defineProperty(navigator, 'serviceWorker', { value: undefined });";

/// The folder of the built page, which PACKSCOPE_PAGE names from the root of the checkout: of the checkout that runs the
/// tests, also where a shared target folder has them compiled in another.
pub fn dist() -> PathBuf {
    let package =
        std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    let folder = std::env::var_os("PACKSCOPE_PAGE").unwrap_or_else(|| "dist".into());
    Path::new(&package).join("../..").join(folder)
}

/// The way in which a file is wrong.
#[derive(Clone)]
pub enum Fault {
    /// It is not there.
    Gone,
    /// Its end is missing, and nothing tells.
    Cut,
    /// The host never answers.
    Never,
    /// Other contents.
    Instead(Vec<u8>),
}

#[derive(Default)]
struct Files {
    folder: PathBuf,
    /// Whether browsers may keep what has its contents in its name, as hosts let them.
    keeps: bool,
    /// Whether nothing is answered any more.
    gone: bool,
    /// Words that the path of a file has, all of them, and what is wrong with it.
    faults: Vec<(&'static str, Fault)>,
    /// The requests so far.
    heard: Vec<String>,
}

/// A host.
pub struct Host {
    port: u16,
    files: Arc<Mutex<Files>>,
}

impl Host {
    /// Serves a folder, each connection in a thread of its own.
    pub fn new(folder: PathBuf) -> Result<Self> {
        Self::start(folder, false)
    }

    fn start(folder: PathBuf, keeps: bool) -> Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let port = listener.local_addr()?.port();
        let files = Arc::new(Mutex::new(Files {
            folder,
            keeps,
            ..Files::default()
        }));
        let shared = Arc::clone(&files);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let files = Arc::clone(&shared);
                // Errors are of visitors who went away.
                std::thread::spawn(move || drop(serve(stream, &files)));
            }
        });
        Ok(Self { port, files })
    }

    /// Address of the page.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}{BASE}", self.port)
    }

    /// The host alone, as a proxy is named.
    pub fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// Returns the requests so far as they were made: a path, or a whole address where this is taken for a proxy.
    pub fn heard(&self) -> Vec<String> {
        self.files()
            .map(|files| files.heard.clone())
            .unwrap_or_default()
    }

    fn files(&self) -> Result<MutexGuard<'_, Files>> {
        self.files.lock().map_err(|_| anyhow!("the host is gone"))
    }

    /// Answers nothing any more.
    pub fn stop(&self) -> Result<()> {
        self.files()?.gone = true;
        Ok(())
    }

    /// Serves another folder.
    pub fn change(&self, folder: PathBuf) -> Result<()> {
        self.files()?.folder = folder;
        Ok(())
    }

    /// From now on something is wrong with the files whose path has all these words.
    pub fn spoil(&self, words: &'static str, fault: Fault) -> Result<()> {
        self.files()?.faults.push((words, fault));
        Ok(())
    }

    /// From now on nothing is wrong.
    pub fn heal(&self) -> Result<()> {
        self.files()?.faults.clear();
        Ok(())
    }
}

/// Address of the page: what PACKSCOPE_URL names, or the built one, of a host that all tests share.
pub(crate) fn page_url() -> Result<String> {
    static SHARED: OnceLock<Result<Host>> = OnceLock::new();
    if let Ok(url) = std::env::var("PACKSCOPE_URL") {
        return Ok(url);
    }
    let host = SHARED.get_or_init(|| Host::start(dist(), true)).as_ref();
    Ok(host.map_err(|error| anyhow!("no host: {error}"))?.url())
}

/// Answers what is asked on a connection, one after the other, until nothing more is.
fn serve(mut stream: TcpStream, files: &Mutex<Files>) -> Result<()> {
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream.try_clone()?);
    loop {
        let (mut line, mut header) = (String::new(), String::new());
        if reader.read_line(&mut line)? == 0 {
            return Ok(());
        }
        while reader.read_line(&mut header)? > 2 {
            header.clear();
        }
        let Some(answer) = answer(line.split(' ').nth(1).unwrap_or_default(), files)? else {
            return Ok(());
        };
        stream.write_all(&answer)?;
    }
}

/// The answer to what was asked for; nothing from a host that is gone.
fn answer(asked: &str, files: &Mutex<Files>) -> Result<Option<Vec<u8>>> {
    let path = asked.split('?').next().unwrap_or_default();
    let name = path
        .strip_prefix(BASE)
        .filter(|name| !name.contains(".."))
        .unwrap_or("none");
    let name = if name.is_empty() { "index.html" } else { name };
    let (file, gone, keeps, fault) = {
        let mut files = files.lock().map_err(|_| anyhow!("the host is gone"))?;
        files.heard.push(asked.to_owned());
        let fault = files
            .faults
            .iter()
            .find(|(words, _)| words.split(' ').all(|word| name.contains(word)));
        (
            files.folder.join(name),
            files.gone,
            files.keeps,
            fault.map(|(_, fault)| fault.clone()),
        )
    };
    let contents = match (gone, fault) {
        // What is gone says nothing at all.
        (true, _) => return Ok(None),
        (_, Some(Fault::Never)) => loop {
            std::thread::park();
        },
        (_, Some(Fault::Instead(contents))) => Some(contents),
        (_, Some(Fault::Gone)) => None,
        (_, Some(Fault::Cut)) => {
            Some(std::fs::read(&file).map(|all| all[..all.len() / 2].to_vec())?)
        }
        (_, None) => std::fs::read(&file).ok(),
    };
    let kept = if keeps && is_named_by_contents(name) {
        "max-age=31536000, immutable"
    } else {
        "no-store"
    };
    let (status, contents) = contents.map_or(("404 Not Found", Vec::new()), |contents| {
        ("200 OK", contents)
    });
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {}\r\nContent-Length: {}\r\nCache-Control: {kept}\r\n\r\n",
        kind(&file),
        contents.len()
    );
    Ok(Some([head.into_bytes(), contents].concat()))
}

/// Whether a part of the name is a hash of what is in it.
fn is_named_by_contents(name: &str) -> bool {
    name.split(['-', '.', '/'])
        .any(|part| part.len() >= 12 && part.bytes().all(|b| b.is_ascii_hexdigit()))
}

fn kind(file: &Path) -> &'static str {
    match file.extension().and_then(|e| e.to_str()) {
        Some("html") => "text/html",
        Some("js") => "text/javascript",
        Some("wasm") => "application/wasm",
        Some("css") => "text/css",
        Some("svg") => "image/svg+xml",
        Some("csv") => "text/csv",
        Some("webmanifest") => "application/manifest+json",
        _ => "text/plain",
    }
}

/// Copies a folder.
pub fn copy(from: &Path, to: &Path) -> Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let path = entry?.path();
        let into = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            copy(&path, &into)?
        } else {
            std::fs::copy(&path, into).map(drop)?
        }
    }
    Ok(())
}

/// How a Content-Security-Policy names an inline script, without its quotes and `sha256-`.
pub fn script_hash(script: &str) -> String {
    BASE64_STANDARD.encode(Sha256::digest(script))
}
