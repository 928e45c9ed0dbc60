//! For those who are read to: what a drawing shows in words and as a table, new figures told once, where one is.

use super::{VIEWS, go};
use anyhow::{Result, ensure};
use fantoccini::key::Key;
use packscope_browser_tests::{ASKED, Page, keys};

/// Words of the figures on screen, and the drawing that is to say the same.
#[tokio::test]
#[ignore = "outer circle"]
async fn drawings_say_the_figures_that_are_on_screen() -> Result<()> {
    let page = Page::open("room=all", 1440).await?;
    let figure = |name: &str| format!("document.querySelector('[data-figure={name}]').innerText");
    for (drawing, figures) in [
        ("Histogram", &["items"][..]),
        (
            "One epoch",
            &["items", "packs", "padding_share", "baseline_padding_share"],
        ),
    ] {
        let said = page.said(drawing).await?;
        for name in figures {
            let shown = page.eval(&figure(name)).await?;
            let shown = shown.as_str().unwrap_or_default();
            ensure!(
                !shown.is_empty() && said.contains(shown),
                "{drawing} does not say {shown}: {said}"
            );
        }
    }
    go(&page, VIEWS[1]).await?;
    let said = page.said("Heat map").await?;
    ensure!(
        said.contains("32,901") && said.contains("222") && said.contains("502"),
        "{said}"
    );
    go(&page, VIEWS[2]).await?;
    let said = page.said("The batches of a pass over the data").await?;
    let shown = page.eval(&figure("padding_share")).await?;
    ensure!(
        shown.as_str().is_some_and(|shown| said.contains(shown)),
        "{shown} {said}"
    );
    page.close().await
}

/// Notes what live regions say, as a screen reader hears it: each change of their words.
const LISTEN: &str = "(() => {
    window.heard = []; window.moved = 0;
    addEventListener('input', () => { moved = performance.now(); }, true);
    const live = '[role=status], [role=alert], [role=log], [aria-live]:not([aria-live=off]), output:not([aria-live=off])';
    const of = node => (node.nodeType === 1 ? node : node.parentElement)?.closest(live);
    const inside = node => node.nodeType === 1 ? [...node.querySelectorAll(live)].concat(node.matches(live) ? [node] : []) : [];
    new MutationObserver(list => {
        const regions = new Set(list.flatMap(m => [of(m.target), ...[...m.addedNodes].flatMap(inside)]).filter(Boolean));
        for (const region of regions) {
            const words = region.textContent.trim();
            if (words && region.said !== words) heard.push([words, performance.now() - moved]);
            region.said = words;
        }
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
})()";

/// What was heard during twenty steps of a slider and after them, and how long after the last step before it.
async fn heard(page: &Page, slider: &str) -> Result<Vec<(String, f64)>> {
    // What belongs to the page as it was loaded has been told by then.
    page.rests().await?;
    page.eval(LISTEN).await?;
    page.press(slider, &keys(Key::Left, 20)).await?;
    page.settled().await?;
    page.holds("heard.some(([words]) => words.includes('padding'))")
        .await?;
    // Whatever else is to be heard, and should not be.
    page.rests().await?;
    Ok(serde_json::from_value(page.eval("heard").await?)?)
}

/// What takes long.
mod long {
    use super::*;

    #[tokio::test]
    async fn new_figures_are_told_once_not_at_every_step() -> Result<()> {
        let page = Page::blank(1440).await?;
        page.before_each_load(ASKED).await?;
        for (view, slider) in VIEWS.into_iter().zip(["limit", "nodes", "limit"]) {
            // At a limit that cuts something, so that there is something new to be told.
            let view = view.replace("limit=128", "limit=60");
            go(&page, &view).await?;
            let heard = heard(&page, slider).await?;
            let figures: Vec<_> = heard
                .iter()
                .filter(|(words, _)| words.contains("padding"))
                .collect();
            ensure!(!figures.is_empty(), "{view}: nothing is told");
            // Nothing is said while the hand moves, however slow the machine is, nor the same twice.
            ensure!(
                heard.iter().all(|(_, rested)| *rested > 450.0),
                "{view}: {heard:?}"
            );
            ensure!(
                heard.len() <= if view.contains("graphs") { 5 } else { 2 },
                "{view}: {heard:?}"
            );
        }
        page.close().await
    }
}
