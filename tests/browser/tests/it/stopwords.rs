//! Stopwords that are dropped from batches: assumed or counted, in training and at inference.

use anyhow::Result;
use fantoccini::Locator;
use fantoccini::key::Key;
use packscope_browser_tests::{Page, counted, keys};

async fn open(more: &str) -> Result<Page> {
    let page = Page::open(
        &format!("view=batches&sampler=bucket&data=glue_sst2&limit=128{more}&room=all"),
        1440,
    )
    .await?;
    page.compared().await?;
    Ok(page)
}

#[tokio::test]
async fn stopwords_are_dropped_from_batches_by_an_assumption() -> Result<()> {
    let page = open("").await?;
    let before = page.figure("padding_share").await?;
    page.tick("drop-equalise").await?;
    page.settled().await?;
    let after = page.figure("padding_share").await?;
    assert!(after < before / 2.0, "{before} {after}");
    // Where all words are stopwords, a rate of 30 % takes three in ten of each sequence, whole words.
    let [_, tokens, rated] = counted(
        include_str!("../../../../static/datasets/glue_sst2.csv"),
        |l| 3 * l / 10,
    );
    let dropped = page.figure("dropped_tokens").await?;
    assert_eq!(page.figure("real_tokens").await? + dropped, tokens as f64);
    page.text("stopwords dropped, which is no padding; stopwords are assumed to be 40.0 % of each sequence")
        .await?;
    page.text("An assumption: these data are lengths. Open a text to have them counted.")
        .await?;
    page.fill("Stopwords, assumed, %, percent of each sequence", "10")
        .await?;
    page.address("drop=equalise&stopwords=0.1").await?;
    page.settled().await?;
    let fewer = page.figure("dropped_tokens").await?;
    assert!(0.0 < fewer && fewer < dropped, "{fewer} {dropped}");
    page.press("stopwords", &keys(Key::End, 1)).await?;
    page.tick("drop-rate").await?;
    page.address("drop=0.3&stopwords=1").await?;
    page.settled().await?;
    assert_eq!(page.figure("dropped_tokens").await?, rated as f64);
    page.close().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn batches_are_made_for_inference() -> Result<()> {
    let page = open("&for=server").await?;
    assert_eq!(page.figure("batches").await?, 92.0);
    assert!(!page.has("[data-figure=learning_rate]").await? && !page.has("#epochs").await?);
    page.text("nothing is learnt").await?;
    page.tick("for-real-time").await?;
    page.text("One by one there is no padding. Dropping all stopwords would leave ")
        .await?;
    assert_eq!(
        (
            page.figure("padding_share").await?,
            page.figure("batches").await?
        ),
        (0.0, 67_349.0)
    );
    assert!(!page.has("tr[data-sampler]").await? && !page.has("#sampler-random").await?);
    page.text("40.0 % of each sequence are assumed to be stopwords")
        .await?;
    let left = "[...document.querySelectorAll('tr[data-rate] [data-figure=left]')].map(e => Number(e.dataset.value))";
    let left: Vec<f64> = serde_json::from_value(page.eval(left).await?)?;
    assert!(
        left.len() == 5 && left[0] == 1.0 && left.is_sorted_by(|a, b| a > b),
        "{left:?}"
    );
    assert!((0.6..0.65).contains(&left[4]), "{left:?}");
    page.find(Locator::Css("tr[data-rate='0.5'] button"))
        .await?
        .click()
        .await?;
    page.text("Dropping 50.0 % of the stopwords leaves ")
        .await?;
    assert_eq!(
        (
            page.figure("left").await?,
            page.is_ticked("drop-rate").await?
        ),
        (left[2], true)
    );
    page.address("for=real-time&drop=0.5").await?;
    // Back at training everything is there again.
    page.tick("for-training").await?;
    page.compared().await?;
    assert_eq!(page.figure("batches").await?, 1053.0);
    assert!(page.figure("dropped_tokens").await? > 0.0);
    page.close().await
}

/// Of ten words in two lines, three are stopwords, and two more are pronouns.
const LINES: &str = "The dog barks at the old gate\nshe sees it\n";

#[tokio::test]
#[ignore = "outer circle"]
async fn stopwords_of_a_text_in_batches_are_counted_and_changed() -> Result<()> {
    let page = open("&drop=1").await?;
    let path = std::env::temp_dir().join(format!("packscope-batches-{}.txt", std::process::id()));
    std::fs::write(&path, LINES.repeat(100))?;
    page.press("file", &path.display().to_string()).await?;
    page.text("200 sequences, 3–7 words (mean 5.0)").await?;
    page.text("Counted: 50.0 % of the words are stopwords.")
        .await?;
    page.text("Lengths are counted in words and punctuation marks, not in the tokens of a model")
        .await?;
    page.compared().await?;
    assert_eq!(
        (
            page.figure("real_tokens").await?,
            page.figure("dropped_tokens").await?
        ),
        (500.0, 500.0)
    );
    page.text("stopwords are counted in the texts").await?;
    page.tick("pronouns").await?;
    page.text("Counted: 30.0 % of the words are stopwords.")
        .await?;
    page.settled().await?;
    assert_eq!(
        (
            page.figure("real_tokens").await?,
            page.figure("dropped_tokens").await?
        ),
        (700.0, 300.0)
    );
    page.tick("pronouns").await?;
    page.text("Counted: 50.0 % of the words are stopwords.")
        .await?;
    page.click("Stopwords of TokenDrop: 134 words").await?;
    page.fill("Stopwords, with spaces or commas between them", "gate, DOG")
        .await?;
    page.click("Use these").await?;
    page.text("Own stopwords: 2 words").await?;
    page.text("Counted: 20.0 % of the words are stopwords.")
        .await?;
    page.settled().await?;
    assert_eq!(page.figure("dropped_tokens").await?, 200.0);
    page.click("those of TokenDrop").await?;
    page.text("Counted: 50.0 % of the words are stopwords.")
        .await?;
    std::fs::remove_file(path)?;
    // Pasted prose is as good as a file.
    page.click("paste numbers").await?;
    page.press("pasted", "A cat sat on the mat.\nThe mat was flat.\n")
        .await?;
    page.click("Read").await?;
    page.text("2 sequences, 5–7 words").await?;
    page.compared().await?;
    assert_eq!(
        (
            page.figure("real_tokens").await?,
            page.figure("dropped_tokens").await?
        ),
        (7.0, 5.0)
    );
    page.close().await
}
