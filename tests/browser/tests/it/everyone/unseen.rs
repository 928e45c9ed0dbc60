//! What is out of view is not laid out; whoever looks for it comes to it all the same.

use super::by_key::tab;
use anyhow::{Result, ensure};
use packscope_browser_tests::Page;

/// Whether the estimates are laid out.
const LAID_OUT: &str =
    "document.querySelector('#speedup h2').checkVisibility({ contentVisibilityAuto: true })";

/// The page as it is without drivers, its lower part skipped.
async fn open(link: &str) -> Result<Page> {
    let page = Page::open(link, 1440).await?;
    page.shown("#speedup[data-state=current]").await?;
    page.eval("document.adoptedStyleSheets = []").await?;
    page.holds(&format!("!{LAID_OUT}")).await?;
    Ok(page)
}

#[tokio::test]
#[ignore = "outer circle"]
async fn tab_goes_through_what_is_not_laid_out() -> Result<()> {
    let page = open("data=glue_cola&room=all").await?;
    let stop = "document.activeElement.closest('#speedup') !== null";
    let mut stops = 0;
    while page.eval(stop).await? != true {
        tab(&page, 5).await?;
        stops += 5;
        ensure!(
            stops < 300,
            "{}",
            page.eval("document.activeElement.outerHTML").await?
        );
    }
    let seen = "(() => {
        const { top, bottom } = document.activeElement.getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
    })()";
    page.holds(seen).await?;
    page.holds(LAID_OUT).await?;
    page.close().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn links_and_finding_come_to_what_is_not_laid_out() -> Result<()> {
    let page = open("view=graphs&room=all").await?;
    page.click("full estimate ↓").await?;
    let there = "(() => {
        const { top } = document.querySelector('#speedup').getBoundingClientRect();
        return top >= -1 && top < innerHeight / 2;
    })()";
    page.holds(there).await?;
    page.holds(LAID_OUT).await?;
    page.close().await?;
    let page = open("data=glue_cola&room=all").await?;
    page.holds("find('Every number the estimates rest on')")
        .await?;
    page.holds(LAID_OUT).await?;
    page.close().await
}

/// The place of an element in the window and the height of the page, once both rest.
async fn rests(page: &Page, id: &str) -> Result<f64> {
    let place = format!(
        "(() => {{
            const top = document.getElementById('{id}')?.getBoundingClientRect().top ?? NaN;
            return [Math.round(top), document.body.scrollHeight, document.querySelectorAll('[data-far], .wait').length];
        }})()"
    );
    let place = page.steady(&place).await?;
    Ok(place[0].as_f64().unwrap_or(f64::NAN))
}

/// Scrolls by hand, and waits until the browser has told the page what is in view now: at the end of the next frame.
const SCROLLED: &str = "new Promise(next => {
    scrollBy(0, -150);
    requestAnimationFrame(() => requestAnimationFrame(() => next(true)));
})";

/// Parts that come after a jump move nothing of where it leads; who goes on is not held back.
#[tokio::test]
#[ignore = "outer circle"]
async fn a_jump_on_a_fresh_page_ends_where_it_leads() -> Result<()> {
    for (words, id) in [("full estimate ↓", "speedup")] {
        for width in [390, 1440] {
            let page = Page::blank(1440).await?.as_it_is().await?;
            page.resize(width, 844).await?;
            page.go("view=graphs&room=all").await?;
            page.click(words).await?;
            page.shown(&format!("#{id}")).await?;
            let top = rests(&page, id).await?;
            ensure!((-1.0..422.0).contains(&top), "{words} at {width}: {top}");
            // Who scrolls on, by a bar that tells nothing else, stays there when more comes.
            page.holds(SCROLLED).await?;
            let left = rests(&page, id).await?;
            ensure!(
                (left - top - 150.0).abs() < 2.0,
                "{words} at {width}: {left}, {top}"
            );
            page.eval("document.querySelector('#app, body').append(Object.assign(document.createElement('hr'), { className: 'page' }))").await?;
            ensure!(rests(&page, id).await? == left, "{words} at {width}");
            page.close().await?;
        }
    }
    Ok(())
}
