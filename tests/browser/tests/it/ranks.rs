//! The view of ranks as a visitor uses it: the answer, the one setting to change, the bars by key, links, phones.

use anyhow::{Result, ensure};
use fantoccini::Locator;
use fantoccini::key::Key;
use packscope_browser_tests::{Page, SAVED, keys};
use serde_json::json;

const RANKS: &str = "view=ranks&data=sharegpt_8k_llama2&limit=8192&ranks=16&room=all";
/// How the labels of both drawings begin.
const STEP: &str = "Work of ";
const STEPS: &str = "How long ";

/// A share as people read it, from 1 % up.
fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

#[tokio::test]
async fn ranks_open_by_their_tab_and_say_how_long_they_wait() -> Result<()> {
    let page = Page::open("data=glue_rte&limit=128", 1440).await?;
    page.click("Ranks").await?;
    page.shown("main[data-view=ranks]").await?;
    page.settled().await?;
    // The sequences stay.
    page.address("data=glue_rte").await?;
    page.text("8 ranks, 32 sequences each a step, assigned in arrival order; they synchronise once a step.")
        .await?;
    page.follow(RANKS).await?;
    let (idle, factor) = (page.figure("idle").await?, page.figure("factor").await?);
    ensure!(
        (idle - (1.0 - 1.0 / factor)).abs() < 1e-9 && (0.05..0.6).contains(&idle),
        "{idle} {factor}"
    );
    page.text(&format!("Ranks are idle {} of the time.", percent(idle)))
        .await?;
    page.text("16 ranks, 32 sequences each a step").await?;
    page.text("ranks, of 16").await?;
    ensure!(page.said(STEP).await?.contains("16 ranks in one step"));
    ensure!(page.said(STEPS).await?.contains("best possible"));
    // A view of its own, without an address.
    let bare = Page::open("view=ranks", 1440).await?;
    bare.text("ShareGPT").await?;
    bare.close().await?;
    page.close().await
}

#[tokio::test]
#[ignore = "outer circle: both ways are state that native tests compute"]
async fn a_library_leads_from_its_packing_to_its_ranks_and_back() -> Result<()> {
    let page = Page::open("data=glue_cola&sequences.trainer=verl", 1440).await?;
    page.click("How verl 0.9.1 balances the work of several GPUs →")
        .await?;
    page.address("library=verl-0.9.1").await?;
    page.text("assigned by verl 0.9.1").await?;
    page.click("What verl pads and cuts →").await?;
    page.address("trainer=verl").await?;
    page.text("Lines for verl").await?;
    page.close().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn the_change_on_offer_is_made_by_a_press() -> Result<()> {
    let page = Page::open(RANKS, 1440).await?;
    page.compared().await?;
    let (before, bars) = (page.figure("idle").await?, page.said(STEP).await?);
    page.shown("[data-advice=open]").await?;
    page.click("Use it").await?;
    page.address("dealing=").await?;
    page.settled().await?;
    let after = page
        .becomes("[data-figure=idle]", |idle| idle < before)
        .await?;
    ensure!(after < before, "{before} {after}");
    ensure!(page.said(STEP).await? != bars, "the bars stayed: {bars}");
    // A cell of the table takes dealing, weight and waiting at once, and its factor is that of the headline.
    page.compared().await?;
    let cell =
        "button[aria-label^='Heaviest first (LPT), Work of the model, after every micro-batch']";
    page.find(Locator::Css(cell)).await?.click().await?;
    let hash = page.address("waiting=micro-batch").await?;
    ensure!(
        hash.contains("dealing=greedy") && hash.contains("weight=model"),
        "{hash}"
    );
    page.compared().await?;
    page.shown("td.chosen button[aria-pressed=true]").await?;
    page.text("they synchronise after every micro-batch")
        .await?;
    page.close().await
}

#[tokio::test]
async fn the_bars_are_read_by_key_and_saved_as_a_table() -> Result<()> {
    let page = Page::open_after(&[SAVED], RANKS).await?;
    page.rests().await?;
    page.eval(&format!(
        "document.querySelector('canvas[aria-label^=\"{STEP}\"]').focus()"
    ))
    .await?;
    let active = "document.activeElement";
    ensure!(page.eval(&format!("{active}.tagName")).await? == "CANVAS");
    let drawing = format!("canvas[aria-label^='{STEP}']");
    let press = async |key: Key, times| -> Result<()> {
        page.find(Locator::Css(&drawing))
            .await?
            .send_keys(&keys(key, times))
            .await
            .map_err(Into::into)
    };
    press(Key::Right, 2).await?;
    page.text("Rank 2 of 16: ").await?;
    press(Key::Left, 1).await?;
    page.text("Rank 1 of 16: ").await?;
    page.unfold("#take").await?;
    // Lines that deal like this, for the chosen way.
    page.shown("pre[data-snippet='ranks']").await?;
    page.holds("document.querySelector('pre[data-snippet=ranks]').textContent.includes('class Ranks(torch')")
        .await?;
    page.find(Locator::Css("button[data-file$='ranks.csv']"))
        .await?
        .click()
        .await?;
    let rows = "(Object.entries(window.saved).find(([name]) => name.endsWith('ranks.csv'))?.[1] ?? '').trim().split('\\n').length === 17";
    page.holds(rows).await?;
    page.close().await
}

#[tokio::test]
async fn ranks_have_addresses_and_a_slider_moves_the_answer() -> Result<()> {
    let page = Page::open(
        &format!("{RANKS}&dealing=greedy&weight=model&cap=16384"),
        1440,
    )
    .await?;
    let answer = page.figure("factor").await?;
    let hash = page.address("ranks=16").await?;
    for part in ["dealing=greedy", "weight=model", "cap=16384"] {
        ensure!(hash.contains(part), "{part} in {hash}");
    }
    page.shown("#cap table").await?;
    page.press("ranks", &keys(Key::Left, 1)).await?;
    page.address("ranks=8").await?;
    page.settled().await?;
    page.text("8 ranks, 32 sequences each a step").await?;
    // Long sequences are shared by a press, and that is what the answer is about.
    page.click("At most 2,048 tokens of a sequence on a rank")
        .await?;
    page.address("context=2048").await?;
    page.shown("#context table").await?;
    page.text("Long sequences are shared").await?;
    // An empty field is no cap.
    page.fill("Cap on tokens, tokens", &keys(Key::Delete, 1))
        .await?;
    page.gone("#cap table").await?;
    let again = Page::open(&hash, 1440).await?;
    ensure!(
        again.figure("factor").await? == answer,
        "the link gives another answer"
    );
    again.choose("dealing", "as-drawn").await?;
    again.address("data=sharegpt_8k_llama2").await?;
    again.settled().await?;
    ensure!(again.figure("factor").await? > answer);
    again.close().await?;
    page.close().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn ranks_fit_every_width() -> Result<()> {
    let page = Page::open(&format!("{RANKS}&cap=16384&context=2048"), 1440).await?;
    page.compared().await?;
    for width in [360, 768, 2560] {
        page.resize(width, 900).await?;
        page.rests().await?;
        let wide = page.too_wide().await?;
        ensure!(wide == json!([]), "{wide} at {width}");
    }
    page.close().await
}
