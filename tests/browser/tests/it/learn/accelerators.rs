//! Many accelerators.

use super::{becomes, chapter, noticed, press, value};
use anyhow::Result;
use fantoccini::key::Key;
use packscope_browser_tests::keys;

#[tokio::test]
#[ignore = "outer circle"]
async fn the_fewest_rows_are_found_by_key() -> Result<()> {
    let page = chapter("accelerators").await?;
    page.shown("article [data-figure=waiting]").await?;
    let before = value(&page, "slowest").await?;
    page.click("Step").await?;
    page.address("scene.step=1").await?;
    becomes(&page, "slowest", |v| v != before).await?;
    // Packed rows wait for nobody.
    page.click("packed").await?;
    page.text("Packed, nobody waits for anybody").await?;
    becomes(&page, "waiting_now", |v| v == 0.0).await?;
    page.click("unpadded").await?;
    // By hand: the needle, to many accelerators and back to 64 by key.
    let drawing = page.canvas("How many times").await?;
    page.drag(&[
        drawing.at(0.3, 0.5),
        drawing.at(0.4, 0.5),
        drawing.at(0.99, 0.5),
    ])
    .await?;
    page.address("scene.crew=12").await?;
    press(&page, "[data-knob=crew]", &keys(Key::Left, 6)).await?;
    page.address("scene.crew=6").await?;
    press(&page, "[data-knob=rows]", &keys(Key::Right, 3)).await?;
    noticed(&page).await?;
    page.close().await
}
