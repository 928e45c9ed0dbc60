//! How good can it get?

use super::{becomes, chapter, noticed, press, value};
use anyhow::{Result, ensure};
use fantoccini::key::Key;
use packscope_browser_tests::keys;

#[tokio::test]
#[ignore = "outer circle"]
async fn prices_are_dragged_and_moved_by_key_until_they_prove_the_plan() -> Result<()> {
    let page = chapter("bounds&hide=predictions").await?;
    page.shown("article [data-figure=packs]").await?;
    ensure!(value(&page, "packs").await? == 8.0 && value(&page, "bound").await? == 6.0);
    // By hand: the price of the longest goes up.
    let long = page.place("[data-knob=long]").await?;
    page.drag(&[long.at(0.5, 0.5), long.at(1.0, 0.5), long.at(2.0, 0.5)])
        .await?;
    becomes(&page, "sum", |v| v > 144.0).await?;
    // By key: from the least up to 24, and two more for the next.
    press(&page, "[data-knob=long]", &keys(Key::Home, 1)).await?;
    press(&page, "[data-knob=long]", &keys(Key::Right, 24)).await?;
    becomes(&page, "bound", |v| v == 7.0).await?;
    press(&page, "[data-knob=middle]", &keys(Key::Right, 2)).await?;
    becomes(&page, "bound", |v| v == 8.0).await?;
    noticed(&page).await?;
    page.address("scene.long=24").await?;
    page.close().await
}
