//! Buckets.

use super::{becomes, chapter, noticed, press, value};
use anyhow::Result;
use fantoccini::key::Key;
use packscope_browser_tests::keys;

#[tokio::test]
#[ignore = "outer circle"]
async fn narrow_buckets_are_merged_in_the_second_epoch() -> Result<()> {
    let page = chapter("buckets").await?;
    page.shown("article [data-figure=batches]").await?;
    let before = value(&page, "batches").await?;
    page.click("merged").await?;
    page.shown("[data-knob=merging] button:last-child[aria-pressed=true]")
        .await?;
    press(&page, "[data-knob=width]", &keys(Key::Home, 1)).await?;
    press(&page, "[data-knob=epoch]", &keys(Key::Right, 1)).await?;
    noticed(&page).await?;
    becomes(&page, "batches", |v| v < before).await?;
    page.address("scene.merging=1").await?;
    page.close().await
}
