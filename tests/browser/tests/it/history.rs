//! Back, Forward and reload find what was there, with the visitor's own data.

use anyhow::{Result, bail, ensure};
use packscope::words::count;
use packscope_browser_tests::Page;
use serde_json::{Value, json};
use std::time::Duration;

/// A table of so many distinct lengths.
fn table(distinct: u64) -> String {
    let rows =
        (1..=distinct).map(|l| format!("{},{}\n", l * 7 % 1_000_003 + l, l * 7919 % 1009 + 1));
    "length,count\n".to_owned() + &rows.collect::<String>()
}

/// The sequences of the table, as the page counts them.
fn sequences(distinct: u64) -> String {
    let all: u64 = (1..=distinct).map(|l| l * 7919 % 1009 + 1).sum();
    format!("{} sequences", count(all))
}

/// Goes back, or forward, once the address has come to rest.
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
    page.press(
        "depth",
        &packscope_browser_tests::keys(fantoccini::key::Key::Home, 1),
    )
    .await?;
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

/// Presses tabs and takes steps of the history, each as soon as the view of the one before is on screen, and says when what
/// is written late has been written.
const AT_ONCE: &str = "const steps = arguments[0];
    const pause = wait => new Promise(next => setTimeout(next, wait));
    window.stepped = (async () => {
        window.stepped = '';
        await pause(50);
        for (const [step, view] of steps) {
            const tab = [...document.querySelectorAll('.tab')].find(e => e.innerText === step);
            if (tab) tab.click(); else history.go(step);
            const end = Date.now() + 60_000;
            while (!document.querySelector(`main[data-view=${view}]`)) {
                if (Date.now() > end) return window.stepped = `${step} did not lead to ${view}`;
                await pause(1);
            }
            // Nobody sees it sooner.
            await pause(50);
        }
        while (document.documentElement.dataset.due) await pause(20);
        window.stepped = 'done';
    })() && '';";

