//! Pack by hand.

use super::{becomes, chapter, noticed, press};
use anyhow::{Context, Result};
use fantoccini::Locator;
use fantoccini::key::Key;
use packscope_browser_tests::{Page, keys};

/// The middle of something, where it is in the window.
async fn middle(page: &Page, selector: &str) -> Result<(f64, f64)> {
    let script = format!(
        "(() => {{ const b = document.querySelector(\"{selector}\").getBoundingClientRect();
            return [b.left + b.width / 2, b.top + b.height / 2]; }})()"
    );
    let at = page.eval(&script).await?;
    let at: Vec<f64> = at
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|v| v.as_f64())
        .collect();
    Ok((
        *at.first().context("no place")?,
        *at.get(1).context("no place")?,
    ))
}

fn piece(item: u32) -> String {
    format!("[data-item='{item}']")
}

/// Drags a sequence into a pack.
async fn drag(page: &Page, item: u32, pack: u32) -> Result<()> {
    let from = middle(page, &piece(item)).await?;
    let to = middle(page, &format!("[data-pack='{pack}'] > svg")).await?;
    page.drag(&[
        from,
        (f64::midpoint(from.0, to.0), f64::midpoint(from.1, to.1)),
        to,
    ])
    .await
}

async fn used(page: &Page, pack: u32, tokens: u32) -> Result<()> {
    page.shown(&format!("[data-pack='{pack}'][data-used='{tokens}']"))
        .await
}

/// Whether the focus is on a sequence, and that in a pack.
async fn focused(page: &Page, item: u32, pack: u32) -> Result<()> {
    page.shown(&format!("[data-pack='{pack}'] [data-item='{item}']:focus"))
        .await
}

#[tokio::test]
async fn twelve_sequences_are_packed_by_mouse_and_by_key() -> Result<()> {
    let page = chapter("by-hand").await?;
    page.place(".packing").await?;
    // By mouse: dragged, or pressed one after the other.
    drag(&page, 3, 1).await?;
    used(&page, 1, 14).await?;
    drag(&page, 7, 1).await?;
    used(&page, 1, 17).await?;
    page.find(Locator::Css(&piece(2))).await?.click().await?;
    page.text("The 3 is in your hand").await?;
    page.find(Locator::Css("[data-pack='1'] .pack-name"))
        .await?
        .click()
        .await?;
    used(&page, 1, 20).await?;
    // What does not fit stays where it was, and is told why.
    drag(&page, 0, 1).await?;
    page.text("The 7 needs 7 tokens, and pack 1 has room for 0.")
        .await?;
    used(&page, 1, 20).await?;
    // By key: a pack's number, and up and down among the packs with room. The focus goes along.
    press(&page, &piece(6), "2").await?;
    focused(&page, 6, 2).await?;
    press(&page, &piece(0), &keys(Key::Down, 1)).await?;
    focused(&page, 0, 2).await?;
    press(&page, &piece(0), &keys(Key::Up, 1)).await?;
    focused(&page, 0, 0).await?;
    press(&page, &piece(0), &keys(Key::Down, 1)).await?;
    focused(&page, 0, 2).await?;
    becomes(&page, "placed", |v| v >= 4.0).await?;
    for (item, pack) in [
        (1, "3"),
        (5, "3"),
        (10, "4"),
        (9, "4"),
        (8, "5"),
        (4, "5"),
        (11, "5"),
        (3, "1"),
    ] {
        press(&page, &piece(item), pack).await?;
        page.shown(&format!("[data-pack='{pack}'] [data-item='{item}']"))
            .await?;
    }
    noticed(&page).await?;
    page.address("scene.packs=2.3.1.1.5.3.2.1.5.4.4.5").await?;
    // What the others do.
    page.click("SPFHP").await?;
    page.shown("[data-pack='7'] [role=img]").await?;
    page.gone(".piece").await?;
    page.close().await
}
