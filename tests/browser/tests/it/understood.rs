//! The visitor's own files: one line says what was understood, and what is unclear is answered in place.

use anyhow::Result;
use packscope_browser_tests::Page;

const CHAT: &str = "{\"messages\":[{\"role\":\"user\",\"content\":\"What is the number in words?\"},\
                    {\"role\":\"assistant\",\"content\":\"It is between zero and three hundred.\"}]}\n";

#[tokio::test]
async fn one_line_says_what_was_understood() -> Result<()> {
    let page = Page::open("data=glue_cola", 1440).await?;
    page.drop_file("sft.csv", "id,num_tokens,source\na,30,x\nb,40,y\nc,50,z\n")
        .await?;
    page.text("num_tokens of sft.csv, 3 rows; not read: id, source")
        .await?;
    page.settled().await?;
    // The choices are folded behind it, and the answer stays where it was.
    page.shown("[data-understood]:not([open])").await?;
    let top = "document.querySelector('h1').getBoundingClientRect().top < 200";
    assert_eq!(page.eval(top).await?, true);
    page.unfold("[data-understood]").await?;
    page.shown("#length-column").await?;
    // Another file folds them again.
    page.drop_file("more.csv", "id,num_tokens\na,3\nb,4\n")
        .await?;
    page.text("num_tokens of more.csv, 2 rows").await?;
    page.shown("[data-understood]:not([open])").await?;
    page.close().await
}

#[tokio::test]
async fn durations_are_read_in_frames_by_one_press() -> Result<()> {
    let page = Page::open("data=glue_cola", 390).await?;
    page.drop_file("speech.csv", "path,duration\na.wav,1.5\nb.wav,2.25\n")
        .await?;
    page.text("\"duration\" may be seconds.").await?;
    assert_eq!(
        page.eval("document.querySelector('[data-another]').innerText.includes('--')")
            .await?,
        false
    );
    page.click("frames of 20 ms").await?;
    page.text("frames of 20 ms of speech.csv, 2 rows; not read: path")
        .await?;
    page.settled().await?;
    page.gone("[data-another]").await?;
    // 75 and 113 frames.
    assert_eq!(page.figure("items").await?, 2.0);
    assert_eq!(page.figure("real_tokens").await?, 188.0);
    // On a phone the question was below the window: after it, the answer is in it again.
    assert_eq!(page.eval("scrollY").await?, 0);
    page.close().await
}

#[tokio::test]
async fn conversations_are_estimated_or_counted() -> Result<()> {
    let page = Page::open("data=glue_cola", 1440).await?;
    page.drop_file("chat.jsonl", &CHAT.repeat(3)).await?;
    page.text("These are conversations. For exact lengths, drop the tokenizer.json of your model")
        .await?;
    page.click("estimate from characters").await?;
    page.text("estimated from characters").await?;
    page.text("six usual tokenizers would count from").await?;
    page.settled().await?;
    assert_eq!(page.figure("items").await?, 3.0);
    // The tokenizer that comes counts the same conversations.
    let tokenizer = include_str!("../../../data/tokens/wordpiece.json");
    page.drop_file("tokenizer.json", tokenizer).await?;
    page.text("Count the tokens of chat.jsonl").await?;
    page.close().await
}

#[tokio::test]
async fn files_beside_a_tokenizer_are_called_by_their_names() -> Result<()> {
    let page = Page::open("data=glue_cola", 1440).await?;
    page.drop_file("chat.jsonl", &CHAT.repeat(3)).await?;
    page.text("These are conversations.").await?;
    let config = "{\"tokenizer_class\":\"Qwen2Tokenizer\",\"chat_template\":\"{{ messages }}\"}";
    page.drop_file("tokenizer_config.json", config).await?;
    page.text("this is a tokenizer_config.json").await?;
    // The conversations wait for the tokenizer all the same.
    let tokenizer = include_str!("../../../data/tokens/wordpiece.json");
    page.drop_file("tokenizer.json", tokenizer).await?;
    page.text("Count the tokens of chat.jsonl").await?;
    page.gone("[data-notice=problem]").await?;
    page.close().await
}

#[tokio::test]
async fn a_configuration_sets_the_training() -> Result<()> {
    let page = Page::open("data=glue_cola", 1440).await?;
    let config = "base_model: Qwen/Qwen3-8B\nsequence_len: 4096\nsample_packing: true\n\
                  micro_batch_size: 2\nlearning_rate: 0.0002\n";
    page.drop_file("sft.yaml", config).await?;
    page.text("sft.yaml sets axolotl: base_model Qwen/Qwen3-8B, sequence_len 4096")
        .await?;
    page.settled().await?;
    assert_eq!(page.setting("limit").await?, 4096.0);
    assert_eq!(
        page.eval("document.getElementById('library').value")
            .await?,
        "axolotl"
    );
    // Own data open at its limit, until it is closed.
    page.drop_file("own.csv", "length\n700\n12000\n").await?;
    page.text("length of own.csv, 2 rows").await?;
    page.settled().await?;
    assert_eq!(page.setting("limit").await?, 4096.0);
    page.close().await
}

#[tokio::test]
async fn a_prompt_with_its_response_is_one_sequence_or_two_sizes() -> Result<()> {
    let page = Page::open("data=glue_cola", 1440).await?;
    page.drop_file(
        "rl.csv",
        "prompt_id,prompt_tokens,response_tokens\np1,12,3\np1,12,50\n",
    )
    .await?;
    page.text("prompt and response in one sequence of rl.csv, 2 rows")
        .await?;
    page.text("2 sequences, 15–62 tokens").await?;
    page.settled().await?;
    assert_eq!(page.figure("real_tokens").await?, 77.0);
    page.shown("[data-prompts] [aria-pressed=true]").await?;
    page.click("a limit for each").await?;
    page.text("2 pairs").await?;
    page.close().await
}
