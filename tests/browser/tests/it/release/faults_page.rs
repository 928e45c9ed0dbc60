//! The page itself: what keeps it from coming, what ends it, and what a browser may refuse it.

use anyhow::{Context, Result, ensure};
use fantoccini::Locator;
use fantoccini::key::Key;
use packscope_browser_tests::{Fault, Host, Page, UNKEPT, dist, keys};

async fn page_of(host: &Host) -> Result<Page> {
    let page = Page::blank_of(host).await?;
    page.before_each_load(UNKEPT).await?;
    Ok(page)
}

#[tokio::test]
async fn a_page_that_does_not_come_says_so_and_a_reload_brings_it_with_its_settings() -> Result<()>
{
    let host = Host::new(dist())?;
    let page = page_of(&host).await?;
    for (words, fault) in [
        ("app- app.js", Fault::Gone),
        ("app- app.js", Fault::Cut),
        ("app- app_bg.wasm", Fault::Gone),
        ("app- app_bg.wasm", Fault::Cut),
        (
            "app- app_bg.wasm",
            Fault::Instead(b"<html>Sign in</html>".to_vec()),
        ),
    ] {
        host.spoil(words, fault)?;
        page.visit("data=glue_cola&depth=3").await?;
        page.text("Packscope could not be loaded")
            .await
            .context(words)?;
        host.heal()?;
        page.click("Reload").await?;
        page.settled().await?;
        assert_eq!(page.figure("items").await?, 8551.0);
        page.address("depth=3").await?;
    }
    page.before_each_load(
        "const later = setTimeout; window.setTimeout = (act, rest) => later(act, rest > 4000 ? 100 : rest);
        WebAssembly.instantiateStreaming = () => new Promise(() => {});",
    )
    .await?;
    page.visit("").await?;
    page.text("Packscope is still on its way.").await?;
    page.leave().await
}

/// Data that were chosen before others and never came hold back neither the address nor what is on screen.
#[tokio::test]
async fn data_that_never_come_are_forgotten_for_others() -> Result<()> {
    let host = Host::new(dist())?;
    let page = page_of(&host).await?;
    page.go("").await?;
    host.spoil("glue_sst2", Fault::Never)?;
    page.choose("data", "glue_sst2").await?;
    page.choose("data", "glue_cola").await?;
    page.text("8,551 sequences").await?;
    page.address("data=glue_cola").await?;
    page.settled().await?;
    page.leave().await
}

#[tokio::test]
async fn old_browsers_are_told_which_ones_work() -> Result<()> {
    for lacks in [
        "delete window.WebAssembly;",
        "WebAssembly.validate = () => false;",
    ] {
        let host = Host::new(dist())?;
        let page = page_of(&host).await?;
        page.before_each_load(lacks).await?;
        page.visit("").await?;
        page.text("This browser cannot show Packscope").await?;
        page.text("Firefox since 89, Safari since 16.4").await?;
        page.leave().await?;
    }
    Ok(())
}

#[tokio::test]
async fn a_page_that_stops_says_so_and_keeps_its_address() -> Result<()> {
    let host = Host::new(dist())?;
    let page = page_of(&host).await?;
    // As a trap does: it is thrown through the program.
    page.before_each_load(
        "const now = performance.now.bind(performance);
        performance.now = () => { if (window.broken) throw new WebAssembly.RuntimeError('unreachable'); return now(); };",
    )
    .await?;
    page.go("data=glue_cola&depth=3").await?;
    let packs = page.figure("packs").await?;
    page.eval(
        "(() => {
            window.broken = true;
            const depth = document.getElementById('depth');
            depth.value = depth.min;
            depth.dispatchEvent(new Event('input', { bubbles: true }));
        })()",
    )
    .await?;
    page.text("Packscope has stopped, by a mistake of its own.")
        .await?;
    assert_eq!(page.figure("packs").await?, packs);
    assert_eq!(
        page.eval("document.querySelectorAll('[role=alert]').length")
            .await?,
        1
    );
    page.click("Reload").await?;
    page.settled().await?;
    assert_eq!(page.figure("items").await?, 8551.0);
    // The same by a mistake in the program, which its own words tell from a browser's.
    page.eval(
        "new Promise(over => {
            Object.defineProperty(document, 'documentElement', { configurable: true, get: () => null });
            setTimeout(() => { delete document.documentElement; over(); }, 300);
            [...document.querySelectorAll('button')].find(button => button.textContent === 'dark').click();
        })",
    )
    .await?;
    page.text("Packscope has stopped, by a mistake of its own.")
        .await?;
    page.leave().await
}

