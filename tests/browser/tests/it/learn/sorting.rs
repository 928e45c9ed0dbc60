//! Sorting, and why it is not free.

use super::{becomes, chapter, noticed, press, value};
use anyhow::{Result, ensure};
use fantoccini::key::Key;
use packscope_browser_tests::{Page, keys};

/// The row of the focus, and how long its sequence is.
async fn focus(page: &Page) -> Result<(String, String)> {
    let of = |name: &str| format!("document.activeElement.getAttribute('{name}')");
    let [row, now] = [
        page.eval(&of("data-row")).await?,
        page.eval(&of("aria-valuenow")).await?,
    ];
    let [row, now] = [row, now].map(|v| v.as_str().unwrap_or_default().to_owned());
    Ok((row, now))
}

#[tokio::test]
#[ignore = "outer circle"]
async fn rows_are_sorted_while_they_are_dragged_and_groups_are_found() -> Result<()> {
    let page = chapter("sorting").await?;
    let before = value(&page, "padding").await?;
    page.click("sorted").await?;
    page.text("no two batches have the same shape").await?;
    becomes(&page, "padding", |v| v < before).await?;
    // The shortest is dragged past others: it alone becomes longer, wherever it goes.
    let row = page.place("[data-row='10']").await?;
    page.drag(&[row.at(0.13, 0.5), row.at(0.3, 0.5), row.at(0.5, 0.5)])
        .await?;
    page.address("scene.lengths=14.30.9.22.48.12.17.26.11.19.32.36")
        .await?;
    // By key as well, with the focus.
    press(&page, "[data-row='2']", &keys(Key::PageUp, 1)).await?;
    let (row, now) = focus(&page).await?;
    ensure!(row == "2" && now == "17", "{row} {now}");
    page.click("the longest of all").await?;
    page.text("sorted or not").await?;
    for group in 2..=16 {
        press(&page, "[data-knob=group]", &keys(Key::Right, 1)).await?;
        page.address(&format!("scene.group={group}")).await?;
    }
    noticed(&page).await?;
    ensure!(value(&page, "removed").await? >= 0.9 && value(&page, "again").await? < 0.1);
    page.close().await
}
