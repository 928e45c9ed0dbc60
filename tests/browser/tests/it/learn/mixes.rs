//! What a mix is made of.

use super::{becomes, chapter, noticed, press};
use anyhow::Result;
use fantoccini::key::Key;
use packscope_browser_tests::keys;

#[tokio::test]
#[ignore = "outer circle"]
async fn weights_of_documents_share_tokens_out() -> Result<()> {
    let page = chapter("mixes").await?;
    // LIMA is fetched.
    becomes(&page, "tokens_lima", |share| share > 0.5).await?;
    press(&page, ".scrub[data-knob=alpaca]", &keys(Key::Right, 5)).await?;
    press(&page, ".scrub[data-knob=gsm]", &keys(Key::Right, 3)).await?;
    becomes(&page, "tokens_lima", |share| {
        (share - 1.0 / 3.0).abs() < 0.02
    })
    .await?;
    noticed(&page).await?;
    page.address("scene.alpaca=6").await?;
    page.close().await
}
