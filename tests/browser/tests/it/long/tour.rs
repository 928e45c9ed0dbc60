//! A tour of data and libraries: no two figures for the same thing differ on a screen.

use anyhow::{Result, ensure};
use packscope_browser_tests::Page;
use serde_json::json;

/// Data with their limits, three of them with tails a thousand times as long as the usual sequence.
const DATA: [(&str, u32); 12] = [
    ("wikipedia_bert_512", 512),
    ("squad_1_1_bert_384", 384),
    ("glue_cola", 64),
    ("glue_sst2", 128),
    ("gsm8k_train", 512),
    ("alpaca_5000", 1024),
    ("sharegpt_8k_llama2", 4096),
    ("mooncake_conversation", 32_768),
    ("azure_llm_trace_conv", 8192),
    ("own1.", 4096),
    ("own2.", 16_384),
    ("own3.", 65_536),
];
const LIBRARIES: [&str; 4] = ["trl", "axolotl", "torchtune", "nemo"];

/// Figures of one name with more than one value within the answer, titles that are there twice, and whether the
/// recommendation without a library stands beside that of one.
const DIFFER: &str = "(() => {
    const values = new Map(), wrong = [];
    for (const e of document.querySelectorAll('.answer [data-figure]')) {
        const name = e.dataset.figure + (e.dataset.component ?? '');
        if ((values.get(name) ?? e.dataset.value) !== e.dataset.value) wrong.push(name);
        values.set(name, e.dataset.value);
    }
    if (document.querySelectorAll('h1').length !== 1) wrong.push('more than one headline');
    if (document.querySelector('.advice[data-advice]')) wrong.push('two recommendations');
    const lines = document.querySelector('details.lines .snippet')?.textContent;
    const code = document.querySelector('#take .snippet')?.textContent;
    if (lines !== code) wrong.push(`two sets of lines: ${lines} ${code}`);
    return wrong;
})()";

/// Lengths of which one is a thousand times the usual one.
fn tailed(at: u64) -> String {
    let usual = (0..2000u64).map(|i| format!("{}\n", 8 + i * 7919 % (30 + 10 * at)));
    format!("length\n{}{}\n", usual.collect::<String>(), 20_000 * at)
}

#[tokio::test]
async fn twelve_sets_and_four_libraries_say_one_thing_each() -> Result<()> {
    for (at, (data, limit)) in (0u64..).zip(DATA) {
        let page = Page::blank(1440).await?.as_it_is().await?;
        if data.starts_with("own") {
            page.go("").await?;
            page.drop_file("tailed.csv", &tailed(at)).await?;
            page.text("2,001 sequences").await?;
        } else {
            page.go(&format!("data={data}&limit={limit}")).await?;
        }
        for library in LIBRARIES {
            page.choose("library", library).await?;
            page.address(&format!("trainer={library}")).await?;
            page.shown(".of-library[data-state=current]").await?;
            if !page.has("#take[open]").await? {
                page.click("Code").await?;
            }
            page.shown(&format!("#take [data-snippet={library}]"))
                .await?;
            let wrong = page.steady(DIFFER).await?;
            ensure!(wrong == json!([]), "{data}, {library}: {wrong}");
        }
        page.close().await?;
    }
    Ok(())
}
