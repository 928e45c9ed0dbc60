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
async fn tab_goes_through_what_is_not_laid_out() -> Result<()> {
    let page = open("data=glue_cola").await?;
    let stop = "document.activeElement.closest('#speedup') !== null";
    let mut stops = 0;
    while page.eval(stop).await? != true {
        tab(&page, 5).await?;
        stops += 5;
        ensure!(stops < 300, "{}", page.eval("document.activeElement.outerHTML").await?);
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
async fn links_and_finding_come_to_what_is_not_laid_out() -> Result<()> {
    let page = open("data=glue_cola").await?;
    page.click("full estimate ↓").await?;
    let there = "(() => {
        const { top } = document.querySelector('#speedup').getBoundingClientRect();
        return top >= -1 && top < innerHeight / 2;
    })()";
    page.holds(there).await?;
    page.holds(LAID_OUT).await?;
    page.close().await?;
    let page = open("data=glue_cola").await?;
    page.holds("find('Every number the estimates rest on')").await?;
    page.holds(LAID_OUT).await?;
    page.close().await
}
