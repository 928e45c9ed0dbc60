//! What the page recommends, taken with one press, and what it knows of other limits.

use anyhow::{Result, ensure};
use packscope_browser_tests::Page;

/// Presses the first button of the advice; it is at rest then, and the address has what was taken.
async fn is_taken(page: &Page, kept: &[&str]) -> Result<()> {
    page.shown(".advice[data-advice=open]").await?;
    page.eval("document.querySelector('.advice button').click()")
        .await?;
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
        "data=wikipedia_bert_512&limit=512&algorithm=spfhp&depth=1&room=all",
        1440,
    )
    .await?;
    page.text("Shuffled batches of 64, padded to their longest, at 512: ")
        .await?;
    is_taken(&page, &["algorithm=average-target", "depth=3"]).await?;
    page.text("That is set.").await?;
    // The same training, where a sampler is as good as packing: one view says so, the other one has it.
    page.go("data=glue_sst2&limit=128").await?;
    page.shown(".advice[data-advice=open]").await?;
    let said = page
        .eval("document.querySelector('.advice').innerText")
        .await?;
    page.click("See length-grouped").await?;
    page.address("view=batches").await?;
    page.known().await?;
    page.shown(".advice[data-advice=taken]").await?;
    let there = page
        .eval("document.querySelector('.advice').innerText")
        .await?;
    let now = |text: &serde_json::Value| {
        let text = text.as_str().unwrap_or_default();
        text.split(" an epoch. ")
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    ensure!(now(&said) == now(&there), "{said}, {there}");
    page.close().await
}

#[tokio::test]
async fn batches_open_with_the_sampler_that_is_advised() -> Result<()> {
    let page = Page::open("view=batches&data=glue_sst2&room=all", 1440).await?;
    page.compared().await?;
    page.shown(".advice[data-advice=taken]").await?;
    page.text("With length-grouped batches: ").await?;
    page.text("That is set.").await?;
    ensure!(page.is_ticked("sampler-length-grouped").await?);
    page.text("Length-grouped:").await?;
    page.close().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn graphs_begin_with_a_loader_that_pads_nothing() -> Result<()> {
    let page = Page::open("view=graphs", 1440).await?;
    page.shown(".advice[data-advice=taken]").await?;
    page.text("PyTorch Geometric's DataLoader as installed: no padding, ")
        .await?;
    page.text("Nothing to change. Where shapes are fixed once")
        .await?;
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
    page.shown(".advice[data-advice=open]").await?;
    page.text(" of the tokens lost, ").await?;
    page.eval("document.querySelector('.advice button').click()")
        .await?;
    page.known().await?;
    page.shown(".advice[data-advice]:not([data-advice=early])")
        .await?;
    ensure!(page.figure("waste_tokens").await? == 0.0);
    page.holds("!document.querySelector('.advice').innerText.includes(' lost')")
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
