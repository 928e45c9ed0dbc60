//! Every term of the field explains itself where it stands: by mouse, by key, on every view.

use anyhow::{Result, ensure};
use fantoccini::Locator;
use fantoccini::key::Key;
use packscope_browser_tests::Page;

/// The terms that the project fixes, with the words that stand for them on the page.
const TERMS: [(&str, &[&str]); 20] = [
    ("item", &["item", "items"]),
    ("limits", &["limit", "limits", "maximum length"]),
    ("depth", &["depth"]),
    ("pack", &["pack", "packs", "packed"]),
    ("strategy", &["strategy", "strategies"]),
    ("plan", &["plan", "plans"]),
    ("padding", &["padding"]),
    ("waste", &["waste"]),
    ("efficiency", &["efficiency"]),
    ("packing factor", &["packing factor"]),
    ("realised speed-up", &["speed-up"]),
    ("bound", &["bound", "lower bound"]),
    ("gap", &["gap"]),
    ("heuristic", &["heuristic", "heuristics"]),
    ("bucket", &["bucket", "buckets"]),
    (
        "residual batch",
        &["residuals", "residual batch", "residual batches"],
    ),
    ("HWCap", &["HWCap"]),
    ("BatchCap", &["BatchCap"]),
    ("RBM", &["RBM"]),
    ("LRM", &["LRM"]),
];

/// Terms that are said on the view and explained nowhere on it.
const UNEXPLAINED: &str = r"(terms => {
    const said = document.querySelector('.page').innerText;
    const word = words => new RegExp('(^|[^\\p{L}\\p{N}-])' + words + '($|[^\\p{L}\\p{N}-])', 'iu');
    const seen = name => [...document.querySelectorAll(`[data-term='${name}']`)].some(e => e.offsetParent !== null);
    return terms.filter(([name, forms]) => forms.some(f => word(f).test(said)) && !seen(name)).map(([name]) => name);
})";

/// A script that says which terms are said on the view and explained nowhere on it.
pub fn unexplained() -> Result<String> {
    Ok(format!("{UNEXPLAINED}({})", serde_json::to_string(&TERMS)?))
}

/// Terms that are explained by mouse and not by key: by mouse each is wherever it stands, by key it is enough that it is
/// once, on the same view.
pub const BY_MOUSE_ONLY: &str = "(() => {
    const shown = [...document.querySelectorAll('[data-term]')].filter(e => e.checkVisibility());
    const name = e => e.dataset.term;
    const byKey = new Set(shown.filter(e => e.matches('[tabindex=\"0\"]') || e.closest('button, summary, label')).map(name));
    return [...new Set(shown.map(name))].filter(n => !byKey.has(n));
})()";

#[tokio::test]
async fn a_term_opens_under_the_mouse_and_by_key() -> Result<()> {
    let page = Page::open("", 1440).await?;
    ensure!(page.has("#explained[hidden]").await?);
    let place = page.place("dt [data-term='efficiency']").await?;
    page.hover(place.at(0.5, 0.5)).await?;
    page.shown("#explained:not([hidden])").await?;
    page.text("Real tokens divided by slots").await?;
    // It is beside its words, and on the screen. Its place is read without a scroll, which would take the words from under
    // the mouse.
    let there =
        "(r => [r.left, r.top])(document.getElementById('explained').getBoundingClientRect())";
    let there: [f64; 2] = serde_json::from_value(page.eval(there).await?)?;
    ensure!(
        there[0] >= 0.0 && (there[1] - place.top).abs() < 60.0,
        "{there:?} {place:?}"
    );
    page.key(&String::from(char::from(Key::Escape))).await?;
    page.gone("#explained:not([hidden])").await?;
    // Also where there is little room, and a scroll bar takes some of it.
    page.resize(360, 740).await?;
    let words = page.place("dt [data-term='realised speed-up']").await?;
    page.hover(words.at(0.5, 0.5)).await?;
    page.shown("#explained:not([hidden])").await?;
    page.holds("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
        .await?;
    page.key(&String::from(char::from(Key::Escape))).await?;
    page.gone("#explained:not([hidden])").await?;
    page.resize(1440, 900).await?;
    // By key: the focus opens it, and Enter goes on to the chapter.
    let term = page.find(Locator::Css("dt [data-term='bound']")).await?;
    page.eval("document.querySelector(`dt [data-term='bound']`).focus()")
        .await?;
    page.shown("#explained:not([hidden])").await?;
    page.text("no plan can go below").await?;
    term.send_keys(&String::from(char::from(Key::Enter)))
        .await?;
    let link = page
        .eval("document.activeElement.getAttribute('href')")
        .await?;
    ensure!(link == "#view=learn&chapter=bounds", "{link}");
    page.client
        .active_element()
        .await?
        .send_keys(&String::from(char::from(Key::Enter)))
        .await?;
    page.shown("article[data-chapter=bounds]").await?;
    page.close().await
}
