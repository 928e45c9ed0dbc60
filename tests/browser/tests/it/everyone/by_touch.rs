//! By finger: what is drawn can be taken hold of, what is tapped explains itself, and the page still scrolls.

use super::{VIEWS, go};
use anyhow::{Context, Result, ensure};
use fantoccini::actions::{InputSource, PointerAction, TouchActions};
use packscope_browser_tests::Page;
use serde_json::json;
use std::time::Duration;

/// A finger goes through places, from the first to the last.
async fn swipe(page: &Page, places: &[(f64, f64)]) -> Result<()> {
    let mut finger = TouchActions::new("finger".to_owned());
    for (i, (x, y)) in places.iter().enumerate() {
        let duration = Some(Duration::from_millis(if i == 0 { 0 } else { 60 }));
        finger = finger.then(PointerAction::MoveTo {
            duration,
            x: *x,
            y: *y,
        });
        if i == 0 {
            finger = finger.then(PointerAction::Down { button: 0 });
        }
    }
    Ok(page
        .client
        .perform_actions(finger.then(PointerAction::Up { button: 0 }))
        .await?)
}

async fn tap(page: &Page, place: (f64, f64)) -> Result<()> {
    swipe(page, &[place]).await
}

/// A page on something that is touched.
async fn touched(view: &str, width: u32) -> Result<Page> {
    let page = Page::blank(1440).await?;
    page.devtools(
        "Emulation.setTouchEmulationEnabled",
        json!({ "enabled": true, "maxTouchPoints": 2 }),
    )
    .await?;
    page.resize(width, 800).await?;
    go(&page, view).await?;
    Ok(page)
}

#[tokio::test]
#[ignore = "outer circle"]
async fn a_finger_moves_needles_and_corners() -> Result<()> {
    let page = touched("", 768).await?;
    let place = page.canvas("Histogram").await?;
    let (right, y) = (
        place.left + place.width - 14.0,
        place.top + place.height / 2.0,
    );
    swipe(&page, &[(right, y), (right - 60.0, y), (right - 150.0, y)]).await?;
    page.settled().await?;
    let limit = page.setting("limit").await?;
    ensure!(limit < 500.0, "{limit}");
    go(&page, VIEWS[1]).await?;
    let before = (page.setting("nodes").await?, page.setting("edges").await?);
    page.click("light").await?;
    let (x, y) = page.handle("Heat map").await?;
    swipe(&page, &[(x, y), (x - 20.0, y + 20.0), (x - 60.0, y + 50.0)]).await?;
    page.settled().await?;
    let after = (page.setting("nodes").await?, page.setting("edges").await?);
    ensure!(
        after.0 < before.0 && after.1 < before.1,
        "{before:?} {after:?}"
    );
    page.close().await
}

