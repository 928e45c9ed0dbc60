//! Magnified: 200 % and 400 %, text alone, and every width of a window.

use anyhow::{Result, ensure};
use packscope_browser_tests::Page;
use serde_json::json;

/// Controls that are cut off or pushed out at the side, where nothing scrolls to them; and words that are cut.
const LOST: &str = "(() => {
    const shown = e => e.checkVisibility({ visibilityProperty: true }) && !e.closest('.unseen');
    const scrolls = e => { for (let p = e.parentElement; p; p = p.parentElement)
        if (/auto|scroll/.test(getComputedStyle(p).overflowX)) return true; return false; };
    const out = [...document.querySelectorAll('a, button, input, select, summary, h1, h2, canvas, p, dd')].filter(e => {
        const place = e.getBoundingClientRect();
        return shown(e) && !e.matches('.unseen') && place.width > 0 && (place.right > innerWidth + 1 || place.left < -1) && !scrolls(e);
    });
    const cut = [...document.querySelectorAll('button, label, h1, h2, dt, dd, p, summary')].filter(e =>
        shown(e) && getComputedStyle(e).overflow === 'hidden' && e.scrollWidth > e.clientWidth + 1 && !e.matches('.unseen'));
    const say = e => e.outerHTML.slice(0, 120);
    const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
    return out.map(e => 'out: ' + say(e)).concat(cut.map(e => 'cut: ' + say(e)), wide > 0 ? [`${wide} pixels too wide`] : []);
})()";

async fn lost(page: &Page, place: &str) -> Result<()> {
    let lost = page.eval(LOST).await?;
    ensure!(lost == json!([]), "{place}: {lost:#}");
    Ok(())
}

/// A window of 1,280 pixels at 200 % has 640 of the page's, at 400 % 320.
pub async fn nothing_is_lost(page: &Page, place: &str) -> Result<()> {
    for (width, height) in [(640, 450), (320, 256)] {
        page.resize(width, height).await?;
        lost(page, &format!("{place}, {width} pixels wide")).await?;
    }
    Ok(())
}

/// Letters twice as large as usual, by the setting of the browser.
pub async fn larger_text(page: &Page, place: &str) -> Result<()> {
    let size = async |pixels: u32| {
        let sizes = json!({ "fontSizes": { "standard": pixels } });
        page.devtools("Page.setFontSizes", sizes).await.map(drop)
    };
    page.resize(1440, 900).await?;
    size(32).await?;
    page.holds("getComputedStyle(document.body).fontSize === '26px'")
        .await?;
    lost(page, &format!("{place}, large text")).await?;
    size(16).await?;
    page.holds("getComputedStyle(document.body).fontSize === '13px'")
        .await
}

/// Nothing is wider than the window.
pub async fn nothing_is_wide(page: &Page, place: &str) -> Result<()> {
    let wide = page.too_wide().await?;
    ensure!(wide == json!([]), "{place}: {wide}");
    Ok(())
}

/// Tables that have more columns than are in sight.
const CUT: &str =
    "[...document.querySelectorAll('main .scroll')].filter(e => e.scrollWidth > e.clientWidth + 1)
    .map(e => `${e.querySelector('table')?.className}: ${e.scrollWidth - e.clientWidth} pixels`)";

/// Tables show all their columns at every width, and nothing is wider than the window.
pub async fn at_every_width(page: &Page, view: &str) -> Result<()> {
    for width in [1920, 1440, 1280, 1180, 1024, 768, 480, 360] {
        page.resize(width, 900).await?;
        let place = format!("{view} at {width}");
        let cut = page.eval(CUT).await?;
        ensure!(cut == json!([]), "{place}: {cut}");
        nothing_is_wide(page, &place).await?;
    }
    page.resize(360, 740).await?;
    page.screenshot(&format!("phone-{}", view.len())).await?;
    if view.is_empty() {
        lines(page, view).await
    } else {
        Ok(())
    }
}

/// In how many lines the views are listed, and the lines about a plot's files that are higher than a line: they would
/// lie over what follows the plot.
const LINES: &str = "[new Set([...document.querySelectorAll('.tabs .tab')].map(e => e.offsetTop)).size, \
    [...document.querySelectorAll('.save')].filter(e => e.offsetHeight > 24).length]";

/// Views and files of plots are listed in a line.
pub async fn lines(page: &Page, place: &str) -> Result<()> {
    page.shown(".save").await?;
    for width in [360, 700, 768, 860, 920, 1180] {
        page.resize(width, 900).await?;
        let lines = page.eval(LINES).await?;
        ensure!(lines == json!([1, 0]), "{place} at {width}: {lines}");
    }
    Ok(())
}
