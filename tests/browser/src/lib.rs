//! A page in a real browser, as tests use it: found by names that people read and by the names of
//! figures, never by CSS class. `cargo xtask browser` starts what is needed and sets the variables.
#![allow(
    clippy::disallowed_methods,
    reason = "tests of the page wait; the engine's ban on clocks is not theirs"
)]

mod driven;
mod figures;
mod host;
mod pointer;

pub use figures::{ASKED, SAMPLERS, SAVED};
pub use host::{Fault, Host, UNKEPT, copy, dist, script_hash};
pub use pointer::Place;

use anyhow::{Context, Result, bail};
use driven::Session;
use fantoccini::elements::Element;
use fantoccini::error::{CmdError, ErrorStatus};
use fantoccini::key::Key;
use fantoccini::{Client, Locator};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::path::Path;
use std::time::{Duration, Instant};

/// How long a page may take before a test gives up: much longer than it takes where nothing else is running.
const PATIENCE: Duration = Duration::from_secs(120);

/// How often the page goes on drawing until all that it had heard before is drawn.
const TURNS: i64 = 40;

/// How long something has to stay as it is to be at rest.
const REST: Duration = Duration::from_secs(1);

/// A variable that `cargo xtask browser` sets.
///
/// # Errors
/// When it is not set.
pub fn from(name: &str) -> Result<String> {
    std::env::var(name).with_context(|| format!("{name} is not set: use `cargo xtask browser`"))
}

/// An open page.
pub struct Page {
    /// The browser.
    pub client: Client,
    /// Ends the browser with the test, also where the test fails.
    session: Session,
    url: String,
}

impl Page {
    /// Opens the page with a hash (without `#`) in a window so wide.
    ///
    /// # Errors
    /// When the browser cannot be driven, or the variables are not set.
    pub async fn open(hash: &str, width: u32) -> Result<Self> {
        Self::open_at(from("PACKSCOPE_URL")?, hash, width).await
    }

