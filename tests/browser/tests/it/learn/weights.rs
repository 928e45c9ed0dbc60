//! What a token weighs.

use super::{becomes, chapter, noticed, press};
use anyhow::Result;
use fantoccini::key::Key;
use packscope_browser_tests::keys;

#[tokio::test]
#[ignore = "outer circle"]
async fn larger_micro_batches_make_tokens_weigh_alike() -> Result<()> {
    let page = chapter("weights").await?;
    becomes(&page, "ratio", |ratio| ratio > 3.0).await?;
    page.click("the whole step").await?;
    becomes(&page, "ratio", |ratio| (ratio - 1.0).abs() < 1e-9).await?;
    page.click("each micro-batch").await?;
    press(&page, ".scrub[data-knob=rows]", &keys(Key::Right, 2)).await?;
    press(&page, ".scrub[data-knob=accumulation]", &keys(Key::Left, 2)).await?;
    becomes(&page, "update", |rows| rows == 32.0).await?;
    noticed(&page).await?;
    page.close().await
}
