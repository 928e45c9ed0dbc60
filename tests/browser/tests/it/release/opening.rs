//! What the page asks for when it opens is what its budget counts (`xtask/budget.json`).

use anyhow::{Result, ensure};
use packscope_browser_tests::{Fault, Host, Page, UNKEPT, dist, from};
use serde_json::json;
use std::collections::BTreeSet;

/// Asked for by the browser, or not, as it likes.
const ICONS: [&str; 2] = ["icon", "manifest"];

#[tokio::test]
async fn the_opening_is_what_the_budget_counts() -> Result<()> {
    let host = Host::new(dist())?;
    let page = Page::blank_of(&host).await?.searching().as_it_is().await?;
    // What is kept for later is no part of it.
    page.before_each_load(UNKEPT).await?;
    page.go("").await?;
    // The bound in the headline.
    page.text("8,135,727").await?;
    page.shown(".advice[data-advice]").await?;
    // What comes by itself.
    page.rests().await?;
    let asked = host.heard();
    let asked = asked
        .iter()
        .filter_map(|path| path.strip_prefix("/under/any/path/"));
    let asked: Vec<&str> = asked
        .map(|name| if name.is_empty() { "index.html" } else { name })
        .collect();
    let is_icon = |name: &str| ICONS.iter().any(|icon| name.starts_with(icon));
    let counted = from("PACKSCOPE_OPENING")?;
    let counted: BTreeSet<&str> = counted.split(' ').filter(|name| !is_icon(name)).collect();
    let seen: BTreeSet<&str> = asked
        .iter()
        .copied()
        .filter(|name| !is_icon(name))
        .collect();
    ensure!(
        seen == counted,
        "asked for and not counted: {:?}; counted and not asked for: {:?}",
        seen.difference(&counted).collect::<Vec<_>>(),
        counted.difference(&seen).collect::<Vec<_>>()
    );
    // A second lane has a worker of its own, which the browser may have at hand; the page asks for nothing twice.
    let twice = seen.iter().filter(|name| {
        !name.starts_with("worker-") && asked.iter().filter(|a| a == name).count() > 1
    });
    let twice: Vec<_> = twice.collect();
    ensure!(twice.is_empty(), "asked for twice: {twice:?}");
    page.close().await
}

/// Whether the table of algorithms, and the estimates, are loaded.
const LOADED: [&str; 2] = [".algorithms", "#speedup"];

/// A page whose answer stands, as visitors have it, of which nothing below the window is loaded.
async fn answered() -> Result<Page> {
    let page = Page::blank(1440).await?.as_it_is().await?;
    page.go("data=glue_cola").await?;
    page.shown(".advice[data-advice]").await?;
    for part in LOADED {
        ensure!(!page.has(part).await?, "{part} came unasked");
    }
    Ok(page)
}

/// Whether an element has the focus and is in the window.
async fn is_gone_to(page: &Page, id: &str) -> Result<()> {
    page.holds(&format!(
        "(() => {{
            // It is on its way when it is asked for.
            const to = document.getElementById('{id}'), top = to?.getBoundingClientRect().top;
            return to !== null && document.activeElement === to && top >= -1 && top < innerHeight;
        }})()"
    ))
    .await
}

#[tokio::test]
async fn what_is_below_the_window_comes_when_it_is_scrolled_to() -> Result<()> {
    let page = Page::blank(1440).await?.as_it_is().await?;
    page.go("data=glue_cola&room=all").await?;
    page.shown(".advice[data-advice]").await?;
    page.eval("scrollBy(0, innerHeight)").await?;
    page.compared().await?;
    page.holds("(scrollTo(0, document.body.scrollHeight), document.querySelector('#speedup[data-state=current]') !== null)")
        .await?;
    page.gone("[data-far]").await?;
    page.close().await
}

