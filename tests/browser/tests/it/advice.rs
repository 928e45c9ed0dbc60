//! What the page recommends, taken with one press, and what it knows of other limits.

use anyhow::{Result, ensure};
use packscope_browser_tests::Page;

/// Takes the recommendation of the view; it is at rest then, and the address has what was taken.
async fn is_taken(page: &Page, kept: &[&str]) -> Result<()> {
    page.shown(".advice[data-advice=open]").await?;
    page.click("Use it").await?;
    page.known().await?;
    page.shown(".advice[data-advice=taken]").await?;
    for name in kept {
        page.address(name).await?;
    }
    Ok(())
}

#[tokio::test]
#[ignore = "outer circle"]
async fn a_recommendation_is_taken_with_one_press() -> Result<()> {
    let page = Page::open(
        "data=squad_1_1_bert_384&limit=384&algorithm=spfhp&depth=1&room=all",
        1440,
    )
    .await?;
    page.text("Recommended: ").await?;
    is_taken(&page, &["algorithm=lpfhp", "depth=3"]).await?;
    page.go("view=graphs").await?;
    page.swept().await?;
    is_taken(&page, &["nodes=", "edges="]).await?;
    page.go("view=batches&data=glue_sst2&limit=128&sampler=random")
        .await?;
    is_taken(&page, &["view=batches&data=glue_sst2"]).await?;
    page.close().await
}

#[tokio::test]
async fn batches_open_with_the_sampler_that_is_recommended() -> Result<()> {
    let page = Page::open("view=batches&data=glue_sst2&room=all", 1440).await?;
    page.compared().await?;
    page.shown(".advice[data-advice=taken]").await?;
    page.text("Length-grouped, as set").await?;
    ensure!(page.is_ticked("sampler-length-grouped").await?);
    page.text("Length-grouped:").await?;
    page.close().await
}

#[tokio::test]
async fn limits_stand_side_by_side_and_a_press_takes_one() -> Result<()> {
    let page = Page::open("room=compare", 1440).await?;
    page.eval("document.querySelector('.limits').scrollIntoView()")
        .await?;
    page.shown(".limits[data-state=current]").await?;
    page.text("A limit of 512 cuts off nothing; ").await?;
    // The table of all policies is behind the picture.
    page.unfold("#limits-ledger").await?;
    let cell = |limit: u32, name: &str| {
        format!(
            "Number(document.querySelector(`[data-limit='{limit}'] [data-figure={name}]`).dataset.value)"
        )
    };
    let rows = page.eval(&cell(256, "packs")).await?;
    let lost = page.eval(&cell(256, "cut")).await?;
    page.eval("document.querySelector(`[data-limit='256'] button`).click()")
        .await?;
    page.known().await?;
    let figure = |name: &str| {
        format!("Number(document.querySelector('.answer [data-figure={name}]').dataset.value)")
    };
    ensure!(page.eval(&figure("packs")).await? == rows);
    ensure!(page.eval(&figure("waste_tokens")).await? == lost);
    page.text("cut off at 256.").await?;
    page.shown("[data-limit='256'].chosen").await?;
    page.close().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn a_limit_that_loses_tokens_is_named_with_one_that_keeps_them() -> Result<()> {
    let page = Page::open_searching("data=squad_1_1_bert_384&limit=200", 1440).await?;
    page.text("A limit of 200 loses ").await?;
    page.click("Use 384").await?;
    page.address("limit=384").await?;
    page.known().await?;
    ensure!(page.figure("waste_tokens").await? == 0.0);
    page.holds("!document.querySelector('.advice').innerText.includes('loses')")
        .await?;
    page.close().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn own_data_open_at_a_limit_that_holds_nearly_all_and_say_so() -> Result<()> {
    let page = Page::open("", 1440).await?;
    let lengths: Vec<String> = (0..400)
        .map(|i| {
            if i == 0 {
                "9000".to_owned()
            } else {
                (i % 90 + 10).to_string()
            }
        })
        .collect();
    page.drop_file("lengths.txt", &lengths.join("\n")).await?;
    page.known().await?;
    page.text("128 holds 99.75 % of the sequences whole; the longest has 9,000 tokens.")
        .await?;
    page.close().await
}
