//! Graphs have two budgets.

use super::{becomes, chapter, noticed, press};
use anyhow::Result;
use fantoccini::key::Key;
use packscope_browser_tests::{Page, keys};

/// Drags a graph onto a pack.
async fn put(page: &Page, item: u32, pack: u32) -> Result<()> {
    let to = page.place(&format!("[data-pack='{pack}'] svg")).await?;
    let scroll = page.place(&format!("[data-item='{item}'] rect")).await?;
    // Both in the window: places move as the second is scrolled to.
    let script = format!(
        "const r = document.querySelector(`[data-pack='{pack}'] svg`).getBoundingClientRect(); return [r.left, r.top];"
    );
    let now = page.execute(&script, vec![]).await?;
    let (left, top) = (
        now[0].as_f64().unwrap_or(to.left),
        now[1].as_f64().unwrap_or(to.top),
    );
    let end = (left + to.width / 2.0, top + to.height / 2.0);
    page.drag(&[scroll.at(0.5, 0.5), end, end]).await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn graphs_are_dragged_into_packs_until_three_hold_all() -> Result<()> {
    let page = chapter("graphs").await?;
    for (item, pack) in [(0, 1), (1, 1), (2, 2), (3, 2), (4, 2)] {
        put(&page, item, pack).await?;
        page.shown(&format!("[data-pack='{pack}'] [data-item='{item}']"))
            .await?;
    }
    becomes(&page, "packs", |v| v == 2.0).await?;
    // Where there is no room it stays, and the page says why.
    put(&page, 5, 1).await?;
    page.text("F needs 8 nodes, and pack 1 has room for 3")
        .await?;
    // By key: down to the first pack that has room, and on to the third.
    for item in [5, 6, 7] {
        let there = format!("[data-pack='3'] [data-item='{item}']");
        for _ in 0..3 {
            if !page.has(&there).await? {
                press(&page, &format!("[data-item='{item}']"), &keys(Key::Down, 1)).await?;
            }
        }
        page.shown(&there).await?;
    }
    noticed(&page).await?;
    page.address("scene.packs=1.1.2.2.2.3.3.3").await?;
    page.click("nodes, without an edge limit").await?;
    page.shown("[data-figure='edges_needed'][data-value='50']")
        .await?;
    page.close().await
}
