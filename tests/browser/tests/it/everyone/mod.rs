//! The page for everyone: by key, by ear, by touch, magnified, without colours of its own.

mod axe;
mod by_ear;
mod by_key;
mod by_touch;
mod magnified;
mod media;
mod unseen;
mod walk;

use anyhow::{Context, Result};
use packscope_browser_tests::Page;

/// Every view of the tool, with an address at which it has all its parts.
const VIEWS: [&str; 4] = [
    "",
    "view=graphs&data=ogbg_molhiv&nodes=222&edges=502",
    "view=batches&data=glue_sst2&limit=128&sampler=bucket",
    "view=ranks&data=sharegpt_8k_llama2&limit=8192&dealing=greedy",
];

/// Opens a view and waits until all that belongs to it is there.
async fn go(page: &Page, view: &str) -> Result<()> {
    page.go(&format!("{view}&room=all")).await?;
    if !view.contains("ranks") {
        page.shown("#speedup[data-state=current]").await?;
    }
    page.gone("table[data-state=computing]").await?;
    page.known().await?;
    if view.contains("graphs") {
        page.swept().await?;
    }
    if page.has(".limits").await? {
        // Computed for those who come to it; whoever walks on before misses it.
        page.eval("document.querySelector('.limits').scrollIntoView()")
            .await?;
        page.shown(".limits[data-state=current]").await?;
        page.eval("scrollTo(0, 0)").await?;
    }
    for part in ["#trainer", "#few-shapes"] {
        if page.has(part).await? {
            page.eval(&format!(
                "document.querySelector('{part}').scrollIntoView()"
            ))
            .await?;
            page.shown(&format!("{part}[data-state=current]")).await?;
            page.eval("scrollTo(0, 0)").await?;
        }
    }
    Ok(())
}

/// The names of all chapters.
async fn chapters(page: &Page) -> Result<Vec<String>> {
    page.go("view=learn").await?;
    let ids = page
        .eval("[...document.querySelectorAll('nav li[data-chapter]')].map(e => e.dataset.chapter)")
        .await?;
    let ids: Vec<String> = serde_json::from_value(ids)?;
    (ids.len() == 21)
        .then_some(ids)
        .context("there are 21 chapters")
}

/// Opens whatever can be opened on the page.
async fn unfold(page: &Page) -> Result<()> {
    page.eval("document.querySelectorAll('details').forEach(d => { d.open = true })")
        .await
        .map(|_| ())
}
