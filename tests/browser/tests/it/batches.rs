//! The view of batches as a visitor uses it: figures, samplers, epochs, caps, links, cancelling.

use anyhow::{Context, Result};
use fantoccini::Locator;
use fantoccini::key::Key;
use packscope_browser_tests::{ASKED, Page, QUIET, SAMPLERS, counted, keys};

const SST2: &str = "view=batches&sampler=bucket&data=glue_sst2&limit=128";
/// How the labels of the three drawings begin.
const PICTURE: &str = "The batches of a pass over the data";
const ALONG: &str = "Sequences in a batch, in the order of the batches";
const CAPS: &str = "The largest batch by length";
async fn open(more: &str) -> Result<Page> {
    let page = Page::open(&format!("{SST2}{more}&room=all"), 1440).await?;
    page.compared().await?;
    Ok(page)
}

/// Asserts what published batching of SST-2 gives: steps, and padding to a tenth of a percent.
/// Source: `tests/data/golden_batches.csv`.
fn is_published(steps: f64, padding: f64, method: &str, epoch: u32) -> Result<()> {
    let begins = format!("glue_sst2,{method},{epoch},");
    let mut lines = include_str!("../../../data/golden_batches.csv").lines();
    let line = lines
        .find_map(|line| line.strip_prefix(&begins))
        .with_context(|| begins.clone())?;
    let numbers: Vec<f64> = line.split(',').map(str::parse).collect::<Result<_, _>>()?;
    assert_eq!(steps, numbers[3], "{begins}");
    assert!(
        (padding * 100.0 - numbers[0]).abs() < 0.1,
        "{begins} {padding}"
    );
    Ok(())
}

async fn batches(page: &Page) -> Result<f64> {
    page.settled().await?;
    page.figure("batches").await
}

async fn padding(page: &Page) -> Result<f64> {
    page.settled().await?;
    page.figure("padding_share").await
}

/// A share of at least 1 % as people read it.
fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

