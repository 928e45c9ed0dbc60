//! Charts of data that are not as even as a page would like them.

use crate::plots::{SAVED, save, text};
use anyhow::{Result, ensure};
use fantoccini::Locator;
use fantoccini::key::Key;
use packscope_browser_tests::{Page, keys};
use serde_json::json;

/// Many lengths from 100 to 500, and one of 300,000.
fn long_tail() -> String {
    let lengths =
        (100..500).map(|length| format!("{length},{}\n", 1 + (length - 300i32).abs() % 97));
    format!("length,count\n{}300000,1\n", lengths.collect::<String>())
}

/// The spread that is chosen.
const CHOSEN: &str =
    "document.querySelector('[aria-label=\"Scale of lengths\"] [aria-pressed=true]')?.innerText";

#[tokio::test]
async fn a_long_tail_opens_on_an_axis_that_shows_the_others_and_another_can_be_chosen() -> Result<()>
{
    let page = Page::open("", 1440).await?;
    ensure!(
        !page.has("[aria-label='Scale of lengths']").await?,
        "Wikipedia has no need of it"
    );
    page.drop_file("mine.csv", &long_tail()).await?;
    page.holds(&format!("{CHOSEN} === 'even'")).await?;
    page.text("wider where more are").await?;
    page.click("linear").await?;
    page.address("lengths=linear").await?;
    page.holds(&format!("{CHOSEN} === 'linear'")).await?;
    // The table of the drawing has the ranges of its axis.
    let first = "document.querySelector('.lengths .unseen tbody th').innerText";
    ensure!(text(&page, first).await? == "1 to 37500");
    page.close().await
}

#[tokio::test]
async fn a_mouse_zooms_into_the_lengths_and_there_is_a_way_back() -> Result<()> {
    let page = Page::open("", 1440).await?;
    let limit = page.setting("limit").await?;
    let place = page.canvas("Histogram").await?;
    page.hover(place.at(0.5, 0.5)).await?;
    page.shown(".brush").await?;
    page.drag(&[place.at(0.4, 0.5)]).await?;
    page.rests().await?;
    ensure!(
        !page.said("Histogram").await?.contains("shown"),
        "a press alone zooms nothing"
    );
    page.drag(&[place.at(0.3, 0.5), place.at(0.4, 0.5), place.at(0.6, 0.5)])
        .await?;
    page.text("show all").await?;
    page.rests().await?;
    let said = page.said("Histogram").await?;
    ensure!(
        said.contains(" to ") && said.contains(" shown, limit 512"),
        "{said}"
    );
    ensure!(
        page.setting("limit").await? == limit,
        "zooming sets no limit"
    );
    ensure!(!page.address("data=").await?.contains("shown"));
    let canvas = page
        .find(Locator::Css("canvas[aria-label^=Histogram]"))
        .await?;
    canvas
        .send_keys(&String::from(char::from(Key::Escape)))
        .await?;
    page.holds(
        "!document.querySelector('canvas[aria-label^=Histogram]').ariaLabel.includes('shown')",
    )
    .await?;
    canvas.send_keys("+").await?;
    page.text("show all").await?;
    page.click("show all").await?;
    page.holds(
        "!document.querySelector('canvas[aria-label^=Histogram]').ariaLabel.includes('shown')",
    )
    .await?;
    page.close().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn depths_reach_the_sequences_that_rows_hold() -> Result<()> {
    let page = Page::open("data=glue_cola&limit=4000&depth=unlimited", 1440).await?;
    let marks = "[...document.querySelectorAll('#depth ~ .marks span')].map(mark => mark.innerText).join(' ')";
    page.holds(&format!("{marks} === '1 4 16 64 256 1024 ∞'"))
        .await?;
    page.go("data=glue_cola&limit=128&depth=unlimited").await?;
    page.holds(&format!("{marks} === '1 2 3 4 6 8 12 16 ∞'"))
        .await?;
    page.close().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn all_libraries_are_named_in_the_picture() -> Result<()> {
    let page = Page::open_after(&[SAVED], "data=glue_cola&limit=512&room=all").await?;
    page.place("#trainer").await?;
    page.shown("#trainer[data-state]:not([data-state=none])")
        .await?;
    page.eval("document.querySelector('#trainer button.solid')?.click()")
        .await?;
    page.shown("#trainer[data-state=current]").await?;
    save(&page, "trainers-svg").await?;
    page.holds("window.saved[0]?.text !== undefined").await?;
    let svg = text(&page, "window.saved[0].text").await?;
    ensure!(svg.contains("≤ 0.1 %") && svg.contains("TRL"), "{svg}");
    page.close().await
}

/// With new data, items move from their own rows into the packs, and come to rest where visitors who want no motion see them.
#[tokio::test]
#[ignore = "outer circle"]
async fn items_move_into_their_packs_once_for_each_data() -> Result<()> {
    const CANVAS: &str = "document.querySelector('.epoch canvas').toDataURL()";
    let page = Page::open("data=glue_cola", 1440).await?;
    page.shown(".epoch[data-motion=rest]").await?;
    let rest = page.steady(CANVAS).await?;
    let features = json!([{ "name": "prefers-reduced-motion", "value": "no-preference" }]);
    page.devtools(
        "Emulation.setEmulatedMedia",
        json!({ "features": features }),
    )
    .await?;
    page.eval(
        "(() => {
            window.stages = [];
            window.first = [];
            // The label is of the data: what is drawn with a new one?
            const drawn = all => all.some(one => one.target.matches('.epoch canvas'))
                && window.first.push(document.querySelector('.epoch').dataset.motion);
            new MutationObserver(drawn).observe(document.body, { subtree: true, attributeFilter: ['aria-label'] });
            const seen = all => window.stages.push(...all.map(one => one.target.dataset.motion));
            new MutationObserver(seen).observe(document.body, { subtree: true, attributeFilter: ['data-motion'] });
        })()",
    )
    .await?;
    for name in ["glue_sst2", "glue_cola"] {
        page.choose("data", name).await?;
        page.holds("window.stages.includes('moving')").await?;
        page.shown(".epoch[data-motion=rest]").await?;
        let first = page.eval("window.first[0]").await?;
        ensure!(
            first == "moving",
            "the end is seen before the beginning: {first}"
        );
        page.eval("(window.stages = [], window.first = [])").await?;
    }
    ensure!(page.steady(CANVAS).await? == rest, "it rests elsewhere");
    // Settings change the picture at once.
    page.press("depth", &keys(Key::Home, 1)).await?;
    page.settled().await?;
    ensure!(page.eval("window.stages.length").await? == 0);
    page.close().await
}
