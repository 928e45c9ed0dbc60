//! Skew.

use super::{becomes, chapter, noticed, press, value};
use anyhow::Result;
use fantoccini::key::Key;
use packscope_browser_tests::keys;

#[tokio::test]
async fn rows_of_just_over_half_are_found_by_hand_and_by_key() -> Result<()> {
    let page = chapter("skew").await?;
    page.text("rows instead of 1,000").await?;
    becomes(&page, "maximum_over_mean", |v| (v - 4.0).abs() < 1e-9).await?;
    // By hand: the edge of the rectangle to two times the mean.
    let place = page.canvas("1,000 rows of").await?;
    page.drag(&[place.at(0.5, 0.6), place.at(0.35, 0.6), place.at(0.25, 0.6)])
        .await?;
    page.address("scene.longest=256").await?;
    becomes(&page, "padding", |v| (v - 0.5).abs() < 1e-9).await?;
    // By key: a little less, and the others alike.
    page.click("all alike but one").await?;
    for longest in [252, 248] {
        press(&page, "[data-knob=longest]", &keys(Key::Left, 1)).await?;
        page.address(&format!("scene.longest={longest}")).await?;
    }
    noticed(&page).await?;
    // Typed, digit by digit: 3 and 30 are below the least.
    press(&page, "[data-knob=longest]", "300").await?;
    page.address("scene.longest=300").await?;
    press(&page, "[data-knob=longest]", "248").await?;
    page.address("scene.longest=248").await?;
    becomes(&page, "packs", |v| (v - 1000.0).abs() < 1e-9).await?;
    // Real rows become shorter where they follow the longest.
    let before = value(&page, "most_skewed").await?;
    page.click("the longest there is").await?;
    page.address("scene.padded=1").await?;
    becomes(&page, "most_skewed", |v| v < before).await?;
    page.close().await
}