#[tokio::test]
async fn an_address_that_ends_the_page_is_no_trap() -> Result<()> {
    let host = Host::new(dist())?;
    let page = page_of(&host).await?;
    page.before_each_load(
        "sessionStorage.loads = 1 + Number(sessionStorage.loads ?? 0);
        const now = performance.now.bind(performance);
        performance.now = () => {
            if (location.hash.includes('depth=3')) throw new WebAssembly.RuntimeError('unreachable');
            return now();
        };",
    )
    .await?;
    page.visit("data=glue_cola&depth=3").await?;
    page.text("Packscope has stopped").await?;
    // Nothing loads it by itself.
    page.eval("new Promise(next => requestAnimationFrame(() => requestAnimationFrame(next)))")
        .await?;
    assert_eq!(page.eval("sessionStorage.loads").await?, "1");
    page.click("Start afresh").await?;
    page.settled().await?;
    assert_eq!(page.figure("items").await?, 16_279_552.0);
    page.leave().await
}

#[tokio::test]
async fn views_that_do_not_come_are_tried_again_and_the_others_work() -> Result<()> {
    let host = Host::new(dist())?;
    let page = page_of(&host).await?;
    page.go("data=glue_cola&room=all").await?;
    page.compared().await?;
    host.spoil("app- split_", Fault::Gone)?;
    for _ in 0..2 {
        page.key("2").await?;
        page.text("This part of the page could not be loaded")
            .await?;
        page.click("Try again").await?;
        page.text("This part of the page could not be loaded")
            .await?;
        page.key("1").await?;
        page.settled().await?;
    }
    page.key("2").await?;
    page.shown("[data-notice=missing]").await?;
    host.heal()?;
    page.click("Try again").await?;
    page.settled().await?;
    page.shown("[data-figure=packs]").await?;
    // What stands low on the page, when the page is opened.
    host.spoil("app- split_lower", Fault::Gone)?;
    page.visit("data=glue_cola").await?;
    page.text("This part of the page could not be loaded")
        .await?;
    assert_eq!(page.figure("items").await?, 8551.0);
    // What stands lower still has come, though it shares code with what has not.
    page.shown("#speedup[data-state=current]").await?;
    page.holds("document.querySelectorAll('[data-notice=missing]').length === 1")
        .await?;
    host.heal()?;
    page.click("Try again").await?;
    page.compared().await?;
    page.gone("[data-notice=missing]").await?;
    page.leave().await
}

#[tokio::test]
async fn data_that_do_not_come_leave_what_is_shown_and_are_tried_again() -> Result<()> {
    let host = Host::new(dist())?;
    let page = page_of(&host).await?;
    page.go("data=glue_cola").await?;
    let chosen = "document.getElementById('data').value";
    for fault in [
        Fault::Gone,
        Fault::Cut,
        Fault::Instead(b"<html>Sign in</html>".to_vec()),
    ] {
        host.spoil("datasets/glue_sst2", fault)?;
        page.choose("data", "glue_sst2").await?;
        page.text("GLUE SST-2, 128 could not be loaded; is the connection gone?")
            .await?;
        assert_eq!(page.figure("items").await?, 8551.0);
        assert_eq!(page.eval(chosen).await?, "glue_cola");
        host.heal()?;
    }
    page.click("Try again").await?;
    page.text("67,349 sequences").await?;
    page.settled().await?;
    page.gone("[data-notice=absent]").await?;
    assert_eq!(page.eval(chosen).await?, "glue_sst2");
    // Data of a link: nothing stands in for them, and the link stays as it is.
    host.spoil("datasets/glue_sst2", Fault::Gone)?;
    page.visit("data=glue_sst2&limit=50&depth=3").await?;
    page.text("GLUE SST-2, 128 could not be loaded").await?;
    page.address("data=glue_sst2&limit=50").await?;
    assert_eq!(page.eval(chosen).await?, "glue_sst2");
    host.heal()?;
    page.click("Try again").await?;
    page.settled().await?;
    assert_eq!(
        (page.setting("limit").await?, page.figure("items").await?),
        (50.0, 67_349.0)
    );
    // A host that says nothing.
    page.before_each_load(
        "const later = setTimeout; window.setTimeout = (act, rest) => later(act, rest > 4000 ? 100 : rest);",
    )
    .await?;
    page.go("").await?;
    host.spoil("datasets/glue_sst2", Fault::Never)?;
    page.choose("data", "glue_sst2").await?;
    page.text("GLUE SST-2, 128 could not be loaded").await?;
    assert_eq!(page.eval(chosen).await?, "wikipedia_bert_512");
    page.leave().await
}

