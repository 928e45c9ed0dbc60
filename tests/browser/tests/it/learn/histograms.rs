//! Histograms instead of items.

use super::{becomes, chapter, noticed, press, value};
use anyhow::Result;
use fantoccini::key::Key;
use packscope_browser_tests::keys;

#[tokio::test]
#[ignore = "outer circle"]
async fn the_needle_goes_across_and_fewer_lengths_are_found() -> Result<()> {
    let page = chapter("histograms").await?;
    page.shown("article [data-figure=seconds_one_by_one]")
        .await?;
    page.click("counted").await?;
    page.text("Counted: 8 lengths").await?;
    page.click("packed").await?;
    page.text("Equal packs are one strategy").await?;
    let before = value(&page, "steps").await?;
    // By hand: the needle, to ever more sequences.
    let drawing = page.canvas("Steps of packing").await?;
    page.drag(&[
        drawing.at(0.4, 0.5),
        drawing.at(0.5, 0.5),
        drawing.at(0.72, 0.5),
    ])
    .await?;
    page.address("scene.n=").await?;
    becomes(&page, "steps", |v| (v / before - 1.0).abs() < 0.1).await?;
    // By key: coarser lengths.
    press(&page, "[data-knob=grain]", &keys(Key::Right, 4)).await?;
    noticed(&page).await?;
    page.address("scene.grain=4").await?;
    page.close().await
}
