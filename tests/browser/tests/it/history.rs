//! Back, Forward and reload find what was there, with the visitor's own data.

use anyhow::{Result, ensure};
use packscope::words::count;
use packscope_browser_tests::Page;

/// A table of so many distinct lengths.
fn table(distinct: u64) -> String {
    let rows = (1..=distinct).map(|l| format!("{},{}\n", l * 7 % 1_000_003 + l, l * 7919 % 1009 + 1));
    "length,count\n".to_owned() + &rows.collect::<String>()
}

/// The sequences of the table, as the page counts them.
fn sequences(distinct: u64) -> String {
    let all: u64 = (1..=distinct).map(|l| l * 7919 % 1009 + 1).sum();
    format!("{} sequences", count(all))
}

/// Goes back, or forward, once the address has come to rest. Of steps at once after another some were not taken, beside
/// other browsers; why is not known.
async fn back(page: &Page, steps: i32) -> Result<()> {
    page.steady("location.hash").await?;
    page.eval(&format!("history.go({steps})")).await?;
    Ok(())
}

async fn entries(page: &Page) -> Result<u64> {
    Ok(page.eval("history.length").await?.as_u64().unwrap_or(0))
}

#[tokio::test]
async fn back_and_forward_restore_view_data_algorithm_and_adopted_limits() -> Result<()> {
    let page = Page::open("", 1440).await?;
    page.address("data=wikipedia_bert_512").await?;
    page.drop_file("mine.csv", &table(50)).await?;
    page.text(&sequences(50)).await?;
    page.settled().await?;
    page.address("data=own1.").await?;
    let before = entries(&page).await?;
    let packs = page.figure("packs").await?;
    // A slider makes no entry.
    page.press("depth", &packscope_browser_tests::keys(fantoccini::key::Key::Home, 1)).await?;
    page.settled().await?;
    let shallow = page.figure("packs").await?;
    page.address("depth=1").await?;
    ensure!(entries(&page).await? == before, "a slider made an entry");
    page.click("Learn").await?;
    page.shown("main[data-view=learn]").await?;
    page.address("view=learn").await?;
    back(&page, -1).await?;
    page.shown("main[data-view=sequences]").await?;
    page.settled().await?;
    page.text("mine.csv").await?;
    assert_eq!(page.figure("packs").await?, shallow);
    back(&page, 1).await?;
    page.shown("main[data-view=learn]").await?;
    back(&page, -1).await?;
    page.shown("main[data-view=sequences]").await?;
    // Before the file there was Wikipedia.
    back(&page, -1).await?;
    page.text("16,279,552 sequences").await?;
    page.settled().await?;
    assert_eq!(page.figure("items").await?, 16_279_552.0);
    back(&page, 1).await?;
    page.text("mine.csv").await?;
    page.settled().await?;
    ensure!(packs < shallow);
    page.close().await
}

#[tokio::test]
async fn own_data_of_any_size_are_there_after_a_reload() -> Result<()> {
    let page = Page::open("", 1440).await?;
    for distinct in [100, 2_500, 200_000] {
        let name = format!("mine-{distinct}.csv");
        let before = page.eval("location.hash").await?;
        page.drop_file(&name, &table(distinct)).await?;
        page.text(&sequences(distinct)).await?;
        page.settled().await?;
        let figures = [page.figure("packs").await?, page.figure("real_tokens").await?];
        page.address("data=own").await?;
        // The address follows after a rest, and that of the file before was of this kind too.
        page.holds(&format!("location.hash !== {before}")).await?;
        if distinct == 200_000 {
            page.address("data=own-").await?;
            page.text("Your data, in this browser only (1)").await?;
        }
        page.execute("document.body.dataset.old = 1; location.reload()", Vec::new()).await?;
        page.holds("!document.body.dataset.old").await?;
        page.text(&sequences(distinct)).await?;
        page.settled().await?;
        assert_eq!([page.figure("packs").await?, page.figure("real_tokens").await?], figures, "{distinct}");
    }
    // Other data and back again by the list; then removed for good.
    page.choose("data", "glue_cola").await?;
    page.text("8,551 sequences").await?;
    page.unfold("details.stored").await?;
    page.eval("document.querySelector('details.stored a').click()").await?;
    page.text(&sequences(200_000)).await?;
    page.settled().await?;
    let address = page.address("data=own-").await?;
    page.unfold("details.stored").await?;
    page.click("remove").await?;
    page.gone("details.stored").await?;
    page.go("data=glue_cola").await?;
    page.visit(&address).await?;
    page.text("this one does not have them (any more)").await?;
    page.text("16,279,552 sequences").await?;
    page.close().await
}

#[tokio::test]
async fn storage_that_is_forbidden_is_said() -> Result<()> {
    let forbid = "Object.defineProperty(window, 'caches', { get() { throw new DOMException('no', 'SecurityError') } })";
    let page = Page::open_after(&[forbid], "").await?;
    page.drop_file("large.csv", &table(200_000)).await?;
    page.text("large.csv is too large for the address, and this browser does not store it").await?;
    page.settled().await?;
    page.close().await
}
