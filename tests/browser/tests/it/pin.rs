//! A result that is pinned, and what the next one differs in.

use anyhow::{Result, ensure};
use fantoccini::key::Key;
use packscope_browser_tests::{Page, keys};

const FIGURES: [&str; 4] = ["packs", "padding_share", "efficiency", "realised_speedup"];

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
        let (now, apart) = (page.figure(name).await?, page.figure(&format!("difference_{name}")).await?);
        ensure!((now - then - apart).abs() < 1e-12, "{name}: {now} − {then} is not {apart}");
    }
    Ok(())
}

#[tokio::test]
async fn differences_are_figure_minus_figure() -> Result<()> {
    let page = Page::open("data=squad_1_1_bert_384&limit=384", 1440).await?;
    let then = figures(&page, &FIGURES).await?;
    page.click("Pin this").await?;
    page.text("This is what you have pinned").await?;
    page.press("depth", &keys(Key::Home, 1)).await?;
    page.press("depth", &keys(Key::Right, 1)).await?;
    page.settled().await?;
    apart(&page, &FIGURES, &then).await?;
    page.text("worse").await?;
    page.shown("[data-apart=packs]").await?;
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
    page.click("Pin this").await?;
    page.close().await
}

#[tokio::test]
async fn other_data_are_said_and_one_goes_back() -> Result<()> {
    let page = Page::open("data=glue_cola&limit=64", 1440).await?;
    page.settled().await?;
    let packs = page.figure("packs").await?;
    page.click("Pin this").await?;
    page.choose("data", "glue_sst2").await?;
    page.text("Against A, which is about other data").await?;
    page.text("other data").await?;
    // High enough that the bar of controls is not over the button.
    page.resize(360, 1400).await?;
    page.settled().await?;
    page.click("Go back to A").await?;
    page.text("8,551 sequences").await?;
    page.settled().await?;
    assert_eq!((page.figure("packs").await?, page.setting("limit").await?), (packs, 64.0));
    page.close().await
}

#[tokio::test]
async fn graphs_are_pinned_too() -> Result<()> {
    let names = ["packs", "efficiency_harmonic", "packing_factor"];
    let page = Page::open("view=graphs&data=tu_mutag&algorithm=best-fit", 1440).await?;
    page.text("188 graphs").await?;
    page.settled().await?;
    let then = figures(&page, &names).await?;
    page.click("Pin this").await?;
    page.press("depth", &keys(Key::Home, 1)).await?;
    page.settled().await?;
    apart(&page, &names, &then).await?;
    let hash = page.address("pin.data=tu_mutag").await?;
    page.go(&hash).await?;
    apart(&page, &names, &then).await?;
    page.close().await
}
