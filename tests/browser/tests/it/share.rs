//! Links that hold data, links that were damaged, and the page as a part of another one.

use super::learn::typed;
use anyhow::{Context, Result, ensure};
use fantoccini::key::Key;
use packscope_browser_tests::{ASKED, Fault, Host, Page, QUIET, SAVED, UNKEPT, dist, keys};

/// Pastes numbers and waits for what comes of them.
async fn paste(page: &Page, numbers: &str, sentence: &str) -> Result<()> {
    page.click("paste numbers").await?;
    page.press("pasted", numbers).await?;
    page.click("Read").await?;
    page.text(sentence).await?;
    page.settled().await
}

async fn value_of(page: &Page, id: &str) -> Result<String> {
    let value = page
        .eval(&format!("document.getElementById('{id}').value"))
        .await?;
    Ok(value.as_str().context("no text")?.to_owned())
}

#[tokio::test]
async fn a_link_of_own_numbers_opens_with_the_same_figures() -> Result<()> {
    let page = Page::open("", 1440).await?;
    paste(
        &page,
        "3, 5, 3, 5, 3, 5, 2, 2, 2, 8",
        "10 sequences, 2–8 tokens",
    )
    .await?;
    let figures = (
        page.figure("packs").await?,
        page.figure("padding_tokens").await?,
    );
    let hash = page.address("data=own1.").await?;
    page.go("data=glue_cola").await?;
    page.go(&hash).await?;
    page.text("10 sequences, 2–8 tokens").await?;
    let chosen = page
        .eval("document.getElementById('data').selectedOptions[0].text")
        .await?;
    assert_eq!(chosen.as_str(), Some("pasted numbers"));
    page.settled().await?;
    assert_eq!(
        (
            page.figure("packs").await?,
            page.figure("padding_tokens").await?
        ),
        figures
    );
    // It stays in the address while settings change.
    page.press("depth", &keys(Key::Home, 1)).await?;
    let moved = page.address("depth=1").await?;
    assert!(moved.contains("data=own1."), "{moved}");
    page.close().await
}

