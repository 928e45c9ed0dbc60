//! Plots where there is nothing to draw on, where what was drawn is lost, and on other screens.

use anyhow::{Context, Result};
use fantoccini::key::Key;
use packscope_browser_tests::{Page, keys};

#[tokio::test]
#[ignore = "outer circle"]
async fn without_a_canvas_words_and_tables_stand_in() -> Result<()> {
    let page = Page::blank(1440).await?;
    for nothing in [
        "() => null",
        "() => { throw new DOMException('not here', 'InvalidStateError'); }",
    ] {
        page.before_each_load(&format!(
            "HTMLCanvasElement.prototype.getContext = {nothing};"
        ))
        .await?;
        page.go("room=all").await?;
        page.compared().await?;
        page.text(
            "This browser lets the page draw nothing here. It would be: Histogram of 16,279,552 sequences",
        )
        .await?;
        page.text("half of the slots are padding.").await?;
        for caption in ["Sequences by length", "Efficiency by depth"] {
            let wide = format!(
                "[...document.querySelectorAll('caption')].find(c => c.textContent.startsWith('{caption}'))?.getBoundingClientRect().width"
            );
            assert!(
                page.eval(&wide).await?.as_f64().context("no table")? > 60.0,
                "{caption}"
            );
        }
        // What plots are for besides looking has other ways.
        page.press("limit", &keys(Key::Left, 1)).await?;
        page.settled().await?;
        page.resize(360, 800).await?;
        let over = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
        assert_eq!(page.eval(over).await?, 0);
        page.resize(1440, 900).await?;
    }
    page.close().await
}

/// Whether anything is drawn on the histogram.
const DRAWN: &str = r"(() => {
    const c = document.querySelector('canvas[aria-label^=Histogram]');
    return c.getContext('2d').getImageData(0, 0, c.width, c.height).data.some(v => v > 0);
})()";

#[tokio::test]
#[ignore = "outer circle"]
async fn a_canvas_that_is_given_back_is_drawn_anew() -> Result<()> {
    let page = Page::open("", 1440).await?;
    page.holds(DRAWN).await?;
    for _ in 0..2 {
        page.eval("document.querySelectorAll('canvas').forEach(c => c.getContext('2d').clearRect(0, 0, c.width, c.height))").await?;
        assert_eq!(page.eval(DRAWN).await?, false);
        page.eval(
            "document.querySelectorAll('canvas').forEach(c => c.dispatchEvent(new Event('contextrestored')))",
        )
        .await?;
        page.holds(DRAWN).await?;
    }
    // The browser advises those who read back what was drawn, which only this test does.
    page.leave().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn another_screen_and_a_zoom_are_drawn_for() -> Result<()> {
    let page = Page::open("", 1440).await?;
    page.screen(1440, 900, 1.0).await?;
    for scale in [2.0, 1.0, 3.0, 1.5] {
        page.screen(1440, 900, scale).await?;
        // The browser tells of a zoom so, but not of one that is emulated.
        page.eval("dispatchEvent(new Event('resize'))").await?;
        let crisp = format!(
            "[...document.querySelectorAll('canvas')].every(c => Math.abs(c.width - c.clientWidth * {scale}) < 2)"
        );
        page.holds(&crisp).await?;
    }
    page.close().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn what_changes_while_nobody_looks_is_there_when_they_do() -> Result<()> {
    let page = Page::open("data=glue_cola&depth=3&room=all", 1440).await?;
    // Something is changed as soon as the page is hidden.
    page.eval(
        "document.addEventListener('visibilitychange', () => {
            if (!document.hidden || window.hid) return;
            window.hid = true;
            const depth = document.getElementById('depth');
            depth.value = depth.min;
            depth.dispatchEvent(new Event('input', { bubbles: true }));
        })",
    )
    .await?;
    page.out_of_sight().await?;
    assert_eq!(page.eval("window.hid").await?, true);
    page.compared().await?;
    assert_eq!(page.figure("packs").await?, page.figure("items").await?);
    page.holds(DRAWN).await?;
    page.address("depth=1").await?;
    page.leave().await
}
