//! Keeping packed sequences apart.

use super::{becomes, chapter, noticed, press, value};
use anyhow::Result;
use fantoccini::key::Key;
use packscope_browser_tests::keys;

#[tokio::test]
async fn without_a_mask_one_long_sequence_mixes_least() -> Result<()> {
    let page = chapter("apart").await?;
    press(
        &page,
        "[data-knob=mask] button:last-child",
        &keys(Key::Enter, 1),
    )
    .await?;
    let mixed = value(&page, "contamination").await?;
    // A token is pointed at, then stepped from.
    let canvas = page.canvas("Which of 14 tokens").await?;
    page.drag(&[canvas.at(0.5, 0.15), canvas.at(0.5, 0.2)])
        .await?;
    page.address("scene.token=").await?;
    let row = page.place("[data-row='2']").await?;
    page.drag(&[row.at(0.12, 0.5), row.at(0.08, 0.5), row.at(0.0625, 0.5)])
        .await?;
    press(&page, "[data-row='1']", &keys(Key::Home, 1)).await?;
    press(&page, "[data-row='0']", &keys(Key::Right, 6)).await?;
    noticed(&page).await?;
    becomes(&page, "contamination", |v| v < mixed).await?;
    page.address("scene.mask=1").await?;
    page.close().await
}
