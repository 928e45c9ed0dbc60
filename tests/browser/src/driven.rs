//! The browser that is driven: Chromium, or Firefox, as the variable BROWSER says; and what only Chromium can be told.

use crate::{Page, from};
use anyhow::{Context, Result, anyhow, bail};
use fantoccini::wd::{WebDriverCompatibleCommand, WindowHandle};
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Map, Value, json};
use std::sync::{LazyLock, Mutex};
use tokio::runtime::Runtime;

/// Height of a window.
const HEIGHT: u32 = 900;

/// Runs before the page: loads, lays out and paints what is out of view too. A driver takes for hidden what the browser skips
/// there, and so do `innerText` and axe; people, finding and Tab come to it all the same, which `everyone::unseen` tests.
pub(crate) const ALL_LAID_OUT: &str = r"{
    const all = new CSSStyleSheet();
    all.replaceSync(`* { content-visibility: visible !important }
        [data-far] { position: fixed; top: 0; }`);
    document.adoptedStyleSheets = [all];
}";

/// Runs before the page, after [`ALL_LAID_OUT`], which it takes back.
pub(crate) const AS_IT_IS: &str = "document.adoptedStyleSheets = [];";

/// Where browsers are spoken to: the runtime of a test ends with it, and browsers go on to the next.
static RUNTIME: LazyLock<Result<Runtime, std::io::Error>> = LazyLock::new(|| {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
});

/// Browsers that no test uses now. One comes back when its test has passed; where it has failed, it is ended.
static IDLE: Mutex<Vec<Browser>> = Mutex::new(Vec::new());

/// A browser that was started. It ends when nobody has its client any more, so that a test that fails leaves nothing behind.
pub(crate) struct Browser {
    pub(crate) client: Client,
    /// The window that keeps it open from test to test; none where it is for one test alone.
    home: Option<WindowHandle>,
}

impl Browser {
    /// A window so wide in a browser that nothing of another test is in. Whoever wants switches has a browser alone, and so
    /// has each test in Firefox, of which one window is not closed from another.
    pub(crate) async fn take(width: u32, switches: &[&str]) -> Result<Self> {
        if !switches.is_empty() || from("BROWSER")? != "chromium" {
            return Self::start(width, switches).await;
        }
        let idle = IDLE.lock().ok().and_then(|mut idle| idle.pop());
        let mut browser = match idle {
            Some(browser) => browser,
            None => Self::start(width, &[]).await?,
        };
        let client = &browser.client;
        if browser.home.is_none() {
            browser.home = Some(client.window().await?);
        }
        let own = client.new_window(true).await?.handle;
        client.switch_to_window(own).await?;
        client.set_window_size(width, HEIGHT).await?;
        // What windows that are closed by now had to say last.
        log(client).await?;
        Ok(browser)
    }

    /// Starts the browser with a window so wide, and Chromium with more switches.
    async fn start(width: u32, more: &[&str]) -> Result<Self> {
        let program = from("BROWSER_PROGRAM")?;
        let mut capabilities = match from("BROWSER")?.as_str() {
            "firefox" => firefox(&program, width),
            _ => chromium(&program, width, more),
        };
        // A script may be a hundred moves of a hand, on a busy machine, and a page may take as long to load.
        let long = 3_600_000;
        capabilities.insert(
            "timeouts".to_owned(),
            json!({ "script": long, "pageLoad": long }),
        );
        let driver = from("WEBDRIVER_URL")?;
        let connect = async move {
            ClientBuilder::new(HttpConnector::new())
                .capabilities(capabilities)
                .connect(&driver)
                .await
        };
        let runtime = RUNTIME
            .as_ref()
            .map_err(|error| anyhow!("no runtime: {error}"))?;
        Ok(Self {
            client: runtime.spawn(connect).await??,
            home: None,
        })
    }

    /// Closes the window, and all that its page has stored; the browser is there for the next test.
    pub(crate) async fn give_back(self, url: &str) -> Result<()> {
        let Some(home) = self.home.clone() else {
            return Ok(self.client.close().await?);
        };
        self.client.close_window().await?;
        self.client.switch_to_window(home).await?;
        let origin = url::Url::parse(url)?.origin().ascii_serialization();
        let stored = json!({ "origin": origin, "storageTypes": "all" });
        devtools(&self.client, "Storage.clearDataForOrigin", stored).await?;
        IDLE.lock().map_err(|_| anyhow!("no browsers"))?.push(self);
        Ok(())
    }
}

