//! From raw text to a plan: a tokenizer and a file are dropped, fields are chosen, tokens are counted, rows are packed.

use anyhow::{Context, Result};
use fantoccini::Locator;
use packscope::api::limits::practical;
use packscope::api::{Settings, run_on};
use packscope::histogram::Histogram;
use packscope::packing::go_on;
use packscope_browser_tests::{Page, SAVED};
use serde_json::{Value, json};

const WORDPIECE: &str = include_str!("../../../data/tokens/wordpiece.json");
const BYTE_BPE: &str = include_str!("../../../data/tokens/byte-bpe.json");
const UNIGRAM: &str = include_str!("../../../data/tokens/unigram.json");
const VERSES: &str = include_str!("../../../data/tokens/verses.txt");
const DEVIL: &str = include_str!("../../../data/tokens/devil.jsonl");
const JARGON: &str = include_str!("../../../data/tokens/jargon.csv");

/// Lengths by Python's `tokenizers`.
fn golden(data: &str, family: &str, kind: &str) -> Result<Vec<u64>> {
    let golden: Value = serde_json::from_str(include_str!("../../../data/tokens/golden.json"))?;
    Ok(serde_json::from_value(
        golden["counts"][data][family][kind].clone(),
    )?)
}

/// The plan of the command line for what was counted. Source: `tests/data/tokens/plans.json`.
fn plan(data: &str, family: &str, kind: &str) -> Result<Value> {
    let plans: Vec<Value> = serde_json::from_str(include_str!("../../../data/tokens/plans.json"))?;
    let found = plans
        .into_iter()
        .find(|p| p["data"] == data && p["tokenizer"] == family && p["kind"] == kind);
    found.context("no such plan")
}

/// Waits until the first record has so many tokens.
async fn first(page: &Page, tokens: u64) -> Result<()> {
    page.shown(&format!(
        "[data-figure=preview_tokens][data-value='{tokens}']"
    ))
    .await
}

/// Counts, and compares what is on the page with Python's lengths and the command line's plan.
async fn counted(page: &Page, data: &str, family: &str, kind: &str) -> Result<()> {
    let lengths = golden(data, family, kind)?;
    first(page, lengths[0]).await?;
    page.click("Count tokens").await?;
    let total: u64 = lengths.iter().sum();
    page.shown(&format!(
        "[data-figure=counted_tokens][data-value='{total}']"
    ))
    .await?;
    page.settled().await?;
    page.text(&format!(" in {} records", packed_words(lengths.len())))
        .await?;
    // They open at a limit that holds nearly all; the command line's plan is for the longest.
    let all = Histogram::from_lengths(lengths.iter().filter(|l| **l > 0).map(|l| (*l as u32, 1)))?;
    let limit = practical(&all);
    assert_eq!(page.setting("limit").await?, f64::from(limit));
    let settings = Settings {
        limit,
        ..Settings::default()
    };
    let own = run_on(&all, &settings, 0, &mut go_on)?.figures;
    let want = plan(data, family, kind)?;
    let figures = [
        ("items", own.items),
        ("packs", own.packs),
        ("lower_bound", own.lower_bound.unwrap_or(0)),
    ];
    for (name, value) in figures {
        let shown = page.figure(name).await?;
        assert_eq!(shown, value as f64, "{data} {family} {kind}: {name}");
        if limit == all.max()[0] {
            assert_eq!(
                Some(shown),
                want[name].as_f64(),
                "{data} {family} {kind}: {name}"
            );
        }
    }
    Ok(())
}

/// A number below 10,000 with its separator.
fn packed_words(n: usize) -> String {
    if n < 1000 {
        n.to_string()
    } else {
        format!("{},{:03}", n / 1000, n % 1000)
    }
}

