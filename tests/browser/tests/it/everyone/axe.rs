//! axe-core looks for what keeps people out, in dialogs, panels and errors; in views and chapters while [`super::walk`] is there:
//! 0 findings.

use super::{VIEWS, go, unfold};
use anyhow::{Context, Result, ensure};
use fantoccini::key::Key;
use packscope_browser_tests::{Page, keys};
use serde_json::json;

/// What axe finds now. All its rules are asked, also the experimental ones and those for best practice, but for those
/// of level AAA, which the page does not promise, and where the focus is on a drawing: `focus-order-semantics` wants
/// the role of a control on whatever can have it, and a drawing that arrow keys read is an image to everyone else.
const ASK: &str = "const done = arguments[arguments.length - 1], only = arguments[0];
    const asked = axe.getRules().filter(r => !r.tags.includes('wcag2aaa'));
    const rules = Object.fromEntries(asked.map(r => [r.ruleId, { enabled: true }]));
    const options = only ? { runOnly: { type: 'rule', values: [only] } } : { rules };
    const drawing = (v, n) => v.id === 'focus-order-semantics' && n.html.startsWith('<canvas');
    axe.run(document, { ...options, resultTypes: ['violations'] }).then(
        found => done(found.violations.flatMap(v => v.nodes.filter(n => !drawing(v, n)).map(n =>
            `${v.id}: ${n.target.join(' ')}: ${n.html.slice(0, 200)}: ${n.any.concat(n.all, n.none).map(c => c.message).join('; ')}`))),
        error => done(['axe: ' + error]));";

/// Asks axe, for one rule or for all.
async fn asked(page: &Page, place: &str, only: Option<&str>) -> Result<()> {
    if page.eval("typeof axe").await? != "object" {
        let axe = std::env::var("AXE").context("AXE is not set: use `cargo xtask browser`")?;
        page.execute(&std::fs::read_to_string(axe)?, vec![]).await?;
    }
    let found = page.client.execute_async(ASK, vec![json!(only)]).await?;
    let found: Vec<String> = serde_json::from_value(found)?;
    ensure!(
        found.is_empty(),
        "{place}: {} findings\n{}",
        found.len(),
        found.join("\n")
    );
    Ok(())
}

/// Asks for all rules in light colours, and for contrast in dark ones.
async fn in_both_themes(page: &Page, place: &str) -> Result<()> {
    asked(page, place, None).await?;
    theme(page, "dark").await?;
    page.shown("html[data-theme=dark]").await?;
    asked(page, &format!("{place}, dark"), Some("color-contrast")).await?;
    theme(page, "light").await
}

/// Presses a choice of colours, over which the drawer may lie.
async fn theme(page: &Page, name: &str) -> Result<()> {
    page.eval(&format!(
        "[...document.querySelectorAll('.foot button')].find(button => button.innerText === '{name}').click()"
    ))
    .await
    .map(drop)
}

/// The same on a wide screen and on a phone.
pub async fn everywhere(page: &Page, place: &str) -> Result<()> {
    page.resize(1440, 900).await?;
    in_both_themes(page, &format!("{place}, wide")).await?;
    page.resize(360, 740).await?;
    // The bar of controls lies over what scrolls under it, which axe takes for covered.
    let bar = |position: &str| {
        format!(
            "document.querySelectorAll('.controls').forEach(e => e.style.position = '{position}')"
        )
    };
    page.eval(&bar("static")).await?;
    in_both_themes(page, &format!("{place}, phone")).await?;
    page.eval(&bar("")).await.map(drop)
}

#[tokio::test]
#[ignore = "outer circle"]
async fn no_dialog_and_no_panel_keeps_anyone_out() -> Result<()> {
    let page = Page::open("", 1440).await?;
    let escape = keys(Key::Escape, 1);
    for dialog in ["Share", "Keys", "paste numbers"] {
        page.click(dialog).await?;
        page.shown("dialog[open]").await?;
        asked(&page, dialog, None).await?;
        page.client
            .active_element()
            .await?
            .send_keys(&escape)
            .await?;
        page.gone("dialog[open]").await?;
    }
    page.click("Pin").await?;
    page.press("limit", &keys(Key::Left, 9)).await?;
    page.shown("[data-pinned=known]").await?;
    everywhere(&page, "pinned").await?;
    page.resize(1440, 900).await?;
    page.eval("document.querySelector(`dt [data-term='bound']`).focus()")
        .await?;
    page.shown("#explained:not([hidden])").await?;
    asked(&page, "a term", None).await?;
    page.close().await
}

/// What is wrong is an alert.
#[tokio::test]
async fn own_data_and_errors_keep_no_one_out() -> Result<()> {
    let page = Page::open("", 1440).await?;
    page.drop_file("mine.csv", "length,count\n10,3\n20,1\nbad,1\n")
        .await?;
    page.shown("[data-another] [data-records='4']").await?;
    everywhere(&page, "a question").await?;
    page.resize(1440, 900).await?;
    page.click("Read without 1 record that cannot be read")
        .await?;
    page.text("1 line skipped").await?;
    page.settled().await?;
    unfold(&page).await?;
    page.drop_file("bad.csv", "length,count\nabc,3\n").await?;
    page.shown("[role=alert][data-notice=problem]").await?;
    page.choose("overlong", "reject").await?;
    page.press("limit", &keys(Key::Left, 1)).await?;
    page.shown("[role=alert][data-notice=refusal]").await?;
    everywhere(&page, "own data, a problem and a refusal").await?;
    page.close().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn the_panel_of_tokens_keeps_no_one_out() -> Result<()> {
    let tokenizer = include_str!("../../../../data/tokens/wordpiece.json");
    let texts = include_str!("../../../../data/tokens/devil.jsonl");
    let page = Page::open("", 1440).await?;
    page.drop_files(&[
        ("tokenizer.json", tokenizer.as_bytes()),
        ("devil.jsonl", texts.as_bytes()),
    ])
    .await?;
    page.shown("[data-figure=preview_tokens]").await?;
    everywhere(&page, "tokens").await?;
    page.close().await
}

/// What takes long.
mod long {
    use super::*;

    /// Once in each view, in the other browser.
    #[tokio::test]
    async fn axe_finds_nothing_in_firefox() -> Result<()> {
        let page = Page::blank(1440).await?;
        for view in VIEWS {
            go(&page, view).await?;
            asked(&page, view, None).await?;
        }
        page.go("view=learn&chapter=by-hand").await?;
        asked(&page, "learn", None).await?;
        page.close().await
    }
}
