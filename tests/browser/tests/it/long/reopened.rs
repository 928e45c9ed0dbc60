//! Links and addresses bring back what was there: random states of every view, closed and opened again.

use super::agreement::Random;
use anyhow::{Result, ensure};
use packscope_browser_tests::Page;
use serde_json::Value;

const STATES: u64 = 10;

/// All figures of the answer but for times.
const FIGURES: &str = "[...document.querySelectorAll('.answer [data-figure]')].filter(e => e.dataset.figure !== 'seconds')\
                       .map(e => [e.dataset.figure, e.dataset.component, e.dataset.value])";

fn one<'a>(random: &mut Random, of: &[&'a str]) -> &'a str {
    of[random.below(of.len() as u64) as usize]
}

fn of_sequences(random: &mut Random) -> String {
    format!(
        "limit={}&depth={}&algorithm={}&overlong={}",
        32 + random.below(600),
        one(random, &["1", "2", "3", "8", "unlimited"]),
        one(
            random,
            &["lpfhp", "spfhp", "first-fit-decreasing", "greedy"]
        ),
        one(random, &["truncate", "drop", "split"]),
    )
}

fn of_graphs(random: &mut Random) -> String {
    format!(
        "view=graphs&data=tu_mutag&nodes={}&edges={}&depth={}&algorithm={}",
        28 + random.below(200),
        66 + random.below(400),
        one(random, &["2", "16", "256", "unlimited"]),
        one(random, &["best-fit", "lpfhp", "first-fit"]),
    )
}

fn of_batches(random: &mut Random) -> String {
    format!(
        "view=batches&limit={}&sampler={}&batch={}&seed={}",
        64 + random.below(200),
        one(
            random,
            &[
                "random",
                "sorted",
                "bucket",
                "length-grouped",
                "token-budget"
            ]
        ),
        8 + random.below(100),
        random.below(1_000),
    )
}

/// The figures once they are at rest, and the address.
async fn shown(page: &Page) -> Result<(Value, String)> {
    page.settled().await?;
    page.known().await?;
    let figures = page.steady(FIGURES).await?;
    ensure!(
        figures.as_array().is_some_and(|all| all.len() > 5),
        "{figures}"
    );
    Ok((figures, page.address("").await?))
}

/// Opens the address in a page that had other data, and compares.
async fn again(page: &Page, (figures, address): (Value, String)) -> Result<()> {
    page.follow("data=glue_cola&limit=17").await?;
    page.known().await?;
    page.go(&address).await?;
    let (then, _) = shown(page).await?;
    ensure!(then == figures, "{address}: {then}, and before {figures}");
    Ok(())
}

#[tokio::test]
async fn every_view_comes_back_with_its_figures() -> Result<()> {
    let page = Page::open("", 1440).await?;
    for seed in 0..STATES {
        let mut random = Random(seed);
        let data = one(
            &mut random,
            &["squad_1_1_bert_384", "glue_sst2", "gsm8k_train"],
        );
        let states = [
            of_sequences(&mut random),
            of_graphs(&mut random),
            of_batches(&mut random),
        ];
        for hash in states {
            let named = if hash.contains("data=") {
                hash
            } else {
                format!("{hash}&data={data}")
            };
            page.go(&named).await?;
            let before = shown(&page).await?;
            again(&page, before).await?;
        }
    }
    page.close().await
}

/// States of each view and size of own data: more where a variable says so, as they take long.
fn of_own() -> u64 {
    std::env::var("PACKSCOPE_OWN_STATES")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(2)
}

/// The part of an address that names its data.
fn named(address: &str) -> String {
    address
        .split('&')
        .find(|part| part.starts_with("data="))
        .unwrap_or_default()
        .to_owned()
}

#[tokio::test]
async fn own_data_of_any_size_come_back_with_their_figures() -> Result<()> {
    let page = Page::open("", 1440).await?;
    for distinct in [100u64, 2_500, 200_000] {
        let rows: String = (1..=distinct)
            .map(|l| format!("{},{}\n", l, l * 7919 % 1009 + 1))
            .collect();
        page.drop_file(
            &format!("own-{distinct}.csv"),
            &format!("length,count\n{rows}"),
        )
        .await?;
        page.text(&format!("own-{distinct}.csv")).await?;
        page.settled().await?;
        // Those that no address holds are stored under a name of it.
        page.address(if distinct > 10_000 {
            "data=own-"
        } else {
            "data=own1."
        })
        .await?;
        let data = named(&page.address("data=own").await?);
        for seed in 0..of_own() {
            let mut random = Random(seed + distinct);
            for hash in [of_sequences(&mut random), of_batches(&mut random)] {
                page.follow(&format!("{hash}&{data}")).await?;
                let before = shown(&page).await?;
                again(&page, before).await?;
            }
        }
    }
    page.close().await
}

#[tokio::test]
async fn own_graphs_of_any_number_come_back_with_their_figures() -> Result<()> {
    let page = Page::open("", 1440).await?;
    for distinct in [100u64, 2_500, 20_000] {
        let row = |i: u64| {
            format!(
                "{},{},{}\n",
                2 + i % 150,
                1 + i / 150 * 3,
                i * 7919 % 1009 + 1
            )
        };
        let rows: String = (0..distinct).map(row).collect();
        page.drop_file(
            &format!("own-{distinct}.csv"),
            &format!("nodes,edges,count\n{rows}"),
        )
        .await?;
        page.text(&format!("own-{distinct}.csv")).await?;
        page.settled().await?;
        let data = named(&page.address("data=own").await?);
        for seed in 0..of_own() {
            let hash = of_graphs(&mut Random(seed + distinct)).replace("data=tu_mutag", &data);
            page.follow(&hash).await?;
            let before = shown(&page).await?;
            again(&page, before).await?;
        }
    }
    page.close().await
}