    /// The same of a page at another address than that of the tests.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub async fn open_at(url: String, hash: &str, width: u32) -> Result<Self> {
        Self::start(url, hash, width, &[]).await
    }

    /// The same in a Chromium with these switches.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub async fn open_with(hash: &str, width: u32, switches: &[&str]) -> Result<Self> {
        Self::start(from("PACKSCOPE_URL")?, hash, width, switches).await
    }

    async fn start(url: String, hash: &str, width: u32, switches: &[&str]) -> Result<Self> {
        let page = Self::begin(url, width, switches).await?;
        page.go(hash).await?;
        Ok(page)
    }

    /// A window in which nothing of the page was loaded yet.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub async fn blank(url: String, width: u32) -> Result<Self> {
        Self::begin(url, width, &[]).await
    }

    /// The same in a Chromium with these switches.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub async fn begin(url: String, width: u32, switches: &[&str]) -> Result<Self> {
        let (client, session) = driven::start(width, switches).await?;
        let page = Self { client, session, url };
        if page.is_chromium()? {
            page.before_each_load(driven::DRAWING).await?;
        }
        Ok(page)
    }

    /// Loads the page anew with this hash, as someone would who follows a link.
    ///
    /// # Errors
    /// When the page does not come to rest.
    pub async fn go(&self, hash: &str) -> Result<()> {
        self.visit(hash).await?;
        self.settled().await
    }

    /// As [`Self::go`], without waiting for the answer.
    ///
    /// # Errors
    /// When the page does not load.
    pub async fn visit(&self, hash: &str) -> Result<()> {
        self.client.goto("about:blank").await?;
        let hash = if hash.is_empty() { String::new() } else { format!("#{hash}") };
        self.client.goto(&format!("{}{hash}", self.url)).await?;
        if !self.is_chromium()? {
            self.client.execute(driven::DRAWING, vec![]).await?;
        }
        Ok(())
    }

    /// Waits until the page has drawn what it has heard so far: nothing is read of it, or done to it, before that. On a busy
    /// machine a sweep has always something new to draw; what was heard before is long drawn then.
    async fn drawn(&self) -> Result<()> {
        let mut first = None;
        loop {
            let turns = "return window.isDrawing?.() ? window.drawn : -1";
            let turns = self.client.execute(turns, vec![]).await?.as_i64().unwrap_or(-1);
            if turns < 0 || turns > *first.get_or_insert(turns) + TURNS {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// What is found, as soon as it is there.
    ///
    /// # Errors
    /// When it does not come.
    pub async fn find(&self, by: Locator<'_>) -> Result<Element> {
        let found = async || Ok(self.find_all(by).await?.into_iter().next());
        self.wait(found, || format!("{by:?} did not come")).await
    }

    /// All that is found now.
    ///
    /// # Errors
    /// When the browser does not answer.
    pub async fn find_all(&self, by: Locator<'_>) -> Result<Vec<Element>> {
        self.drawn().await?;
        Ok(self.client.find_all(by).await?)
    }

    /// What a script returns, which is given values as `arguments`.
    ///
    /// # Errors
    /// When it fails.
    pub async fn execute(&self, script: &str, arguments: Vec<Value>) -> Result<Value> {
        self.drawn().await?;
        Ok(self.client.execute(script, arguments).await?)
    }

    /// Waits until the answer on screen is about the present settings.
    ///
    /// # Errors
    /// When that takes too long.
    pub async fn settled(&self) -> Result<()> {
        self.shown("main[data-state=current]").await
    }

    /// Waits until the table is about the present settings too.
    ///
    /// # Errors
    /// When that takes too long.
    pub async fn compared(&self) -> Result<()> {
        self.settled().await?;
        self.shown("table[data-state=current]").await
    }

    /// Waits until something is on the page.
    ///
    /// # Errors
    /// When that takes too long.
    pub async fn shown(&self, selector: &str) -> Result<()> {
        self.until(selector, true).await
    }

    /// Waits until something is not on the page any more.
    ///
    /// # Errors
    /// When that takes too long.
    pub async fn gone(&self, selector: &str) -> Result<()> {
        self.until(selector, false).await
    }

    async fn until(&self, selector: &str, there: bool) -> Result<()> {
        let is = async || Ok((self.has(selector).await? == there).then_some(()));
        self.wait(is, || format!("{selector} did not {}", if there { "come" } else { "go" })).await
    }

    /// What is found as soon as it is; says `what` failed where that takes too long.
    async fn wait<T>(
        &self,
        find: impl AsyncFn() -> Result<Option<T>>,
        what: impl FnOnce() -> String,
    ) -> Result<T> {
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            if let Some(found) = find().await? {
                return Ok(found);
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        bail!("{} within {PATIENCE:?}", what())
    }

    /// Waits until this is true in the page.
    ///
    /// # Errors
    /// When that takes too long, or the script fails.
    pub async fn holds(&self, script: &str) -> Result<()> {
        let is = async || Ok((self.eval(script).await? == true).then_some(()));
        self.wait(is, || format!("{script} did not come true")).await
    }

    /// What a script says once it has said the same for a while.
    ///
    /// # Errors
    /// When it says something else again and again, or fails.
    pub async fn steady(&self, script: &str) -> Result<Value> {
        self.rests(async || self.eval(script).await, REST, script).await
    }

    /// What is found once it has stayed the same for so long; `named` says what did not, where it does not.
    async fn rests<T: PartialEq>(
        &self,
        find: impl AsyncFn() -> Result<T>,
        calm: Duration,
        named: &str,
    ) -> Result<T> {
        let before = RefCell::new(None::<(T, Instant)>);
        let still = async || {
            let now = find().await?;
            let mut before = before.borrow_mut();
            match &*before {
                Some((value, since)) if *value == now => Ok((since.elapsed() >= calm).then_some(now)),
                _ => {
                    *before = Some((now, Instant::now()));
                    Ok(None)
                }
            }
        };
        self.wait(still, || format!("{named} did not come to rest")).await
    }

    /// Whether something is on the page now.
    ///
    /// # Errors
    /// When the browser does not answer.
    pub async fn has(&self, selector: &str) -> Result<bool> {
        Ok(!self.find_all(Locator::Css(selector)).await?.is_empty())
    }

    /// Whether something is being waited for.
    ///
    /// # Errors
    /// When the browser does not answer.
    pub async fn is_waiting(&self) -> Result<bool> {
        self.has("[data-notice=waiting]").await
    }

    /// Waits until the address says something of the settings, and returns all it says, without `#`.
    ///
    /// # Errors
    /// When it does not come.
    pub async fn address(&self, part: &str) -> Result<String> {
        let last = RefCell::new(String::new());
        let found = async || {
            let value = self.eval("location.hash.slice(1)").await?;
            last.replace(value.as_str().unwrap_or_default().to_owned());
            Ok(last.borrow().contains(part).then(|| last.borrow().clone()))
        };
        self.wait(found, || format!("{part:?} did not come into the address, {},", last.borrow())).await
    }

    /// Waits for a text on the page.
    ///
    /// # Errors
    /// When it does not come.
    pub async fn text(&self, words: &str) -> Result<()> {
        let seen = RefCell::new(String::new());
        let found = async || {
            seen.replace(self.find(Locator::Css("body")).await?.text().await?);
            Ok(seen.borrow().contains(words).then_some(()))
        };
        self.wait(found, || format!("{words:?} did not come on the page, {},", seen.borrow())).await
    }

    /// The value of a slider or field.
    ///
    /// # Errors
    /// When there is none, or it has no number.
    pub async fn setting(&self, id: &str) -> Result<f64> {
        let value = self.eval(&format!("Number(document.getElementById('{id}').value)")).await?;
        value.as_f64().with_context(|| format!("{id} has no number"))
    }

    /// Types a value into a field with this label, in place of what stands there.
    ///
    /// # Errors
    /// When there is none.
    pub async fn fill(&self, label: &str, value: &str) -> Result<()> {
        let named = format!("@aria-label='{label}' or @id=//label[normalize-space()='{label}']/@for");
        let path = format!("//*[self::input or self::textarea][{named}]");
        let [control, released] = [Key::Control, Key::Null].map(char::from);
        let keys = format!("{control}a{released}{value}");
        Ok(self.find(Locator::XPath(&path)).await?.send_keys(&keys).await?)
    }

    /// Presses keys on a control, found by its label.
    ///
    /// # Errors
    /// When there is no such control.
    pub async fn press(&self, id: &str, keys: &str) -> Result<()> {
        Ok(self.find(Locator::Id(id)).await?.send_keys(keys).await?)
    }

    /// Presses a key that is not for a control.
    ///
    /// # Errors
    /// When the browser does not answer.
    pub async fn key(&self, key: &str) -> Result<()> {
        Ok(self.find(Locator::Css("body")).await?.send_keys(key).await?)
    }

    /// Presses a radio button or a checkbox.
    ///
    /// # Errors
    /// When there is none.
    pub async fn tick(&self, id: &str) -> Result<()> {
        Ok(self.find(Locator::Id(id)).await?.click().await?)
    }

    /// Whether a radio button or a checkbox is chosen.
    ///
    /// # Errors
    /// When there is none.
    pub async fn is_ticked(&self, id: &str) -> Result<bool> {
        Ok(self.find(Locator::Id(id)).await?.is_selected().await?)
    }

    /// Chooses an option of a list by its value.
    ///
    /// # Errors
    /// When there is none.
    pub async fn choose(&self, id: &str, value: &str) -> Result<()> {
        self.find(Locator::Id(id)).await?.select_by_value(value).await?;
        Ok(())
    }

    /// Presses a button by its words.
    ///
    /// # Errors
    /// When it does not come.
    pub async fn click(&self, words: &str) -> Result<()> {
        let path = format!("//*[self::button or self::label or self::summary][normalize-space()='{words}']");
        let pressed = async || {
            let Some(button) = self.find_all(Locator::XPath(&path)).await?.into_iter().next() else {
                return Ok(None);
            };
            match button.click().await {
                // It was drawn anew, or is under something that goes away.
                Err(e) if e.is_stale_element_reference() || is_covered(&e) => Ok(None),
                pressed => Ok(Some(pressed?)),
            }
        };
        self.wait(pressed, || format!("a button {words:?} did not come")).await
    }

    /// Drops a file on the page.
    ///
    /// # Errors
    /// When the browser refuses.
    pub async fn drop_file(&self, name: &str, contents: &str) -> Result<()> {
        self.drop_files(&[(name, contents.as_bytes())]).await
    }

    /// Drops files on the page together.
    ///
    /// # Errors
    /// When the browser refuses.
    pub async fn drop_files(&self, files: &[(&str, &[u8])]) -> Result<()> {
        let script = "const data = new DataTransfer();
            for (const [name, bytes] of arguments[0]) data.items.add(new File([new Uint8Array(bytes)], name));
            document.querySelector('main').dispatchEvent(
                new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));";
        self.execute(script, vec![json!(files)]).await?;
        Ok(())
    }

    /// A value computed in the page.
    ///
    /// # Errors
    /// When the script fails.
    pub async fn eval(&self, script: &str) -> Result<Value> {
        self.execute(&format!("return ({script})"), vec![]).await
    }

    /// Saves what is on screen as `target/screenshots/NAME.png`, for people to look at.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub async fn screenshot(&self, name: &str) -> Result<()> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/screenshots");
        std::fs::create_dir_all(&folder)?;
        Ok(std::fs::write(folder.join(format!("{name}.png")), self.client.screenshot().await?)?)
    }

    /// Ends the test: no error on the console, no request to another host, no sideways scrolling.
    ///
    /// # Errors
    /// Says which of these does not hold.
    pub async fn close(self) -> Result<()> {
        let wide = self.eval(WIDE).await?;
        let requests = self.eval("performance.getEntriesByType('resource').map(e => e.name)").await?;
        let log = self.console().await?;
        self.client.clone().close().await?;
        self.session.forget();
        let foreign = |r: &&Value| r.as_str().is_none_or(|name| !name.starts_with(&self.url));
        let foreign: Vec<_> = requests.as_array().into_iter().flatten().filter(foreign).collect();
        let grave = |e: &&Value| e["level"] == "SEVERE" || e["level"] == "WARNING";
        let errors: Vec<_> = log.iter().filter(grave).collect();
        if wide != json!([]) || !foreign.is_empty() || !errors.is_empty() {
            bail!("too wide: {wide}; foreign requests: {foreign:?}; console: {errors:?}");
        }
        Ok(())
    }
}

/// What makes the page wider than the window.
const WIDE: &str = "(() => {
    const { clientWidth, scrollWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const clips = e => e && (getComputedStyle(e).overflowX !== 'visible' || clips(e.parentElement));
    const out = [...document.querySelectorAll('body *')]
        .filter(e => e.getBoundingClientRect().right > clientWidth + 0.5 && !clips(e.parentElement));
    return [`${scrollWidth} of ${clientWidth} pixels`, ...out.map(e => e.outerHTML.slice(0, 200))];
})()";

/// Whether a press would have met something else.
fn is_covered(error: &CmdError) -> bool {
    matches!(error, CmdError::Standard(e) if e.error == ErrorStatus::ElementClickIntercepted)
}

/// A key that is pressed so many times, as text to be typed.
pub fn keys(key: Key, times: usize) -> String {
    String::from(char::from(key)).repeat(times)
}

/// Sequences and tokens of a built-in set of lengths, and what else there is of each length, added up.
pub fn counted(csv: &str, of: impl Fn(u64) -> u64) -> [u64; 3] {
    let number = |text: &str| text.parse::<u64>().ok();
    let entries =
        csv.lines().filter_map(|line| line.split_once(',').and_then(|(l, n)| Some((number(l)?, number(n)?))));
    entries.fold([0; 3], |sums, (l, n)| [sums[0] + n, sums[1] + l * n, sums[2] + of(l) * n])
}
