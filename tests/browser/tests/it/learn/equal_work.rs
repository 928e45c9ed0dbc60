//! Equal tokens are not equal work.

use super::{becomes, chapter, noticed, press};
use anyhow::{Result, ensure};
use fantoccini::key::Key;
use packscope_browser_tests::keys;

#[tokio::test]
async fn waiting_is_predicted_and_made_small() -> Result<()> {
    let page = chapter("equal-work").await?;
    becomes(&page, "waits", |share| share > 0.3).await?;
    let drawings = "document.querySelectorAll('article canvas').length";
    let before = page.eval(drawings).await?;
    press(&page, "[data-guess=ranks-wait] input[value='3']", &keys(Key::Space, 1)).await?;
    press(&page, "[data-guess=ranks-wait] .solid", &keys(Key::Enter, 1)).await?;
    page.shown("[data-guess=ranks-wait][data-told=true] [data-figure=answer]").await?;
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
