//! What the optimiser sees.

use super::{becomes, chapter, noticed, press};
use anyhow::Result;
use fantoccini::key::Key;
use packscope_browser_tests::keys;

#[tokio::test]
#[ignore = "outer circle"]
async fn batches_and_momentum_together_make_up_for_packing() -> Result<()> {
    let page = chapter("optimiser").await?;
    press(&page, ".scrub[data-knob=factor]", &keys(Key::Right, 5)).await?;
    becomes(&page, "sequences_per_update", |v| v == 3750.0).await?;
    press(&page, ".scrub[data-knob=accumulation]", &keys(Key::Left, 4)).await?;
    // By hand: half a pixel for a thousandth.
    let beta = page.place(".scrub[data-knob=beta]").await?;
    let (x, y) = beta.at(0.5, 0.4);
    page.drag(&[(x, y), (x + 3.0, y), (x + 8.0, y)]).await?;
    noticed(&page).await?;
    page.address("scene.accumulation=2").await?;
    page.close().await
}
