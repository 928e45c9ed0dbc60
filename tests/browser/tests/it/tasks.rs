//! What people come for, in so many actions: each press, drop and choice counts.

use anyhow::{Context, Result, ensure};
use fantoccini::Locator;
use packscope_browser_tests::{Page, SAVED};
use serde_json::Value;

/// A visitor whose actions are counted.
struct Hand {
    page: Page,
    actions: u32,
}

impl Hand {
    async fn open(hash: &str) -> Result<Self> {
        Ok(Self { page: Page::open_after(&[SAVED], hash).await?, actions: 0 })
    }

    async fn press(&mut self, selector: &str) -> Result<()> {
        self.actions += 1;
        self.page.shown(selector).await?;
        Ok(self.page.find(Locator::Css(selector)).await?.click().await?)
    }

    async fn click(&mut self, words: &str) -> Result<()> {
        self.actions += 1;
        self.page.click(words).await
    }
}

#[tokio::test]
async fn own_lengths_become_lines_for_trl_in_four_actions() -> Result<()> {
    let mut hand = Hand::open("").await?;
    let lengths: String = (0..50_000u64).map(|i| format!("{}\n", i * 7919 % 1_009 + 16)).collect();
    hand.page.drop_file("lengths.csv", &format!("length\n{lengths}")).await?;
    hand.actions += 1;
    hand.page.text("50,000 sequences").await?;
    hand.page.settled().await?;
    hand.click("Export").await?;
    hand.press("#take [data-tool=trl]").await?;
    hand.press("#take [aria-label='Copy the lines for TRL']").await?;
    hand.page.holds("window.copied?.includes('SFTConfig')").await?;
    let limit = hand.page.setting("limit").await?;
    hand.page.holds(&format!("window.copied.includes('max_length={limit}')")).await?;
    ensure!(hand.actions <= 4, "{} actions", hand.actions);
    hand.page.close().await
}

#[tokio::test]
async fn graph_limits_for_95_percent_are_adopted_and_exported_in_five_actions() -> Result<()> {
    let mut hand = Hand::open("").await?;
    hand.click("Graphs").await?;
    hand.page.swept().await?;
    hand.click("Use it").await?;
    hand.page.known().await?;
    hand.page.shown(".advice[data-advice=taken]").await?;
    hand.click("Export").await?;
    hand.press("#take [data-file$='.plan.json']").await?;
    hand.page.holds("Object.keys(window.saved).some(name => name.endsWith('.plan.json'))").await?;
    let plan = hand.page.eval("Object.values(window.saved)[0]").await?;
    let plan: Value = serde_json::from_str(plan.as_str().context("no text")?)?;
    for k in 0..2 {
        let filled = plan["figures"]["efficiency"][k].as_f64().context("no efficiency")?;
        ensure!(filled >= 0.95, "component {k}: {filled}");
        let name = ["nodes", "edges"][k];
        ensure!(
            plan["limits"][k].as_f64() == Some(hand.page.setting(name).await?),
            "{name}: {}",
            plan["limits"]
        );
    }
    ensure!(hand.actions <= 5, "{} actions", hand.actions);
    hand.page.close().await
}
