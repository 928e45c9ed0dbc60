//! The browser that is driven: Chromium, or Firefox, as the variable BROWSER says; and what only Chromium can be told.

use crate::{Page, from};
use anyhow::{Context, Result, bail};
use fantoccini::wd::WebDriverCompatibleCommand;
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Map, Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// Height of a window.
const HEIGHT: u32 = 900;

/// Runs before the page: says whether it has heard something that it is yet to draw, and how often it went on so far. Yew
/// draws for 16 ms at a time and goes on after a `setTimeout` of 0; what a driver asks in between is answered by what was
/// there before.
pub(crate) const DRAWING: &str = r"{
    const { setTimeout: later, clearTimeout: forget } = window;
    const turns = new Set();
    window.setTimeout = (what, wait, ...given) => {
        if (wait) return later(what, wait, ...given);
        const turn = later(() => { turns.delete(turn); what(...given); }, 0);
        turns.add(turn);
        window.drawn++;
        return turn;
    };
    window.clearTimeout = turn => { turns.delete(turn); forget(turn); };
    window.drawn = 0;
    window.isDrawing = () => turns.size > 0;
}";

/// A browser that was started; it ends with this value, so that a test that fails leaves nothing behind.
pub(crate) struct Session {
    id: Option<String>,
    driver: String,
}

impl Session {
    /// The browser was closed.
    pub(crate) fn forget(mut self) {
        self.id = None;
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let Some(id) = self.id.take() else { return };
        let host = self.driver.trim_start_matches("http://");
        // The runtime of the test may be gone: the driver is told in plain words. Nothing depends on whether it listens.
        let _ = TcpStream::connect(host).and_then(|mut stream| {
            stream.set_read_timeout(Some(Duration::from_secs(5)))?;
            write!(stream, "DELETE /session/{id} HTTP/1.1\r\nHost: {host}\r\nContent-Length: 0\r\n\r\n")?;
            stream.read(&mut [0; 64])
        });
    }
}

/// Starts the browser with a window so wide, and Chromium with more switches.
pub(crate) async fn start(width: u32, more: &[&str]) -> Result<(Client, Session)> {
    let program = from("BROWSER_PROGRAM")?;
    let mut capabilities = match from("BROWSER")?.as_str() {
        "firefox" => firefox(&program, width),
        _ => chromium(&program, width, more),
    };
    // A script may be a hundred moves of a hand.
    capabilities.insert("timeouts".to_owned(), json!({ "script": 300_000 }));
    let driver = from("WEBDRIVER_URL")?;
    let client = ClientBuilder::new(HttpConnector::new()).capabilities(capabilities).connect(&driver).await?;
    let id = client.session_id().await?;
    Ok((client, Session { id, driver }))
}

fn chromium(program: &str, width: u32, more: &[&str]) -> Map<String, Value> {
    let mut args = vec!["--headless", "--disable-gpu", "--disable-quic", "--no-first-run"];
    args.extend(["--disable-background-networking", "--disable-component-update", "--disable-sync"]);
    // Without a window, and often as root in a container, there is no sandbox to be had.
    args.push("--no-sandbox");
    let size = format!("--window-size={width},{HEIGHT}");
    args.push(&size);
    args.extend(more);
    let options = json!({ "binary": program, "args": args });
    let logs = json!({ "browser": "ALL" });
    Map::from_iter([("goog:chromeOptions".to_owned(), options), ("goog:loggingPrefs".to_owned(), logs)])
}

fn firefox(program: &str, width: u32) -> Map<String, Value> {
    let size = [format!("--width={width}"), format!("--height={HEIGHT}")];
    let args = ["-headless", &size[0], &size[1]];
    Map::from_iter([("moz:firefoxOptions".to_owned(), json!({ "binary": program, "args": args }))])
}

impl Page {
    /// Whether it is Chromium, which has more to tell and can be told more.
    ///
    /// # Errors
    /// When the variable is not set.
    pub fn is_chromium(&self) -> Result<bool> {
        Ok(from("BROWSER")? == "chromium")
    }

    /// Runs a script in every page that is loaded from now on, before anything of the page.
    ///
    /// # Errors
    /// When the browser refuses.
    pub async fn before_each_load(&self, script: &str) -> Result<()> {
        self.devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": script })).await.map(drop)
    }

    /// Gives the page a size, also a smaller one than any window has.
    ///
    /// # Errors
    /// When the browser refuses.
    pub async fn resize(&self, width: u32, height: u32) -> Result<()> {
        self.screen(width, height, 0.0).await
    }

    /// The same on a screen with so many pixels for each of the style sheet; 0 for those it has.
    ///
    /// # Errors
    /// When the browser refuses.
    pub async fn screen(&self, width: u32, height: u32, scale: f64) -> Result<()> {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": scale, "mobile": false });
        self.devtools("Emulation.setDeviceMetricsOverride", size).await.map(drop)
    }

    /// Makes the visitor one who prefers dark pages, or light ones.
    ///
    /// # Errors
    /// When the browser refuses.
    pub async fn prefer(&self, scheme: &str) -> Result<()> {
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.devtools("Emulation.setEmulatedMedia", json!({ "features": features })).await.map(drop)
    }

    /// What the console says that it has not said before; nothing where the browser does not tell.
    ///
    /// # Errors
    /// When the browser does not answer.
    pub async fn console(&self) -> Result<Vec<Value>> {
        if !self.is_chromium()? {
            return Ok(Vec::new());
        }
        let ask = Chromedriver { path: "se/log", body: json!({ "type": "browser" }) };
        let log = self.client.issue_cmd(ask).await?;
        Ok(log.as_array().cloned().unwrap_or_default())
    }

    /// A command of the developer tools of Chromium, and what it answers.
    ///
    /// # Errors
    /// When the browser refuses, or is another one.
    pub async fn devtools(&self, command: &str, params: Value) -> Result<Value> {
        if !self.is_chromium()? {
            bail!("{command} is for Chromium");
        }
        let body = json!({ "cmd": command, "params": params });
        let told = self.client.issue_cmd(Chromedriver { path: "goog/cdp/execute", body }).await;
        told.with_context(|| command.to_owned())
    }
}

/// A command of chromedriver's own.
#[derive(Debug)]
struct Chromedriver {
    path: &'static str,
    body: Value,
}

impl WebDriverCompatibleCommand for Chromedriver {
    fn endpoint(&self, base: &url::Url, session: Option<&str>) -> Result<url::Url, url::ParseError> {
        base.join(&format!("session/{}/{}", session.unwrap_or_default(), self.path))
    }

    fn method_and_body(&self, _: &url::Url) -> (http::Method, Option<String>) {
        (http::Method::POST, Some(self.body.to_string()))
    }
}
