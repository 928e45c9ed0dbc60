//! Sentences claim no more than the figures under them. The rules:
//!
//! 1. Where tokens are lost, headline and announcement say so first, and nothing says "the same data" or "the same
//!    work".
//! 2. The headline names what it compares with, in the words of the chosen baseline; both baselines are on screen.
//! 3. "proven" stands only beside a gap of 0.
//! 4. Of graphs, both components stand in the headline.
//! 5. The sweep never denies what the headline has reached.

use anyhow::{Context, Result, ensure};
use packscope::words::percent;
use packscope_browser_tests::Page;

/// Sets with limits that cut much, little, or nothing.
const LENGTHS: [(&str, u32); 5] = [
    ("wikipedia_bert_512", 225),
    ("squad_1_1_bert_384", 150),
    ("alpaca_5000", 60),
    ("sharegpt_8k_llama2", 1000),
    ("gsm8k_train", 2048),
];
const GRAPHS: [(&str, [u32; 2]); 5] = [
    ("ogbg_molhiv", [40, 90]),
    ("tu_proteins", [60, 300]),
    ("mol_qm9", [9, 20]),
    ("tu_mutag", [20, 40]),
    ("mol_zinc250k", [60, 130]),
];

async fn words_of(page: &Page, selector: &str) -> Result<String> {
    let words = page.execute(
        "return document.querySelector(arguments[0]).innerText",
        vec![selector.into()],
    );
    let words = words
        .await?
        .as_str()
        .context("no words")?
        .replace('\u{a0}', " ");
    Ok(words.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Rules 1 and 3, which hold for sequences and graphs.
async fn check(page: &Page, about: &str) -> Result<[String; 2]> {
    page.settled().await?;
    let [h1, second] = [
        words_of(page, ".answer h1").await?,
        words_of(page, ".answer .second").await?,
    ];
    let lost = page.execute(
        "return [...document.querySelectorAll('.answer [data-figure=waste_tokens]')]\
         .some(e => Number(e.dataset.value) > 0)",
        Vec::new(),
    );
    let lost = lost.await?.as_bool().context("no waste")?;
    let said = h1.contains("are cut off") || h1.contains("are dropped");
    ensure!(said == lost, "{about}: {h1}");
    if lost {
        let all = format!("{h1} {second}").to_lowercase();
        ensure!(
            !all.contains("the same data") && !all.contains("the same work"),
            "{about}: {all}"
        );
        ensure!(
            h1.find("of the ").unwrap_or(usize::MAX) < h1.find("padding").unwrap_or(0),
            "{about}: {h1}"
        );
    }
    let proven = second.contains("proven");
    ensure!(
        !proven || page.figure("gap").await? == 0.0,
        "{about}: {second}"
    );
    Ok([h1, second])
}

#[tokio::test]
#[ignore = "outer circle"]
async fn a_reader_of_sequences_is_told_no_more_than_the_figures() -> Result<()> {
    let page = Page::blank(1440).await?;
    for (name, limit) in LENGTHS {
        for policy in ["truncate", "drop", "split"] {
            let link = format!(
                "data={name}&limit={limit}&overlong={policy}&depth=unlimited&batch=32&baseline=limit"
            );
            page.go(&link).await?;
            let [h1, second] = check(&page, &link).await?;
            let limit = limit.to_string();
            let limit = if limit.len() > 3 {
                format!("{},{}", &limit[..1], &limit[1..])
            } else {
                limit
            };
            ensure!(
                h1.contains(&format!("Padded to {limit} tokens, ")),
                "{link}: {h1}"
            );
            ensure!(
                second.contains("In random batches of 32, each padded to its longest, "),
                "{link}: {second}"
            );
            let padding = page.figure("baseline_padding_share").await?;
            page.choose("baseline", "batches").await?;
            page.text("In random batches of 32, padded to their longest, ")
                .await?;
            let [h1, second] = check(&page, &link).await?;
            ensure!(h1.contains("of the slots are padding"), "{link}: {h1}");
            ensure!(
                second.contains("Padded to the limit it would be "),
                "{link}: {second}"
            );
            ensure!(
                page.figure("baseline_padding_share").await? <= padding,
                "{link}"
            );
            page.choose("baseline", "limit").await?;
            page.address("baseline=limit").await?;
        }
    }
    page.close().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn a_reader_of_graphs_is_told_no_more_than_the_figures() -> Result<()> {
    let page = Page::blank(1440).await?;
    for (name, [nodes, edges]) in GRAPHS {
        for policy in ["truncate", "drop"] {
            let link = format!(
                "view=graphs&data={name}&nodes={nodes}&edges={edges}&overlong={policy}&algorithm=best-fit"
            );
            page.go(&link).await?;
            let [h1, _] = check(&page, &link).await?;
            for k in 0..2 {
                let left = 1.0 - page.component("efficiency", k).await?;
                let said = percent(left);
                ensure!(h1.contains(&said), "{link}: {said} is not in {h1}");
            }
            ensure!(h1.contains("One graph to a pack, "), "{link}: {h1}");
        }
    }
    // Packs of one limit only say what fixed shapes they would need.
    page.go("view=graphs&data=ogbg_molhiv&nodes=222&edges=502&algorithm=nodes-only")
        .await?;
    page.settled().await?;
    page.text("It ignores the limit of 502 edges: fixed shapes must be 222 × 5")
        .await?;
    page.close().await
}

/// The case that was found: 20,000 graphs, 315 × 736, where one heuristic stays below the target.
#[tokio::test]
#[ignore = "outer circle"]
async fn a_sweep_does_not_deny_what_the_headline_has_reached() -> Result<()> {
    let link = "view=graphs&data=ogbg_molhiv&nodes=230&edges=510&algorithm=optimal&target=0.96\
                &sweep-nodes=222:240:6&sweep-edges=502:520:6&room=all";
    let page = Page::open_searching(link, 1440).await?;
    page.text("That is proven: no plan needs fewer").await?;
    page.swept().await?;
    page.text("are packed with Search too.").await?;
    let reached = [
        page.component("efficiency", 0).await?,
        page.component("efficiency", 1).await?,
    ];
    let least = reached[0].min(reached[1]);
    // A target that the headline has just reached: nothing may say that no limits reach it.
    page.fill(
        "Target for both, %",
        &format!("{:.2}", (least * 1e4).floor() / 100.0),
    )
    .await?;
    page.text("Smallest with ").await?;
    let found = words_of(&page, ".found").await?;
    ensure!(!found.contains("No limits tried reach"), "{found}");
    ensure!(found.contains("(checked)"), "{found}");
    page.close().await
}
