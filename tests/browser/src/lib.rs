//! A page in a real browser, as tests use it: found by names that people read and by the names of
//! figures, never by CSS class. `cargo xtask browser` starts what is needed and sets the variables. Whatever is an error here
//! is a reason for a test to fail, and says what was looked for in vain.
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
use driven::Browser;
use fantoccini::elements::Element;
use fantoccini::error::{CmdError, ErrorStatus};
use fantoccini::key::Key;
use fantoccini::{Client, Locator};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long a page may take before a test gives up: much longer than it takes on a machine that is busy with other things.
const PATIENCE: Duration = Duration::from_secs(600);

/// The same once a wait has run out: the run has failed, and is to say what else has before it is ended for its length.
const PATIENCE_AFTER: Duration = Duration::from_secs(60);

/// Whether a wait of this run has run out.
static HAS_RUN_OUT: AtomicBool = AtomicBool::new(false);

/// Returns how long a page may take now.
fn patience() -> Duration {
    if HAS_RUN_OUT.load(Ordering::Relaxed) {
        PATIENCE_AFTER
    } else {
        PATIENCE
    }
}

/// Waits in the page until it has drawn what it has heard so far: nothing is read of it, or done to it, before that. The page
/// says so itself, in `data-due` (`src/bin/app/due.rs`); one that has stopped, which it says too, draws nothing any more.
const DRAWN: &str = "const pause = ms => new Promise(next => setTimeout(next, ms));
    const due = what => (document.documentElement?.dataset.due ?? '').split(' ').includes(what);
    const drawn = async () => { while (due('drawing') && !document.querySelector('.fault')) await pause(5); };";

/// Looks in the page, which is asked once and not again and again, until something is found, or for so many milliseconds.
/// A look that takes long is not repeated all the time.
const LOOK: &str = "const end = Date.now() + 5000;
    while (true) {
        await drawn();
        const start = Date.now(), found = await look();
        if (found || Date.now() > end) return found || null;
        await pause(15 + 5 * (Date.now() - start));
    }";

/// A variable that `cargo xtask browser` sets.
pub fn from(name: &str) -> Result<String> {
    std::env::var(name).with_context(|| format!("{name} is not set: use `cargo xtask browser`"))
}

/// An open page.
pub struct Page {
    /// The browser.
    pub client: Client,
    browser: Browser,
    url: String,
    quiet: bool,
    /// Whether all of the room is loaded and laid out, wherever it is.
    whole: bool,
    /// The room that it was opened in, as its address says: it stays there.
    room: OnceLock<&'static str>,
    /// Whether it was loaded before: a mere change of the hash does not load it anew.
    visited: AtomicBool,
}

impl Page {
    /// Opens the page with a hash (without `#`) in a window so wide: the answer alone, unless the hash names another
    /// room, or all of them, which take more than twice as long to load and draw.
    pub async fn open(hash: &str, width: u32) -> Result<Self> {
        let page = Self::blank(width).await?;
        page.go(hash).await?;
        Ok(page)
    }

    /// The same of a page that searches for proofs by itself, as it does for visitors: other pages compute what they are
    /// asked, and rest.
    pub async fn open_searching(hash: &str, width: u32) -> Result<Self> {
        let page = Self::blank(width).await?.searching();
        page.go(hash).await?;
        Ok(page)
    }

    /// Lets the pages that are opened from now on search by themselves.
    pub fn searching(self) -> Self {
        Self {
            quiet: false,
            ..self
        }
    }

    /// Lets the pages that are opened from now on be as visitors have them: what is out of view is neither laid out nor,
    /// where it never was in view, loaded. Chromium only.
    pub async fn as_it_is(self) -> Result<Self> {
        self.before_each_load(driven::AS_IT_IS).await?;
        Ok(Self {
            whole: false,
            ..self
        })
    }

    /// As [`Self::open`], after scripts that run before anything of the page.
    pub async fn open_after(scripts: &[&str], hash: &str) -> Result<Self> {
        let page = Self::blank(1440).await?;
        for script in scripts {
            page.before_each_load(script).await?;
        }
        page.go(hash).await?;
        Ok(page)
    }

    /// A window in which nothing of the page was loaded yet.
    pub async fn blank(width: u32) -> Result<Self> {
        Self::begin(host::page_url()?, width, &[]).await
    }

    /// The same for the page of a host of the test's own.
    pub async fn blank_of(host: &Host) -> Result<Self> {
        Self::begin(host.url(), 1440, &[]).await
    }

