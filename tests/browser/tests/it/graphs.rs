//! The view of graphs as a visitor uses it: figures, notes, limits, own files, links.

use anyhow::{Context, Result};
use fantoccini::Locator;
use fantoccini::key::Key;
use packscope_browser_tests::Page;

/// The set and the limits of Krell et al. 2022, tuple packing, Table 2.
const MOLHIV: &str = "view=graphs&data=ogbg_molhiv&nodes=222&edges=502&depth=256";
/// How the label of the heat map begins.
const HEAT: &str = "Heat map";

async fn open(algorithm: &str) -> Result<Page> {
    Page::open(&format!("{MOLHIV}&algorithm={algorithm}"), 1440).await
}

/// Both limits as the sliders have them.
async fn limits(page: &Page) -> Result<(f64, f64)> {
    Ok((page.setting("nodes").await?, page.setting("edges").await?))
}

fn near(value: f64, published: f64) {
    let digits = if published > 0.999 { 5e-6 } else { 5e-5 };
    assert!(
        (value - published).abs() < digits,
        "{value} is not {published}"
    );
}

#[tokio::test]
async fn graphs_open_with_the_proven_optimum() -> Result<()> {
    let page = open("optimal&room=all").await?;
    page.text("That is proven: no plan needs fewer").await?;
    page.settled().await?;
    assert_eq!(
        (page.figure("packs").await?, page.figure("items").await?),
        (3744.0, 32_901.0)
    );
    assert_eq!(
        (page.figure("lower_bound").await?, page.figure("gap").await?),
        (3744.0, 0.0)
    );
    near(page.component("efficiency", 0).await?, 0.999_72);
    near(page.component("efficiency", 1).await?, 0.9469);
    near(page.component("baseline_efficiency", 0).await?, 0.1138);
    near(page.component("baseline_efficiency", 1).await?, 0.1077);
    assert_eq!(page.of_row("optimal", "packs").await?, 3744.0);
    page.text("The best published heuristic needs 3,789.")
        .await?;
    page.text("gap 0: no plan needs fewer").await?;
    page.text(
        "One graph to a pack, 88.6 % of node and 89.2 % of edge slots are padding. Packed: 0.03 % and 5.3",
    )
    .await?;
    page.swept().await?;
    page.shown("#speedup[data-state=current]").await?;
    let plots = page
        .find_all(Locator::Css("canvas[role=img][aria-label]"))
        .await?;
    assert_eq!(plots.len(), 6);
    page.close().await
}

/// Table 2 of the paper, but for the minimum, which is the maximum there.
#[tokio::test]
async fn the_table_of_graphs_has_the_published_counts() -> Result<()> {
    let page =
        Page::open_searching(&format!("{MOLHIV}&algorithm=optimal&room=compare"), 1440).await?;
    page.text("The published heuristics need 45 to 173 packs more than the optimum")
        .await?;
    for (heuristic, packs) in [
        ("product", 3917.0),
        ("sum", 3838.0),
        ("maximum", 3800.0),
        ("minimum", 3789.0),
        ("nodes", 3789.0),
        ("edges", 3800.0),
    ] {
        let published = page
            .of_row(&format!("best-fit-published/{heuristic}"), "packs")
            .await?;
        assert_eq!(published, packs, "{heuristic}");
        let repaired = page
            .of_row(&format!("best-fit/{heuristic}"), "packs")
            .await?;
        assert!(
            (3744.0..=3764.0).contains(&repaired),
            "{heuristic}: {repaired}"
        );
    }
    for (algorithm, packs) in [
        ("nodes-only", 3793.0),
        ("edges-only", 3799.0),
        ("none", 32_901.0),
    ] {
        assert_eq!(page.of_row(algorithm, "packs").await?, packs, "{algorithm}");
    }
    let search = page.of_row("search", "packs").await?;
    assert!((3744.0..=3759.0).contains(&search), "{search}");
    near(
        page.of_row_component("none", "efficiency", 0).await?,
        0.1138,
    );
    near(
        page.of_row_component("optimal", "efficiency", 1).await?,
        0.9469,
    );
    page.close().await
}