#[tokio::test]
async fn batches_open_with_the_answer_and_every_sampler() -> Result<()> {
    let page = open("").await?;
    let random = percent(page.figure("random_padding_share").await?);
    page.text(&format!(
        "Random batches are {random} padding. BucketSampler: 0.23 %."
    ))
    .await?;
    page.text(
        "in 1,053 steps in the first epoch and 266 in the last; random batches of 64 take 1,053",
    )
    .await?;
    // Its code has buckets five tokens wide, where its paper says one.
    page.follow(&format!("{SST2}&width=5")).await?;
    page.compared().await?;
    is_published(
        page.figure("batches").await?,
        page.figure("padding_share").await?,
        "BucketSampler_RBM_BatchCap_paper(64;128;256)",
        0,
    )?;
    let [_, tokens, _] = counted(
        include_str!("../../../../static/datasets/glue_sst2.csv"),
        |_| 0,
    );
    let (real, slots) = (
        page.figure("real_tokens").await?,
        page.figure("slots").await?,
    );
    assert_eq!(
        (real, slots - real),
        (tokens as f64, page.figure("padding_tokens").await?)
    );
    assert_eq!(page.figure("updates").await?, 1053.0 + 527.0 + 266.0);
    assert_eq!(page.component("learning_rate", 1).await?, 3e-5);
    // The paper's estimate beside the truth.
    let estimate =
        "The paper’s estimate of random padding, (L₈₇.₅ − mean) ÷ L₈₇.₅, says 46.7 %; truly it is";
    page.text(&format!("{estimate} {random}.")).await?;
    let (estimate, truth) = (
        page.figure("padding_fraction_est").await?,
        page.figure("padding_fraction").await?,
    );
    assert!(
        (estimate - 0.4672).abs() < 5e-5 && (truth - 0.7005).abs() < 1e-3,
        "{estimate} {truth}"
    );
    let rows = page.find_all(Locator::Css("tr[data-sampler]")).await?;
    assert_eq!(rows.len(), SAMPLERS.len());
    for (row, method) in [
        ("random", "RandomSampler64"),
        ("length-grouped", "LengthGroupedSampler64"),
        ("bucket-by-length", "tf_bucket_by_sequence_length(code HW)"),
        ("bucket/on", "BucketSampler_RBM_BatchCap_paper(64;128;256)"),
        ("bucket/off", "BucketSampler_noRBM_BatchCap_paper"),
    ] {
        let (steps, padding) = (
            page.of_row(row, "batches").await?,
            page.of_row(row, "padding_share").await?,
        );
        is_published(steps, padding, method, 0)?;
    }
    assert_eq!(page.of_row("sorted", "batches").await?, 1053.0);
    assert_eq!(page.of_row("packed", "batches").await?, 110.0);
    // The least padding stands first, or the fewest steps, as one likes.
    let first = "document.querySelector('tr[data-sampler]').dataset.sampler";
    assert_eq!(page.eval(first).await?, "sorted");
    page.click("Steps").await?;
    assert_eq!(page.eval(first).await?, "bucket-by-length");
    page.eval("document.querySelector('#differences > summary').click()")
        .await?;
    page.text("314 of 2,490 in RTE").await?;
    page.close().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn epochs_caps_and_merging_of_batches_are_seen_at_once() -> Result<()> {
    let page = open("&width=5").await?;
    page.press("epoch", &keys(Key::End, 1)).await?;
    page.text("Epoch 3 of 3: ").await?;
    is_published(
        batches(&page).await?,
        padding(&page).await?,
        "BucketSampler_RBM_BatchCap_paper(64;128;256)",
        2,
    )?;
    assert!(page.said(CAPS).await?.ends_with("in epoch 3 at most 256."));
    // A press on the second epoch in the plot.
    let second = page.canvas(ALONG).await?.at(0.64, 0.5);
    page.drag(&[second]).await?;
    page.address("epoch=2").await?;
    assert_eq!(
        (page.setting("epoch").await?, batches(&page).await?),
        (2.0, 527.0)
    );
    page.press("epoch", &keys(Key::Home, 1)).await?;
    page.tick("merging").await?;
    is_published(
        batches(&page).await?,
        padding(&page).await?,
        "BucketSampler_noRBM_BatchCap_paper",
        0,
    )?;
    page.address("merging=off").await?;
    page.text(&format!(
        "BucketSampler, residuals kept: {}.",
        percent(padding(&page).await?)
    ))
    .await?;
    page.tick("cap").await?;
    is_published(
        batches(&page).await?,
        padding(&page).await?,
        "BucketSampler_noRBM(code HW)",
        0,
    )?;
    page.address("merging=off&cap=off").await?;
    assert!(!page.said(CAPS).await?.contains("epoch"));
    page.tick("merging").await?;
    is_published(
        batches(&page).await?,
        padding(&page).await?,
        "BucketSampler_RBM(code HW)",
        0,
    )?;
    page.text("Merging residuals saves 7 steps and costs 1.1 points of padding")
        .await?;
    page.tick("cap").await?;
    page.compared().await?;
    assert_eq!(batches(&page).await?, 1053.0);
    let usual = SST2.replace("data", "width=5&data");
    assert_eq!(page.address("sampler=bucket&width=5&data").await?, usual);
    // More epochs go on growing, and another base begins elsewhere.
    page.fill("First epoch, sequences", "32").await?;
    page.fill("Growth of BatchCap from epoch to epoch", "4")
        .await?;
    page.text("Largest batch by epoch: 32, 128, 512").await?;
    page.press("epoch", &keys(Key::End, 1)).await?;
    assert!(batches(&page).await? < 266.0);
    page.press("epochs", &keys(Key::Right, 1)).await?;
    page.text("Largest batch by epoch: 32, 128, 512, 2,048")
        .await?;
    page.text("of 4: ").await?;
    page.close().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn samplers_of_batches_are_chosen_in_the_table_and_in_the_list() -> Result<()> {
    let page = open("").await?;
    page.choose_row("length-grouped").await?;
    assert_eq!(
        padding(&page).await?,
        page.of_row("length-grouped", "padding_share").await?
    );
    // The default is left out.
    page.address("view=batches&data").await?;
    assert!(page.is_ticked("sampler-length-grouped").await?);
    let share = percent(padding(&page).await?);
    page.text(&format!("Length-grouped: {share}.")).await?;
    let said = page.said(PICTURE).await?;
    assert!(
        said.ends_with(&format!("Length-grouped: 1,053 batches, {share} padding.")),
        "{said}"
    );
    page.tick("sampler-packed").await?;
    assert_eq!(
        (batches(&page).await?, page.figure("largest_slots").await?),
        (110.0, 64.0 * 128.0)
    );
    page.text("A row holds 9.6 sequences on average: 110 steps instead of 1,053. Batches of about 7 rows would keep 64").await?;
    assert!((page.figure("sequences_per_step").await? - 67_349.0 / 110.0).abs() < 1e-9);
    page.shown("tr[data-sampler=packed] button[aria-pressed=true]")
        .await?;
    assert!(
        page.said(PICTURE)
            .await?
            .ends_with("Packed rows: 110 batches, 0.31 % padding.")
    );
    page.click("first twelve").await?;
    page.address("sampler=packed&drawn=first").await?;
    page.hover(page.canvas(PICTURE).await?.at(0.1, 0.5)).await?;
    page.text(": 64 sequences of ").await?;
    page.tick("sampler-token-budget").await?;
    let before = batches(&page).await?;
    page.fill("Tokens in a batch, tokens", "4096").await?;
    page.address("tokens=4096").await?;
    let (after, largest) = (batches(&page).await?, page.figure("largest_slots").await?);
    assert!(
        (1.9..2.1).contains(&(after / before)) && largest <= 4096.0,
        "{before} {after} {largest}"
    );
    page.tick("sampler-random").await?;
    page.text("padding. BucketSampler, residuals kept would leave 0 %.")
        .await?;
    // The same sequences in both views.
    page.key("1").await?;
    page.shown("main[data-view=sequences]").await?;
    page.choose("data", "squad_1_1_bert_384").await?;
    page.text("88,641 sequences").await?;
    page.settled().await?;
    page.key("3").await?;
    page.shown("main[data-view=batches]").await?;
    page.compared().await?;
    page.text("88,641 sequences").await?;
    let hash = page.address("view=batches&sampler=random").await?;
    assert!(
        hash.contains("&data=squad_1_1_bert_384&limit=384"),
        "{hash}"
    );
    assert_eq!(
        (page.setting("limit").await?, batches(&page).await?),
        (384.0, 1386.0)
    );
    page.close().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn own_caps_of_batches_are_typed() -> Result<()> {
    let page = open("&cap=off").await?;
    page.hover(page.canvas(CAPS).await?.at(0.5, 0.5)).await?;
    page.text("The bucket up to 6").await?;
    page.tick("hwcap-own").await?;
    page.fill("Longest length, sequences", "5,100\n66,10")
        .await?;
    page.address("hwcap=5:100,66:10&cap=off").await?;
    page.compared().await?;
    let [all, _, short] = counted(
        include_str!("../../../../static/datasets/glue_sst2.csv"),
        |l| u64::from(l <= 5),
    );
    let steps = (short.div_ceil(100) + (all - short).div_ceil(10)) as f64;
    assert_eq!(page.of_row("bucket/off", "batches").await?, steps);
    let merged = batches(&page).await?;
    assert!((steps - 1.0..=steps).contains(&merged), "{merged} {steps}");
    assert!(
        page.said(CAPS)
            .await?
            .contains("10 sequences of 32 tokens, 5 of 128")
    );
    // No table: that is said, and what was in force stays.
    page.press("hwcap-rows", "\n60,20").await?;
    page.text("Lengths must ascend from 1.").await?;
    page.text("What was in force stays.").await?;
    page.shown("#hwcap-rows[aria-invalid=true]").await?;
    assert_eq!(batches(&page).await?, merged);
    page.address("hwcap=5:100,66:10&").await?;
    page.fill("Longest length, sequences", "5,100,7").await?;
    page.text("It cannot be read.").await?;
    page.text("What was in force stays.").await?;
    page.tick("hwcap-paper").await?;
    assert_eq!(batches(&page).await?, 92.0);
    page.tick("hwcap-own").await?;
    page.shown("#hwcap-rows[aria-invalid=false]").await?;
    page.tick("hwcap-memory").await?;
    page.text("2,525 at 5 tokens and 50 at 128").await?;
    let whole = batches(&page).await?;
    assert!(page.said(CAPS).await?.contains(", 50 of 128"));
    page.fill("Memory, GiB", "5.5").await?;
    page.address("hwcap=memory:898300,7380,5905580032").await?;
    let half = batches(&page).await?;
    assert!((1.8..2.2).contains(&(half / whole)), "{whole} {half}");
    assert!(page.said(CAPS).await?.contains(", 25 of 128"));
    page.fill("Memory, GiB", "0").await?;
    page.fill("a, bytes per token", "-1").await?;
    assert_eq!(
        (batches(&page).await?, page.setting("memory-bytes").await?),
        (half, 5.5)
    );
    page.close().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn rates_and_costs_of_batches_ask_no_worker() -> Result<()> {
    let page = Page::open_after(&[ASKED], &format!("{SST2}&width=5&room=all")).await?;
    page.compared().await?;
    page.shown("#speedup[data-state=current]").await?;
    // What asks when it comes into view has asked.
    for part in ["#trainer", "#few-shapes"] {
        page.eval(&format!(
            "document.querySelector('{part}').scrollIntoView()"
        ))
        .await?;
        page.shown(&format!("{part}[data-state=current]")).await?;
    }
    let asked = page.eval("window.asked").await?.as_u64();
    let known = "[...document.querySelectorAll('[data-figure=seconds], [data-figure=padding_share]')].map(e => e.dataset.value)";
    let before = (asked, page.eval(known).await?);
    assert!(asked > Some(0));
    let speedup = page.figure("estimated_speedup").await?;
    page.fill("Learning rate", "6e-5").await?;
    assert_eq!(page.component("learning_rate", 1).await?, 6e-5);
    page.tick("modulated").await?;
    page.text("the same for all").await?;
    // The headline is an estimate by the model and the accelerators of Speed-up.
    page.shown("#cost-model").await?;
    page.choose("cost-model", "bert-base").await?;
    let small = page.figure("estimated_speedup").await?;
    page.eval("document.querySelector('#assumptions > summary').click()")
        .await?;
    page.shown("#assumptions[open] #cost-step").await?;
    page.fill("Overhead of a step", "0").await?;
    page.fill("Start of a layer", "0").await?;
    page.fill("Moved by an update", "0").await?;
    let free = page.figure("estimated_speedup").await?;
    // Without overhead the slots are left, a third of those of random batches, and waiting for the longest batch.
    assert!(
        small != speedup && free > 1.5 && free > small,
        "{speedup} {small} {free}"
    );
    page.address("rate=0.00006&rates=constant&").await?;
    page.address("&cost.model=bert-base&cost.step=0&cost.layer=0&cost.update-bytes=0")
        .await?;
    page.compared().await?;
    assert_eq!(
        (
            page.eval("window.asked").await?.as_u64(),
            page.eval(known).await?
        ),
        before
    );
    let shares = padding(&page).await?;
    page.click("reshuffle").await?;
    page.address("seed=1").await?;
    page.compared().await?;
    assert!(page.eval("window.asked").await?.as_u64() > asked && padding(&page).await? != shares);
    page.close().await
}

/// Every setting of the view that differs from the usual one.
const UNUSUAL: &str = "view=batches&sampler=bucket&epochs=4&epoch=2&group=3&tokens=900&width=4\
                       &hwcap=5:1000,128:40&merging=off&cap=32,3&drop=equalise&stopwords=0.3&rate=0.00005\
                       &rates=constant&drawn=first&data=glue_cola&limit=40&sequences.depth=3\
                       &overlong=drop&seed=7&batch=32&graphs.heuristic=sum&cost.accelerator=h100&cost.step=0.003&theme=dark";

#[tokio::test]
#[ignore = "outer circle"]
async fn a_link_keeps_every_setting_of_batches() -> Result<()> {
    let page = Page::open_after(&[ASKED], UNUSUAL).await?;
    page.text("8,551 sequences").await?;
    page.settled().await?;
    let figures = [
        padding(&page).await?,
        batches(&page).await?,
        page.figure("dropped_tokens").await?,
    ];
    // Changed and changed back, so that the page writes the whole address itself.
    page.press("epoch", &keys(Key::Right, 1)).await?;
    page.address("epoch=3&").await?;
    page.press("epoch", &keys(Key::Left, 1)).await?;
    assert_eq!(page.address("epoch=2&").await?, UNUSUAL);
    page.click("Share").await?;
    page.text("Link copied").await?;
    let copied = page.eval("window.copied.split('#')[1]").await?;
    assert_eq!(copied, format!("{UNUSUAL}&{QUIET}"));
    // Followed in the open page, as from one's notes in the same tab.
    page.go(SST2).await?;
    page.follow(UNUSUAL).await?;
    page.text("8,551 sequences").await?;
    page.settled().await?;
    assert_eq!(
        [
            padding(&page).await?,
            batches(&page).await?,
            page.figure("dropped_tokens").await?
        ],
        figures
    );
    assert_eq!(page.address("epoch=2&").await?, UNUSUAL);
    // A mangled one opens all the same; without data it is the set that batches are made for.
    page.go("view=batches&sampler=magic&for=ever&epochs=x&epoch=-1&hwcap=9:1,2:3&cap=0&drop=7&stopwords=2&rate=-1&cost.model=0&=&x").await?;
    page.text("67,349 sequences").await?;
    assert_eq!(batches(&page).await?, 1053.0);
    page.text("The address has sampler=magic, which is no value for “Sampler”: expected random, ")
        .await?;
    page.click("Close").await?;
    page.gone("[data-notice]").await?;
    page.close().await
}

#[tokio::test]
async fn no_sequence_of_rte_is_lost_in_batches() -> Result<()> {
    let page = Page::open(
        "view=batches&sampler=bucket&data=glue_rte&room=compare",
        500,
    )
    .await?;
    page.compared().await?;
    let [items, tokens, _] = counted(
        include_str!("../../../../static/datasets/glue_rte.csv"),
        |_| 0,
    );
    assert_eq!(items, 2490);
    for row in SAMPLERS {
        let n = page.of_row(row, "batches").await?;
        let each = (
            page.of_row(row, "sequences_per_step").await?,
            page.of_row(row, "tokens_per_step").await?,
        );
        assert_eq!(
            ((n * each.0).round(), (n * each.1).round()),
            (2490.0, tokens as f64),
            "{row}"
        );
    }
    assert_eq!(page.figure("waste_tokens").await?, 0.0);
    assert!(!page.has("[data-figure=dropped_tokens]").await?);
    // On a phone, too, nothing is wider than the window.
    page.resize(360, 740).await?;
    page.compared().await?;
    page.screenshot("batches-phone").await?;
    page.close().await
}

/// What takes long.
mod long {
    use super::*;

    #[tokio::test]
    async fn batches_of_sixteen_million_sequences_can_be_cancelled() -> Result<()> {
        let page = Page::open(
            "view=batches&sampler=length-grouped&data=wikipedia_bert_512&limit=512&epochs=1&room=all",
            1440,
        )
        .await?;
        let before = padding(&page).await?;
        assert!((before - 0.0187).abs() < 1e-3, "{before}");
        assert!((page.figure("random_padding_share").await? - 0.5003).abs() < 1e-4);
        assert_eq!(batches(&page).await?, 254_368.0);
        page.compared().await?;
        assert_eq!(page.of_row("sorted", "batches").await?, 254_368.0);
        // What takes long says so, and the last answer stays.
        page.fill("Epochs, of training", "60").await?;
        page.text("Batching sequence by sequence").await?;
        page.shown("[data-notice=waiting] progress[value]").await?;
        assert_eq!(page.figure("padding_share").await?, before);
        page.press("batch", &keys(Key::Escape, 1)).await?;
        page.gone("[data-notice=waiting]").await?;
        // Nothing goes on behind the page.
        page.rests().await?;
        assert!(!page.is_waiting().await? && page.has("main[data-state=computing]").await?);
        page.press("epochs", &keys(Key::Home, 1)).await?;
        page.click("reshuffle").await?;
        page.address("seed=1").await?;
        let after = padding(&page).await?;
        assert!(
            after != before && (after - before).abs() < 1e-3,
            "{before} {after}"
        );
        page.close().await
    }
}