    /// The same for a page at any address, in a Chromium with these switches.
    pub async fn begin(url: String, width: u32, switches: &[&str]) -> Result<Self> {
        let browser = Browser::take(width, switches).await?;
        let page = Self {
            client: browser.client.clone(),
            browser,
            url,
            quiet: true,
            whole: true,
            room: OnceLock::new(),
            visited: AtomicBool::new(false),
        };
        if page.is_chromium()? {
            page.before_each_load(driven::ALL_LAID_OUT).await?;
        }
        Ok(page)
    }

    /// Loads the page anew with this hash, as someone would who follows a link.
    pub async fn go(&self, hash: &str) -> Result<()> {
        self.visit(hash).await?;
        self.settled().await
    }

    /// As [`Self::go`], without waiting for the answer.
    pub async fn visit(&self, hash: &str) -> Result<()> {
        let hash = self.hash(hash);
        let hash = if hash.is_empty() {
            hash
        } else {
            format!("#{hash}")
        };
        if self.visited.swap(true, Ordering::Relaxed) {
            self.client.goto("about:blank").await?;
        }
        self.client.goto(&format!("{}{hash}", self.url)).await?;
        if !self.is_chromium()? {
            self.client.execute(driven::ALL_LAID_OUT, vec![]).await?;
        }
        Ok(())
    }

    /// The settings of a page of a test.
    fn hash(&self, hash: &str) -> String {
        let parts = [&*self.in_room(hash), if self.quiet { QUIET } else { "" }];
        parts
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join("&")
    }

