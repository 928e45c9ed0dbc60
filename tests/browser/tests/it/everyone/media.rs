//! What visitors have asked their system for: less motion, colours of their own.

use anyhow::{Result, ensure};
use packscope_browser_tests::Page;
use serde_json::json;

async fn ask(page: &Page, features: &[(&str, &str)]) -> Result<()> {
    let features: Vec<_> = features
        .iter()
        .map(|(name, value)| json!({ "name": name, "value": value }))
        .collect();
    page.devtools(
        "Emulation.setEmulatedMedia",
        json!({ "features": features }),
    )
    .await
    .map(drop)
}

/// Makes the visitor one who wants less motion.
pub async fn less_motion(page: &Page) -> Result<()> {
    ask(page, &[("prefers-reduced-motion", "reduce")]).await
}

/// Nothing moves for those who want less motion; from now on it may.
pub async fn nothing_moves(page: &Page, place: &str) -> Result<()> {
    ensure!(
        page.eval("matchMedia('(prefers-reduced-motion: reduce)').matches")
            .await?
            == true
    );
    let moving = "document.getAnimations().length + [...document.querySelectorAll('*')].filter(e => {
        const s = getComputedStyle(e);
        return parseFloat(s.transitionDuration) > 0 || s.animationName !== 'none' || s.scrollBehavior === 'smooth';
    }).length";
    ensure!(page.eval(moving).await? == 0, "{place}");
    ask(page, &[]).await
}

/// What is chosen, where the focus is and what can be moved is told by the colours of the system; drawings keep theirs,
/// on their own ground.
pub async fn colours_of_the_system(page: &Page, place: &str) -> Result<()> {
    for scheme in ["dark", "light"] {
        ask(
            page,
            &[
                ("forced-colors", "active"),
                ("prefers-color-scheme", scheme),
            ],
        )
        .await?;
        let border =
            |e: &str| format!("getComputedStyle(document.querySelector(`{e}`)).borderBottomColor");
        let chosen = page.eval(&border(".tabs [aria-selected=true]")).await?;
        let other = page.eval(&border(".tabs [aria-selected=false]")).await?;
        ensure!(chosen != other, "{place}: tabs {chosen}");
        let chosen = page
            .eval(&border("[aria-label=Colours] [aria-pressed=true]"))
            .await?;
        let other = page
            .eval(&border("[aria-label=Colours] [aria-pressed=false]"))
            .await?;
        ensure!(chosen != other, "{place}: choices {chosen}");
        let bare = "[...document.querySelectorAll('canvas')].filter(c => getComputedStyle(c).backgroundColor === 'rgba(0, 0, 0, 0)').length";
        ensure!(
            page.eval(bare).await? == 0,
            "{place}: a drawing without its ground"
        );
        let name = place
            .split(['=', '&'])
            .nth(1)
            .unwrap_or(if place.is_empty() { "sequences" } else { place });
        page.screenshot(&format!("forced-{scheme}-{name}")).await?;
    }
    ask(page, &[]).await
}
