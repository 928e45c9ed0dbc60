//! What people come for, in so many actions: each press, drop and choice counts.

use anyhow::{Context, Result, ensure};
use fantoccini::Locator;
use packscope_browser_tests::{Page, SAVED};
use serde_json::Value;

/// A visitor whose actions are counted, from a page that is open and rests.
struct Hand {
    page: Page,
    actions: u32,
    began: f64,
}

/// Whether the page searches by itself meanwhile, as it does for visitors.
#[derive(Clone, Copy)]
pub enum Way {
    Quiet,
    OfVisitors,
}

/// Actions and time of a task.
#[derive(Clone, Copy)]
pub struct Taken {
    pub actions: u32,
    /// By the clock of the page.
    pub milliseconds: f64,
}

impl Hand {
    async fn open(way: Way, hash: &str) -> Result<Self> {
        let mut page = Page::open_after(&[SAVED], hash).await?;
        if matches!(way, Way::OfVisitors) {
            page = page.searching();
            page.go(hash).await?;
        }
        page.settled().await?;
        let began = now(&page).await?;
        Ok(Self {
            page,
            actions: 0,
            began,
        })
    }

    async fn press(&mut self, selector: &str) -> Result<()> {
        self.actions += 1;
        self.page.shown(selector).await?;
        Ok(self
            .page
            .find(Locator::Css(selector))
            .await?
            .click()
            .await?)
    }

    async fn click(&mut self, words: &str) -> Result<()> {
        self.actions += 1;
        self.page.click(words).await
    }

    async fn taken(&self) -> Result<Taken> {
        Ok(Taken {
            actions: self.actions,
            milliseconds: now(&self.page).await? - self.began,
        })
    }
}

async fn now(page: &Page) -> Result<f64> {
    page.eval("performance.now()")
        .await?
        .as_f64()
        .context("no time")
}

/// Own lengths, from the file to the lines on the clipboard.
pub async fn lengths_for_trl(way: Way) -> Result<Taken> {
    let mut hand = Hand::open(way, "").await?;
    let lengths: String = (0..50_000u64)
        .map(|i| format!("{}\n", i * 7919 % 1_009 + 16))
        .collect();
    hand.page
        .drop_file("lengths.csv", &format!("length\n{lengths}"))
        .await?;
    hand.actions += 1;
    hand.page.text("50,000 sequences").await?;
    hand.page.settled().await?;
    hand.page.choose("library", "trl").await?;
    hand.actions += 1;
    hand.press(".of-library[data-state=current] [aria-label='Copy the lines for TRL']")
        .await?;
    hand.page
        .holds("window.copied?.includes('SFTConfig')")
        .await?;
    let taken = hand.taken().await?;
    let limit = hand.page.setting("limit").await?;
    hand.page
        .holds(&format!("window.copied.includes('max_length={limit}')"))
        .await?;
    hand.page.close().await?;
    Ok(taken)
}

/// Graphs, from the opening page to a plan under limits that fill 95 % of both.
pub async fn limits_for_95_percent(way: Way) -> Result<Taken> {
    let mut hand = Hand::open(way, "room=all").await?;
    hand.click("Graphs").await?;
    hand.page.swept().await?;
    // The smallest limits that reach the target.
    hand.press(".found li:nth-child(2) button").await?;
    hand.page.known().await?;
    hand.click("Export").await?;
    hand.press("#take [data-file$='.plan.json']").await?;
    hand.page
        .holds("Object.keys(window.saved).some(name => name.endsWith('.plan.json'))")
        .await?;
    let taken = hand.taken().await?;
    let plan = hand.page.eval("Object.values(window.saved)[0]").await?;
    let plan: Value = serde_json::from_str(plan.as_str().context("no text")?)?;
    for k in 0..2 {
        let filled = plan["figures"]["efficiency"][k]
            .as_f64()
            .context("no efficiency")?;
        ensure!(filled >= 0.95, "component {k}: {filled}");
        let name = ["nodes", "edges"][k];
        ensure!(
            plan["limits"][k].as_f64() == Some(hand.page.setting(name).await?),
            "{name}: {}",
            plan["limits"]
        );
    }
    hand.page.close().await?;
    Ok(taken)
}

