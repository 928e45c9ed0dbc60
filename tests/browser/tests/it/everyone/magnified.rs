//! Magnified: 200 % and 400 %, and text alone.

use super::{VIEWS, chapters, go};
use anyhow::{Result, ensure};
use packscope_browser_tests::Page;

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

async fn nothing_is_lost(page: &Page, place: &str) -> Result<()> {
    let lost = page.eval(LOST).await?;
    ensure!(lost.as_array().is_some_and(Vec::is_empty), "{place}: {lost:#}");
    Ok(())
}

/// A window of 1,280 pixels at 200 % has 640 of the page's, at 400 % 320.
#[tokio::test]
async fn nothing_is_lost_at_two_and_four_times_the_size() -> Result<()> {
    let page = Page::open("", 1440).await?;
    let mut places: Vec<String> = VIEWS.map(str::to_owned).into();
    places.extend(chapters(&page).await?.into_iter().map(|id| format!("view=learn&chapter={id}")));
    for place in &places {
        page.resize(640, 450).await?;
        if VIEWS.contains(&place.as_str()) {
            go(&page, place).await?
        } else {
            page.go(place).await?
        }
        nothing_is_lost(&page, &format!("{place} at 200 %")).await?;
        page.resize(320, 256).await?;
        nothing_is_lost(&page, &format!("{place} at 400 %")).await?;
    }
    page.close().await
}

/// Letters twice as large as usual, by the setting of the browser.
#[tokio::test]
async fn nothing_is_lost_where_text_alone_is_larger() -> Result<()> {
    let page = Page::open_with("", 1440, &["--blink-settings=defaultFontSize=32"]).await?;
    ensure!(page.eval("getComputedStyle(document.body).fontSize").await? == "26px");
    for view in VIEWS {
        go(&page, view).await?;
        nothing_is_lost(&page, view).await?;
        page.screenshot(&format!("large-text-{}", view.len())).await?;
    }
    for id in ["rectangle", "by-hand", "buckets"] {
        page.go(&format!("view=learn&chapter={id}")).await?;
        nothing_is_lost(&page, id).await?;
    }
    page.close().await
}

/// Tables that have more columns than are in sight.
const CUT: &str =
    "[...document.querySelectorAll('main .scroll')].filter(e => e.scrollWidth > e.clientWidth + 1)
    .map(e => `${e.querySelector('table')?.className}: ${e.scrollWidth - e.clientWidth} pixels`)";

#[tokio::test]
async fn tables_show_all_their_columns_at_every_width() -> Result<()> {
    let page = Page::open("", 1440).await?;
    for view in VIEWS {
        page.resize(1440, 900).await?;
        go(&page, view).await?;
        for width in [360, 480, 768, 1024, 1180, 1280, 1440, 1920] {
            page.resize(width, 900).await?;
            let cut = page.eval(CUT).await?;
            ensure!(cut.as_array().is_some_and(Vec::is_empty), "{view} at {width}: {cut}");
        }
    }
    page.close().await
}

/// In how many lines the views are listed, and the lines about a plot's files that are higher than a line: they would
/// lie over what follows the plot.
const LINES: &str = "[new Set([...document.querySelectorAll('.tab')].map(e => e.offsetTop)).size, \
    [...document.querySelectorAll('.save')].filter(e => e.offsetHeight > 24).length]";

#[tokio::test]
async fn views_and_files_of_plots_are_listed_in_a_line() -> Result<()> {
    let page = Page::open("", 1440).await?;
    for view in ["", "view=learn&chapter=watch"] {
        page.resize(1440, 900).await?;
        page.go(view).await?;
        page.shown(".save").await?;
        for width in [360, 700, 768, 860, 920, 1180] {
            page.resize(width, 900).await?;
            let lines = page.eval(LINES).await?;
            ensure!(lines == serde_json::json!([1, 0]), "{view} at {width}: {lines}");
        }
    }
    page.close().await
}