fn chromium(program: &str, width: u32, more: &[&str]) -> Map<String, Value> {
    let mut args = vec![
        "--headless",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
    ];
    args.extend([
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
    ]);
    // Its own tabs appear and go at once: their animation takes longer to draw than some pages.
    args.push("--animation-duration-scale=0");
    // What moves on the page would keep each test waiting; a test of the motion asks for it.
    args.push("--force-prefers-reduced-motion");
    // Without a window, and often as root in a container, there is no sandbox to be had.
    args.push("--no-sandbox");
    let size = format!("--window-size={width},{HEIGHT}");
    args.push(&size);
    args.extend(more);
    let options = json!({ "binary": program, "args": args });
    let logs = json!({ "browser": "ALL" });
    Map::from_iter([
        ("goog:chromeOptions".to_owned(), options),
        ("goog:loggingPrefs".to_owned(), logs),
    ])
}

fn firefox(program: &str, width: u32) -> Map<String, Value> {
    let size = [format!("--width={width}"), format!("--height={HEIGHT}")];
    let args = ["-headless", &size[0], &size[1]];
    Map::from_iter([(
        "moz:firefoxOptions".to_owned(),
        json!({ "binary": program, "args": args }),
    )])
}

impl Page {
    /// Whether it is Chromium, which has more to tell and can be told more.
    pub fn is_chromium(&self) -> Result<bool> {
        Ok(from("BROWSER")? == "chromium")
    }

    /// Runs a script in every page that is loaded from now on, before anything of the page.
    pub async fn before_each_load(&self, script: &str) -> Result<()> {
        self.devtools(
            "Page.addScriptToEvaluateOnNewDocument",
            json!({ "source": script }),
        )
        .await
        .map(drop)
    }

    /// Gives the page a size, also a smaller one than any window has.
    pub async fn resize(&self, width: u32, height: u32) -> Result<()> {
        self.screen(width, height, 0.0).await
    }

    /// The same on a screen with so many pixels for each of the style sheet; 0 for those it has.
    pub async fn screen(&self, width: u32, height: u32, scale: f64) -> Result<()> {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": scale, "mobile": false });
        self.devtools("Emulation.setDeviceMetricsOverride", size)
            .await?;
        // Drawings follow with the next frame.
        self.eval("new Promise(next => requestAnimationFrame(() => requestAnimationFrame(next)))")
            .await
            .map(drop)
    }

    /// Makes the visitor one who prefers dark pages, or light ones.
    pub async fn prefer(&self, scheme: &str) -> Result<()> {
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.devtools(
            "Emulation.setEmulatedMedia",
            json!({ "features": features }),
        )
        .await
        .map(drop)
    }

    /// Has another tab in front of the page until it rests out of sight.
    pub async fn out_of_sight(&self) -> Result<()> {
        let (here, before) = (self.client.window().await?, self.client.windows().await?);
        self.eval("(window.open('about:blank'), 0)").await?;
        let there = self
            .client
            .windows()
            .await?
            .into_iter()
            .find(|window| !before.contains(window));
        self.client
            .switch_to_window(there.context("no other tab opened")?)
            .await?;
        // A driver that asks the page itself brings it to the front.
        self.holds("opener.document.hidden && !opener.document.documentElement.dataset.due")
            .await?;
        self.client.close_window().await?;
        Ok(self.client.switch_to_window(here).await?)
    }

    /// Returns the messages of the console since the last call; nothing where the browser does not tell.
    pub async fn console(&self) -> Result<Vec<Value>> {
        if !self.is_chromium()? {
            return Ok(Vec::new());
        }
        log(&self.client).await
    }

    /// A command of the developer tools of Chromium, and what it answers.
    pub async fn devtools(&self, command: &str, params: Value) -> Result<Value> {
        if !self.is_chromium()? {
            bail!("{command} is for Chromium");
        }
        devtools(&self.client, command, params).await
    }
}

async fn devtools(client: &Client, command: &str, params: Value) -> Result<Value> {
    let body = json!({ "cmd": command, "params": params });
    let told = client
        .issue_cmd(Chromedriver {
            path: "goog/cdp/execute",
            body,
        })
        .await;
    told.with_context(|| command.to_owned())
}

/// Returns the messages of the console since it was asked last.
async fn log(client: &Client) -> Result<Vec<Value>> {
    let ask = Chromedriver {
        path: "se/log",
        body: json!({ "type": "browser" }),
    };
    let log = client.issue_cmd(ask).await?;
    Ok(log.as_array().cloned().unwrap_or_default())
}

/// A command of chromedriver's own.
#[derive(Debug)]
struct Chromedriver {
    path: &'static str,
    body: Value,
}

impl WebDriverCompatibleCommand for Chromedriver {
    fn endpoint(
        &self,
        base: &url::Url,
        session: Option<&str>,
    ) -> Result<url::Url, url::ParseError> {
        base.join(&format!(
            "session/{}/{}",
            session.unwrap_or_default(),
            self.path
        ))
    }

    fn method_and_body(&self, _: &url::Url) -> (http::Method, Option<String>) {
        (http::Method::POST, Some(self.body.to_string()))
    }
}
