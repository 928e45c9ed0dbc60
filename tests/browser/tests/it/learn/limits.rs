//! Choosing limits.

use super::{becomes, chapter, noticed, press};
use anyhow::Result;
use fantoccini::key::Key;
use packscope_browser_tests::keys;

#[tokio::test]
async fn a_cell_is_pressed_and_arrows_find_the_smallest() -> Result<()> {
    let page = chapter("limits").await?;
    page.shown("article [data-figure='packs'][data-value='3764']")
        .await?;
    let map = page.canvas("Harmonic efficiency").await?;
    let middle = map.at(0.5, 0.45);
    page.drag(&[middle, middle]).await?;
    page.address("scene.edges=").await?;
    page.address("scene.nodes=").await?;
    becomes(&page, "packs", |v| v < 3764.0).await?;
    // To a corner, and from there by key: ten steps to the right, nine up.
    let canvas = "canvas[aria-label^='Harmonic efficiency']";
    for (key, n) in [
        (Key::Left, 16),
        (Key::Down, 16),
        (Key::Right, 10),
        (Key::Up, 9),
    ] {
        press(&page, canvas, &keys(key, n)).await?;
    }
    noticed(&page).await?;
    page.address("scene.nodes=282").await?;
    page.shown("article [data-figure='packs'][data-value='2983']")
        .await?;
    page.close().await
}
