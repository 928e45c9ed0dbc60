//! The line of contents, and parts that are folded until they are wanted.

use anyhow::{Result, ensure};
use packscope_browser_tests::Page;

/// Opens a view with all its parts.
async fn whole(view: &str) -> Result<Page> {
    let page = Page::open(view, 1440).await?;
    page.shown("#speedup[data-state=current]").await?;
    Ok(page)
}

async fn is_open(page: &Page, id: &str) -> Result<bool> {
    page.has(&format!("details#{id}[open]")).await
}

#[tokio::test]
async fn links_lead_to_every_part_and_unfold_it() -> Result<()> {
    for view in ["data=glue_cola", "view=graphs&data=tu_mutag", "view=batches&data=glue_sst2&limit=128"] {
        let page = whole(view).await?;
        let links =
            page.eval("[...document.querySelectorAll('.sections button')].map(e => e.dataset.to)").await?;
        let links: Vec<String> = serde_json::from_value(links)?;
        ensure!(links.len() >= 6, "{view}: {links:?}");
        for to in &links {
            page.eval(&format!("document.querySelector('.sections [data-to={to}]').click()")).await?;
            page.holds(&format!(
                "(() => {{ const to = document.getElementById('{to}'), here = document.activeElement;
                    return to.tagName === 'DETAILS' ? to.open && here.parentElement === to : here === to; }})()"
            ))
            .await?;
        }
        page.close().await?;
    }
    Ok(())
}

#[tokio::test]
async fn what_few_need_is_folded_and_stays_as_it_is_left() -> Result<()> {
    let page = whole("data=glue_cola").await?;
    let folded = ["strategies", "optimiser", "bill", "assumptions", "formulae", "measured", "take"];
    for id in folded {
        ensure!(!is_open(&page, id).await?, "{id}");
    }
    // What they say is in their titles.
    page.text("row shapes carry half of all rows").await?;
    page.click("money saved").await?;
    page.shown("#bill[open] [data-figure=saved_money]").await?;
    page.unfold("#strategies").await?;
    page.eval("document.querySelector('#strategies > summary').click()").await?;
    page.holds("!document.querySelector('#strategies').open").await?;
    page.execute("document.body.dataset.old = 1; location.reload()", Vec::new()).await?;
    page.holds("!document.body.dataset.old").await?;
    page.shown("#speedup[data-state=current]").await?;
    page.shown("#bill[open] [data-figure=saved_money]").await?;
    for id in folded.into_iter().filter(|id| *id != "bill") {
        ensure!(!is_open(&page, id).await?, "{id}");
    }
    page.close().await
}

/// A link to what is hidden would lead nowhere.
#[tokio::test]
async fn what_is_hidden_has_no_link() -> Result<()> {
    let page = Page::open("data=glue_cola&hide=speedup", 1440).await?;
    page.shown(".to-speedup").await?;
    page.holds("!document.querySelector('.to-speedup').checkVisibility()").await?;
    page.close().await
}

#[tokio::test]
async fn heuristics_that_come_to_the_same_are_one_row() -> Result<()> {
    let page = Page::open("view=graphs&data=ogbg_molhiv&nodes=222&edges=502", 1440).await?;
    page.known().await?;
    let shared =
        "tr.several[data-algorithm=best-fit-published][data-heuristic~=minimum][data-heuristic~=nodes]";
    page.shown(shared).await?;
    ensure!(page.of_row("best-fit-published/minimum", "packs").await? == 3789.0);
    page.choose_row("best-fit-published/nodes").await?;
    page.settled().await?;
    page.address("algorithm=best-fit-published&heuristic=nodes").await?;
    page.shown(&format!("{shared} [data-by=nodes][aria-pressed=true]")).await?;
    page.shown(&format!("{shared} [data-by=minimum][aria-pressed=false]")).await?;
    // By name each has a row of its own.
    page.eval("document.querySelector('.of-graphs thead button').click()").await?;
    page.gone("tr.several").await?;
    page.close().await
}
