//! A limit of attention beside that of tokens: opened from packed rows of ranks, and for groups that share a prompt.

use anyhow::{Result, ensure};
use packscope_browser_tests::Page;

/// Whether the chosen data have this at the end of their name.
fn named(end: &str) -> String {
    format!("document.querySelector('.case select').selectedOptions[0].text.endsWith('{end}')")
}

#[tokio::test]
#[ignore = "outer circle"]
async fn rows_of_ranks_are_packed_under_a_limit_of_attention_too() -> Result<()> {
    let rows = "view=ranks&data=gsm8k_train&limit=2048&unit=rows&graphs.algorithm=best-fit";
    let page = Page::open(rows, 1440).await?;
    page.click("Pack rows under a limit of attention too")
        .await?;
    page.shown("main[data-view=graphs]").await?;
    let address = page.address("data=own1.").await?;
    page.rests().await?;
    let attention = page.setting("edges").await?;
    ensure!(
        page.setting("nodes").await? == 2048.0 && attention > 400_000.0,
        "{attention}"
    );
    page.holds(&named("GSM8K, training: tokens and attention"))
        .await?;
    page.text("One sequence to a pack, 92.1 % of token slots are padding.")
        .await?;
    let most = 1.0 / page.component("efficiency", 1).await?;
    ensure!((1.05..1.3).contains(&most), "{most}");
    page.text(&format!(
        "and no pack has more than {most:.2}× the mean attention."
    ))
    .await?;
    page.text("By tokens alone, the largest of").await?;
    page.text("A sequence of L tokens has L² pairs of tokens in attention, each a unit.")
        .await?;
    // Another limit of attention: the packs follow, and the limit on offer brings the first ones back.
    let packs = page.figure("packs").await?;
    page.fill("Attention limit, units", "4000000").await?;
    page.becomes("dd [data-figure=packs]", |now| now < packs)
        .await?;
    page.eval("document.querySelector('.after .word').click()")
        .await?;
    page.becomes("dd [data-figure=packs]", |now| now == packs)
        .await?;
    ensure!(page.setting("edges").await? == attention);
    // The link has data and limits.
    page.go(&address).await?;
    page.text("and no pack has more than").await?;
    ensure!(page.figure("packs").await? == packs);
    page.close().await
}

#[tokio::test]
async fn responses_that_share_their_prompt_are_packed_as_groups() -> Result<()> {
    let page = Page::open(
        "view=graphs&data=like_summaries&algorithm=best-fit&room=compare",
        1440,
    )
    .await?;
    page.unfold("#groups").await?;
    page.text("Sharing saves ").await?;
    page.fill("Responses of a group", "4").await?;
    page.click("Pack groups of 4").await?;
    page.holds(&named("groups of 4 that share their prompt"))
        .await?;
    page.text("One group to a pack, ").await?;
    page.text("A prompt of P tokens with G responses of R has P² + G·((P + R)² − P²) pairs")
        .await?;
    ensure!(!page.has("#groups").await? && !page.has("#library").await?);
    page.close().await
}
