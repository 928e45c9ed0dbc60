//! What samplers and loaders of training libraries do with the data on screen, with the figures of the engine itself.

use anyhow::{Context, Result};
use packscope::api::trainer::{LibrariesQuestion, LibraryKind, LibraryQuery, Pass};
use packscope::export::libraries::{self, Sheet};
use packscope::histogram::Histogram;
use packscope::packing::go_on;
use packscope::trainer::batches::{LibraryLimits, SAMPLERS, SamplerLibraries};
use packscope::trainer::graphs::{GraphLibraries, LOADERS};
use packscope_browser_tests::Page;

const ROOM: LibraryLimits = LibraryLimits {
    limit: 512,
    batch: 64,
};
const LIMITS: [u32; 2] = [222, 502];

/// Comes to the part, as someone does who scrolls.
async fn come(page: &Page) -> Result<()> {
    page.shown("#trainer").await?;
    if page.has("#few-shapes").await? {
        // It stands above, and grows once it is known.
        page.eval("document.querySelector('#few-shapes').scrollIntoView()")
            .await?;
        page.shown("#few-shapes[data-state=current]").await?;
    }
    page.eval("document.querySelector('#trainer').scrollIntoView()")
        .await?;
    page.shown("#trainer:not([data-state=none])").await
}

fn read<const K: usize>(id: &str) -> Result<Histogram<K>> {
    let file = format!(
        "{}/../../static/datasets/{id}.csv",
        env!("CARGO_MANIFEST_DIR")
    );
    Histogram::from_built_in(&std::fs::read_to_string(file)?).context("no data")
}

/// The sheets of one library, or of all.
fn sheets<K: Pass>(
    given: K::RequestLimits,
    data: &K::Data,
    (library, settings): (Option<&str>, &[(&str, &str)]),
) -> Result<Vec<Sheet>> {
    let given_as = K::kind(given);
    let asked = LibraryQuery {
        given: given_as,
        ..LibraryQuery::about(library.unwrap_or_default(), settings, 1, 3)
    };
    let mut request = asked.request::<K>(given);
    if library.is_none() {
        request.question = LibrariesQuestion::All;
    }
    Ok(libraries::sheets(&request.on(data, &mut go_on)?, given))
}

fn sampler(library: Option<&str>, settings: &[(&str, &str)]) -> Result<Vec<Sheet>> {
    sheets::<SamplerLibraries>(ROOM, &read::<1>("gsm8k_train")?, (library, settings))
}

fn loader(library: Option<&str>, settings: &[(&str, &str)]) -> Result<Vec<Sheet>> {
    sheets::<GraphLibraries>(
        LIMITS,
        &read::<2>("mol_qm9_allatoms_graph")?,
        (library, settings),
    )
}

/// The judge's advice is set by a press, and leaves nothing to change.
async fn mended_by_one_press(page: &Page) -> Result<()> {
    page.shown("[data-verdict] button").await?;
    let press = "[...document.querySelectorAll('[data-verdict] button')].find(one => one.innerText.startsWith('Set'))";
    page.eval(&format!("{press}?.click()")).await?;
    page.text("Nothing to change.").await
}

/// Every figure of the sheet is on the page, with its title.
async fn as_in_the_engine(page: &Page, mut sheets: Vec<Sheet>) -> Result<()> {
    let sheet = sheets.remove(0);
    page.text(&sheet.title).await?;
    page.shown(".of-library[data-state=current]").await?;
    for figure in &sheet.figures {
        let selector = format!(".of-library [data-figure={}]", figure.id);
        let value = page
            .eval(&format!(
                "document.querySelector(`{selector}`).dataset.value"
            ))
            .await?;
        assert_eq!(
            value.as_str(),
            Some(figure.exact.to_string().as_str()),
            "{}",
            figure.id
        );
    }
    Ok(())
}

/// Every cell of the table that the page has room for.
async fn table(page: &Page, given: LibraryKind, sheets: Vec<Sheet>) -> Result<()> {
    // They come one by one.
    page.shown("#trainer[data-state=current]").await?;
    let table = libraries::table(given.words(), &sheets);
    for row in &table.rows {
        for at in 1..5 {
            let (name, _) = &table.columns[at];
            let selector = format!("[data-library=\"{}\"] [data-figure={name}]", row[0].exact);
            let value = page
                .eval(&format!(
                    "document.querySelector(`{selector}`).dataset.value"
                ))
                .await?;
            assert_eq!(value.as_str(), Some(row[at].exact.as_str()), "{selector}");
        }
    }
    Ok(())
}

