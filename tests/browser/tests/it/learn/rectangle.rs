//! A batch is a rectangle.

use super::{becomes, chapter, noticed, press, value};
use anyhow::Result;
use fantoccini::key::Key;
use packscope_browser_tests::keys;

#[tokio::test]
#[ignore = "outer circle"]
async fn ends_are_dragged_and_moved_by_key_until_little_is_grey() -> Result<()> {
    let page = chapter("rectangle").await?;
    let before = value(&page, "padding").await?;
    // By hand: the first row as long as the longest.
    let row = page.place("[data-row='0']").await?;
    page.drag(&[row.at(0.1, 0.5), row.at(0.4, 0.5), row.at(0.745, 0.5)])
        .await?;
    becomes(&page, "padding", |v| v < before).await?;
    // By key: all others.
    for i in 1..12 {
        press(&page, &format!("[data-row='{i}']"), &keys(Key::PageUp, 6)).await?;
        press(&page, &format!("[data-row='{i}']"), &keys(Key::PageDown, 2)).await?;
    }
    noticed(&page).await?;
    page.address("scene.lengths=").await?;
    page.close().await
}