#[tokio::test]
async fn a_table_beside_the_page_opens_by_its_address() -> Result<()> {
    let host = Host::new(dist())?;
    let lengths = "length,count\n12,1\n200,2\n300,997\n4000,1\n";
    host.spoil("opened/two%20words.csv", Fault::Instead(lengths.into()))?;
    let graphs = "nodes,edges,count\n3,2,2\n9,20,1\n";
    host.spoil("opened/graphs.csv", Fault::Instead(graphs.into()))?;
    let page = Page::blank_of(&host).await?;
    page.before_each_load(UNKEPT).await?;
    page.go("data=./opened/two%20words.csv&limit=512").await?;
    page.text("1,001 sequences").await?;
    page.holds("document.getElementById('data').selectedOptions[0].text === 'two words.csv'")
        .await?;
    assert_eq!(page.setting("limit").await?, 512.0);
    // From then on they travel as any others of the visitor's own.
    page.address("data=own1.").await?;
    page.go("view=graphs&data=./opened/graphs.csv").await?;
    page.text("3 graphs").await?;
    // What is not there is said, and the page opens on its own data.
    page.visit("data=./opened/gone.csv").await?;
    page.text("names a file beside the page which is not there")
        .await?;
    page.text("16,279,552 sequences").await?;
    page.leave().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn a_damaged_link_tells_and_opens_the_first_data() -> Result<()> {
    let page = Page::open("", 1440).await?;
    paste(&page, "3, 5, 8", "3 sequences, 3–8 tokens").await?;
    let hash = page.address("data=own1.").await?;
    let (before, after) = hash.split_once('&').context("no settings")?;
    page.go(&format!("{}&{after}", &before[..before.len() - 2]))
        .await?;
    page.text("The data in this link are damaged").await?;
    page.text("16,279,552 sequences").await?;
    page.click("Close").await?;
    // The same of a link that is followed while the page is open: what is there stays.
    page.eval("location.hash = 'data=own1.AAAA'").await?;
    page.text("The data in this link are damaged").await?;
    page.text("16,279,552 sequences").await?;
    page.close().await
}

#[tokio::test]
async fn the_dialog_has_the_link_and_says_what_is_in_it() -> Result<()> {
    let page = Page::open_after(&[ASKED], "view=graphs").await?;
    page.drop_file("mine.csv", "nodes,edges,count\n3,4,5\n7,9,2\n")
        .await?;
    page.text("7 graphs").await?;
    page.settled().await?;
    page.click("Share").await?;
    page.text("Link copied").await?;
    page.text("your 2 sizes with their counts").await?;
    let link = value_of(&page, "share-link").await?;
    ensure!(link.contains("#view=graphs&data=own1."), "{link}");
    assert_eq!(
        page.eval("window.copied").await?.as_str(),
        Some(link.as_str())
    );
    let code = value_of(&page, "share-code").await?;
    ensure!(
        code.starts_with("<iframe src=\"http") && code.contains("&amp;embed=1\""),
        "{code}"
    );
    page.click("Copy the code").await?;
    page.text("Code copied").await?;
    page.screenshot("share").await?;
    page.click("Done").await?;
    let packs = page.figure("packs").await?;
    page.go(link.split_once('#').context("no hash")?.1).await?;
    page.text("7 graphs").await?;
    page.settled().await?;
    assert_eq!(page.figure("packs").await?, packs);
    page.close().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn data_that_are_too_large_stay_behind_and_it_is_said() -> Result<()> {
    let page = Page::open("", 1440).await?;
    let rows: String = (1..20_000u64)
        .map(|l| format!("{},{}\n", l * 3 + l % 2, l * 7919 % 104_729 + 1))
        .collect();
    page.drop_file("large.csv", &format!("length,count\n{rows}"))
        .await?;
    page.text("large.csv").await?;
    page.settled().await?;
    let hash = page.address("data=own-").await?;
    page.click("Share").await?;
    page.text("Your data are too large to travel").await?;
    page.click("Done").await?;
    // Whoever gets the link has not stored them.
    page.text("Your data, in this browser only (1)").await?;
    page.unfold("details.stored").await?;
    page.click("remove").await?;
    page.gone("details.stored").await?;
    page.go(&hash).await?;
    page.text("stored in the browser that read them").await?;
    page.close().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn an_embedded_page_has_no_top_and_a_way_out() -> Result<()> {
    let page = Page::open("embed=1&data=glue_cola&limit=64", 800).await?;
    for width in [360, 800] {
        page.resize(width, 740).await?;
        page.settled().await?;
        page.screenshot(&format!("embed-{width}")).await?;
        assert!(!page.has("header.top").await? && !page.has("footer").await?);
    }
    let way = "document.querySelector('.embedded a').getAttribute('href')";
    let way = page.eval(way).await?;
    let here = format!("#data=glue_cola&limit=64&depth=unlimited&algorithm=lpfhp&{QUIET}");
    assert_eq!(
        way.as_str().map(|way| way.replace("&room=all", "")),
        Some(here)
    );
    page.press("depth", &keys(Key::Home, 1)).await?;
    page.settled().await?;
    assert_eq!(page.figure("packs").await?, 8_551.0);
    page.address("embed=1").await?;
    page.go("view=learn&chapter=skew&embed=1&hide=contents,teach")
        .await?;
    assert!(!page.has("header.top").await?);
    page.screenshot("embed-learn").await?;
    page.go("view=batches&sampler=bucket&embed=1&hide=controls")
        .await?;
    page.screenshot("embed-batches").await?;
    page.close().await
}

#[tokio::test]
async fn a_card_has_headline_data_library_and_link() -> Result<()> {
    let page = Page::open_after(&[SAVED], "data=squad_1_1_bert_384&limit=384").await?;
    page.settled().await?;
    let headline = page
        .eval("document.querySelector('main h1').textContent.replaceAll('\\u00a0', ' ')")
        .await?;
    let headline = headline.as_str().context("no headline")?.to_owned();
    page.click("Share").await?;
    page.click("Save as SVG").await?;
    page.holds("Object.keys(window.saved).length === 1").await?;
    let card = page.eval("Object.values(window.saved)[0]").await?;
    let card = card.as_str().context("no card")?;
    // Lines are broken: words are looked for in the title, and each in the drawing.
    for words in [&*headline, "SQuAD", "Maximum length 384 tokens", "LPFHP"] {
        ensure!(
            card.replace('\u{a0}', " ").contains(words),
            "{words}: {card:.600}"
        );
    }
    // Its squares: hundreds of them, and the preview is a picture.
    ensure!(card.matches("<rect").count() > 300, "{card:.600}");
    page.holds("document.querySelector('.share img.card').naturalWidth === 1200")
        .await?;
    page.screenshot("share-card").await?;
    page.click("Save as PNG").await?;
    page.holds("Object.keys(window.saved).length === 2").await?;
    page.click("Picture on the full screen").await?;
    page.shown("dialog.stage[open] canvas[aria-label^='One epoch']")
        .await?;
    let limit = page.setting("limit").await?;
    typed(&page, &keys(Key::Left, 1)).await?;
    page.holds(&format!("document.querySelector('#limit').value < {limit}"))
        .await?;
    page.screenshot("full-epoch").await?;
    typed(&page, &keys(Key::Escape, 1)).await?;
    page.gone("dialog.stage").await?;
    page.close().await
}
