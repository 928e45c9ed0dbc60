//! Does packing hurt the model?

use super::{becomes, chapter, noticed, press};
use anyhow::Result;
use fantoccini::key::Key;
use packscope_browser_tests::keys;

#[tokio::test]
async fn of_ten_gains_one_is_clear() -> Result<()> {
    let page = chapter("quality").await?;
    becomes(&page, "standard_errors", |errors| errors < 2.0).await?;
    // The ninth of ten tasks.
    press(&page, "[data-knob=task] button:nth-of-type(9)", &keys(Key::Enter, 1)).await?;
    becomes(&page, "standard_errors", |errors| errors > 2.0).await?;
    noticed(&page).await?;
    page.address("scene.task=8").await?;
    page.close().await
}
