//! Which tokens train, of the visitor's own file: a worker finds it out, the page says it, and the judge counts it.

use anyhow::Result;
use packscope_browser_tests::Page;

/// Prompts of 300 tokens with responses of 100 from one source, and of 40 with 60 from another.
fn rows() -> String {
    let long = "300,100,code\n".repeat(30);
    let short = "40,60,chat\n".repeat(70);
    format!("prompt_tokens,completion_tokens,source\n{long}{short}")
}

async fn open(width: u32) -> Result<Page> {
    let page = Page::open("data=glue_cola", width).await?;
    page.drop_file("sft.csv", &rows()).await?;
    page.shown("#supervision[data-state=current]").await?;
    page.settled().await?;
    Ok(page)
}

#[tokio::test]
async fn a_file_of_prompts_and_responses_says_which_tokens_train() -> Result<()> {
    let page = open(1440).await?;
    page.follow("limit=256").await?;
    page.settled().await?;
    // Of 7,200 supervised tokens those of code are cut off; 30 of 100 sequences have none left.
    page.text("At 256, 41.7 % of the supervised tokens are lost, of all tokens 22.7 %, and 30 sequences (30.0 %) train nothing.")
        .await?;
    let untrained = "Number(document.querySelector('.supervision-lost').dataset.value)";
    assert_eq!(page.eval(untrained).await?, 30.0);
    // The slider costs a look-up: another limit has its figures at once.
    page.follow("limit=400").await?;
    page.settled().await?;
    page.gone(".supervision-lost").await?;
    page.text("At 400, no supervised token is lost, and every sequence trains something.")
        .await?;
    // By source, with the lines of a mix.
    page.text("70.0 % of the documents are 36.8 % of the tokens: chat.")
        .await?;
    page.unfold("#source-mix").await?;
    page.text("interleave_datasets").await?;
    page.fill("Weight of code", "0").await?;
    page.text("probabilities=[0, 1]").await?;
    page.unfold("#token-weights").await?;
    page.text("Megatron-LM as installed").await?;
    page.close().await
}

/// What axolotl and others prepare: lists of tokens and labels in Arrow, as Hugging Face saves them.
#[tokio::test]
async fn labels_of_a_prepared_data_set_tell_which_tokens_train() -> Result<()> {
    const PREPARED: &[u8] = include_bytes!("../../../data/supervised/whole.arrow");
    let page = Page::open("data=glue_cola", 1440).await?;
    page.drop_files(&[("prepared.arrow", PREPARED)]).await?;
    page.shown("#supervision[data-state=current]").await?;
    page.follow("limit=5").await?;
    page.text("At 5, 38.5 % of the supervised tokens are lost, of all tokens 28.1 %, and 2 sequences (40.0 %) train nothing.")
        .await?;
    page.text("\"labels\", where it is not −100").await?;
    // By the column that names where each is from.
    page.text("20.0 % of the documents are 9.4 % of the tokens: β.")
        .await?;
    // Data sets are saved in several files.
    let shards = [
        ("data-00000-of-00002.arrow", PREPARED),
        ("data-00001-of-00002.arrow", PREPARED),
    ];
    page.drop_files(&shards).await?;
    page.text("data-00000-of-00002.arrow and 1 more").await?;
    page.follow("limit=5").await?;
    page.text("At 5, 38.5 % of the supervised tokens are lost, of all tokens 28.1 %, and 4 sequences (40.0 %) train nothing.")
        .await?;
    page.close().await
}

#[tokio::test]
async fn the_advice_counts_supervised_tokens() -> Result<()> {
    let page = open(1440).await?;
    page.follow("trainer=trl&limit=256").await?;
    page.settled().await?;
    page.text("supervised tokens").await?;
    page.close().await
}

#[tokio::test]
async fn another_truncation_is_read_again_and_other_data_forget_it() -> Result<()> {
    let page = open(390).await?;
    page.follow("limit=256").await?;
    page.text("41.7 % of the supervised tokens are lost")
        .await?;
    page.choose("truncation", "left").await?;
    page.text("At 256, where the beginning is cut off, no supervised token is lost")
        .await?;
    page.follow("data=glue_mrpc").await?;
    page.gone("#supervision").await?;
    page.close().await
}
