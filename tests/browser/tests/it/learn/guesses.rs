//! Questions: a prediction is committed by key or by pointer before the answer is revealed.

use super::{chapter, press};
use anyhow::{Result, ensure};
use fantoccini::key::Key;
use packscope_browser_tests::{Page, keys};

/// Whether a text is anywhere in the chapter, also where it is only heard.
async fn tells(page: &Page, text: &str) -> Result<bool> {
    let script = format!(
        "document.querySelector('article').outerHTML.replaceAll('\u{a0}', ' ').includes('{text}')"
    );
    Ok(page.eval(&script).await? == true)
}

/// The top of the first thing below a question.
async fn below(page: &Page, question: &str) -> Result<f64> {
    let script = format!(
        "document.querySelector('[data-guess={question}]').nextElementSibling.getBoundingClientRect().top + scrollY"
    );
    Ok(page.eval(&script).await?.as_f64().unwrap_or_default())
}

#[tokio::test]
async fn a_prediction_is_committed_by_key_and_told_politely() -> Result<()> {
    let page = chapter("rectangle").await?;
    ensure!(
        !tells(&page, "84.8").await?,
        "the answer is revealed before"
    );
    let choice = "[data-guess=outlier] input[value='1']";
    let commit = "[data-guess=outlier] .solid";
    ensure!(
        page.has(&format!("{commit}:disabled")).await?,
        "nothing to commit"
    );
    let before = below(&page, "outlier").await?;
    press(&page, choice, &keys(Key::Space, 1)).await?;
    // Along the choices with the arrow keys, as in every group of radio buttons.
    press(&page, choice, &keys(Key::Right, 1)).await?;
    page.shown("[data-guess=outlier] input[value='2']:checked")
        .await?;
    ensure!(
        !tells(&page, "84.8").await?,
        "the answer is revealed with the choice"
    );
    press(&page, commit, &keys(Key::Enter, 1)).await?;
    page.shown("[data-guess=outlier][data-told=true] [role=status] [data-figure=answer]")
        .await?;
    page.text("You said 65 %").await?;
    page.text("85 %, the nearest").await?;
    let answer = page
        .value("[data-guess=outlier] [data-figure=answer]")
        .await?;
    ensure!((answer - (1.0 - 2496.0 / 16384.0)).abs() < 1e-9, "{answer}");
    // The button is gone; the focus is still at the question.
    let at = page.eval("document.activeElement.dataset.guess").await?;
    ensure!(at == "outlier", "{at}");
    ensure!(page.has("[data-guess=outlier] fieldset:disabled").await?);
    // What is below moves by what is told and no more.
    let told = page
        .eval("document.querySelector('[data-guess=outlier] .told').offsetHeight")
        .await?;
    let moved = below(&page, "outlier").await? - before;
    ensure!(
        moved <= told.as_f64().unwrap_or_default() + 12.0,
        "{moved} for {told}"
    );
    let hash = page.eval("location.hash").await?;
    ensure!(
        !hash.as_str().unwrap_or_default().contains("outlier"),
        "{hash}"
    );
    // Remembered on the way to another chapter and back, until it is predicted again.
    page.follow("view=learn&chapter=skew").await?;
    page.follow("view=learn&chapter=rectangle").await?;
    page.shown("[data-guess=outlier][data-told=true] input[value='2']:checked")
        .await?;
    page.click("Predict again").await?;
    page.shown("[data-guess=outlier][data-told=false]").await?;
    ensure!(!tells(&page, "84.8").await?);
    page.click("Show without guessing").await?;
    page.shown("[data-guess=outlier][data-told=true] [data-figure=answer]")
        .await?;
    ensure!(!tells(&page, "You said").await?);
    page.close().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn trainers_are_told_after_two_predictions_and_one_is_mended() -> Result<()> {
    let page = chapter("trainer").await?;
    page.shown("main[data-state=current] [data-guess=lost-by-default]")
        .await?;
    ensure!(!tells(&page, "54.3 %").await? && !page.has("article [data-figure=rows]").await?);
    for (question, choice) in [("first-fit", 1), ("lost-by-default", 1)] {
        press(
            &page,
            &format!("[data-guess={question}] input[value='{choice}']"),
            &keys(Key::Space, 1),
        )
        .await?;
        press(
            &page,
            &format!("[data-guess={question}] .solid"),
            &keys(Key::Enter, 1),
        )
        .await?;
        page.shown(&format!(
            "[data-guess={question}][data-told=true] [data-figure=answer]"
        ))
        .await?;
        // What comes below and above leaves the focus where it is.
        let at = page.eval("document.activeElement.dataset.guess").await?;
        ensure!(at == question, "{at}");
    }
    let lost = page
        .value("[data-guess=lost-by-default] [data-figure=answer]")
        .await?;
    ensure!((0.54..0.55).contains(&lost), "{lost}");
    page.text("lose more than a tenth of these tokens").await?;
    page.click("truncate").await?;
    page.text("of the tokens back").await?;
    for place in (5..=10).rev() {
        press(&page, "[data-knob=window]", &keys(Key::Left, 1)).await?;
        page.address(&format!("scene.window={place}")).await?;
    }
    super::noticed(&page).await?;
    page.close().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn a_phone_has_room_for_every_choice() -> Result<()> {
    let page = Page::open("view=learn&chapter=trainer", 360).await?;
    page.shown("main[data-state=current] [data-guess=lost-by-default]")
        .await?;
    // One below the other where there is no room beside, and nothing wider than the window: `close` sees to that.
    let beyond = "[...document.querySelectorAll('.guesses label')].filter(e => e.getBoundingClientRect().right > innerWidth).length";
    ensure!(page.eval(beyond).await? == 0, "a choice is cut off");
    page.close().await
}