    /// A hash with the room that the page was opened in, unless it names one.
    fn in_room<'h>(&self, hash: &'h str) -> Cow<'h, str> {
        let hash = hash.trim_start_matches('&');
        let named = ROOMS.into_iter().find(|room| hash.contains(room));
        let room = if self.whole {
            self.room.get_or_init(|| named.unwrap_or_default())
        } else {
            ""
        };
        match (named.is_some() || room.is_empty(), hash) {
            (true, _) => hash.into(),
            (false, "") => room.into(),
            (false, _) => format!("{hash}&{room}").into(),
        }
    }

    /// The room that the page was opened in, as its address says.
    fn room(&self) -> &'static str {
        self.room.get().copied().unwrap_or_default()
    }

    /// Follows a link in the open page, as from one's notes in the same tab.
    pub async fn follow(&self, hash: &str) -> Result<()> {
        let hash = self.in_room(hash);
        // The page has heard of it, and drawn it, when what waits behind the event is done.
        let follow = "return new Promise(next => {
            if (location.hash.slice(1) === arguments[0]) return next();
            addEventListener('hashchange', () => setTimeout(next, 0), { once: true });
            location.hash = arguments[0];
        })";
        self.execute(follow, vec![json!(hash)]).await?;
        self.settled().await
    }

    /// Returns the element as soon as it is there.
    pub async fn find(&self, by: Locator<'_>) -> Result<Element> {
        let found = async || Ok(self.find_all(by).await?.into_iter().next());
        self.wait(found, || format!("{by:?} did not come")).await
    }

    /// All that is found now.
    pub async fn find_all(&self, by: Locator<'_>) -> Result<Vec<Element>> {
        self.execute("", vec![]).await?;
        Ok(self.client.find_all(by).await?)
    }

    /// Returns the result of a script, which is given values as `arguments`.
    pub async fn execute(&self, script: &str, arguments: Vec<Value>) -> Result<Value> {
        let script = format!(
            "{DRAWN} const given = arguments;
            return drawn().then(() => (function () {{ {script} }}).apply(null, given));"
        );
        Ok(self.client.execute(&script, arguments).await?)
    }

    /// Waits until the answer on screen is about the present settings, and all of the room is loaded.
    pub async fn settled(&self) -> Result<()> {
        let whole = if self.whole {
            ":not(:has([data-far]))"
        } else {
            ""
        };
        self.shown(&format!("main[data-state=current]{whole}"))
            .await
    }

    /// Waits until the table that compares algorithms, samplers or ways to deal is about the present settings too. Other
    /// tables of the page may be current before it.
    pub async fn compared(&self) -> Result<()> {
        self.settled().await?;
        self.shown(":is(#algorithms, #ways) table[data-state=current]")
            .await
    }

    /// Waits until something is on the page.
    pub async fn shown(&self, selector: &str) -> Result<()> {
        self.until(selector, true).await
    }

    /// Waits until something is not on the page any more.
    pub async fn gone(&self, selector: &str) -> Result<()> {
        self.until(selector, false).await
    }

    async fn until(&self, selector: &str, there: bool) -> Result<()> {
        let is = format!("(document.querySelector(arguments[0]) !== null) === {there}");
        let what = || format!("{selector} did not {}", if there { "come" } else { "go" });
        self.found(&is, vec![json!(selector)], what).await.map(drop)
    }

    /// Returns the find of an expression in the page, which is given values as `arguments`, as soon as there is one; says `what`
    /// failed where that takes too long.
    async fn found(
        &self,
        look: &str,
        given: Vec<Value>,
        what: impl FnOnce() -> String,
    ) -> Result<Value> {
        let script = format!(
            "{DRAWN} const look = async () => ({look}); return (async () => {{ {LOOK} }})();"
        );
        let found = async || match self.client.execute(&script, given.clone()).await {
            Ok(Value::Null) => Ok(None),
            // The page that was looked at is left for another one.
            Err(error) if is_left(&error) => Ok(None),
            found => Ok(Some(found?)),
        };
        self.wait(found, what).await
    }

    /// Returns a find as soon as there is one; says `what` failed where that takes too long.
    async fn wait<T>(
        &self,
        find: impl AsyncFn() -> Result<Option<T>>,
        what: impl FnOnce() -> String,
    ) -> Result<T> {
        let start = Instant::now();
        while start.elapsed() < patience() {
            if let Some(found) = find().await? {
                return Ok(found);
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        HAS_RUN_OUT.store(true, Ordering::Relaxed);
        bail!("{} within {:?}", what(), start.elapsed())
    }

    /// Waits until this is true in the page.
    pub async fn holds(&self, script: &str) -> Result<()> {
        let what = || format!("{script} did not come true");
        self.found(&format!("(await ({script})) === true"), vec![], what)
            .await
            .map(drop)
    }

    /// Waits until the page rests: it has drawn all that it has heard, asks nothing, and begins nothing by itself.
    pub async fn rests(&self) -> Result<()> {
        self.shown("html:not([data-due])").await
    }

    /// The value of a script once the page rests.
    pub async fn steady(&self, script: &str) -> Result<Value> {
        self.rests().await?;
        self.eval(script).await
    }

    /// Whether something is on the page now.
    pub async fn has(&self, selector: &str) -> Result<bool> {
        let has = "return document.querySelector(arguments[0]) !== null";
        Ok(self.execute(has, vec![json!(selector)]).await? == true)
    }

    /// Whether something is being waited for.
    pub async fn is_waiting(&self) -> Result<bool> {
        self.has("[data-notice=waiting]").await
    }

    /// Waits until the address says something of the settings, and is about the present ones, and returns all it says of
    /// them but the room, without `#`: what is looked for may stand in an address that is about to be written over.
    pub async fn address(&self, part: &str) -> Result<String> {
        let own = [if self.quiet { QUIET } else { "" }, self.room()];
        let settings = format!(
            "location.hash.slice(1).split('&').filter(part => !{own:?}.includes(part)).join('&')"
        );
        let look =
            format!("!due('address') && {settings}.includes(arguments[0]) ? {settings} : null");
        let found = self.found(&look, vec![json!(part)], || {
            format!("{part:?} did not come into the address")
        });
        Ok(found.await?.as_str().unwrap_or_default().to_owned())
    }

    /// Waits for a text on the page.
    pub async fn text(&self, words: &str) -> Result<()> {
        let what = || format!("{words:?} did not come on the page");
        let seen = async || {
            // What the driver takes for seen takes it long to say: it is asked about what has the words.
            for id in self
                .found(WITH_WORDS, vec![json!(words)], what)
                .await?
                .as_array()
                .into_iter()
                .flatten()
            {
                let id = id
                    .as_object()
                    .and_then(|id| id.values().next()?.as_str())
                    .unwrap_or_default();
                let element = Element::from_element_id(self.client.clone(), id.to_owned().into());
                match element.text().await {
                    Ok(text) if text.contains(words) => return Ok(Some(())),
                    Err(e) if !e.is_stale_element_reference() => bail!(e),
                    _ => {}
                }
            }
            // Words may go on from one element to the next.
            let all = self.find(Locator::Css("body")).await?.text().await?;
            Ok(all.contains(words).then_some(()))
        };
        match self.wait(seen, what).await {
            Err(error) => bail!("{error:#}: {}", self.eval("document.body.innerText").await?),
            seen => seen,
        }
    }

    /// The value of a slider or field.
    pub async fn setting(&self, id: &str) -> Result<f64> {
        let value = self
            .eval(&format!("Number(document.getElementById('{id}').value)"))
            .await?;
        value
            .as_f64()
            .with_context(|| format!("{id} has no number"))
    }

    /// Types a value into a field with this label, in place of what stands there.
    pub async fn fill(&self, label: &str, value: &str) -> Result<()> {
        let named =
            format!("@aria-label='{label}' or @id=//label[normalize-space()='{label}']/@for");
        let path = format!("//*[self::input or self::textarea][{named}]");
        let [control, released] = [Key::Control, Key::Null].map(char::from);
        let keys = format!("{control}a{released}{value}");
        Ok(self
            .find(Locator::XPath(&path))
            .await?
            .send_keys(&keys)
            .await?)
    }

    /// Presses keys on a control, found by its label.
    pub async fn press(&self, id: &str, keys: &str) -> Result<()> {
        Ok(self.find(Locator::Id(id)).await?.send_keys(keys).await?)
    }

    /// Presses a key that is not for a control.
    pub async fn key(&self, key: &str) -> Result<()> {
        Ok(self
            .find(Locator::Css("body"))
            .await?
            .send_keys(key)
            .await?)
    }

    /// Presses a radio button or a checkbox.
    pub async fn tick(&self, id: &str) -> Result<()> {
        // What the bar of a phone is in front of is scrolled up first.
        let up = "document.getElementById(arguments[0])?.scrollIntoView({ block: 'center', behavior: 'instant' })";
        let control = self.find(Locator::Id(id)).await?;
        self.execute(up, vec![json!(id)]).await?;
        Ok(control.click().await?)
    }

    /// Whether a radio button or a checkbox is chosen.
    pub async fn is_ticked(&self, id: &str) -> Result<bool> {
        Ok(self.find(Locator::Id(id)).await?.is_selected().await?)
    }

    /// Chooses an option of a list by its value.
    pub async fn choose(&self, id: &str, value: &str) -> Result<()> {
        self.find(Locator::Id(id))
            .await?
            .select_by_value(value)
            .await?;
        Ok(())
    }

    /// Unfolds what is folded up.
    pub async fn unfold(&self, selector: &str) -> Result<()> {
        let summary = format!("{selector} > summary");
        let pressed = async || {
            // What comes above it moves it: the press may meet nothing.
            let folded = !self.has(&format!("{selector}[open]")).await?;
            if folded {
                let summary = self.find(Locator::Css(&summary)).await?;
                if pressed(summary.click().await)?.is_none() {
                    self.centre(&summary).await?;
                }
            }
            Ok((!folded).then_some(()))
        };
        self.wait(pressed, || format!("{selector} did not unfold"))
            .await
    }

    /// Scrolls to what the bar of a phone is in front of, unless it is gone.
    async fn centre(&self, element: &Element) -> Result<()> {
        let up = "arguments[0].scrollIntoView({ block: 'center', behavior: 'instant' })";
        let _ = self
            .client
            .execute(up, vec![serde_json::to_value(element)?])
            .await;
        Ok(())
    }

    /// Presses a button by its words.
    pub async fn click(&self, words: &str) -> Result<()> {
        let path = format!(
            "//*[self::button or self::label or self::summary][normalize-space()='{words}']"
        );
        let pressed = async || {
            let Some(button) = self
                .find_all(Locator::XPath(&path))
                .await?
                .into_iter()
                .next()
            else {
                return Ok(None);
            };
            let done = pressed(button.click().await)?;
            if done.is_none() {
                self.centre(&button).await?;
            }
            Ok(done)
        };
        self.wait(pressed, || format!("a button {words:?} did not come"))
            .await
    }

    /// Drops a file on the page.
    pub async fn drop_file(&self, name: &str, contents: &str) -> Result<()> {
        self.drop_files(&[(name, contents.as_bytes())]).await
    }

    /// Drops files on the page together.
    pub async fn drop_files(&self, files: &[(&str, &[u8])]) -> Result<()> {
        let script = "const data = new DataTransfer();
            for (const [name, bytes] of arguments[0]) data.items.add(new File([new Uint8Array(bytes)], name));
            document.querySelector('main').dispatchEvent(
                new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));";
        self.execute(script, vec![json!(files)]).await?;
        Ok(())
    }

    /// A value computed in the page.
    pub async fn eval(&self, script: &str) -> Result<Value> {
        self.execute(&format!("return ({script})"), vec![]).await
    }

    /// Saves what is on screen as `target/screenshots/NAME.png`, for people to look at.
    pub async fn screenshot(&self, name: &str) -> Result<()> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/screenshots");
        std::fs::create_dir_all(&folder)?;
        Ok(std::fs::write(
            folder.join(format!("{name}.png")),
            self.client.screenshot().await?,
        )?)
    }

    /// Returns the elements that make the page wider than the window.
    pub async fn too_wide(&self) -> Result<Value> {
        self.eval(WIDE).await
    }

    /// Ends the test: no error on the console, no request to another host, no sideways scrolling.
    pub async fn close(self) -> Result<()> {
        let wide = self.too_wide().await?;
        let requests = self
            .eval("performance.getEntriesByType('resource').map(e => e.name)")
            .await?;
        let log = self.console().await?;
        let foreign = |r: &&Value| r.as_str().is_none_or(|name| !name.starts_with(&self.url));
        let foreign: Vec<_> = requests
            .as_array()
            .into_iter()
            .flatten()
            .filter(foreign)
            .collect();
        let grave = |e: &&Value| e["level"] == "SEVERE" || e["level"] == "WARNING";
        let errors: Vec<_> = log.iter().filter(grave).collect();
        if wide != json!([]) || !foreign.is_empty() || !errors.is_empty() {
            bail!("too wide: {wide}; foreign requests: {foreign:?}; console: {errors:?}");
        }
        self.leave().await
    }

    /// Ends a test that has made something fail, which the console says.
    pub async fn leave(self) -> Result<()> {
        drop(self.client);
        self.browser.give_back(&self.url).await
    }
}

