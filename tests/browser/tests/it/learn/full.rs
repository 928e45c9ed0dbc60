//! Scenes that fill the screen: arrow keys move the knob and turn the pictures, Escape leaves.

use super::{chapter, press};
use anyhow::{Result, ensure};
use fantoccini::actions::{InputSource, KeyAction, KeyActions};
use fantoccini::key::Key;
use packscope_browser_tests::{Page, keys};

const HEADING: &str = "document.querySelector('dialog.stage h1').textContent";
/// All of the scene is in the window, at least as large as in the page.
const FITS: &str = "(room => room.scrollHeight <= room.clientHeight && room.scrollWidth <= room.clientWidth \
    && parseFloat(getComputedStyle(room.firstElementChild).zoom) >= 1)(document.querySelector('.stage-room'))";

/// Presses keys on whatever has the focus.
pub async fn typed(page: &Page, keys: &str) -> Result<()> {
    for value in keys.chars() {
        let key = KeyActions::new("keys".to_owned());
        let key = key.then(KeyAction::Down { value });
        page.client
            .perform_actions(key.then(KeyAction::Up { value }))
            .await?;
    }
    Ok(())
}

async fn opened(address: &str, [width, height]: [u32; 2]) -> Result<Page> {
    let page = chapter(address).await?;
    page.resize(width, height).await?;
    typed(&page, "f").await?;
    page.shown("dialog.stage[open]").await?;
    Ok(page)
}

#[tokio::test]
async fn a_scene_fills_the_screen_and_is_moved_by_arrows() -> Result<()> {
    let page = opened("watch", [1920, 1080]).await?;
    page.holds(FITS).await?;
    page.holds(&format!(
        "{HEADING}.startsWith('Seventeen') || {HEADING}.startsWith('17')"
    ))
    .await?;
    for _ in 0..3 {
        typed(&page, &keys(Key::Right, 1)).await?;
    }
    page.shown("dialog.stage .player[data-at='3']").await?;
    typed(&page, &keys(Key::Left, 1)).await?;
    page.shown("dialog.stage .player[data-at='2']").await?;
    page.address("scene.step=2").await?;
    // Digits are no keys of the page here, and N turns the chapter.
    typed(&page, "2").await?;
    typed(&page, "n").await?;
    page.shown("dialog.stage [data-chapter=bounds]").await?;
    page.holds(FITS).await?;
    page.text("Picture 1 of").await?;
    typed(&page, &keys(Key::Down, 1)).await?;
    page.text("Picture 2 of").await?;
    page.holds(FITS).await?;
    typed(&page, &keys(Key::Up, 1)).await?;
    page.text("Picture 1 of").await?;
    typed(&page, &keys(Key::Escape, 1)).await?;
    page.gone("dialog.stage").await?;
    ensure!(page.has("article[data-chapter=bounds]").await?);
    page.close().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn every_scene_fits_a_wall_and_a_laptop() -> Result<()> {
    for size in [[1920, 1080], [1440, 900]] {
        let page = chapter("rectangle").await?;
        page.resize(size[0], size[1]).await?;
        // In a window that is not left meanwhile: browsers end a full screen by themselves, which closes the scene.
        page.eval(
            "Element.prototype.requestFullscreen = () => Promise.reject(new Error('refused'))",
        )
        .await?;
        typed(&page, "f").await?;
        page.shown("dialog.stage[open]").await?;
        // The first handle has the focus where no knob is stepped: its arrows move it at once.
        typed(&page, &keys(Key::Right, 1)).await?;
        page.address("scene.lengths=15.").await?;
        for chapter in 0..21 {
            page.settled().await?;
            page.holds("(room => room !== null && room.scrollWidth <= room.clientWidth)(document.querySelector('.stage-room'))")
                .await?;
            page.screenshot(&format!("full-{}-{chapter}", size[0]))
                .await?;
            typed(&page, "n").await?;
        }
        page.close().await?;
    }
    Ok(())
}

#[tokio::test]
#[ignore = "outer circle"]
async fn the_button_opens_it_and_a_press_on_the_knob_goes_on() -> Result<()> {
    let page = chapter("skew").await?;
    page.click("Full screen (F)").await?;
    page.shown("dialog.stage[open]").await?;
    press(
        &page,
        "dialog.stage [data-knob=longest]",
        &keys(Key::Home, 1),
    )
    .await?;
    page.address("scene.longest=").await?;
    page.click("Leave (Esc)").await?;
    page.gone("dialog.stage").await?;
    page.close().await
}