#[tokio::test]
async fn lines_of_text_become_a_plan() -> Result<()> {
    let page = Page::open_after(&[SAVED], "room=all").await?;
    // Without a tokenizer words are counted, and the page says what else could be.
    page.drop_file("verses.txt", VERSES).await?;
    page.text("Lengths are counted in words and punctuation marks")
        .await?;
    page.text("For exact lengths, drop the tokenizer.json of the model")
        .await?;
    page.drop_file("wordpiece.json", WORDPIECE).await?;
    page.text("WordPiece, vocabulary of 4,000; adds 2 special tokens to a text")
        .await?;
    // The texts are there already.
    page.text("Count the tokens of verses.txt").await?;
    page.text("[CLS]").await?;
    page.screenshot("tokens").await?;
    counted(&page, "verses.txt", "wordpiece", "special").await?;
    page.unfold("[data-understood]").await?;
    page.text(
        "Tokens of {}, with special tokens, are counted by wordpiece.json (WordPiece, vocabulary of 4,000).",
    )
    .await?;
    page.text("The tokenizer's file asks for truncation to 128 tokens and padding")
        .await?;
    // Their order is known: each verse has its place in a pack.
    page.unfold("#take").await?;
    page.shown("#take [data-file$='assignment.csv']").await?;
    page.eval("document.querySelector(`#take [data-file$='assignment.csv']`).click()")
        .await?;
    page.holds("Object.values(window.saved).length > 0").await?;
    let text: String = serde_json::from_value(page.eval("Object.values(window.saved)[0]").await?)?;
    let lengths = golden("verses.txt", "wordpiece", "special")?;
    assert_eq!(
        text.lines().count(),
        lengths.iter().filter(|length| **length > 0).count() + 1
    );
    // Another way: no special tokens, and only the first of them.
    page.eval("document.getElementById('take').open = false")
        .await?;
    page.click("Count another way").await?;
    page.tick("special-tokens").await?;
    first(&page, golden("verses.txt", "wordpiece", "plain")?[0]).await?;
    page.tick("sampled").await?;
    page.fill("Records of the sample", "10\n").await?;
    page.click("Count tokens").await?;
    let ten: u64 = golden("verses.txt", "wordpiece", "plain")?[..10]
        .iter()
        .sum();
    page.shown(&format!("[data-figure=counted_tokens][data-value='{ten}']"))
        .await?;
    page.text("10 sequences, ").await?;
    page.text("a sample: the first 10 records").await?;
    page.close().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn pairs_of_fields_become_a_plan() -> Result<()> {
    let page = Page::open("", 1440).await?;
    page.drop_files(&[
        ("devil.jsonl", DEVIL.as_bytes()),
        ("tokenizer.json", UNIGRAM.as_bytes()),
    ])
    .await?;
    page.text("Unigram, vocabulary of ").await?;
    page.text("Count the tokens of devil.jsonl").await?;
    page.find(Locator::Css("[data-field=part]"))
        .await?
        .click()
        .await?;
    first(&page, golden("devil.jsonl", "unigram", "special")?[0]).await?;
    page.fill("Template", "{term").await?;
    page.text("a brace that is never closed").await?;
    page.fill("Template", "{term}").await?;
    page.fill("As a pair with", "{definition}").await?;
    counted(&page, "devil.jsonl", "unigram", "pair_special").await?;
    page.unfold("[data-understood]").await?;
    page.text("Tokens of {term} and, as its pair, {definition}, with special tokens")
        .await?;
    page.close().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn columns_of_a_table_become_a_plan() -> Result<()> {
    let page = Page::open("", 500).await?;
    page.drop_files(&[
        ("tokenizer.json", BYTE_BPE.as_bytes()),
        ("jargon.csv", JARGON.as_bytes()),
    ])
    .await?;
    page.text("BPE, vocabulary of ").await?;
    page.text("Count the tokens of jargon.csv").await?;
    page.shown("[data-field=grammar]").await?;
    page.fill("Template", "{term}: {definition}").await?;
    page.tick("special-tokens").await?;
    page.screenshot("tokens-narrow").await?;
    counted(&page, "jargon.csv", "byte-bpe", "plain").await?;
    page.close().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn files_that_are_no_tokenizer_or_no_text_are_told_apart() -> Result<()> {
    let page = Page::open("", 1440).await?;
    page.drop_file("vocab.txt", "[PAD]\n[UNK]\nthe\n").await?;
    page.text("this is a vocab.txt, the vocabulary alone of a slow tokenizer; expected the tokenizer.json")
        .await?;
    page.drop_file("mine.json", WORDPIECE).await?;
    page.text("WordPiece, vocabulary of 4,000").await?;
    // A bad one leaves the one before.
    page.drop_file(
        "tokenizer_config.json",
        "{\"tokenizer_class\": \"BertTokenizer\"}",
    )
    .await?;
    // One without a template changes nothing, and is no tokenizer.
    page.settled().await?;
    page.text("WordPiece, vocabulary of 4,000").await?;
    // Lengths are read as ever.
    page.drop_file("lengths.csv", "length,count\n10,3\n20,1\n")
        .await?;
    page.text("4 sequences, 10–20 tokens").await?;
    page.settled().await?;
    assert!(!page.has("#text-template").await?);
    page.drop_file("verses.txt", VERSES).await?;
    page.text("Count the tokens of verses.txt").await?;
    page.click("Read without the tokenizer").await?;
    page.text("Lengths are counted in words and punctuation marks")
        .await?;
    page.click("Remove the tokenizer").await?;
    page.gone("[data-panel=tokens]").await?;
    page.close().await
}

/// What a chat template adds is counted once its file is dropped; until then the page says that it is missing.
#[tokio::test]
#[ignore = "outer circle"]
async fn conversations_are_counted_as_their_template_writes_them() -> Result<()> {
    const CHATS: &str = r#"{"messages": [{"role": "user", "content": "Two lines"}, {"role": "assistant", "content": "of a talk"}]}
{"messages": [{"role": "user", "content": "and one more"}]}
"#;
    let page = Page::open("", 1440).await?;
    page.drop_files(&[
        ("chats.jsonl", CHATS.as_bytes()),
        ("tokenizer.json", WORDPIECE.as_bytes()),
    ])
    .await?;
    page.shown("[data-panel=tokens] [data-chat]").await?;
    page.holds(
        "getComputedStyle(document.querySelector('#special-tokens')).accentColor !== 'auto'",
    )
    .await?;
    page.text("what its chat template adds to each message is missing so far")
        .await?;
    page.click("Count tokens").await?;
    page.text(
        "Tokens of {messages[].content}, with special tokens and without the chat template of the model",
    )
    .await?;
    page.click("Count another way").await?;
    const TEMPLATE: &str = "{% for m in messages %}{{ m.role }} {{ m.content }}{% endfor %}";
    page.drop_file("chat_template.jinja", TEMPLATE).await?;
    page.shown("[data-panel=tokens] [data-chat=written]")
        .await?;
    // The role of each message is a token more; special tokens are those of the template.
    page.click("Count tokens").await?;
    page.text("Tokens of conversations, as chat_template.jinja writes them")
        .await?;
    // Which of them train is found out with the same template.
    page.text("the assistant's turns, as chat_template.jinja writes them")
        .await?;
    page.text("1 sequence (50.0 %) trains nothing").await?;
    page.choose("trained-turns", "all turns").await?;
    page.text("all turns, as chat_template.jinja writes them")
        .await?;
    page.text("every sequence trains something").await?;
    page.close().await
}

/// What takes long.
mod long {
    use super::*;

    /// A large file: the page answers while it is counted, and what was counted until then can be kept.
    #[tokio::test]
    async fn counting_is_ended_and_what_was_counted_is_kept() -> Result<()> {
        let page = Page::open("", 1440).await?;
        page.drop_file("tokenizer.json", UNIGRAM).await?;
        page.text("Unigram, vocabulary of ").await?;
        // Made in the page: so much would take long to be sent to it.
        let script = "const data = new DataTransfer();
            data.items.add(new File([arguments[0].repeat(1500)], 'long.txt'));
            document.querySelector('main').dispatchEvent(
                new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));";
        page.execute(script, vec![json!(VERSES)]).await?;
        page.text("Count the tokens of long.txt").await?;
        page.shown("[data-figure=preview_tokens]").await?;
        page.click("Count tokens").await?;
        page.text(" million tokens a second").await?;
        page.click("Discard (Esc)").await?;
        page.gone("[data-notice=counting]").await?;
        page.shown("[data-figure=preview_tokens]").await?;
        page.click("Count tokens").await?;
        page.text(" million tokens a second").await?;
        page.click("Keep what was counted").await?;
        page.text("a sample: the first ").await?;
        page.settled().await?;
        assert!(page.figure("items").await? > 100.0);
        page.close().await
    }
}