#[tokio::test]
async fn a_browser_that_forbids_storage_history_and_clipboard_is_good_enough() -> Result<()> {
    let host = Host::new(dist())?;
    let page = Page::blank_of(&host).await?;
    page.before_each_load(
        "const refuse = () => { throw new DOMException('not here', 'SecurityError'); };
        Object.defineProperty(window, 'localStorage', { get: refuse });
        Object.defineProperty(window, 'sessionStorage', { get: refuse });
        Object.defineProperty(navigator, 'serviceWorker', { get: refuse });
        Object.defineProperty(navigator, 'clipboard', { value: undefined });
        const replace = history.replaceState.bind(history);
        // Chromium ignores too many changes without a word.
        window.ignored = 0;
        const stop = () => window.silent ? void window.ignored++ : refuse();
        history.replaceState = (...how) => window.allowed ? replace(...how) : stop();
        const later = setTimeout;
        window.setTimeout = (act, rest, ...more) => later(act, rest > 4000 ? 200 : rest, ...more);",
    )
    .await?;
    page.go("data=glue_cola&room=all").await?;
    page.click("dark").await?;
    page.shown("html[data-theme=dark]").await?;
    page.press("depth", &keys(Key::Home, 1)).await?;
    page.settled().await?;
    assert_eq!(page.figure("packs").await?, page.figure("items").await?);
    page.click("Share").await?;
    page.text("Copy it from the field").await?;
    let link = page
        .eval("document.getElementById('share-link').value")
        .await?;
    ensure!(
        link.as_str().is_some_and(|link| link.contains("depth=1")),
        "{link}"
    );
    page.click("Done").await?;
    page.unfold("#take").await?;
    page.shown("[data-snippet]").await?;
    page.find(Locator::Css("button[aria-label^='Copy the lines']"))
        .await?
        .click()
        .await?;
    page.text("Not allowed: select and copy").await?;
    // When the browser lets it again, the address follows.
    page.eval("window.allowed = true").await?;
    page.address("depth=1").await?;
    page.eval("(window.silent = true, window.allowed = false, 0)")
        .await?;
    page.press("depth", &keys(Key::Right, 1)).await?;
    page.holds("window.ignored > 0").await?;
    page.eval("window.allowed = true").await?;
    page.address("depth=2").await?;
    page.key("5").await?;
    page.shown("article[data-chapter]").await?;
    page.close().await
}

#[tokio::test]
async fn a_browser_whose_storage_is_full_shows_the_page() -> Result<()> {
    let host = Host::new(dist())?;
    // The service worker starts, and then has no room, and cannot even look.
    let full = "const open = caches.open.bind(caches); let full = false;
        CacheStorage.prototype.open = (name) => full ? Promise.reject(new Error('full')) : open(name);
        Cache.prototype.put = () => Promise.reject(new DOMException('full', 'QuotaExceededError'));
        self.addEventListener('activate', () => { full = true; });\n";
    let worker = [full.as_bytes(), &std::fs::read(dist().join("sw.js"))?].concat();
    host.spoil("sw.js", Fault::Instead(worker))?;
    let page = Page::blank_of(&host).await?;
    page.before_each_load(
        "const later = setTimeout;
        window.setTimeout = (act, rest, ...more) => later(act, rest > 4000 ? 200 : rest, ...more);",
    )
    .await?;
    page.go("data=glue_cola").await?;
    page.holds("navigator.serviceWorker.controller !== null")
        .await?;
    page.go("view=graphs&data=tu_mutag").await?;
    page.shown("[data-figure=packs]").await?;
    page.go("view=learn&chapter=bounds").await?;
    page.shown("article[data-chapter=bounds]").await?;
    page.close().await
}
