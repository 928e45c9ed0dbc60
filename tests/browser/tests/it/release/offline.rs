//! Without a connection: the page works after the first visit, and an update strands no page that is open.

use anyhow::{Context, Result, ensure};
use packscope_browser_tests::{Host, Page, copy, dist, script_hash};
use std::path::Path;

/// Waits until the service worker keeps the page.
async fn kept(page: &Page, versions: usize) -> Result<()> {
    let kept = format!(
        "(async () => {{
            const names = (await caches.keys()).filter(n => n.startsWith('packscope-'));
            const registration = await navigator.serviceWorker.getRegistration();
            return names.length >= {versions} && !!registration?.active && !registration.installing
                && !registration.waiting && !!navigator.serviceWorker.controller;
        }})()"
    );
    page.holds(&kept).await
}

#[tokio::test]
async fn the_page_works_without_a_connection_after_the_first_visit() -> Result<()> {
    let host = Host::new(dist())?;
    let page = Page::blank_of(&host).await?;
    page.go("data=squad_1_1_bert_384&depth=3").await?;
    let packs = page.figure("packs").await?;
    kept(&page, 1).await?;
    host.stop()?;
    page.go("data=squad_1_1_bert_384&depth=3").await?;
    assert_eq!(page.figure("packs").await?, packs);
    // Views, data and solvers that were never looked at before.
    page.go("view=graphs&data=ogbg_molhiv").await?;
    page.shown("[data-figure=packs]").await?;
    page.go("view=learn&chapter=bounds").await?;
    page.shown("article[data-chapter=bounds]").await?;
    page.go("data=glue_cola&algorithm=optimal").await?;
    page.shown("[data-figure=packs]").await?;
    page.leave().await
}

#[tokio::test]
async fn an_update_strands_no_open_page() -> Result<()> {
    let temp = std::env::temp_dir().join(format!("packscope-update-{}", std::process::id()));
    copy(&dist(), &temp)?;
    let host = Host::new(dist())?;
    let page = Page::blank_of(&host).await?;
    page.go("data=glue_cola").await?;
    kept(&page, 1).await?;
    // Another version: every folder with another name, as every change makes it.
    rename(&temp)?;
    host.change(temp.clone())?;
    page.execute(
        "return navigator.serviceWorker.getRegistration().then((r) => r.update()).then(() => 0)",
        vec![],
    )
    .await?;
    kept(&page, 2).await?;
    // The old page goes on, with parts that it had not loaded yet and the host has no more.
    page.key("5").await?;
    page.shown("article[data-chapter]").await?;
    // Loaded anew, it is the new one.
    page.go("data=glue_cola").await?;
    let app = page
        .eval("document.querySelector('script[data-app]').dataset.app")
        .await?;
    ensure!(
        app.as_str()
            .is_some_and(|name| name.starts_with("./app-0123456789abcdef/")),
        "still the old page: {app}"
    );
    page.leave().await?;
    Ok(std::fs::remove_dir_all(temp)?)
}

/// Gives every folder of programs another name, in the page and in the list of its service worker.
fn rename(folder: &Path) -> Result<()> {
    let mut texts = ["index.html", "sw.js"].map(|name| (name, String::new()));
    for (name, text) in &mut texts {
        *text = std::fs::read_to_string(folder.join(&name))?;
    }
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let old = path
            .file_name()
            .and_then(|n| n.to_str())
            .context("no name")?
            .to_owned();
        let Some((stem, hash)) = old
            .rsplit_once('-')
            .filter(|(_, hash)| path.is_dir() && hash.len() == 16)
        else {
            continue;
        };
        let new = format!("{stem}-0123456789abcdef");
        ensure!(hash != "0123456789abcdef", "renamed twice");
        std::fs::rename(&path, folder.join(&new))?;
        for (_, text) in &mut texts {
            *text = text.replace(&old, &new);
        }
    }
    for (name, text) in &mut texts {
        // A version of its own, and a list of modules that the page allows.
        let text = text.replace(
            "const VERSION = \"packscope-",
            "const VERSION = \"packscope-other-",
        );
        let after = |begin: &str| text.split_once(begin).map(|(_, after)| after);
        let modules =
            after("<script type=\"importmap\">").and_then(|text| text.split_once("</script>"));
        let known = after(" 'sha256-").and_then(|text| text.split_once('\''));
        let text = match (modules, known) {
            (Some((modules, _)), Some((known, _))) => text.replace(known, &script_hash(modules)),
            _ => text,
        };
        std::fs::write(folder.join(name), text)?;
    }
    Ok(())
}
