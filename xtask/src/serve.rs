//! A static server as plain as any host the page will be put on.

use anyhow::{Result, anyhow};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;
use tiny_http::{Header, Request, Response};

/// Serves a folder under a path.
pub struct Server {
    http: Arc<tiny_http::Server>,
    base: String,
    threads: Vec<JoinHandle<()>>,
}

impl Server {
    /// Serves `folder` under `base` (which ends in `/`); port 0 takes a free one.
    pub fn start(folder: PathBuf, base: &str, port: u16) -> Result<Self> {
        let http = tiny_http::Server::http(("127.0.0.1", port))
            .map_err(|e| anyhow!("cannot listen on port {port}: {e}; try another port"))?;
        let http = Arc::new(http);
        let threads = (0..4)
            .map(|_| {
                let (http, folder, base) = (Arc::clone(&http), folder.clone(), base.to_owned());
                std::thread::spawn(move || {
                    while let Ok(request) = http.recv() {
                        answer(request, &folder, &base);
                    }
                })
            })
            .collect();
        Ok(Self { http, base: base.to_owned(), threads })
    }

    /// Address of the page.
    pub fn url(&self) -> String {
        let port = self.http.server_addr().to_ip().map_or(0, |a| a.port());
        format!("http://127.0.0.1:{port}{}", self.base)
    }

    /// Serves until the process ends.
    pub fn wait(self) {
        for thread in self.threads {
            let _ = thread.join();
        }
    }
}

fn answer(request: Request, folder: &Path, base: &str) {
    let file = file_of(request.url(), folder, base);
    // Errors are of visitors who went away.
    let _ = match file.and_then(|file| Some((std::fs::File::open(&file).ok()?, file))) {
        Some((contents, file)) => {
            let kind = mime_guess::from_path(&file).first_or_octet_stream();
            let mut response = Response::from_file(contents);
            for (name, value) in [("Content-Type", kind.as_ref()), ("Cache-Control", "no-cache")] {
                if let Ok(header) = Header::from_bytes(name, value) {
                    response.add_header(header);
                }
            }
            request.respond(response)
        }
        None => request.respond(Response::from_string("not found").with_status_code(404)),
    };
}

/// The file of an address; nothing outside the folder.
fn file_of(url: &str, folder: &Path, base: &str) -> Option<PathBuf> {
    let path = url.split(['?', '#']).next()?.strip_prefix(base)?;
    let path = Path::new(if path.is_empty() { "index.html" } else { path });
    let inside = path.components().all(|c| matches!(c, Component::Normal(_)));
    let file = folder.join(path);
    (inside && file.is_file()).then_some(file)
}
