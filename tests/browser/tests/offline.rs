//! Without a connection: the page works after the first visit, and an update strands no page that is open.

#![allow(
    clippy::disallowed_methods,
    reason = "a host of its own; the engine's ban on threads is not a test's"
)]

use anyhow::{Context, Result, ensure};
use packscope_browser_tests::Page;
use serde_json::json;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// A host that can be taken away, and given another version of the page.
struct Host {
    port: u16,
    folder: Arc<Mutex<PathBuf>>,
    gone: Arc<AtomicBool>,
}

impl Host {
    fn new(folder: PathBuf) -> Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let port = listener.local_addr()?.port();
        let (folder, gone) = (Arc::new(Mutex::new(folder)), Arc::new(AtomicBool::new(false)));
        let (files, stopped) = (Arc::clone(&folder), Arc::clone(&gone));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                // What is gone says nothing at all.
                if !stopped.load(Ordering::SeqCst)
                    && let Ok(folder) = files.lock()
                {
                    let _ = serve(stream, &folder);
                }
            }
        });
        Ok(Self { port, folder, gone })
    }

    fn url(&self) -> String {
        format!("http://127.0.0.1:{}/under/any/path/", self.port)
    }

    fn stop(&self) {
        self.gone.store(true, Ordering::SeqCst);
    }
}

fn serve(mut stream: TcpStream, folder: &Path) -> Result<()> {
    let mut line = String::new();
    let mut reader = BufReader::new(stream.try_clone()?);
    reader.read_line(&mut line)?;
    let mut header = String::new();
    while reader.read_line(&mut header)? > 2 {
        header.clear();
    }
    let path = line.split(' ').nth(1).unwrap_or_default().split('?').next().unwrap_or_default();
    let name = path.strip_prefix("/under/any/path/").unwrap_or("none");
    let file = folder.join(if name.is_empty() { "index.html" } else { name });
    let Ok(contents) = std::fs::read(&file) else {
        write!(stream, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")?;
        return Ok(());
    };
    let kind = match file.extension().and_then(|e| e.to_str()) {
        Some("html") => "text/html",
        Some("js") => "text/javascript",
        Some("wasm") => "application/wasm",
        Some("css") => "text/css",
        Some("svg") => "image/svg+xml",
        _ => "text/plain",
    };
    let length = contents.len();
    write!(
        stream,
        "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    )?;
    Ok(stream.write_all(&contents)?)
}

fn dist() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../dist")
}

/// Waits until the service worker keeps the page.
async fn kept(page: &Page, versions: usize) -> Result<()> {
    let script = "const [versions, done] = arguments; (async () => { \
        for (let i = 0; i < 300; i++) { \
            const names = (await caches.keys()).filter((n) => n.startsWith('packscope-')); \
            const registration = await navigator.serviceWorker.getRegistration(); \
            if (names.length >= versions && registration?.active && !registration.installing && !registration.waiting \
                && navigator.serviceWorker.controller) return done(true); \
            await new Promise((r) => setTimeout(r, 100)); \
        } \
        done(false); })()";
    let done = page.client.execute_async(script, vec![json!(versions)]).await?;
    ensure!(done == json!(true), "the page was not kept");
    Ok(())
}

#[tokio::test]
async fn the_page_works_without_a_connection_after_the_first_visit() -> Result<()> {
    let host = Host::new(dist())?;
    let page = Page::open_at(host.url(), "data=squad_1_1_bert_384&depth=3", 1440).await?;
    let packs = page.figure("packs").await?;
    kept(&page, 1).await?;
    host.stop();
    page.go("data=squad_1_1_bert_384&depth=3").await?;
    assert_eq!(page.figure("packs").await?, packs);
    // Views, data and solvers that were never looked at before.
    page.go("view=graphs&data=ogbg_molhiv").await?;
    page.shown("[data-figure=packs]").await?;
    page.go("view=learn&chapter=bounds").await?;
    page.shown("article[data-chapter=bounds]").await?;
    page.go("data=glue_cola&algorithm=optimal").await?;
    page.shown("[data-figure=packs]").await?;
    page.client.close().await?;
    Ok(())
}

#[tokio::test]
async fn an_update_strands_no_open_page() -> Result<()> {
    let temp = std::env::temp_dir().join(format!("packscope-update-{}", std::process::id()));
    copy(&dist(), &temp)?;
    let host = Host::new(dist())?;
    let page = Page::open_at(host.url(), "data=glue_cola", 1440).await?;
    kept(&page, 1).await?;
    // Another version: every folder with another name, as every change makes it.
    rename(&temp)?;
    *host.folder.lock().map_err(|_| anyhow::anyhow!("the host is gone"))? = temp.clone();
    page.client
        .execute(
            "return navigator.serviceWorker.getRegistration().then((r) => r.update()).then(() => 0)",
            vec![],
        )
        .await?;
    kept(&page, 2).await?;
    // The old page goes on, with parts that it had not loaded yet and the host has no more.
    page.key("4").await?;
    page.shown("article[data-chapter]").await?;
    // Loaded anew, it is the new one.
    page.go("data=glue_cola").await?;
    let app = page.eval("document.documentElement.dataset.app").await?;
    ensure!(
        app.as_str().is_some_and(|name| name.starts_with("app-0123456789abcdef")),
        "still the old page: {app}"
    );
    page.client.close().await?;
    Ok(std::fs::remove_dir_all(temp)?)
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let path = entry?.path();
        let into = to.join(path.file_name().context("no name")?);
        if path.is_dir() { copy(&path, &into)? } else { std::fs::copy(&path, into).map(drop)? }
    }
    Ok(())
}

/// Gives every folder of programs another name, in the page and in the list of its service worker.
fn rename(folder: &Path) -> Result<()> {
    let mut texts = ["index.html", "sw.js"].map(|name| (name, String::new()));
    for (name, text) in &mut texts {
        *text = std::fs::read_to_string(folder.join(&name))?;
    }
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let old = path.file_name().and_then(|n| n.to_str()).context("no name")?.to_owned();
        let Some((stem, hash)) = old.rsplit_once('-').filter(|(_, hash)| path.is_dir() && hash.len() == 16)
        else {
            continue;
        };
        let new = format!("{stem}-0123456789abcdef");
        ensure!(hash != "0123456789abcdef", "renamed twice");
        std::fs::rename(&path, folder.join(&new))?;
        for (_, text) in &mut texts {
            *text = text.replace(&old, &new);
        }
    }
    for (name, text) in &mut texts {
        // A version of its own.
        let text = text.replace("const VERSION = \"packscope-", "const VERSION = \"packscope-other-");
        std::fs::write(folder.join(name), text)?;
    }
    Ok(())
}
