//! What training libraries do with the data on screen, with the figures of the engine itself.

use anyhow::{Context, Result, ensure};
use packscope::api::trainer::{Figures, LibraryKind, LibraryQuery};
use packscope::histogram::Histogram;
use packscope::packing::go_on;
use packscope::trainer::batches::LibraryLimits;
use packscope::trainer::{LIBRARIES, PackingLibraries};
use packscope_browser_tests::Page;

/// Comes to the part, as someone does who scrolls.
async fn come(page: &Page) -> Result<()> {
    page.shown("#trainer").await?;
    page.eval("document.querySelector('#trainer').scrollIntoView()")
        .await?;
    page.shown("#trainer:not([data-state=none])").await
}

/// The figures that the engine finds, beside the page, at the library's own defaults but for these settings; `None` where the library
/// refuses the data.
fn found(library: &str, settings: &[(&str, &str)]) -> Result<Option<Figures>> {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../static/datasets/sharegpt_8k_llama2.csv"
    );
    let data = Histogram::<1>::from_built_in(&std::fs::read_to_string(file)?).context("no data")?;
    let room = LibraryLimits {
        limit: 4096,
        batch: 64,
    };
    let asked = LibraryQuery {
        given: LibraryKind::Sequences(room),
        packing: false,
        ..LibraryQuery::about(library, settings, 4096, 3)
    };
    Ok(asked
        .request::<PackingLibraries>(room)
        .on(&data, &mut go_on)?
        .answers
        .remove(0)
        .figures)
}

async fn value(page: &Page, selector: &str) -> Result<f64> {
    let value = page
        .eval(&format!(
            "Number(document.querySelector(`{selector}`).dataset.value)"
        ))
        .await?;
    value.as_f64().context("no number")
}

#[tokio::test]
async fn a_library_does_here_what_it_does_in_the_engine_and_one_press_mends_it() -> Result<()> {
    let page = Page::open("data=sharegpt_8k_llama2&limit=4096&room=all", 1440).await?;
    come(&page).await?;
    page.text("What does each library do with these data?")
        .await?;
    page.choose("library", "axolotl").await?;
    page.text("Axolotl as installed drops 54.3 % of the tokens")
        .await?;
    page.address("trainer=axolotl").await?;
    let now = found("axolotl", &[])?.context("no figures")?;
    assert_eq!(value(&page, "[data-figure=trainer_rows]").await?, now.rows);
    assert_eq!(
        value(&page, "[data-figure=trainer_lost]").await?,
        now.lost_share()
    );
    page.choose("own-excess_length_strategy", "truncate")
        .await?;
    page.text("Axolotl cuts off 16.1 % of the tokens").await?;
    let address = page
        .address("trainer.excess_length_strategy=truncate")
        .await?;
    let then =
        found("axolotl", &[("excess_length_strategy", "truncate")])?.context("no figures")?;
    assert_eq!(
        value(&page, "[data-figure=trainer_lost]").await?,
        then.lost_share()
    );
    page.unfold("details.lines").await?;
    page.text("excess_length_strategy: truncate").await?;
    // A link has it all; Back leaves it.
    page.eval("history.back()").await?;
    page.gone(".of-library").await?;
    page.go(&address).await?;
    come(&page).await?;
    page.text("Axolotl cuts off 16.1 % of the tokens").await?;
    page.close().await
}

/// The judge's verdict is on screen, with now and then; its press takes all of it, after which there is nothing to change.
#[tokio::test]
async fn the_verdict_says_now_and_then_and_one_press_takes_it() -> Result<()> {
    let page = Page::open("data=lima_train_chatml&limit=4096", 1440).await?;
    page.choose("library", "trl").await?;
    page.shown("[data-verdict]").await?;
    let [now, then] = ["now_seconds", "then_seconds"].map(|id| format!("[data-figure={id}]"));
    let (now, then) = (value(&page, &now).await?, value(&page, &then).await?);
    ensure!(then < now * 0.9, "{now} s now, {then} s then");
    page.shown("[data-verdict] + .to-scale + .now-then").await?;
    page.eval("document.querySelector('[data-verdict] button.solid').click()")
        .await?;
    page.text("Nothing to change").await?;
    page.address("trainer.packing=true").await?;
    page.close().await
}

