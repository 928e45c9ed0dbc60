//! A few static shapes: found by address, moved by hand, a list judged, lines written.

use anyhow::{Result, ensure};
use fantoccini::key::Key;
use packscope_browser_tests::{Page, keys};

const PART: &str = "#few-shapes[open][data-state=current]";
/// How the label of the drawing begins.
const STEPS: &str = "Sequences, the shortest first";

async fn open(more: &str) -> Result<Page> {
    let page = Page::open(
        &format!("view=batches&sampler=bucket&data=gsm8k_train&room=compare{more}"),
        1440,
    )
    .await?;
    page.settled().await?;
    seen(&page).await?;
    Ok(page)
}

/// Scrolls to them: nothing is asked before they are in view.
async fn seen(page: &Page) -> Result<()> {
    page.shown("#few-shapes").await?;
    page.eval("document.getElementById('few-shapes').scrollIntoView()")
        .await
        .map(drop)
}

fn padding(way: &str) -> String {
    format!("[data-way={way}] [data-figure=padding_share]")
}

#[tokio::test]
async fn an_address_opens_them_and_the_slider_moves_all() -> Result<()> {
    let page = open("&shapes=8&shapes-multiple=some").await?;
    page.shown(&format!("{PART} .of-few")).await?;
    ensure!(page.value("[data-way=best] [data-figure=shapes]").await? == 8.0);
    page.text("shapes-multiple=some, which is no value for “Multiples of”")
        .await?;
    let [best, powers] = [padding("best"), padding("powers-of-two")];
    let before = page.value(&best).await?;
    ensure!(
        before < page.value(&padding("equal-total")).await? && before < page.value(&powers).await?
    );
    let said = page.said(STEPS).await?;
    ensure!(said.contains("8 lengths"), "{said}");
    // Eight more: all from one answer, powers of two hardly better.
    page.press("shapes", &keys(Key::Right, 8)).await?;
    let after = page.becomes(&best, |share| share < before).await?;
    ensure!((0.044..0.046).contains(&after), "{after}");
    page.text("16 shapes: 4.5 % is padding; powers of two leave 30.3 %")
        .await?;
    page.gone("[data-wrong=shapes]").await?;
    let said = page.said(STEPS).await?;
    ensure!(said.contains("16 lengths: 4.5 % is padding"), "{said}");
    ensure!(!page.has("#few-shapes[data-state=computing]").await?);
    page.becomes(&powers, |share| share > 0.28).await?;
    // Back to eight, and away and back: the address has it.
    page.press("shapes", &keys(Key::Left, 4)).await?;
    page.address("shapes=12").await?;
    page.find(fantoccini::Locator::Css("[data-way=equal-count] button"))
        .await?
        .click()
        .await?;
    page.address("shapes-by=equal-count").await?;
    page.shown("[data-way=equal-count].chosen").await?;
    page.close().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn they_are_loaded_when_they_are_unfolded() -> Result<()> {
    let page = open("").await?;
    ensure!(
        page.has("#few-shapes:not([open])[data-state=none]").await? && !page.has(".of-few").await?
    );
    page.unfold("#few-shapes").await?;
    page.shown(&format!("{PART} .of-few")).await?;
    page.unfold("#few-each").await?;
    // As many as the slots of a batch have room for.
    page.fill("Slots of a batch, tokens", "65536").await?;
    page.address("shapes-tokens=65536").await?;
    let longest = page
        .eval("[...document.querySelectorAll('[data-shape]')].at(-1).dataset.shape")
        .await?;
    let longest: f64 = longest.as_str().unwrap_or_default().parse()?;
    page.becomes("[data-shape]:last-child [data-figure=batch]", |batch| {
        batch == (65_536.0 / longest).floor()
    })
    .await?;
    page.unfold("#few-lines").await?;
    page.shown("[data-snippet=lhotse]").await?;
    page.click("NeMo").await?;
    page.text("bucket_batch_size: [").await?;
    page.close().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn a_pasted_list_is_judged() -> Result<()> {
    let page = open("&shapes=3").await?;
    page.shown(&format!("{PART} .of-few")).await?;
    page.fill("Lengths of your own", "bucket_duration_bins=[128, 256]")
        .await?;
    page.shown("[data-way=given].chosen").await?;
    page.text("The longest is added").await?;
    page.address("shapes-given=128,256").await?;
    let given = page.becomes(&padding("given"), |share| share > 0.0).await?;
    let best = page.value(&padding("best")).await?;
    ensure!(best < given, "{best} {given}");
    page.text("Your 3 lengths: ").await?;
    ensure!(page.said(STEPS).await?.contains("3 lengths"));
    // What is no list changes nothing and says so.
    page.fill("Lengths of your own", "128,many").await?;
    page.shown("#shapes-given[aria-invalid=true]").await?;
    page.text("is no list of lengths").await?;
    page.shown("[data-way=given]").await?;
    page.close().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn they_fit_a_phone() -> Result<()> {
    let page = Page::open(
        "view=batches&sampler=bucket&data=gsm8k_train&room=compare&shapes=8",
        360,
    )
    .await?;
    seen(&page).await?;
    page.shown(&format!("{PART} .of-few")).await?;
    page.unfold("#few-each").await?;
    page.unfold("#few-lines").await?;
    page.rests().await?;
    let wide = page.too_wide().await?;
    ensure!(wide.as_array().is_none_or(Vec::is_empty), "{wide}");
    page.close().await
}
