//! A static server as plain as any host the page will be put on.

use anyhow::{Result, anyhow};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use tiny_http::{Header, Request, Response};

/// Requests answered at the same time.
const THREADS: usize = 4;

/// Serves a folder under a path, in threads of its own.
pub struct Server {
    http: Arc<tiny_http::Server>,
    base: String,
}

impl Server {
    /// Serves `folder` under `base` (which ends in `/`); port 0 takes a free one.
    pub fn start(folder: PathBuf, base: &str, port: u16) -> Result<Self> {
        let http = tiny_http::Server::http(("127.0.0.1", port))
            .map_err(|e| anyhow!("cannot listen on port {port}: {e}; try another port"))?;
        let http = Arc::new(http);
        for _ in 0..THREADS {
            let (http, folder, base) = (Arc::clone(&http), folder.clone(), base.to_owned());
            std::thread::spawn(move || {
                while let Ok(request) = http.recv() {
                    answer(request, &folder, &base);
                }
            });
        }
        Ok(Self { http, base: base.to_owned() })
    }

    /// Address of the page.
    pub fn url(&self) -> String {
        let port = self.http.server_addr().to_ip().map_or(0, |a| a.port());
        format!("http://127.0.0.1:{port}{}", self.base)
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

#[cfg(test)]
mod tests {
    use super::file_of;
    use std::path::Path;

    #[test]
    fn only_files_inside_the_folder_are_served() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let at = |url| file_of(url, folder, "/base/");
        assert_eq!(at("/base/Cargo.toml?v=1"), Some(folder.join("Cargo.toml")));
        assert_eq!(at("/base/src/main.rs"), Some(folder.join("src/main.rs")));
        for url in ["/Cargo.toml", "/base/../Cargo.toml", "/base//etc/passwd", "/base/src", "/base/", ""] {
            assert_eq!(at(url), None, "{url}");
        }
    }
}
