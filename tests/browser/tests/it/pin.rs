//! A result that is pinned, and what the next one differs in.

use anyhow::{Result, ensure};
use fantoccini::key::Key;
use packscope_browser_tests::{Page, keys};

const FIGURES: [&str; 3] = ["packs", "padding_share", "efficiency"];

async fn figures(page: &Page, names: &[&str]) -> Result<Vec<f64>> {
    let mut values = Vec::new();
    for name in names {
        values.push(page.figure(name).await?);
    }
    Ok(values)
}

/// Every difference on screen is figure minus figure.
async fn apart(page: &Page, names: &[&str], then: &[f64]) -> Result<()> {
    page.shown("[data-pinned=known]").await?;
    for (name, then) in names.iter().zip(then) {
        let (now, apart) = (
            page.figure(name).await?,
            page.figure(&format!("difference_{name}")).await?,
        );
        ensure!(
            (now - then - apart).abs() < 1e-12,
            "{name}: {now} − {then} is not {apart}"
        );
    }
    Ok(())
}

#[tokio::test]
async fn differences_are_figure_minus_figure() -> Result<()> {
    let page = Page::open("data=squad_1_1_bert_384&limit=384", 1440).await?;
    let then = figures(&page, &FIGURES).await?;
    page.click("Pin").await?;
    page.text("This is what you have pinned").await?;
    page.press("depth", &keys(Key::Home, 1)).await?;
    page.press("depth", &keys(Key::Right, 1)).await?;
    page.settled().await?;
    apart(&page, &FIGURES, &then).await?;
    page.shown("[data-apart=packs]").await?;
    // In a line, of which the rest unfolds: nothing below moves away.
    page.holds("document.querySelector('.pinned').getBoundingClientRect().height < 80")
        .await?;
    page.unfold("#pinned").await?;
    page.text("worse").await?;
    page.text(" points").await?;
    let fill = "(at => getComputedStyle(document.querySelector(`.pictures li:${at} .full`)).fill)";
    page.holds(&format!("{fill}('first-child') !== {fill}('last-child')"))
        .await?;
    page.screenshot("pinned").await?;
    let now = figures(&page, &FIGURES).await?;
    // A link has it too, and computes it anew.
    let hash = page.address("pin.depth=unlimited").await?;
    page.go("").await?;
    page.go(&hash).await?;
    apart(&page, &FIGURES, &then).await?;
    page.click("Swap A and B").await?;
    page.settled().await?;
    apart(&page, &FIGURES, &now).await?;
    page.click("Unpin").await?;
    page.gone(".pinned").await?;
    page.click("Pin").await?;
    page.close().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn other_data_are_said_and_one_goes_back() -> Result<()> {
    let page = Page::open("data=glue_cola&limit=64", 1440).await?;
    page.settled().await?;
    let packs = page.figure("packs").await?;
    page.click("Pin").await?;
    page.choose("data", "glue_sst2").await?;
    page.text("Against A, which is about other data").await?;
    page.text("other data").await?;
    // High enough that the bar of controls is not over the button.
    page.resize(360, 1700).await?;
    page.settled().await?;
    page.click("Go back to A").await?;
    page.text("8,551 sequences").await?;
    page.settled().await?;
    assert_eq!(
        (page.figure("packs").await?, page.setting("limit").await?),
        (packs, 64.0)
    );
    page.close().await
}

/// Three results beside the one on screen: figures, bars, and a link that has them all.
#[tokio::test]
#[ignore = "outer circle"]
async fn several_stand_side_by_side() -> Result<()> {
    let page = Page::open("data=squad_1_1_bert_384&limit=384&algorithm=spfhp", 1440).await?;
    let mut rows = Vec::new();
    for (place, pin) in ["Pin", "Pin this too", "Pin this too"]
        .into_iter()
        .enumerate()
    {
        page.settled().await?;
        rows.push(page.figure("packs").await?);
        page.click(pin).await?;
        page.press("depth", &keys(Key::Home, 1)).await?;
        page.press("depth", &keys(Key::Right, place)).await?;
    }
    page.settled().await?;
    let now = page.figure("packs").await?;
    ensure!(
        rows[0] != rows[1] && rows[1] != rows[2] && rows[2] != now,
        "{rows:?}, {now}"
    );
    page.text("A, B, C and D, on screen, side by side").await?;
    page.unfold("#pinned").await?;
    page.holds(
        "document.querySelector('[data-heard=pins][role=status]').textContent === '3 results pinned.'",
    )
    .await?;
    page.screenshot("pinned-several").await?;
    let apart = async |page: &Page, rows: &[f64], now: f64| -> Result<()> {
        page.shown("[data-pinned=known]").await?;
        for (name, then) in ["", "_b", "_c"].into_iter().zip(rows) {
            let apart = page.figure(&format!("difference_packs{name}")).await?;
            ensure!(apart == now - then, "{name}: {now} − {then} is not {apart}");
        }
        Ok(())
    };
    apart(&page, &rows, now).await?;
    page.holds("document.querySelectorAll('.pictures li').length === 4")
        .await?;
    let hash = page.address("pin3.depth=2&").await?;
    page.go("").await?;
    page.go(&hash).await?;
    apart(&page, &rows, now).await?;
    page.unfold("#pinned").await?;
    page.click("Swap B and D").await?;
    page.settled().await?;
    apart(&page, &[rows[0], now, rows[2]], rows[1]).await?;
    page.click("Unpin A").await?;
    page.text("A, B and C, on screen, side by side").await?;
    apart(&page, &[now, rows[2]], rows[1]).await?;
    page.close().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn graphs_are_pinned_too() -> Result<()> {
    let names = ["packs", "efficiency_harmonic", "packing_factor"];
    let page = Page::open("view=graphs&data=tu_mutag&algorithm=best-fit", 1440).await?;
    page.text("188 graphs").await?;
    page.settled().await?;
    let then = figures(&page, &names).await?;
    page.click("Pin").await?;
    page.press("depth", &keys(Key::Home, 1)).await?;
    page.settled().await?;
    apart(&page, &names, &then).await?;
    let hash = page.address("pin.data=tu_mutag").await?;
    page.go(&hash).await?;
    apart(&page, &names, &then).await?;
    page.close().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn ranks_are_pinned_too() -> Result<()> {
    let names = ["idle", "factor", "bound", "longest"];
    let page = Page::open("view=ranks&data=sharegpt_8k_llama2&limit=8192", 1440).await?;
    let then = figures(&page, &names).await?;
    page.click("Pin").await?;
    page.text("This is what you have pinned").await?;
    page.choose("dealing", "greedy").await?;
    page.settled().await?;
    apart(&page, &names, &then).await?;
    page.shown("[data-apart=factor]").await?;
    page.text("Against A: idle time −").await?;
    // A link has it too, and another model is that of both.
    let hash = page.address("pin.limit=8192").await?;
    page.go("").await?;
    page.go(&hash).await?;
    apart(&page, &names, &then).await?;
    page.choose("cost-model", "olmoe-1b-7b").await?;
    page.settled().await?;
    page.shown("[data-pinned=known]").await?;
    page.click("Go back to A").await?;
    page.address("dealing=as-drawn").await?;
    page.text("This is what you have pinned").await?;
    page.close().await
}
