//! Serves the page with its data to this machine alone: 127.0.0.1, under a path that nobody can guess.
//!
//! Other pages that are open in the same browser can send requests to any port of this machine. They do not know the path,
//! and one whose name was made to mean this machine (DNS rebinding) is told by the name that it asks for.

use super::page::Page;
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use packscope::error::{Error, Result};
use std::convert::Infallible;
use std::fmt::Write;
use std::future::ready;
use std::io::ErrorKind;
use std::net::TcpListener;
use std::sync::Arc;
use tokio::runtime::Builder;

/// The headers of every answer: nothing is kept, and types are what they are said to be.
const ALWAYS: [(HeaderName, &str); 3] = [
    (header::CACHE_CONTROL, "no-store"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
];
const CSV: &str = "text/csv; charset=utf-8";
const TEXT: &str = "text/plain; charset=utf-8";

/// The page and one file of data, under a secret path.
pub struct Site {
    listener: TcpListener,
    served: Served,
}

struct Served {
    page: Page,
    /// The path of the data from the page's folder, and their text.
    data: (String, Bytes),
    /// The folder of the page: `/` and 32 hexadecimal digits and `/`.
    folder: String,
    port: u16,
}

/// The answer to a request.
struct Answer {
    status: StatusCode,
    media_type: &'static str,
    is_packed: bool,
    body: Bytes,
}

impl Answer {
    fn refusal(status: StatusCode, why: &'static str) -> Self {
        Self {
            status,
            media_type: TEXT,
            is_packed: false,
            body: Bytes::from_static(why.as_bytes()),
        }
    }
}

impl Site {
    /// Listens on 127.0.0.1 at a port, or at a free one for 0. `data` is a path from the page's folder, with a table.
    ///
    /// # Errors
    /// [`Error::Input`] if the port is taken, or the system has no random numbers.
    pub fn new(page: Page, (path, table): (String, String), port: u16) -> Result<Self> {
        let failed = |message: String| Error::Input {
            place: format!("127.0.0.1:{port}"),
            message,
        };
        let bound = TcpListener::bind(("127.0.0.1", port)).and_then(|listener| {
            // For the runtime, which waits for several at once.
            listener.set_nonblocking(true)?;
            Ok((listener.local_addr()?.port(), listener))
        });
        let (bound_port, listener) = bound.map_err(|error| {
            failed(format!(
                "cannot listen there ({error}); expected a port that is free (--port)"
            ))
        })?;
        let mut secret = [0; 16];
        getrandom::fill(&mut secret)
            .map_err(|error| failed(format!("no random numbers for the address: {error}")))?;
        let mut folder = String::from("/");
        for byte in secret {
            // Writing into a string cannot fail.
            let _ = write!(folder, "{byte:02x}");
        }
        folder.push('/');
        let served = Served {
            page,
            data: (path, table.into()),
            folder,
            port: bound_port,
        };
        Ok(Self { listener, served })
    }

    /// Returns the address of the page.
    pub fn url(&self) -> String {
        format!(
            "http://127.0.0.1:{}{}",
            self.served.port, self.served.folder
        )
    }

    /// Answers requests until the program is ended, on one thread: all that is served is in memory.
    ///
    /// # Errors
    /// [`Error::Input`] if the system refuses what a server needs.
    pub fn serve(self) -> Result<()> {
        let place = format!("127.0.0.1:{}", self.served.port);
        let served = Arc::new(self.served);
        let listen = async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            loop {
                let stream = match listener.accept().await {
                    Ok((stream, _)) => stream,
                    // A browser that went away before it was heard.
                    Err(error) if error.kind() == ErrorKind::ConnectionAborted => continue,
                    Err(error) => return Err(error),
                };
                let served = Arc::clone(&served);
                let answer =
                    service_fn(move |asked| ready(Ok::<_, Infallible>(served.respond(&asked))));
                let connection =
                    http1::Builder::new().serve_connection(TokioIo::new(stream), answer);
                // Its outcome is the browser's alone.
                drop(tokio::spawn(connection));
            }
        };
        let runtime = Builder::new_current_thread().enable_io().build();
        let ended = runtime.and_then(|runtime| runtime.block_on(listen));
        ended.map_err(|error| Error::Input {
            place,
            message: error.to_string(),
        })
    }
}

impl Served {
    fn respond(&self, asked: &Request<Incoming>) -> Response<Full<Bytes>> {
        let header = |name| {
            let value = asked.headers().get(name);
            value
                .and_then(|value: &HeaderValue| value.to_str().ok())
                .unwrap_or_default()
        };
        let answer = self.answer(
            asked.method(),
            asked.uri().path(),
            header(header::HOST),
            header(header::ACCEPT_ENCODING).contains("gzip"),
        );
        let mut response = Response::new(Full::new(answer.body));
        *response.status_mut() = answer.status;
        let packed = answer
            .is_packed
            .then_some((header::CONTENT_ENCODING, "gzip"));
        let headers = ALWAYS
            .into_iter()
            .chain([(header::CONTENT_TYPE, answer.media_type)])
            .chain(packed);
        response
            .headers_mut()
            .extend(headers.map(|(name, value)| (name, HeaderValue::from_static(value))));
        response
    }

    fn answer(&self, method: &Method, path: &str, host: &str, takes_gzip: bool) -> Answer {
        let hosts = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{}", self.port));
        if !hosts.iter().any(|own| own == host) {
            return Answer::refusal(
                StatusCode::FORBIDDEN,
                "this address is of one machine alone\n",
            );
        }
        let Some(path) = path.strip_prefix(&self.folder) else {
            return Answer::refusal(StatusCode::NOT_FOUND, "there is nothing here\n");
        };
        if !matches!(*method, Method::GET | Method::HEAD) {
            return Answer::refusal(StatusCode::METHOD_NOT_ALLOWED, "this can only be read\n");
        }
        let (body, is_packed, media_type) = if path == self.data.0 {
            (self.data.1.clone(), false, CSV)
        } else if let Some(file) = self.page.find(path) {
            let (body, is_packed) = file.contents(takes_gzip);
            (body, is_packed, file.media_type())
        } else {
            return Answer::refusal(StatusCode::NOT_FOUND, "the page has no such file\n");
        };
        Answer {
            status: StatusCode::OK,
            media_type,
            is_packed,
            body,
        }
    }
}
