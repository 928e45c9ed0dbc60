//! Does packing hurt the model?

use super::{becomes, chapter, noticed, press};
use anyhow::Result;
use fantoccini::key::Key;
use packscope_browser_tests::keys;

#[tokio::test]
#[ignore = "outer circle"]
async fn four_times_the_seeds_make_a_gain_clear() -> Result<()> {
    let page = chapter("quality").await?;
    becomes(&page, "standard_errors", |errors| errors < 2.0).await?;
    press(&page, "[data-knob=seeds]", &keys(Key::Right, 3)).await?;
    becomes(&page, "standard_errors", |errors| errors > 2.0).await?;
    noticed(&page).await?;
    page.address("scene.seeds=40").await?;
    // Another model has other gains.
    press(
        &page,
        "[data-knob=model] button:nth-of-type(3)",
        &keys(Key::Enter, 1),
    )
    .await?;
    page.click("Show without guessing").await?;
    page.text("Five of ten tasks show a gain by themselves")
        .await?;
    page.close().await
}