#[tokio::test]
async fn a_tap_reads_and_explains() -> Result<()> {
    let page = touched("", 360).await?;
    let place = page.canvas("Histogram").await?;
    tap(&page, place.at(0.5, 0.6)).await?;
    page.text("sequences · ").await?;
    // It stays to be read, until another place is touched.
    page.rests().await?;
    page.text("sequences · ").await?;
    let term = page.place("dt [data-term='efficiency']").await?;
    tap(&page, term.at(0.5, 0.5)).await?;
    page.text("Real tokens divided by slots").await?;
    ensure!(
        page.eval("!document.body.innerText.includes('sequences · ')")
            .await?
            == true
    );
    // A reason in a label of a slider, which keeps the focus for itself.
    page.eval("document.querySelector('.controls .bar').click()")
        .await?;
    let label = page.place("label[for=depth] [data-term]").await?;
    tap(&page, label.at(0.5, 0.5)).await?;
    page.text("the maximum depth is its limit").await?;
    page.close().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn the_page_scrolls_where_drawings_are_touched() -> Result<()> {
    let page = touched("", 360).await?;
    for drawing in ["Histogram", "One epoch", "Efficiency against depth"] {
        let place = page.canvas(drawing).await?;
        let before = page.eval("scrollY").await?.as_f64().unwrap_or_default();
        let (x, y) = place.at(0.4, 0.5);
        swipe(
            &page,
            &[(x, y), (x, y - 40.0), (x, y - 120.0), (x, y - 200.0)],
        )
        .await?;
        page.holds(&format!("scrollY > {}", before + 50.0))
            .await
            .context(drawing)?;
    }
    page.close().await
}

#[tokio::test]
async fn a_finger_that_scrolls_sets_no_slider() -> Result<()> {
    let page = touched("", 390).await?;
    page.eval("document.querySelector('.controls .bar').click()")
        .await?;
    let before = page.setting("limit").await?;
    let (x, y) = page.place("#limit").await?.at(0.4, 0.5);
    swipe(
        &page,
        &[
            (x, y),
            (x + 1.0, y - 30.0),
            (x + 2.0, y - 90.0),
            (x + 3.0, y - 150.0),
        ],
    )
    .await?;
    page.settled().await?;
    ensure!(page.setting("limit").await? == before);
    let (x, y) = page.place("#limit").await?.at(0.4, 0.5);
    swipe(&page, &[(x, y), (x + 30.0, y), (x + 90.0, y)]).await?;
    page.settled().await?;
    ensure!(page.setting("limit").await? != before);
    page.close().await
}

/// The label of a box is pressed with it, and is as high as a finger needs it.
#[tokio::test]
#[ignore = "outer circle"]
async fn labels_of_boxes_are_as_high_as_a_finger_needs() -> Result<()> {
    let page = touched("", 390).await?;
    for (view, part, boxes) in [
        ("room=cost", "#assumptions", "#cost-causal"),
        ("view=learn&chapter=skew", ".teach", "#hide-teach"),
    ] {
        page.go(view).await?;
        page.settled().await?;
        page.shown(part).await?;
        page.eval(&format!(
            "document.querySelector('{part}').open || document.querySelector('{part} > summary').click()"
        ))
        .await?;
        page.shown(&format!("{part}[open] {boxes}")).await?;
        let low = format!(
            "[...document.querySelectorAll('{part} :is([type=checkbox], [type=radio])')]
                .map(one => [one.id, Math.max(one.offsetHeight, one.labels[0]?.getBoundingClientRect().height ?? 0)])
                .filter(([, height]) => height < 24)"
        );
        let low = page.steady(&low).await?;
        ensure!(low == json!([]), "{view}: {low}");
    }
    page.close().await
}

/// Drawings that a press on them changes the answer of: the view, the drawing, and where the press is.
const PRESSED: [(&str, &str, [f64; 2]); 6] = [
    ("", "Efficiency against depth", [0.5, 0.5]),
    ("", "Lost tokens", [0.4, 0.5]),
    // Names stand at its right.
    ("", "Estimated speed-up of", [0.45, 0.5]),
    (VIEWS[1], "Harmonic efficiency by", [0.7, 0.4]),
    (VIEWS[1], "Efficiency of nodes and edges", [0.7, 0.5]),
    (VIEWS[2], "Estimated speed-up of", [0.5, 0.5]),
];

/// The page scrolls up by the finger that goes through it, whose place is in a drawing.
async fn flick(page: &Page, (x, y): (f64, f64)) -> Result<()> {
    let before = page.eval("scrollY").await?.as_f64().unwrap_or_default();
    // A finger slips a little before it goes up.
    swipe(
        page,
        &[
            (x, y),
            (x + 2.0, y - 6.0),
            (x + 5.0, y - 60.0),
            (x + 9.0, y - 200.0),
            // It rests before it is lifted: a page that still glides takes the next tap as the end of that.
            (x + 9.0, y - 200.0),
            (x + 9.0, y - 200.0),
            (x + 9.0, y - 200.0),
        ],
    )
    .await?;
    page.holds(&format!("scrollY > {}", before + 50.0)).await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn a_finger_that_scrolls_changes_nothing_and_one_that_taps_does() -> Result<()> {
    // Presses on the drawings of ranks change nothing.
    for view in &VIEWS[..3] {
        let page = touched(view, 390).await?;
        for (_, drawing, at) in PRESSED.iter().filter(|(of, ..)| of == view) {
            let before = page.address("").await?;
            let place = page.canvas(drawing).await?;
            flick(&page, place.at(at[0], at[1]))
                .await
                .with_context(|| format!("{view}: {drawing}"))?;
            page.settled().await?;
            ensure!(
                page.address("").await? == before,
                "{view}: {drawing} was changed by scrolling"
            );
            let place = page.canvas(drawing).await?;
            let changed = format!(
                "location.hash.slice(1) !== {}",
                page.eval("location.hash.slice(1)").await?
            );
            tap(&page, place.at(at[0], at[1])).await?;
            page.holds(&changed)
                .await
                .with_context(|| format!("{view}: {drawing} was tapped"))?;
            page.settled().await?;
        }
        page.close().await?;
    }
    Ok(())
}

#[tokio::test]
#[ignore = "outer circle"]
async fn a_finger_that_scrolls_from_a_needle_leaves_it_where_it_is() -> Result<()> {
    let page = touched("limit=300", 390).await?;
    page.click("light").await?;
    let needle = page.handle("Histogram").await?;
    flick(&page, needle).await?;
    page.settled().await?;
    ensure!(page.setting("limit").await? == 300.0);
    let (x, y) = page.handle("Histogram").await?;
    swipe(&page, &[(x, y), (x - 20.0, y + 2.0), (x - 60.0, y + 4.0)]).await?;
    page.holds("Number(document.getElementById('limit').value) < 280")
        .await?;
    page.close().await
}