#[tokio::test]
async fn a_library_is_taken_from_the_table_of_all() -> Result<()> {
    let page = Page::open("data=glue_rte&limit=128&room=all", 1440).await?;
    come(&page).await?;
    page.click(&format!("Compare all {} libraries", LIBRARIES.len()))
        .await?;
    page.shown("#trainer[data-state=current]").await?;
    page.gone(".of-judged [data-coming]").await?;
    for library in LIBRARIES {
        page.shown(&format!("[data-library='{}']", library.id))
            .await?;
    }
    page.eval("document.querySelector(`[data-library='torchtune'] button`).click()")
        .await?;
    page.text("torchtune as installed ").await?;
    page.shown("[data-library=torchtune].chosen").await?;
    page.close().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn all_libraries_stand_side_by_side_with_the_figures_of_the_engine() -> Result<()> {
    let page = Page::open("data=sharegpt_8k_llama2&limit=4096&room=all", 1440).await?;
    come(&page).await?;
    // Nothing long is computed by itself where that is off.
    page.click(&format!("Compare all {} libraries", LIBRARIES.len()))
        .await?;
    page.shown("#trainer[data-state=current]").await?;
    page.gone(".of-judged [data-coming]").await?;
    for library in LIBRARIES {
        let cell = |name: &str| format!("[data-library='{}'] [data-figure={name}]", library.id);
        // As installed, for which the judge takes as many rows as fit: what is left over at an end may differ.
        let now = value(&page, &cell("lost_now")).await?;
        match found(library.id, &[])? {
            Some(figures) => ensure!(
                (now - figures.lost_share()).abs() < 0.005,
                "{}: {now} and {}",
                library.id,
                figures.lost_share()
            ),
            None => ensure!(now == 0.0, "{}", library.id),
        }
        // As advised, nothing that was not lost before is lost.
        let then = value(&page, &cell("lost_share")).await?;
        ensure!(
            then <= now + 0.005 || now == 0.0,
            "{}: {now} and {then}",
            library.id
        );
    }
    page.eval("document.querySelector(`[data-library='torchtune'] button`).click()")
        .await?;
    page.text("torchtune as installed ").await?;
    page.text("cuts off 16.1 % of the tokens").await?;
    page.shown("[data-library=torchtune].chosen").await?;
    page.close().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn a_value_that_a_library_does_not_have_is_refused_and_named() -> Result<()> {
    let page = Page::open(
        "data=glue_cola&trainer=trl&trainer.map_batch_size=none&room=all",
        1440,
    )
    .await?;
    come(&page).await?;
    page.text("expected a whole number from 1 to").await?;
    page.go("data=glue_cola&trainer=nobody").await?;
    come(&page).await?;
    page.text("names the library “nobody”, which is not in this list")
        .await?;
    page.close().await
}

/// What takes long.
mod long {
    use super::*;

    /// A comparison says how far it is, what is pending, and can be cancelled and go on.
    #[tokio::test]
    async fn a_comparison_is_cancelled_and_goes_on() -> Result<()> {
        let page = Page::open("data=wikipedia_bert_512&limit=512&room=all", 1440).await?;
        come(&page).await?;
        page.click(&format!("Compare all {} libraries", LIBRARIES.len()))
            .await?;
        page.shown("[data-course=running] progress").await?;
        page.shown(".of-trainers [data-library] [data-coming]")
            .await?;
        // One of them is known, so that there is something to keep.
        page.shown(".of-trainers tbody td:nth-child(2):not([data-coming])")
            .await?;
        page.click("Cancel (Esc)").await?;
        page.shown("[data-course=paused]").await?;
        let left = "document.querySelectorAll('.of-trainers td[data-coming]:nth-child(2)').length";
        let pending = page.steady(left).await?.as_u64().context("no number")?;
        ensure!(
            pending > 0 && pending < LIBRARIES.len() as u64,
            "{pending} are pending"
        );
        page.text(&format!(
            "{} of {}, cancelled",
            LIBRARIES.len() as u64 - pending,
            LIBRARIES.len()
        ))
        .await?;
        page.click("Go on").await?;
        page.shown("[data-course=over]").await?;
        page.gone(".of-trainers [data-coming]").await?;
        page.shown("#trainer [data-file='trainers.csv']").await?;
        page.close().await
    }
}
