//! A few shapes.

use super::{becomes, chapter, noticed, press, value};
use anyhow::{Result, ensure};
use fantoccini::key::Key;
use packscope_browser_tests::keys;

#[tokio::test]
#[ignore = "outer circle"]
async fn lengths_that_fit_are_predicted_and_found() -> Result<()> {
    let page = chapter("few-shapes").await?;
    becomes(&page, "padding_share", |share| share > 0.2).await?;
    let before = value(&page, "padding_share").await?;
    let commit = "[data-guess=best-shapes] .solid";
    ensure!(
        page.has(&format!("{commit}:disabled")).await?,
        "nothing to commit"
    );
    press(
        &page,
        "[data-guess=best-shapes] input[value='1']",
        &keys(Key::Space, 1),
    )
    .await?;
    press(&page, commit, &keys(Key::Enter, 1)).await?;
    page.shown("[data-guess=best-shapes][data-told=true] [data-figure=answer]")
        .await?;
    let answer = page
        .value("[data-guess=best-shapes] [data-figure=answer]")
        .await?;
    ensure!((0.062..0.063).contains(&answer), "{answer}");
    page.text("You said 6 %, the nearest: 0.3 percentage points too low")
        .await?;
    // Of the same number the best.
    press(
        &page,
        "[data-knob=by] button:nth-of-type(1)",
        &keys(Key::Enter, 1),
    )
    .await?;
    becomes(&page, "padding_share", |share| share < before).await?;
    // The smallest number that does it is near.
    for shapes in (3..8).rev() {
        if page.has("article[data-done=true]").await? {
            break;
        }
        press(&page, "[data-knob=shapes]", &keys(Key::Left, 1)).await?;
        page.address(&format!("scene.shapes={shapes}")).await?;
    }
    noticed(&page).await?;
    page.address("scene.by=0").await?;
    page.close().await
}