/// Takes such steps. Nothing is asked meanwhile: a step ends the scripts of a driver.
async fn at_once(page: &Page, steps: Value) -> Result<()> {
    page.execute(AT_ONCE, vec![steps]).await?;
    // What is asked now waits for nothing in the page, where it might wait for ever.
    for _ in 0..600 {
        let said = page
            .client
            .execute("return window.stepped || ''", vec![])
            .await
            .unwrap_or_default();
        if said != "" {
            ensure!(said == "done", "{said}");
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    bail!("the steps did not end")
}

#[tokio::test]
#[ignore = "outer circle"]
async fn back_at_once_undoes_what_was_just_done() -> Result<()> {
    let page = Page::open("", 1440).await?;
    page.drop_file("mine.csv", &table(50)).await?;
    page.text(&sequences(50)).await?;
    page.settled().await?;
    page.address("data=own1.").await?;
    let before = entries(&page).await?;
    // As soon as a view is on screen it is left again, and nothing waits for the address.
    let steps = json!([
        ["Learn", "learn"],
        [-1, "sequences"],
        ["Batches", "batches"],
        [-1, "sequences"],
        ["Graphs", "graphs"],
        [-1, "sequences"],
    ]);
    at_once(&page, steps).await?;
    page.text("mine.csv").await?;
    // Each took the place of the one before, which nobody can go forward to any more.
    ensure!(entries(&page).await? == before + 1);
    // Several entries, and steps to and fro at once after another.
    let steps = json!([
        ["Learn", "learn"],
        ["Batches", "batches"],
        [-1, "learn"],
        [-1, "sequences"],
        [1, "learn"],
        [1, "batches"],
        [-2, "sequences"],
    ]);
    at_once(&page, steps).await?;
    page.text("mine.csv").await?;
    page.settled().await?;
    ensure!(entries(&page).await? == before + 2);
    page.close().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn own_data_keep_the_usual_limit_in_other_views() -> Result<()> {
    let page = Page::open("", 1440).await?;
    // 99 % are within 512, which is what an address leaves out on other views.
    let lengths: String = (0..1000)
        .map(|i| {
            if i == 0 {
                "3000\n".to_owned()
            } else {
                format!("{}\n", 100 + i % 350)
            }
        })
        .collect();
    page.drop_file("mine.csv", &format!("length\n{lengths}"))
        .await?;
    page.text("mine.csv").await?;
    page.settled().await?;
    ensure!(page.setting("limit").await? == 512.0);
    page.click("Graphs").await?;
    page.shown("main[data-view=graphs]").await?;
    let address = page.address("sequences.data=own1.").await?;
    page.go("data=glue_cola&limit=17").await?;
    page.visit(&address).await?;
    page.shown("main[data-view=graphs]").await?;
    page.click("Sequences").await?;
    page.text("mine.csv").await?;
    page.settled().await?;
    ensure!(
        page.setting("limit").await? == 512.0,
        "{}",
        page.setting("limit").await?
    );
    page.close().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn two_tabs_do_not_disturb_each_other() -> Result<()> {
    let page = Page::open("", 1440).await?;
    page.drop_file("large.csv", &table(200_000)).await?;
    page.text(&sequences(200_000)).await?;
    page.settled().await?;
    let address = page.address("data=own-").await?;
    let packs = page.figure("packs").await?;
    let first = page.client.window().await?;
    let second = page.client.new_window(true).await?.handle;
    page.client.switch_to_window(second).await?;
    page.visit(&format!("{address}&background=0")).await?;
    page.text(&sequences(200_000)).await?;
    // In a window that the test has opened itself, what is far down is not loaded.
    page.shown("main[data-state=current]").await?;
    ensure!(page.figure("packs").await? == packs);
    // The second goes on to other data, and removes those of the first from the browser.
    page.unfold("details.stored").await?;
    page.click("remove").await?;
    page.gone("details.stored").await?;
    page.choose("data", "glue_cola").await?;
    page.text("8,551 sequences").await?;
    page.click("Graphs").await?;
    page.shown("main[data-view=graphs]").await?;
    page.client.close_window().await?;
    page.client.switch_to_window(first).await?;
    // The first has its view, its data, its address and its figures, and can go on.
    page.shown("main[data-view=sequences]").await?;
    ensure!(page.address("data=own-").await? == address);
    ensure!(page.figure("packs").await? == packs);
    page.press(
        "depth",
        &packscope_browser_tests::keys(fantoccini::key::Key::Home, 1),
    )
    .await?;
    page.settled().await?;
    ensure!(page.figure("packs").await? > packs);
    page.close().await
}

/// Brings data with so many distinct lengths, which are there with the same figures when the page is loaded again.
async fn reloaded(page: &Page, distinct: u64) -> Result<()> {
    let name = format!("mine-{distinct}.csv");
    let before = page.eval("location.hash").await?;
    page.drop_file(&name, &table(distinct)).await?;
    page.text(&sequences(distinct)).await?;
    page.settled().await?;
    let figures = [
        page.figure("packs").await?,
        page.figure("real_tokens").await?,
    ];
    page.address("data=own").await?;
    // The address follows after a rest, and that of the file before was of this kind too.
    page.holds(&format!("location.hash !== {before}")).await?;
    if distinct == 200_000 {
        page.address("data=own-").await?;
        page.text("Your data, in this browser only (1)").await?;
    }
    page.execute(
        "document.body.dataset.old = 1; location.reload()",
        Vec::new(),
    )
    .await?;
    page.holds("!document.body.dataset.old").await?;
    page.text(&sequences(distinct)).await?;
    page.settled().await?;
    assert_eq!(
        [
            page.figure("packs").await?,
            page.figure("real_tokens").await?
        ],
        figures,
        "{distinct}"
    );
    Ok(())
}

#[tokio::test]
async fn own_data_are_there_after_a_reload() -> Result<()> {
    let page = Page::open("", 1440).await?;
    reloaded(&page, 2_500).await?;
    page.close().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn own_data_of_any_size_are_there_after_a_reload() -> Result<()> {
    let page = Page::open("", 1440).await?;
    for distinct in [100, 200_000] {
        reloaded(&page, distinct).await?;
    }
    // Other data and back again by the list; then removed for good.
    page.choose("data", "glue_cola").await?;
    page.text("8,551 sequences").await?;
    page.unfold("details.stored").await?;
    page.eval("document.querySelector('details.stored a').click()")
        .await?;
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
#[ignore = "outer circle"]
async fn storage_that_is_forbidden_is_said() -> Result<()> {
    let forbid = "Object.defineProperty(window, 'caches', { get() { throw new DOMException('no', 'SecurityError') } })";
    let page = Page::open_after(&[forbid], "").await?;
    page.drop_file("large.csv", &table(200_000)).await?;
    page.text("large.csv is too large for the address, and this browser does not store it")
        .await?;
    page.settled().await?;
    page.close().await
}
