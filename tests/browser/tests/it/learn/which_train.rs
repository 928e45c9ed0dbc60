//! Which tokens train.

use super::{becomes, chapter, noticed, press, value};
use anyhow::{Result, ensure};
use fantoccini::key::Key;
use packscope_browser_tests::keys;

#[tokio::test]
#[ignore = "outer circle"]
async fn what_a_limit_leaves_is_predicted_and_kept() -> Result<()> {
    let page = chapter("which-train&scene.limit=512").await?;
    becomes(&page, "responses", |share| share > 0.0).await?;
    let drawings = "document.querySelectorAll('article canvas').length";
    let before = page.eval(drawings).await?;
    press(
        &page,
        "[data-guess=responses-left] input[value='1']",
        &keys(Key::Space, 1),
    )
    .await?;
    press(
        &page,
        "[data-guess=responses-left] .solid",
        &keys(Key::Enter, 1),
    )
    .await?;
    page.text("You said 25 %, the nearest").await?;
    // The curves come with the answer.
    page.holds(&format!("{drawings} > {before}")).await?;
    ensure!(value(&page, "untrained").await? > 0.0);
    // The beginning is cut off.
    page.click("the beginning").await?;
    becomes(&page, "untrained", |none| none == 0.0).await?;
    press(&page, ".scrub[data-knob=limit]", &keys(Key::Left, 1)).await?;
    page.address("scene.limit=448").await?;
    noticed(&page).await?;
    page.close().await
}
