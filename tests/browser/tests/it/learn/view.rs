//! What all chapters share: the list, the keys, progress, links of teachers, the way to the tool.

use super::{chapter, press};
use anyhow::{Result, ensure};
use fantoccini::Locator;
use fantoccini::key::Key;
use packscope_browser_tests::{Page, keys};

/// Does the exercise of the first chapter, by key.
async fn do_the_first(page: &Page) -> Result<()> {
    for i in 0..12 {
        press(page, &format!("[data-row='{i}']"), &keys(Key::Home, 1)).await?;
    }
    page.shown("article[data-chapter=rectangle][data-done=true]")
        .await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn progress_stays_in_this_browser() -> Result<()> {
    let page = chapter("rectangle").await?;
    do_the_first(&page).await?;
    page.text("1 of 21 done").await?;
    page.go("view=learn&chapter=skew").await?;
    page.shown(".contents [data-chapter=rectangle][data-done=true]")
        .await?;
    ensure!(
        !page
            .has(".contents [data-chapter=skew][data-done=true]")
            .await?
    );
    // The scene begins again; that it was done once is remembered.
    page.go("view=learn&chapter=rectangle").await?;
    ensure!(page.has("article[data-done=false]").await?);
    page.close().await
}

#[tokio::test]
async fn chapters_follow_each_other_by_key_and_by_link() -> Result<()> {
    let page = chapter("rectangle").await?;
    page.key("n").await?;
    page.shown("article[data-chapter=skew]").await?;
    page.address("chapter=skew").await?;
    let focus = page.eval("document.activeElement.tagName").await?;
    ensure!(focus == "H1", "{focus}");
    page.key("p").await?;
    page.shown("article[data-chapter=rectangle]").await?;
    // Back is where one came from.
    page.eval("history.back()").await?;
    page.shown("article[data-chapter=skew]").await?;
    // Digits are numbers here, and lead to no other view.
    page.key("1").await?;
    press(&page, "[data-knob=longest]", "2").await?;
    ensure!(page.has("article[data-chapter=skew]").await?);
    page.click("Sequences").await?;
    page.shown("main[data-view=sequences]").await?;
    page.key("5").await?;
    page.shown("article[data-chapter=skew]").await?;
    page.close().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn a_teacher_arranges_hides_and_shares() -> Result<()> {
    let page = chapter("rectangle").await?;
    page.click("Teach with this page").await?;
    for part in ["tabs", "contents", "sources", "lengths"] {
        page.tick(&format!("hide-{part}")).await?;
    }
    let hash = page.address("hide=contents,lengths,sources,tabs").await?;
    page.go(&hash).await?;
    for hidden in [".tabs", ".contents", ".sources"] {
        let seen = page
            .eval(&format!(
                "document.querySelector('{hidden}')?.offsetParent !== null"
            ))
            .await?;
        ensure!(seen == false, "{hidden} is seen");
    }
    ensure!(page.has("[data-row='0']").await? && !page.has("[data-row][role=slider]").await?);
    // What is hidden stays hidden in the next chapter.
    page.key("n").await?;
    page.shown("article[data-chapter=skew]").await?;
    page.close().await
}

#[tokio::test]
async fn a_chapter_hands_its_data_to_the_tool() -> Result<()> {
    let page = chapter("rectangle").await?;
    page.click("Open this in Sequences").await?;
    page.shown("main[data-view=sequences][data-state=current]")
        .await?;
    page.text("12 sequences").await?;
    ensure!((page.figure("items").await? - 12.0).abs() < 1e-9);
    ensure!((page.setting("limit").await? - 48.0).abs() < 1e-9);
    // And leads back, to the scene as it was.
    page.text("From chapter 1, A batch is a rectangle").await?;
    page.find(Locator::Css(".from-lesson a"))
        .await?
        .click()
        .await?;
    page.shown("article[data-chapter=rectangle]").await?;
    page.close().await
}