#[tokio::test]
async fn a_sampler_does_here_what_it_does_in_the_engine_and_one_press_mends_it() -> Result<()> {
    let page = Page::open(
        "view=batches&sampler=bucket&data=gsm8k_train&limit=512&batch=64&room=all",
        1440,
    )
    .await?;
    come(&page).await?;
    page.text("What does each sampler do with these sequences?")
        .await?;
    page.choose("library", "speechbrain").await?;
    page.address("trainer=speechbrain").await?;
    as_in_the_engine(&page, sampler(Some("speechbrain"), &[])?).await?;
    // Another setting, by hand.
    page.choose("own-drop_last", "true").await?;
    let address = page.address("trainer.drop_last=true").await?;
    as_in_the_engine(
        &page,
        sampler(Some("speechbrain"), &[("drop_last", "true")])?,
    )
    .await?;
    page.unfold("details.lines").await?;
    page.text("drop_last=True").await?;
    page.click("Reset").await?;
    as_in_the_engine(&page, sampler(Some("speechbrain"), &[])?).await?;
    mended_by_one_press(&page).await?;
    page.click(&format!("Compare all {}", SAMPLERS.len()))
        .await?;
    page.shown("[data-library='packscope random']").await?;
    table(&page, LibraryKind::Batches(ROOM), sampler(None, &[])?).await?;
    page.eval("document.querySelector(`[data-library='espnet'] button`).click()")
        .await?;
    page.text("With ESPnet, numel, ").await?;
    page.shown("[data-library=espnet].chosen").await?;
    page.go(&address).await?;
    come(&page).await?;
    as_in_the_engine(
        &page,
        sampler(Some("speechbrain"), &[("drop_last", "true")])?,
    )
    .await?;
    page.close().await
}

/// A loader that refuses the limits of the largest graph says at which ones it takes it.
#[tokio::test]
#[ignore = "outer circle"]
async fn a_refusal_names_limits_that_do() -> Result<()> {
    let page = Page::open(
        "view=graphs&data=ogbg_molhiv&nodes=222&edges=502&trainer=jraph&room=all",
        1440,
    )
    .await?;
    come(&page).await?;
    page.text("With limits of 223 nodes and 502 edges: ")
        .await?;
    page.close().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn a_loader_does_here_what_it_does_in_the_engine() -> Result<()> {
    let page = Page::open(
        "view=graphs&data=mol_qm9_allatoms_graph&nodes=222&edges=502&room=all",
        1440,
    )
    .await?;
    come(&page).await?;
    page.text("What does each loader do with these graphs?")
        .await?;
    page.choose("library", "tf-gnn-tight").await?;
    as_in_the_engine(&page, loader(Some("tf-gnn-tight"), &[])?).await?;
    page.choose("own-drop_remainder", "true").await?;
    page.address("trainer.drop_remainder=true").await?;
    as_in_the_engine(
        &page,
        loader(Some("tf-gnn-tight"), &[("drop_remainder", "true")])?,
    )
    .await?;
    page.click(&format!("Compare all {}", LOADERS.len()))
        .await?;
    page.shown("[data-library='tf-gnn-dynamic'] [data-figure=gain]")
        .await?;
    table(&page, LibraryKind::Graphs(LIMITS), loader(None, &[])?).await?;
    // Back leaves the library; another view has none.
    page.eval("history.back()").await?;
    page.gone(".of-library").await?;
    page.close().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn what_a_loader_refuses_is_said_in_place() -> Result<()> {
    let page = Page::open(
        "view=graphs&data=mol_qm9_allatoms_graph&nodes=20&edges=30&trainer=jraph&room=all",
        1440,
    )
    .await?;
    come(&page).await?;
    page.text(
        "jraph, dynamically_batch as installed at 20 nodes and 30 edges refuses these data: ",
    )
    .await?;
    page.go("view=graphs&data=mol_qm9_allatoms_graph&trainer=nobody")
        .await?;
    come(&page).await?;
    page.text("names the library “nobody”, which is not in this list")
        .await?;
    page.close().await
}