/// Graphs, from the opening page to a plan under the limits that hold 99 % of them.
pub async fn limits_for_99_percent_of_the_graphs(way: Way) -> Result<Taken> {
    let mut hand = Hand::open(way, "").await?;
    hand.click("Graphs").await?;
    hand.page.known().await?;
    hand.press("[data-held='99 %']").await?;
    hand.page
        .shown("[data-held='99 %'][aria-pressed=true]")
        .await?;
    hand.page.known().await?;
    hand.click("Export").await?;
    hand.press("#take [data-file$='.plan.json']").await?;
    hand.page
        .holds("Object.keys(window.saved).some(name => name.endsWith('.plan.json'))")
        .await?;
    let taken = hand.taken().await?;
    let plan = hand.page.eval("Object.values(window.saved)[0]").await?;
    let plan: Value = serde_json::from_str(plan.as_str().context("no text")?)?;
    let held = plan["figures"]["items"].as_f64().context("no graphs")?;
    ensure!(
        (32_572.0..32_901.0).contains(&held),
        "{held} of 32,901 graphs"
    );
    hand.page.close().await?;
    Ok(taken)
}

/// Own lengths with the recommended packing, as a link that is opened anew. Returns what it took until the link was copied,
/// then until its figures stood there.
pub async fn shared_and_reopened(way: Way) -> Result<[Taken; 2]> {
    // Rows of one sequence each, which nobody would recommend.
    let mut hand = Hand::open(way, "depth=1").await?;
    let rows: String = (1..=2_500u64)
        .map(|l| format!("{l},{}\n", l * 7919 % 1_009 + 1))
        .collect();
    hand.page
        .drop_file("own.csv", &format!("length,count\n{rows}"))
        .await?;
    hand.actions += 1;
    hand.page.text("own.csv").await?;
    hand.page.known().await?;
    hand.press(".advice[data-advice=open] button").await?;
    hand.page.settled().await?;
    let figures = [
        hand.page.figure("packs").await?,
        hand.page.figure("real_tokens").await?,
    ];
    hand.click("Share").await?;
    hand.page
        .holds("window.copied?.includes('data=own1.')")
        .await?;
    let shared = hand.taken().await?;
    let link = hand.page.eval("window.copied").await?;
    let (_, hash) = link
        .as_str()
        .and_then(|link| link.split_once('#'))
        .context("no link")?;
    hand.page.visit("data=glue_cola").await?;
    hand.page.visit(hash).await?;
    hand.actions = 1;
    hand.began = 0.0;
    hand.page.settled().await?;
    let reopened = hand.taken().await?;
    ensure!(
        [
            hand.page.figure("packs").await?,
            hand.page.figure("real_tokens").await?
        ] == figures
    );
    hand.page.close().await?;
    Ok([shared, reopened])
}

#[tokio::test]
async fn own_lengths_become_lines_for_trl_in_three_actions() -> Result<()> {
    let Taken { actions, .. } = lengths_for_trl(Way::Quiet).await?;
    ensure!(actions <= 3, "{actions} actions");
    Ok(())
}

#[tokio::test]
#[ignore = "outer circle"]
async fn graph_limits_for_95_percent_are_adopted_and_exported_in_five_actions() -> Result<()> {
    let Taken { actions, .. } = limits_for_95_percent(Way::Quiet).await?;
    ensure!(actions <= 5, "{actions} actions");
    Ok(())
}

#[tokio::test]
#[ignore = "outer circle"]
async fn limits_for_99_percent_of_the_graphs_are_exported_in_four_actions() -> Result<()> {
    let Taken { actions, .. } = limits_for_99_percent_of_the_graphs(Way::Quiet).await?;
    ensure!(actions <= 4, "{actions} actions");
    Ok(())
}

#[tokio::test]
#[ignore = "outer circle"]
async fn own_data_with_the_recommended_packing_are_shared_in_three_actions() -> Result<()> {
    let [Taken { actions, .. }, _] = shared_and_reopened(Way::Quiet).await?;
    ensure!(actions <= 3, "{actions} actions");
    Ok(())
}
