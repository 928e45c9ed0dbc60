//! What visitors have asked their system for: less motion, colours of their own.

use super::{VIEWS, chapters, go};
use anyhow::{Result, ensure};
use packscope_browser_tests::Page;
use serde_json::json;

async fn ask(page: &Page, features: &[(&str, &str)]) -> Result<()> {
    let features: Vec<_> =
        features.iter().map(|(name, value)| json!({ "name": name, "value": value })).collect();
    page.devtools("Emulation.setEmulatedMedia", json!({ "features": features })).await.map(drop)
}

#[tokio::test]
async fn nothing_moves_for_those_who_want_less_motion() -> Result<()> {
    let page = Page::open("", 1440).await?;
    ask(&page, &[("prefers-reduced-motion", "reduce")]).await?;
    ensure!(page.eval("matchMedia('(prefers-reduced-motion: reduce)').matches").await? == true);
    let moving = "document.getAnimations().length + [...document.querySelectorAll('*')].filter(e => {
        const s = getComputedStyle(e);
        return parseFloat(s.transitionDuration) > 0 || s.animationName !== 'none' || s.scrollBehavior === 'smooth';
    }).length";
    for view in VIEWS {
        go(&page, view).await?;
        ensure!(page.eval(moving).await? == 0, "{view}");
    }
    for id in chapters(&page).await? {
        page.go(&format!("view=learn&chapter={id}")).await?;
        ensure!(page.eval(moving).await? == 0, "{id}");
    }
    page.close().await
}

/// What is chosen, where the focus is and what can be moved is told by the colours of the system; drawings keep theirs,
/// on their own ground.
#[tokio::test]
async fn the_colours_of_the_system_are_enough() -> Result<()> {
    let page = Page::open("", 1440).await?;
    for scheme in ["dark", "light"] {
        ask(&page, &[("forced-colors", "active"), ("prefers-color-scheme", scheme)]).await?;
        for view in VIEWS.into_iter().chain(["view=learn&chapter=by-hand"]) {
            if view.contains("learn") {
                page.go(view).await?
            } else {
                go(&page, view).await?
            }
            let border =
                |e: &str| format!("getComputedStyle(document.querySelector(`{e}`)).borderBottomColor");
            let chosen = page.eval(&border("nav [aria-current]")).await?;
            ensure!(
                chosen != page.eval(&border("nav button:not([aria-current])")).await?,
                "{view}: tabs {chosen}"
            );
            let chosen = page.eval(&border("[aria-label=Colours] [aria-pressed=true]")).await?;
            let other = page.eval(&border("[aria-label=Colours] [aria-pressed=false]")).await?;
            ensure!(chosen != other, "{view}: choices {chosen}");
            let bare = "[...document.querySelectorAll('canvas')].filter(c => getComputedStyle(c).backgroundColor === 'rgba(0, 0, 0, 0)').length";
            ensure!(page.eval(bare).await? == 0, "{view}: a drawing without its ground");
            let name = view.split(['=', '&']).nth(1).unwrap_or("sequences");
            page.screenshot(&format!("forced-{scheme}-{name}")).await?;
        }
    }
    page.close().await
}
