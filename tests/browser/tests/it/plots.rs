//! Plots as files.

use anyhow::{Context, Result, ensure};
use fantoccini::Locator;
use packscope_browser_tests::Page;

/// Runs before the page: keeps what would be saved, with its name, in `window.saved`.
pub const SAVED: &str = r"
    window.saved = [];
    const blobs = new Map(), make = URL.createObjectURL;
    URL.createObjectURL = blob => { const url = make.call(URL, blob); blobs.set(url, blob); return url; };
    HTMLAnchorElement.prototype.click = function () {
        const entry = { name: this.download, url: this.href };
        window.saved.push(entry);
        blobs.get(this.href)?.text().then(text => { entry.text = text; });
    };";

pub async fn save(page: &Page, plot: &str) -> Result<()> {
    let button = page
        .find(Locator::Css(&format!("[data-save={plot}]")))
        .await
        .context(plot.to_owned())?;
    Ok(button.click().await?)
}

pub async fn text(page: &Page, script: &str) -> Result<String> {
    Ok(page
        .eval(script)
        .await?
        .as_str()
        .unwrap_or_default()
        .to_owned())
}

/// Shows what was saved as an image, and keeps its size. One that is not well-formed has none.
async fn size(page: &Page, saved: usize, name: &str) -> Result<()> {
    let size = format!(
        "(async () => {{ const i = new Image(), {{ name, url, text }} = window.saved[{saved}]; \
         const svg = new Blob([text], {{ type: 'image/svg+xml' }}); \
         i.src = name.endsWith('.svg') ? URL.createObjectURL(svg) : url; \
         await i.decode(); window.{name} = [i.width, i.height]; }})()"
    );
    page.eval(&size).await?;
    page.holds(&format!("window.{name}?.[0] > 0")).await
}

#[tokio::test]
async fn a_plot_is_saved_with_title_data_and_settings() -> Result<()> {
    let page = Page::open_after(&[SAVED], "data=squad_1_1_bert_384&limit=384&room=all").await?;
    page.compared().await?;
    save(&page, "lengths-svg").await?;
    page.holds("window.saved[0]?.text !== undefined").await?;
    let name = text(&page, "window.saved[0].name").await?;
    ensure!(
        name.starts_with("packscope-lengths-")
            && name.ends_with(".svg")
            && name.contains("384-tokens"),
        "{name}"
    );
    let svg = text(&page, "window.saved[0].text").await?;
    let title = text(&page, "document.querySelector('.lengths h2').innerText")
        .await?
        .replace('\u{a0}', " ");
    ensure!(
        svg.contains(&format!("<title>{title}</title>")),
        "{title}: {}",
        &svg[..svg.len().min(500)]
    );
    ensure!(
        svg.contains("88,641 sequences · Maximum length 384 tokens")
            && svg.contains("Packscope · http"),
        "{svg}"
    );
    size(&page, 0, "sheet").await?;
    // PNG: twice as many pixels each way as the same sheet has units.
    save(&page, "depths-svg").await?;
    page.holds("window.saved[1]?.text !== undefined").await?;
    save(&page, "depths-png").await?;
    page.holds("window.saved[2]?.text !== undefined").await?;
    size(&page, 1, "svg").await?;
    size(&page, 2, "png").await?;
    ensure!(text(&page, "window.saved[2].name").await?.ends_with(".png"));
    let same = "[0, 1].every(k => Math.abs(window.svg[k] * 2 - window.png[k]) <= 2)";
    assert_eq!(page.eval(same).await?.as_bool(), Some(true));
    page.close().await
}

#[tokio::test]
#[ignore = "outer circle"]
async fn every_plot_of_every_view_is_saved_in_both_ways() -> Result<()> {
    let page = Page::blank(1440).await?;
    page.before_each_load(SAVED).await?;
    for view in [
        "",
        "view=graphs&data=tu_mutag",
        "view=batches&sampler=bucket&data=glue_cola",
        "view=learn&chapter=skew",
    ] {
        page.go(view).await?;
        page.shown("[data-save]").await?;
        page.settled().await?;
        let all = "(() => { const buttons = [...document.querySelectorAll('[data-save]')]; \
                   buttons.forEach(b => b.click()); window.plots = buttons.length; return buttons.length >= 2; })()";
        assert_eq!(page.eval(all).await?.as_bool(), Some(true), "{view}");
        page.holds("window.saved.length === window.plots").await?;
        let named = "window.saved.every(s => /^packscope-[a-z0-9-]+\\.(svg|png)$/.test(s.name))";
        assert_eq!(page.eval(named).await?.as_bool(), Some(true), "{view}");
    }
    page.go("hide=export").await?;
    let seen = "getComputedStyle(document.querySelector('.save')).display";
    assert_eq!(text(&page, seen).await?, "none");
    page.close().await
}