/// The setting of a page that searches for nothing that it was not asked for.
pub const QUIET: &str = "background=0";

/// The smallest elements that have words, which may be hidden, with whatever spaces.
const WITH_WORDS: &str = r"(() => {
    const bare = text => text.replace(/\s/g, '');
    const has = e => e.innerText !== undefined && bare(e.innerText).includes(bare(arguments[0])) && e.checkVisibility();
    const within = e => {
        const smaller = [...e.children].filter(has).flatMap(within);
        return smaller.length ? smaller : [e];
    };
    return document.body && has(document.body) ? within(document.body) : null;
})()";

/// How an address names a room.
const ROOMS: [&str; 4] = ["room=all", "room=compare", "room=cost", "room=answer"];

/// Finds the elements that make the page wider than the window.
const WIDE: &str = "(() => {
    const { clientWidth, scrollWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const clips = e => e && (getComputedStyle(e).overflowX !== 'visible' || clips(e.parentElement));
    const out = [...document.querySelectorAll('body *')]
        .filter(e => e.getBoundingClientRect().right > clientWidth + 0.5 && !clips(e.parentElement));
    return [`${scrollWidth} of ${clientWidth} pixels`, ...out.map(e => e.outerHTML.slice(0, 200))];
})()";

/// Whether something was pressed: not where it was drawn anew, or is under something that goes away.
fn pressed(outcome: Result<(), CmdError>) -> Result<Option<()>> {
    match outcome {
        Err(CmdError::Standard(e)) if e.error == ErrorStatus::ElementClickIntercepted => Ok(None),
        Err(e) if e.is_stale_element_reference() => Ok(None),
        pressed => Ok(Some(pressed?)),
    }
}

/// Whether the page was left while a script waited in it.
fn is_left(error: &CmdError) -> bool {
    let said = error.to_string();
    ["navigat", "unloaded", "context", "detached"]
        .iter()
        .any(|word| said.contains(word))
}

/// A key that is pressed so many times, as text to be typed.
pub fn keys(key: Key, times: usize) -> String {
    String::from(char::from(key)).repeat(times)
}

/// Sequences and tokens of a built-in set of lengths, and what else there is of each length, added up.
pub fn counted(csv: &str, of: impl Fn(u64) -> u64) -> [u64; 3] {
    let number = |text: &str| text.parse::<u64>().ok();
    let entries = csv.lines().filter_map(|line| {
        line.split_once(',')
            .and_then(|(l, n)| Some((number(l)?, number(n)?)))
    });
    entries.fold([0; 3], |sums, (l, n)| {
        [sums[0] + n, sums[1] + l * n, sums[2] + of(l) * n]
    })
}
