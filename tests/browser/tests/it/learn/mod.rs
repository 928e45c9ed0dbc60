//! Lessons as a reader uses them: every exercise is done by hand or by keyboard.

mod accelerators;
mod apart;
mod bounds;
mod buckets;
mod by_hand;
mod equal_work;
mod few_shapes;
mod full;
mod graphs;
mod guesses;
mod histograms;
mod limits;
mod mixes;
mod optimiser;
mod quality;
mod rectangle;
mod skew;
mod sorting;
mod view;
mod watch;
mod weights;
mod which_train;

pub use full::typed;

use anyhow::{Context, Result, ensure};
use packscope_browser_tests::Page;

/// Opens a chapter.
async fn chapter(address: &str) -> Result<Page> {
    let page = Page::open(&format!("view=learn&chapter={address}"), 1440).await?;
    ensure!(
        !page.has("article[data-done=true]").await?,
        "done before it is tried"
    );
    Ok(page)
}

/// Waits until the page notices that the exercise was done, and until it is on the list of chapters.
async fn noticed(page: &Page) -> Result<()> {
    page.shown("article[data-done=true]").await?;
    let id = page
        .eval("document.querySelector('article').dataset.chapter")
        .await?;
    let id = id.as_str().context("no chapter")?;
    page.shown(&format!(".contents [data-chapter={id}][data-done=true]"))
        .await?;
    page.text("Done.").await
}

/// The value of a figure.
async fn value(page: &Page, figure: &str) -> Result<f64> {
    page.value(&format!("article [data-figure={figure}]")).await
}

/// Waits until a figure is so: what the engine has to be asked for follows the hand a little later.
async fn becomes(page: &Page, figure: &str, is: impl Fn(f64) -> bool) -> Result<()> {
    page.becomes(&format!("article [data-figure={figure}]"), is)
        .await
        .map(drop)
}

/// Presses keys on what a selector finds.
async fn press(page: &Page, selector: &str, keys: &str) -> Result<()> {
    use fantoccini::Locator;
    Ok(page
        .find(Locator::Css(selector))
        .await?
        .send_keys(keys)
        .await?)
}
