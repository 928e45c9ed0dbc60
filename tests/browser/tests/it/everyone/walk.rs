//! One walk through all views and chapters: each is loaded once, and must hold what holds wherever one is.

use super::{VIEWS, axe, by_key, chapters, go, magnified, media, unfold};
use crate::terms;
use anyhow::{Result, anyhow, ensure};
use packscope_browser_tests::Page;
use std::collections::BTreeMap;
use std::sync::Mutex;

/// Drawings of a view whose words say nothing, or that have no table behind them.
const UNTOLD: &str = "[...document.querySelectorAll('canvas')].filter(c => {
    const told = c.getAttribute('role') === 'img' && /\\d/.test(c.getAttribute('aria-label') ?? '');
    const place = c.closest('.line-plot, .matrix, section, details');
    const table = place.querySelector('table') ?? c.closest('section, details').querySelector('table, details');
    return !told || !table;
}).map(c => c.getAttribute('aria-label'))";

/// Titles of the places that were visited, by all tests.
static TITLES: Mutex<BTreeMap<String, String>> = Mutex::new(BTreeMap::new());

/// One knows where one is: by the title, which no other place has, by landmarks, and by headings of which no level is left
/// out.
async fn is_known(page: &Page, place: &str) -> Result<()> {
    ensure!(page.eval("document.documentElement.lang").await? == "en");
    let title = page.client.title().await?;
    let other = TITLES
        .lock()
        .map_err(|_| anyhow!("no titles"))?
        .insert(title.clone(), place.to_owned());
    ensure!(other.is_none(), "{title:?}: {place}, {other:?}");
    let landmarks = "['header', 'nav', 'main', 'footer'].every(e => document.querySelector(e)) && document.querySelectorAll('main, h1').length === 2";
    ensure!(page.eval(landmarks).await? == true, "{place}: landmarks");
    let levels = "[...document.querySelectorAll('h1, h2, h3, h4')].filter(h => h.checkVisibility()).map(h => +h.tagName[1])";
    let levels: Vec<u64> = serde_json::from_value(page.eval(levels).await?)?;
    ensure!(
        levels.first() == Some(&1) && levels.windows(2).all(|w| w[1] <= w[0] + 1),
        "{place}: {levels:?}"
    );
    Ok(())
}

/// Every term explains itself, by mouse wherever it stands, by key once on the view; drawings are told, and have a table.
async fn explains_itself(page: &Page, view: &str) -> Result<()> {
    by_key::none(
        &page.eval(UNTOLD).await?,
        view,
        "drawings without words or a table",
    )?;
    by_key::none(
        &page.eval(&terms::unexplained()?).await?,
        view,
        "explain themselves nowhere",
    )?;
    by_key::none(
        &page.eval(terms::BY_MOUSE_ONLY).await?,
        view,
        "explained by mouse only",
    )?;
    let titles = "[...document.querySelectorAll('main [title]')].map(e => e.outerHTML)";
    by_key::none(&page.eval(titles).await?, view, "titles")
}

/// What must hold of a chapter on a phone, besides what holds of views.
async fn chapter_fits_a_phone(page: &Page, id: &str) -> Result<()> {
    page.resize(360, 800).await?;
    magnified::nothing_is_wide(page, id).await?;
    let title = page
        .eval("document.querySelector('article h1').innerText")
        .await?;
    ensure!(title.as_str().is_some_and(|t| t.len() > 5), "{id}: {title}");
    // Every drawing is told to those who do not see it.
    let untold = "[...document.querySelectorAll('article canvas')].filter(c => (c.getAttribute('aria-label') ?? '').length < 20).length";
    ensure!(
        page.eval(untold).await? == 0,
        "{id} has a drawing without words"
    );
    let out =
        "[...document.querySelectorAll('.piece rect')].filter(p => { const b = p.getBoundingClientRect();
        return b.left < 0 || b.right > innerWidth; }).length";
    ensure!(
        page.eval(out).await? == 0,
        "{id} has a piece outside of the window"
    );
    Ok(())
}

/// All that holds of a view, with all that comes by itself.
async fn view(view: &str) -> Result<()> {
    let page = Page::blank(1440).await?.searching();
    media::less_motion(&page).await?;
    go(&page, view).await?;
    media::nothing_moves(&page, view).await?;
    is_known(&page, view).await?;
    explains_itself(&page, view).await?;
    by_key::walk(&page, view).await?;
    media::colours_of_the_system(&page, view).await?;
    magnified::larger_text(&page, view).await?;
    magnified::at_every_width(&page, view).await?;
    magnified::nothing_is_lost(&page, view).await?;
    unfold(&page).await?;
    axe::everywhere(&page, view).await?;
    page.close().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn sequences_are_for_everyone() -> Result<()> {
    view(VIEWS[0]).await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn graphs_are_for_everyone() -> Result<()> {
    view(VIEWS[1]).await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn batches_are_for_everyone() -> Result<()> {
    view(VIEWS[2]).await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn ranks_are_for_everyone() -> Result<()> {
    view(VIEWS[3]).await
}

/// All that holds of every third chapter.
async fn third(first: usize) -> Result<()> {
    let page = Page::blank(1440).await?;
    for id in chapters(&page).await?.iter().skip(first).step_by(3) {
        page.resize(1440, 900).await?;
        media::less_motion(&page).await?;
        page.go(&format!("view=learn&chapter={id}")).await?;
        media::nothing_moves(&page, id).await?;
        is_known(&page, id).await?;
        by_key::walk(&page, id).await?;
        if id == "by-hand" {
            media::colours_of_the_system(&page, id).await?;
        }
        if id == "watch" {
            magnified::lines(&page, id).await?;
        }
        magnified::larger_text(&page, id).await?;
        magnified::nothing_is_lost(&page, id).await?;
        chapter_fits_a_phone(&page, id).await?;
        unfold(&page).await?;
        axe::everywhere(&page, id).await?;
    }
    page.close().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn chapters_are_for_everyone() -> Result<()> {
    third(0).await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn chapters_after_them_are_for_everyone() -> Result<()> {
    third(1).await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn chapters_after_those_are_for_everyone() -> Result<()> {
    third(2).await
}
