//! Headline, list, table, chart and sweep of random data agree with the library, from which the command line prints.

use anyhow::{Context, Result, ensure};
use packscope::api::{Settings, run_on, tuple};
use packscope::histogram::Histogram;
use packscope::packing::{Algorithm, Depth, go_on, tuple as graphs};
use packscope::words::plural;
use packscope_browser_tests::Page;

const SETS: u64 = 20;

/// Numbers that look random, the same for the same seed.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

/// The figure in the list of algorithms in the controls.
async fn listed(page: &Page, algorithm: &str) -> Result<f64> {
    let script = "const words = document.querySelector(`#algorithm [value='${arguments[0]}']`).text.split(' · ')[1];\
                  return Number(words.split(' ')[0].replaceAll(',', ''))";
    page.execute(script, vec![algorithm.into()])
        .await?
        .as_f64()
        .context("no number in the list")
}

/// Cells of the table behind a drawing whose caption begins so, of the row whose first cell is `row`.
async fn behind(page: &Page, caption: &str, row: &str) -> Result<Vec<String>> {
    let script = "const table = [...document.querySelectorAll('table')].find(t => t.caption?.innerText.startsWith(arguments[0]) \
                  || t.getAttribute('aria-label')?.startsWith(arguments[0]));\
                  const found = [...table.rows].find(r => r.cells[0].innerText.trim() === arguments[1]);\
                  return [...found.cells].map(c => c.innerText.trim())";
    let cells = page
        .execute(script, vec![caption.into(), row.into()])
        .await?;
    Ok(serde_json::from_value(cells)?)
}

#[tokio::test]
async fn random_sequences_have_the_same_figures_everywhere() -> Result<()> {
    let page = Page::open("room=all", 1440).await?;
    for seed in 0..SETS {
        let mut random = Random(seed);
        let limit = 40 + random.below(400) as u32;
        let counts: Vec<(u32, u64)> = (0..5 + random.below(40))
            .map(|_| (1 + random.below(500) as u32, 1 + random.below(300)))
            .collect();
        let depth =
            [Depth::Unlimited, Depth::AtMost(2), Depth::AtMost(3)][random.below(3) as usize];
        let csv = counts
            .iter()
            .fold("length,count\n".to_owned(), |csv, (l, n)| {
                csv + &format!("{l},{n}\n")
            });
        page.drop_file(&format!("random-{seed}.csv"), &csv).await?;
        page.text(&format!("random-{seed}.csv")).await?;
        page.settled().await?;
        let depth_name = depth.to_string();
        page.follow(&format!(
            "limit={limit}&depth={depth_name}&algorithm=lpfhp&overlong=truncate"
        ))
        .await?;
        page.compared().await?;
        let histogram = Histogram::from_lengths(counts)?;
        for algorithm in [
            Algorithm::Lpfhp,
            Algorithm::Spfhp,
            Algorithm::FirstFitDecreasing,
        ] {
            let settings = Settings {
                limit,
                depth,
                algorithm,
                ..Settings::default()
            };
            let f = run_on(&histogram, &settings, 100, &mut go_on)?.figures;
            let name = algorithm.name();
            let about = format!("set {seed}, {name}, limit {limit}, depth {depth_name}");
            let packs = f.packs as f64;
            ensure!(page.of(name, "packs").await? == packs, "table of {about}");
            ensure!(
                (page.of(name, "padding_share").await? - f.padding_share()).abs() < 1e-12,
                "padding of {about}"
            );
            ensure!(listed(&page, name).await? == packs, "list of {about}");
            if algorithm == Algorithm::Lpfhp {
                ensure!(page.figure("packs").await? == packs, "headline of {about}");
                ensure!(
                    page.figure("waste_tokens").await? == f.waste_tokens[0] as f64,
                    "waste of {about}"
                );
                let bound = f.lower_bound.context("no bound")? as f64;
                ensure!(
                    page.figure("lower_bound").await? >= bound,
                    "bound of {about}"
                );
                let epoch = behind(&page, "One epoch", "Packed").await?;
                ensure!(
                    epoch[1].replace(',', "") == f.packs.to_string(),
                    "drawing of {about}: {epoch:?}"
                );
            }
        }
    }
    page.close().await
}

#[tokio::test]
async fn random_graphs_have_the_same_figures_everywhere() -> Result<()> {
    let page = Page::open("view=graphs&room=all", 1440).await?;
    for seed in 0..SETS {
        let mut random = Random(seed + 100);
        let counts: Vec<([u32; 2], u64)> = (0..5 + random.below(40))
            .map(|_| {
                let nodes = 1 + random.below(60) as u32;
                (
                    [nodes, nodes + random.below(u64::from(nodes) * 2) as u32],
                    1 + random.below(200),
                )
            })
            .collect();
        let csv = counts
            .iter()
            .fold("nodes,edges,count\n".to_owned(), |csv, ([a, b], n)| {
                csv + &format!("{a},{b},{n}\n")
            });
        page.drop_file(&format!("random-{seed}.csv"), &csv).await?;
        page.text(&format!("random-{seed}.csv")).await?;
        page.settled().await?;
        let histogram = Histogram::from_counts(counts)?;
        let [nodes, edges] = histogram
            .max()
            .map(|m| m + random.below(u64::from(m)) as u32);
        page.follow(&format!(
            "view=graphs&nodes={nodes}&edges={edges}&depth=unlimited&algorithm=best-fit&heuristic=product\
             &sweep-nodes={nodes}:{nodes}:1&sweep-edges={edges}:{edges}:1"
        ))
        .await?;
        page.known().await?;
        let settings = tuple::Settings {
            limits: vec![nodes, edges],
            depth: Depth::Unlimited,
            algorithm: graphs::TupleAlgorithm::BestFit,
            heuristic: graphs::Heuristic::Product,
            ..tuple::Settings::default()
        };
        let f = tuple::run_on(&histogram, &settings, 100, &mut go_on)?.figures;
        let about = format!("set {seed}, {nodes} × {edges}");
        let packs = f.packs as f64;
        ensure!(page.figure("packs").await? == packs, "headline of {about}");
        ensure!(
            page.of_row("best-fit/product", "packs").await? == packs,
            "table of {about}"
        );
        for k in 0..2 {
            let shown = page.component("efficiency", k).await?;
            ensure!(
                (shown - f.efficiency[k]).abs() < 1e-12,
                "efficiency {k} of {about}"
            );
        }
        page.click("Start").await?;
        page.shown("[data-sweep=over]").await?;
        let packs = plural(f.packs, "pack");
        page.text(&format!("Best {nodes} × {edges}: {packs}, "))
            .await?;
    }
    page.close().await
}
