//! Equal tokens are not equal work.

use super::{becomes, chapter, noticed, press};
use anyhow::{Result, ensure};
use fantoccini::key::Key;
use packscope_browser_tests::keys;

#[tokio::test]
#[ignore = "outer circle"]
async fn waiting_is_predicted_and_made_small() -> Result<()> {
    let page = chapter("equal-work").await?;
    becomes(&page, "waits", |share| share > 0.3).await?;
    let drawings = "document.querySelectorAll('article canvas').length";
    let before = page.eval(drawings).await?;
    press(
        &page,
        "[data-guess=ranks-wait] input[value='3']",
        &keys(Key::Space, 1),
    )
    .await?;
    press(
        &page,
        "[data-guess=ranks-wait] .solid",
        &keys(Key::Enter, 1),
    )
    .await?;
    page.shown("[data-guess=ranks-wait][data-told=true] [data-figure=answer]")
        .await?;
    page.text("You said 60 %, the nearest").await?;
    // What would have told it comes with it.
    page.holds(&format!("{drawings} > {before}")).await?;
    for power in (11..15).rev() {
        press(&page, "[data-knob=longest]", &keys(Key::Left, 1)).await?;
        page.address(&format!("scene.longest={power}")).await?;
        if page.has("article[data-done=true]").await? {
            break;
        }
    }
    noticed(&page).await?;
    ensure!(page.has("[data-guess=ranks-wait][data-told=true]").await?);
    page.close().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn its_ranks_wait_as_long_in_the_tool() -> Result<()> {
    let page = chapter("equal-work").await?;
    // Another model than the one that the page would take for sequences of this length, and a length below the limit.
    press(&page, "[data-knob=longest]", &keys(Key::Left, 2)).await?;
    page.address("scene.longest=13").await?;
    let waits = page.figure("waits").await?;
    page.click("Open this in Ranks").await?;
    page.shown("main[data-view=ranks][data-state=current]")
        .await?;
    page.text("2 ranks, 1 packed row each a step").await?;
    // One of two ranks waits: half of the time of both.
    let idle = page.figure("idle").await?;
    ensure!(
        (idle - waits / 2.0).abs() < 1e-9,
        "{idle} is not half of {waits}"
    );
    page.close().await
}
