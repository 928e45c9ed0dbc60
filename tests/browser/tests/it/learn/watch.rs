//! Watch an algorithm.

use super::{chapter, noticed, press, value};
use anyhow::{Result, ensure};
use fantoccini::key::Key;
use packscope_browser_tests::keys;

#[tokio::test]
#[ignore = "outer circle"]
async fn decisions_are_stepped_through_and_data_found_that_hurt() -> Result<()> {
    let page = chapter("watch").await?;
    page.click("Step").await?;
    page.text("SPFHP opens 2 packs for length 12").await?;
    page.shown("canvas[aria-label*='2 packs with 12 and 8 slots empty']")
        .await?;
    page.shown("canvas[aria-label*='length 12: 0 of 2']")
        .await?;
    page.click("To the end").await?;
    page.text("SPFHP ends with 7 packs, LPFHP with 6").await?;
    ensure!(
        (
            value(&page, "spfhp_packs").await?,
            value(&page, "lpfhp_packs").await?
        ) == (7.0, 6.0)
    );
    page.click("Back").await?;
    page.shown(".player[data-at='7']").await?;
    // The other one, from the start, by itself.
    page.click("LPFHP").await?;
    page.click("To the start").await?;
    page.click("Play").await?;
    page.shown(".player[data-at='2']").await?;
    page.click("Pause").await?;
    // One of each length, and fives, of which three fill a row beside another.
    for (knob, sequences) in [("twelves", 1), ("nines", 1), ("eights", 1), ("fives", 5)] {
        let knob = format!("[data-knob={knob}]");
        press(&page, &knob, &keys(Key::Home, 1)).await?;
        press(&page, &knob, &keys(Key::Right, sequences)).await?;
    }
    press(&page, "[data-knob=threes]", &keys(Key::Home, 1)).await?;
    noticed(&page).await?;
    ensure!(value(&page, "spfhp_packs").await? >= 2.0 * value(&page, "lpfhp_packs").await?);
    page.address("scene.fives=5").await?;
    page.close().await
}