#[tokio::test]
async fn a_row_of_the_table_of_graphs_is_chosen() -> Result<()> {
    let page = open("best-fit&room=all").await?;
    page.choose_row("best-fit-published/sum").await?;
    page.settled().await?;
    assert_eq!(page.figure("packs").await?, 3838.0);
    near(
        page.component("efficiency", 0).await?,
        page.of_row_component("best-fit-published/sum", "efficiency", 0)
            .await?,
    );
    page.address("algorithm=best-fit-published&heuristic=sum")
        .await?;
    for chosen in ["algorithm-best-fit-published", "heuristic-sum"] {
        assert!(page.is_ticked(chosen).await?, "{chosen}");
    }
    page.choose_row("nodes-only").await?;
    page.settled().await?;
    assert_eq!(page.figure("packs").await?, 3793.0);
    page.text("It ignores the limit of 502 edges").await?;
    // Where a heuristic changes nothing, choosing one chooses best fit.
    page.tick("heuristic-edges").await?;
    page.settled().await?;
    assert_eq!(
        page.figure("packs").await?,
        page.of_row("best-fit/edges", "packs").await?
    );
    page.close().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn slips_of_the_paper_on_graphs_are_told_where_they_matter() -> Result<()> {
    let page = open("best-fit&room=all").await?;
    page.text("The paper’s “minimum” is the maximum.").await?;
    page.text("min: lambda x, y: max(x, y)").await?;
    page.click("Other limits in its tables").await?;
    page.text("the paper gives limits of 20 nodes and 54 edges")
        .await?;
    page.text("fit 51 and 118 instead").await?;
    page.text("Where no pack reaches a limit, the paper’s code lowers it before it divides.")
        .await?;
    page.text("At 222 × 1,000 on ogbg-molhiv, by the product, that makes 89.8 % of what is 62.2 %")
        .await?;
    page.close().await
}

#[tokio::test]
async fn the_corner_of_the_limits_of_graphs_is_dragged() -> Result<()> {
    let page = open("best-fit").await?;
    // What comes to be above the drawing moves it.
    page.known().await?;
    let (x, y) = page.handle(HEAT).await?;
    page.drag(&[(x, y), (x - 30.0, y + 20.0), (x - 60.0, y + 40.0)])
        .await?;
    page.holds("document.getElementById('nodes').value < 215")
        .await?;
    page.settled().await?;
    let (nodes, edges) = limits(&page).await?;
    assert!(
        (100.0..215.0).contains(&nodes) && (200.0..490.0).contains(&edges),
        "{nodes} × {edges}"
    );
    assert!(page.figure("items").await? < 32_901.0);
    page.text("above a limit: dropped.").await?;
    page.text("graphs are outside of the limits").await?;
    page.address(&format!("nodes={nodes}&edges={edges}"))
        .await?;
    // Not before the drawing has followed, and what is known has been said.
    page.known().await?;
    let (x, y) = page.handle(HEAT).await?;
    page.drag(&[(x, y + 60.0), (x + 20.0, y + 60.0), (x + 40.0, y + 60.0)])
        .await?;
    page.holds(&format!("document.getElementById('nodes').value > {nodes}"))
        .await?;
    page.settled().await?;
    let (wider, same) = limits(&page).await?;
    assert!(
        wider > nodes && same == edges,
        "{wider} × {same}: the line of the nodes moves nodes only"
    );
    page.click("222 × 502").await?;
    page.settled().await?;
    assert_eq!(
        (limits(&page).await?, page.figure("items").await?),
        ((222.0, 502.0), 32_901.0)
    );
    page.close().await
}

/// Limits that hold 95, 99 and 100 % of the graphs have a button each, and are corners of the map to press.
#[tokio::test]
#[ignore = "outer circle"]
async fn limits_that_hold_a_share_of_the_graphs_are_pressed() -> Result<()> {
    let page = open("best-fit").await?;
    page.known().await?;
    let press = async |share: &str| {
        page.eval(&format!(
            "document.querySelector(`[data-held='{share}']`).click()"
        ))
        .await?;
        page.shown(&format!("[data-held='{share}'][aria-pressed=true]"))
            .await?;
        page.known().await
    };
    press("99 %").await?;
    let held = page.figure("items").await?;
    assert!(
        (32_572.0..32_901.0).contains(&held),
        "{held} of 32,901 graphs"
    );
    let (at, narrow) = (page.handle(HEAT).await?, limits(&page).await?);
    press("100 %").await?;
    assert_eq!(
        (limits(&page).await?, page.figure("items").await?),
        ((222.0, 502.0), 32_901.0)
    );
    page.drag(&[at, at]).await?;
    page.shown("[data-held='99 %'][aria-pressed=true]").await?;
    page.settled().await?;
    assert_eq!(
        (limits(&page).await?, page.figure("items").await?),
        (narrow, held)
    );
    page.close().await
}

/// Notes on the sets of the paper do not stand beside others.
#[tokio::test]
#[ignore = "outer circle"]
async fn notes_on_built_in_graphs_go_with_them() -> Result<()> {
    let page = open("best-fit&room=all").await?;
    page.text("The paper’s “minimum” is the maximum.").await?;
    page.drop_file("graphs.csv", TABLE).await?;
    page.text("graphs.csv").await?;
    page.known().await?;
    let left = page
        .eval("document.body.textContent.includes('molhiv, by the product')")
        .await?;
    assert_eq!(
        (left.as_bool(), page.has(".note").await?),
        (Some(false), false)
    );
    page.close().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn the_limits_of_graphs_move_by_arrow_keys() -> Result<()> {
    let page = open("best-fit").await?;
    let packs = page.figure("packs").await?;
    let map = page
        .find(Locator::Css(&format!("canvas[aria-label^='{HEAT}']")))
        .await?;
    let [right, up, shift, released] = [Key::Right, Key::Up, Key::Shift, Key::Null].map(char::from);
    map.send_keys(&format!("{right}{right}{shift}{up}{released}{right}"))
        .await?;
    page.settled().await?;
    assert_eq!(limits(&page).await?, (225.0, 512.0));
    assert!(page.figure("packs").await? < packs);
    let [left, down] = [Key::Left, Key::Down].map(char::from);
    map.send_keys(&format!("{left}{left}{left}{shift}{down}{released}"))
        .await?;
    page.settled().await?;
    assert_eq!(
        (limits(&page).await?, page.figure("packs").await?),
        ((222.0, 502.0), packs)
    );
    page.close().await
}

const TABLE: &str = "nodes,edges,count\n18,38,694\n20,42,2102\n";

#[tokio::test]
#[ignore = "outer circle"]
async fn files_open_the_view_of_graphs_or_of_sequences() -> Result<()> {
    let page = Page::open("data=glue_cola", 1440).await?;
    page.drop_file("mine.csv", TABLE).await?;
    page.shown("main[data-view=graphs]").await?;
    page.text("2,796 graphs, 18–20 nodes (mean 19.5), 38–42 edges (mean 41.0)")
        .await?;
    page.settled().await?;
    assert_eq!(
        (page.figure("items").await?, limits(&page).await?),
        (2796.0, (20.0, 42.0))
    );
    page.drop_file("lengths.csv", "length,count\n10,3\n20,1\n")
        .await?;
    page.shown("main[data-view=sequences]").await?;
    page.text("4 sequences, 10–20 tokens").await?;
    page.settled().await?;
    assert_eq!(page.figure("items").await?, 4.0);
    // The graphs are still there.
    page.key("2").await?;
    page.text("2,796 graphs").await?;
    page.settled().await?;
    page.click("paste numbers").await?;
    page.press("pasted", "nodes,edges\n3,4\n5,8\n3,4\n").await?;
    page.click("Read").await?;
    page.text("3 graphs, 3–5 nodes").await?;
    page.settled().await?;
    assert_eq!(page.figure("items").await?, 3.0);
    let path = std::env::temp_dir().join(format!("packscope-graphs-{}.csv", std::process::id()));
    std::fs::write(&path, TABLE)?;
    page.press("file", &path.display().to_string()).await?;
    page.text("2,796 graphs").await?;
    std::fs::remove_file(path)?;
    page.close().await
}

#[tokio::test]
async fn a_bad_file_of_graphs_is_explained_and_changes_nothing() -> Result<()> {
    let page = open("best-fit").await?;
    let packs = page.figure("packs").await?;
    page.drop_file("bad.csv", "nodes,edges,count\nmany,few,3\n")
        .await?;
    page.text("bad.csv: line 2, column 1: \"many\" is not a")
        .await?;
    page.text("are whole numbers from").await?;
    page.text("32,901 graphs").await?;
    assert_eq!(
        (page.figure("packs").await?, limits(&page).await?),
        (packs, (222.0, 502.0))
    );
    page.click("Close").await?;
    assert!(!page.has("[data-notice=problem]").await?);
    page.close().await
}

/// Every setting of the view that differs from the usual one.
const UNUSUAL: &str = "view=graphs&data=tu_mutag&nodes=30&edges=70&depth=4&algorithm=best-fit-published&heuristic=sum\
                       &overlong=truncate&overhead=0.05&colours=linear&method=search&target=0.9\
                       &sweep-nodes=28:40:3&sweep-edges=66:90:6&sequences.data=glue_cola&sequences.limit=40\
                       &sequences.depth=3&theme=dark";

#[tokio::test]
#[ignore = "outer circle"]
async fn a_link_keeps_every_setting_of_graphs() -> Result<()> {
    let page = Page::open(UNUSUAL, 1440).await?;
    page.text("188 graphs").await?;
    page.settled().await?;
    let packs = page.figure("packs").await?;
    for _ in 0..2 {
        // Changed and changed back, so that the page writes the whole address itself.
        page.press("nodes", &char::from(Key::Right).to_string())
            .await?;
        page.address("nodes=31&").await?;
        page.press("nodes", &char::from(Key::Left).to_string())
            .await?;
        assert_eq!(page.address("nodes=30&").await?, UNUSUAL);
        page.client.refresh().await?;
        page.text("188 graphs").await?;
        page.settled().await?;
        assert_eq!(
            (page.figure("packs").await?, limits(&page).await?),
            (packs, (30.0, 70.0))
        );
    }
    page.close().await
}

/// A link that is followed while the page is open, as from one's notes in the same tab.
#[tokio::test]
#[ignore = "outer circle"]
async fn a_link_of_graphs_is_followed_in_the_open_page() -> Result<()> {
    let page = open("best-fit").await?;
    page.follow(UNUSUAL).await?;
    page.text("188 graphs").await?;
    page.settled().await?;
    page.press("nodes", &char::from(Key::Right).to_string())
        .await?;
    assert_eq!(
        page.address("nodes=31&").await?,
        UNUSUAL.replace("nodes=30&", "nodes=31&")
    );
    page.close().await
}

#[tokio::test]
async fn both_views_keep_their_settings_when_keys_switch_to_graphs_and_back() -> Result<()> {
    let page = Page::open(
        "data=squad_1_1_bert_384&limit=384&depth=3&algorithm=lpfhp&room=all",
        1440,
    )
    .await?;
    assert_eq!(page.figure("packs").await?, 40_631.0);
    page.key("2").await?;
    page.shown("main[data-view=graphs]").await?;
    page.text("32,901 graphs").await?;
    page.choose_row("best-fit-published/sum").await?;
    page.press("edges", &char::from(Key::Right).to_string())
        .await?;
    page.settled().await?;
    let packs = page.figure("packs").await?;
    page.address("view=graphs&data=ogbg_molhiv&nodes=222&edges=503")
        .await?;
    page.key("1").await?;
    page.shown("main[data-view=sequences]").await?;
    page.settled().await?;
    assert_eq!(
        (page.figure("packs").await?, page.setting("limit").await?),
        (40_631.0, 384.0)
    );
    let hash = page
        .address("data=squad_1_1_bert_384&limit=384&depth=3&algorithm=lpfhp")
        .await?;
    assert!(
        hash.contains("graphs.edges=503") && hash.contains("graphs.heuristic=sum"),
        "{hash}"
    );
    page.key("2").await?;
    page.shown("main[data-view=graphs]").await?;
    page.settled().await?;
    assert_eq!(
        (page.figure("packs").await?, limits(&page).await?),
        (packs, (222.0, 503.0))
    );
    // A digit that is typed into a field is no key.
    page.fill("Node limit, nodes", "222").await?;
    page.shown("main[data-view=graphs]").await?;
    page.close().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn a_mangled_link_to_graphs_still_opens() -> Result<()> {
    let mangled = "view=graphs&data=ogbg_molhiv&nodes=0&edges=-7&depth=0&algorithm=magic&heuristic=luck&overlong=split\
                   &overhead=x&method=&target=7&sweep-nodes=9:1&sweep-edges=a:b:c&colours=&nothing=1&nodes&=3";
    let page = Page::open(mangled, 1440).await?;
    page.text("That is proven: no plan needs fewer").await?;
    assert_eq!(
        (page.figure("packs").await?, limits(&page).await?),
        (3744.0, (222.0, 502.0))
    );
    page.text("The address has nodes=0, which is no value for “Limit of")
        .await?;
    page.go("view=graphs&data=nothing_here&algorithm=best-fit")
        .await?;
    page.text("This link names data that this page does not have.")
        .await?;
    page.text("32,901 graphs").await?;
    page.close().await
}

/// What takes long.
mod long {
    use super::*;

    #[tokio::test]
    async fn every_built_in_set_of_graphs_opens() -> Result<()> {
        let page = Page::open("view=graphs&algorithm=best-fit", 1440).await?;
        page.text("32,901 graphs").await?;
        let sets = page
            .eval("[...document.querySelectorAll('#data option')].map(o => o.value)")
            .await?;
        let sets: Vec<_> = sets
            .as_array()
            .context("a list")?
            .iter()
            .filter_map(|s| s.as_str())
            .collect();
        assert!(sets.len() >= 14, "{sets:?}");
        for set in sets {
            page.choose("data", set).await?;
            page.address(&format!("data={set}&"))
                .await
                .context(set.to_owned())?;
            page.settled().await.with_context(|| set.to_owned())?;
            let (packs, items) = (page.figure("packs").await?, page.figure("items").await?);
            let bound = page.figure("lower_bound").await?;
            assert!(
                bound <= packs && packs <= items && bound > 0.0,
                "{set}: {bound} {packs} {items}"
            );
            for k in [0, 1] {
                let filled = page.component("efficiency", k).await?;
                let before = page.component("baseline_efficiency", k).await?;
                assert!(
                    before > 0.0 && before <= filled + 1e-12 && filled <= 1.0,
                    "{set}: {before} {filled}"
                );
            }
            assert!(
                !page
                    .has("[data-notice=problem], [data-notice=refusal]")
                    .await?,
                "{set}"
            );
        }
        page.close().await
    }

    /// The optimum of many sizes takes long; the page must not.
    #[tokio::test]
    async fn the_page_answers_while_large_graphs_are_packed() -> Result<()> {
        let page = Page::open("view=graphs&data=like_ogbg_ppa&algorithm=optimal", 1440).await?;
        for nodes in 301..306 {
            page.press("nodes", &char::from(Key::Right).to_string())
                .await?;
            assert_eq!(page.setting("nodes").await?, f64::from(nodes));
            for scale in ["linear", "log"] {
                // Pressed where it is, wherever the page has moved it meanwhile: a driver aims before it presses.
                let press = format!(
                    "[...document.querySelectorAll(`[aria-label='Scale of colours'] button`)]
                        .find(button => button.innerText === '{scale}').click()"
                );
                page.eval(&press).await?;
                let pressed = "document.querySelector(`[aria-label='Scale of colours'] [aria-pressed=true]`).innerText";
                assert_eq!(page.eval(pressed).await?, scale);
            }
        }
        page.tick("algorithm-best-fit").await?;
        page.settled().await?;
        assert!(page.figure("packs").await? > 0.0);
        page.close().await
    }
}