#[tokio::test]
async fn what_is_not_on_screen_comes_when_it_is_asked_for() -> Result<()> {
    // By a link from the answer, which opens another room.
    let page = Page::blank(1440).await?.as_it_is().await?;
    page.go("view=graphs").await?;
    page.settled().await?;
    page.click("full estimate ↓").await?;
    is_gone_to(&page, "speedup").await?;
    page.close().await?;
    // By a button, for readers of screens, which go there without scrolling.
    let page = answered().await?;
    page.eval("document.querySelector('[data-far] button').click()")
        .await?;
    page.gone("[data-far]").await?;
    page.close().await?;
    // By key, and by printing.
    for asks in [
        "new KeyboardEvent('keydown', { key: 'Control' })",
        "new KeyboardEvent('keydown', { key: 'Tab' })",
        "new Event('beforeprint')",
    ] {
        let page = answered().await?;
        page.eval(&format!("window.dispatchEvent({asks})")).await?;
        page.gone("[data-far]").await?;
        page.close().await?;
    }
    Ok(())
}

/// Header and answer as they stand in the document before the program is there. The time is not known then.
const FRAME: &str = "(() => {
    const page = document.querySelector('#app .page').cloneNode(true);
    const answer = page.querySelector('.answer');
    answer.querySelectorAll('[role=status]').forEach(e => e.remove());
    page.querySelectorAll('dialog').forEach(e => e.remove());
    // The lists have the chosen option alone until the program fills them.
    const whole = page.querySelector('.case'), lists = document.querySelectorAll('#app .case select');
    whole.querySelectorAll('select').forEach((list, at) => list.replaceChildren(new Option(lists[at].selectedOptions[0].text)));
    for (const name of ['id', 'for']) whole.querySelectorAll(`[${name}]`).forEach(e => e.removeAttribute(name));
    const frame = `<div id=\"opening\" class=\"page\">${page.querySelector('.top').outerHTML}<div class=\"frame\">${whole.outerHTML}${answer.outerHTML}</div></div>`;
    return frame.replaceAll('<!---->', '');
})()";

/// The answer that stands in the document until the program has it is the same to the digit.
#[tokio::test]
async fn the_answer_in_the_document_is_that_of_the_program() -> Result<()> {
    const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../static/opening.html");
    let page = Page::open("", 1440).await?;
    page.gone("#opening").await?;
    let frame = page
        .eval(FRAME)
        .await?
        .as_str()
        .unwrap_or_default()
        .trim()
        .to_owned()
        + "\n";
    if std::env::var("PACKSCOPE_OPENING_FRAME").is_ok_and(|what| what == "write") {
        std::fs::write(FILE, &frame)?;
    }
    let known = std::fs::read_to_string(FILE)?;
    ensure!(
        frame == known,
        "static/opening.html is of another page: PACKSCOPE_OPENING_FRAME=write makes it anew\n{frame}"
    );
    page.close().await
}

/// It stands while the program is on its way, and not where the address asks for something else.
#[tokio::test]
async fn the_opening_stands_before_the_program_and_gives_way_to_an_address() -> Result<()> {
    let host = Host::new(dist())?;
    host.spoil("app_bg.wasm", Fault::Never)?;
    let page = Page::blank_of(&host).await?.searching().as_it_is().await?;
    page.visit("").await?;
    page.text("half of the slots are").await?;
    ensure!(page.has("#opening h1").await? && !page.has("#app .page").await?);
    page.visit("limit=100").await?;
    page.gone("#opening").await?;
    page.close().await
}

/// Whoever shares a link sees a title, a sentence and a picture.
#[tokio::test]
async fn a_link_has_a_preview() -> Result<()> {
    let page = Page::open("", 1440).await?;
    for named in [
        "og:title",
        "og:description",
        "og:image",
        "twitter:card",
        "theme-color",
    ] {
        ensure!(
            page.has(&format!(
                "meta:is([property='{named}'], [name='{named}'])[content]"
            ))
            .await?,
            "{named}"
        );
    }
    for (element, address, [width, height]) in [
        ("meta[property='og:image']", "content", [1200, 630]),
        ("link[rel=apple-touch-icon]", "href", [180, 180]),
    ] {
        let size = format!(
            "new Promise((seen, failed) => {{
                const picture = new Image();
                picture.onload = () => seen([picture.naturalWidth, picture.naturalHeight]);
                picture.onerror = () => failed('no picture');
                picture.src = document.querySelector(\"{element}\").getAttribute('{address}');
            }})"
        );
        ensure!(
            page.eval(&size).await? == json!([width, height]),
            "{element}"
        );
    }
    page.close().await
}
