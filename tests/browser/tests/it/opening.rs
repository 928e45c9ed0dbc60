//! What the page asks for when it opens is what its budget counts (`xtask/budget.json`).

use anyhow::{Result, ensure};
use packscope_browser_tests::{Host, Page, UNKEPT, dist, from};
use std::collections::BTreeSet;
use std::time::Duration;

/// Asked for by the browser, or not, as it likes.
const ICONS: [&str; 2] = ["icon", "manifest"];

#[tokio::test]
async fn the_opening_is_what_the_budget_counts() -> Result<()> {
    let host = Host::new(dist())?;
    let page = Page::blank_of(&host).await?.searching();
    // What is kept for later is no part of it.
    page.before_each_load(UNKEPT).await?;
    page.go("").await?;
    page.compared().await?;
    page.shown("#speedup[data-state=current]").await?;
    // What comes by itself, the page asks for in a moment; and then nothing more.
    page.known().await?;
    let mut asked = Vec::new();
    loop {
        tokio::time::sleep(Duration::from_secs(3)).await;
        let before = asked.len();
        asked = host.heard();
        if asked.len() == before {
            break;
        }
    }
    let asked = asked.iter().filter_map(|path| path.strip_prefix("/under/any/path/"));
    let asked: Vec<&str> = asked.map(|name| if name.is_empty() { "index.html" } else { name }).collect();
    let is_icon = |name: &str| ICONS.iter().any(|icon| name.starts_with(icon));
    let counted = from("PACKSCOPE_OPENING")?;
    let counted: BTreeSet<&str> = counted.split(' ').filter(|name| !is_icon(name)).collect();
    let seen: BTreeSet<&str> = asked.iter().copied().filter(|name| !is_icon(name)).collect();
    ensure!(
        seen == counted,
        "asked for and not counted: {:?}; counted and not asked for: {:?}",
        seen.difference(&counted).collect::<Vec<_>>(),
        counted.difference(&seen).collect::<Vec<_>>()
    );
    // A second lane has a worker of its own, which the browser may have at hand; the page asks for nothing twice.
    let twice = seen
        .iter()
        .filter(|name| !name.starts_with("worker-") && asked.iter().filter(|a| a == name).count() > 1);
    let twice: Vec<_> = twice.collect();
    ensure!(twice.is_empty(), "asked for twice: {twice:?}");
    page.close().await
}
