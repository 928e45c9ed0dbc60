//! A static server as plain as any host the page will be put on.

use anyhow::{Context, Result};
use axum::Router;
use axum::http::{HeaderValue, header};
use std::net::TcpListener;
use std::path::PathBuf;
use tower_http::services::ServeDir;
use tower_http::set_header::SetResponseHeaderLayer;

/// Serves a folder under a path, in a thread of its own, until the program ends.
pub struct Server {
    port: u16,
    base: String,
}

impl Server {
    /// Serves `folder` under `base` (which ends in `/`); port 0 takes a free one.
    pub fn start(folder: PathBuf, base: &str, port: u16) -> Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", port))
            .with_context(|| format!("cannot listen on port {port}; try another port"))?;
        let port = listener.local_addr()?.port();
        listener.set_nonblocking(true)?;
        let files = ServeDir::new(folder);
        let router = match base.trim_end_matches('/') {
            "" => Router::new().fallback_service(files),
            base => Router::new().nest_service(base, files),
        };
        // What is built again is there after the next reload.
        let fresh = HeaderValue::from_static("no-cache");
        let router = router.layer(SetResponseHeaderLayer::overriding(header::CACHE_CONTROL, fresh));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        std::thread::spawn(move || {
            runtime
                .block_on(async { axum::serve(tokio::net::TcpListener::from_std(listener)?, router).await })
        });
        Ok(Self { port, base: base.to_owned() })
    }

    /// Address of the page.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}{}", self.port, self.base)
    }
}

#[cfg(test)]
mod tests {
    use super::Server;
    use std::io::{BufRead, BufReader, Read, Write};
    use std::net::TcpStream;
    use std::path::Path;
    use std::time::Duration;

    /// Asks on an open connection; returns the status and the length of what comes back.
    fn ask(connection: &mut BufReader<TcpStream>, path: &str) -> (u16, usize) {
        let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n");
        connection.get_mut().write_all(request.as_bytes()).unwrap();
        let (mut line, mut length) = (String::new(), 0);
        connection.read_line(&mut line).unwrap();
        let status = line.split(' ').nth(1).unwrap().parse().unwrap();
        while line != "\r\n" {
            line.clear();
            connection.read_line(&mut line).unwrap();
            if let Some((name, value)) = line.split_once(": ")
                && name.eq_ignore_ascii_case("content-length")
            {
                length = value.trim().parse().unwrap();
            }
        }
        let mut body = vec![0; length];
        connection.read_exact(&mut body).unwrap();
        (status, length)
    }

    fn connect(server: &Server) -> BufReader<TcpStream> {
        let connection = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
        connection.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        BufReader::new(connection)
    }

    #[test]
    fn only_files_inside_the_folder_are_served() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let manifest = std::fs::read(folder.join("Cargo.toml")).unwrap().len();
        for base in ["/", "/a/base/"] {
            let server = Server::start(folder.to_owned(), base, 0).unwrap();
            let mut connection = connect(&server);
            assert_eq!(ask(&mut connection, &format!("{base}Cargo.toml?v=1")), (200, manifest));
            for path in ["../Cargo.toml", "%2e%2e/Cargo.toml", "src/none.rs", "/etc/passwd"] {
                assert_eq!(ask(&mut connection, &format!("{base}{path}")).0, 404, "{base}{path}");
            }
        }
        let server = Server::start(folder.to_owned(), "/a/base/", 0).unwrap();
        assert_eq!(ask(&mut connect(&server), "/Cargo.toml").0, 404);
    }

    /// Firefox opens six connections at once and keeps them: none may wait for another to end.
    #[test]
    fn connections_that_stay_open_keep_no_other_waiting() {
        let server = Server::start(Path::new(env!("CARGO_MANIFEST_DIR")).to_owned(), "/", 0).unwrap();
        let mut open: Vec<_> = (0..40).map(|_| connect(&server)).collect();
        for _ in 0..3 {
            for connection in &mut open {
                assert_eq!(ask(connection, "/Cargo.toml").0, 200);
            }
        }
    }
}
