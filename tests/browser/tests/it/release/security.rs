//! What others wrote stays text, what was changed on the way is refused, and nothing is asked of anyone else.

use anyhow::{Context, Result, bail, ensure};
use fantoccini::Locator;
use packscope_browser_tests::{Host, Page, SAVED, copy, dist};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Runs before the page: keeps what the Content-Security-Policy refuses, in `window.refused`.
const REFUSED: &str = "window.refused = []; document.addEventListener('securitypolicyviolation', e => \
    window.refused.push(`${e.violatedDirective}: ${e.blockedURI} ${e.sample}`));";

/// Everything that could be more than text, or was run.
const MADE: &str = "JSON.stringify([window.hacked ?? null, window.refused, \
    [...document.querySelectorAll('body img, body script, body iframe, body object, body embed, body base, body b > b, marquee')] \
        .map(e => e.outerHTML), \
    [...document.querySelectorAll('*')].filter(e => e.getAttributeNames().some(n => n.startsWith('on'))).map(e => e.outerHTML), \
    [...document.querySelectorAll('a[href]')].map(a => a.href).filter(h => !/^(https?|blob):/.test(h))])";

async fn nothing_was_made(page: &Page) -> Result<()> {
    let made = page.eval(MADE).await?;
    ensure!(made == "[null,[],[],[],[]]", "{made}");
    Ok(())
}

async fn click(page: &Page, selector: &str) -> Result<()> {
    Ok(page
        .find(Locator::Css(selector))
        .await
        .context(selector.to_owned())?
        .click()
        .await?)
}

/// Waits for a script to say a text.
async fn said(page: &Page, script: &str) -> Result<String> {
    page.holds(&format!("typeof ({script}) === 'string'"))
        .await?;
    Ok(serde_json::from_value(page.eval(script).await?)?)
}

const IMAGE: &str = "<img src=x onerror=window.hacked=1>";

#[tokio::test]
async fn names_and_cells_are_text_wherever_they_stand() -> Result<()> {
    let page = Page::open_after(&[REFUSED, SAVED], "room=all").await?;
    // In the name of the file, of its columns, and in cells that cannot be read.
    let file = format!("{IMAGE}\u{202e}vsc.csv");
    let table = format!(
        "{IMAGE},\"\"\"><script>window.hacked=2</script>\",length\n=1+1,<b>b</b>,12\n@x,y,<svg onload=window.hacked=3>\n-1,z,30\n"
    );
    page.drop_file(&file, &table).await?;
    // It is quoted where it is refused, and where columns are on offer.
    page.shown("[data-another] [data-records='4']").await?;
    page.shown("#another-field").await?;
    nothing_was_made(&page).await?;
    page.click("Read without 1 record that cannot be read")
        .await?;
    page.text("2 sequences").await?;
    page.settled().await?;
    let name = format!("{IMAGE}vsc.csv");
    // Shown, or folded up where few want to see it.
    for words in ["<svg onload=window.hacked=3>", IMAGE, &name] {
        page.holds(&format!(
            "document.body.textContent.includes({})",
            json!(words)
        ))
        .await?;
    }
    nothing_was_made(&page).await?;
    // In lines to paste, in tables, in the title of a plot.
    page.unfold("#take").await?;
    page.text(&format!("# {name}: limit 30")).await?;
    click(&page, "#take [data-file$='figures.md']").await?;
    let markdown =
        "Object.entries(window.saved).find(([n]) => n.endsWith('figures.md'))?.[1] ?? null";
    let markdown = said(&page, markdown).await?;
    ensure!(
        markdown.starts_with("**Figures of \\<img src=x onerror=window.hacked=1>vsc.csv**"),
        "{markdown}"
    );
    page.eval("document.getElementById('take').open = false")
        .await?;
    click(&page, "[data-save=lengths-svg]").await?;
    let svg = "Object.entries(window.saved).find(([n]) => n.endsWith('.svg'))?.[1] ?? null";
    let svg = said(&page, svg).await?;
    ensure!(
        svg.contains("&lt;img src=x") && !svg.contains("<img"),
        "{svg}"
    );
    let files: Vec<String> = serde_json::from_value(page.eval("Object.keys(window.saved)").await?)?;
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '.';
    ensure!(
        files.iter().all(|file| file.chars().all(plain)),
        "{files:?}"
    );
    nothing_was_made(&page).await?;
    // In a link, which somebody else may have made.
    let link = page.address("data=own1.").await?;
    page.go(&link).await?;
    page.text("2 sequences").await?;
    nothing_was_made(&page).await?;
    for hash in [
        "data=<img src=x onerror=window.hacked=4>",
        "view=%3Cscript%3E&limit=javascript:1",
        "data=own1.<b>",
    ] {
        page.go(hash).await?;
        page.text("16,279,552 sequences").await?;
        nothing_was_made(&page).await?;
    }
    page.close().await
}

#[tokio::test]
async fn several_files_and_sizes_are_text_too() -> Result<()> {
    let page = Page::open_after(&[REFUSED], "").await?;
    let files = [
        ("\"><script>window.hacked=1</script>.csv", "length\n3\n5\n"),
        ("'=cmd|x'!A0.csv", "length\n4\n"),
    ];
    page.drop_files(&files.map(|(name, text)| (name, text.as_bytes())))
        .await?;
    page.text("2 files, read as one").await?;
    for (name, _) in files {
        page.text(name).await?;
    }
    nothing_was_made(&page).await?;
    // Neither a tokenizer nor what it is to count.
    page.drop_file(
        &format!("{IMAGE}.json"),
        include_str!("../../../../data/tokens/wordpiece.json"),
    )
    .await?;
    page.text("special token").await?;
    page.drop_file(
        &format!("{IMAGE}.jsonl"),
        &format!("{{\"text\":\"{IMAGE} <b>x</b>\"}}\n"),
    )
    .await?;
    page.text(&format!("Count the tokens of {IMAGE}.jsonl"))
        .await?;
    nothing_was_made(&page).await?;
    page.close().await
}

/// A copy of the page in which one file differs, though it is as valid as before.
fn tampered(file: &str) -> Result<PathBuf> {
    let folder = std::env::temp_dir().join(format!(
        "packscope-tampered-{}-{}",
        std::process::id(),
        file.replace('/', "-")
    ));
    let _ = std::fs::remove_dir_all(&folder);
    copy(&dist(), &folder)?;
    let path = found(&folder, file)?;
    let mut contents = std::fs::read(&path)?;
    contents.extend(match path.extension().and_then(|e| e.to_str()) {
        // A section that nobody reads.
        Some("wasm") => &b"\0\x02\x01x"[..],
        Some("js") => b"\nwindow.hacked = 1;\n",
        _ => b"\nbody { display: none }\n",
    });
    std::fs::write(path, contents)?;
    Ok(folder)
}

/// `app/app.js` in the folder whose name begins with `app-`; `style.css` likewise.
fn found(folder: &Path, file: &str) -> Result<PathBuf> {
    let (first, rest) = file
        .split_once('/')
        .map_or((file, None), |(first, rest)| (first, Some(rest)));
    let (stem, extension) = first.split_once('.').unwrap_or((first, ""));
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path
            .file_name()
            .and_then(|n| n.to_str())
            .unwrap_or_default();
        let (hash, end) = name.split_once('.').unwrap_or((name, ""));
        let is_hash = |hash: &str| hash.len() >= 12 && hash.bytes().all(|b| b.is_ascii_hexdigit());
        if hash.strip_prefix(&format!("{stem}-")).is_some_and(is_hash) && end == extension {
            return Ok(rest.map_or(path.clone(), |rest| path.join(rest)));
        }
    }
    bail!("{file} is not in the page")
}

/// Waits until the browser says that something is not what the page has said it must be.
async fn refused(page: &Page) -> Result<()> {
    for _ in 0..1200 {
        let said = page.console().await?;
        if said.iter().any(|entry| {
            entry["message"]
                .as_str()
                .is_some_and(|m| m.contains("integrity"))
        }) {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    bail!("nothing was refused")
}

#[tokio::test]
async fn what_was_changed_on_the_way_is_refused() -> Result<()> {
    let host = Host::new(dist())?;
    let page = Page::blank_of(&host).await?;
    // Unchanged it opens.
    page.go("").await?;
    for file in ["app/app.js", "app/__wasm_split.js", "app/app_bg.wasm"] {
        let folder = tampered(file)?;
        host.change(folder.clone())?;
        page.visit("").await?;
        refused(&page).await.context(file)?;
        // Nothing of it was run, and nothing that rests on it.
        let ran = page
            .eval("[document.querySelector('main') !== null, window.hacked ?? 0]")
            .await?;
        ensure!(ran == json!([false, 0]), "{file}: {ran}");
        std::fs::remove_dir_all(folder)?;
    }
    // The page works without its style, and says so where a part of it cannot be had.
    for (file, hash, outcome) in [
        ("style.css", "", "16,279,552 sequences"),
        (
            "app/split_learn.bin",
            "view=learn",
            "This part of the page could not be loaded",
        ),
    ] {
        let folder = tampered(file)?;
        host.change(folder.clone())?;
        page.visit(hash).await?;
        refused(&page).await.context(file)?;
        page.text(outcome).await.context(file)?;
        std::fs::remove_dir_all(folder)?;
    }
    let folder = tampered("worker/worker_bg.wasm")?;
    host.change(folder.clone())?;
    // Too much work for the page itself.
    page.visit("algorithm=greedy").await?;
    refused(&page).await?;
    ensure!(
        !page.has("[data-figure=packs]").await?,
        "a worker that was changed has answered"
    );
    page.leave().await?;
    Ok(std::fs::remove_dir_all(folder)?)
}

/// What Chromium asks of its maker for itself, with or without a page.
const CHROMIUM: [&str; 5] = [
    "//clients2.google.com/time/",
    "accounts.google.com:443",
    "content-autofill.googleapis.com:443",
    "optimizationguide-pa.googleapis.com:443",
    "update.googleapis.com",
];

/// A whole visit through a proxy that hears whatever is asked of other hosts: by the page, by its workers, by its service
/// worker, by the browser for them.
#[tokio::test]
async fn a_visit_asks_nothing_of_anyone_else() -> Result<()> {
    let (host, others) = (Host::new(dist())?, Host::new(PathBuf::from("nowhere"))?);
    let proxy = format!("--proxy-server=http://{}", others.address());
    let page = Page::begin(host.url(), 1440, &[&proxy]).await?;
    page.before_each_load(REFUSED).await?;
    page.go("data=squad_1_1_bert_384&room=all").await?;
    page.compared().await?;
    page.drop_file("mine.csv", "length\n3\n5\n8\n").await?;
    page.text("3 sequences").await?;
    page.settled().await?;
    page.unfold("#take").await?;
    page.text("import torch").await?;
    page.click("Share").await?;
    page.shown("#share-link").await?;
    for view in [
        "view=graphs&data=tu_mutag",
        "view=batches&sampler=bucket&data=glue_cola",
        "view=learn&chapter=bounds",
        "algorithm=optimal",
    ] {
        page.go(view).await?;
    }
    page.drop_file(
        "wordpiece.json",
        include_str!("../../../../data/tokens/wordpiece.json"),
    )
    .await?;
    page.text("special token").await?;
    page.drop_file(
        "verses.txt",
        include_str!("../../../../data/tokens/verses.txt"),
    )
    .await?;
    page.click("Count tokens").await?;
    page.shown("[data-figure=counted_tokens]").await?;
    let parquet = std::fs::read(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/odd/parquet-snappy.parquet"),
    )?;
    page.drop_files(&[("lengths.parquet", &parquet)]).await?;
    page.shown("main[data-state=current] [data-figure=items][data-value='3']")
        .await?;
    // Kept by its service worker, and opened from there.
    let kept = "(async () => !!(await navigator.serviceWorker.ready).active)()";
    ensure!(page.eval(kept).await? == true, "the page was not kept");
    host.stop()?;
    page.go("data=squad_1_1_bert_384").await?;
    nothing_was_made(&page).await?;
    let own = |asked: &String| !CHROMIUM.iter().any(|host| asked.contains(host));
    let heard: Vec<String> = others.heard().into_iter().filter(own).collect();
    ensure!(heard.is_empty(), "asked of others: {heard:?}");
    // Something that is asked is heard.
    let _ = page.client.goto("http://someone.else.invalid/").await;
    ensure!(
        others
            .heard()
            .iter()
            .any(|asked| asked.contains("someone.else")),
        "the proxy hears nothing"
    );
    page.leave().await
}

/// Workers have no policy but that of their own response, which a static host has none of: so this is read, not tried.
#[test]
fn no_script_of_the_page_makes_code_of_text() -> Result<()> {
    let (mut folders, mut scripts) = (vec![dist()], 0);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "js" || e == "html") {
                let text = std::fs::read_to_string(&path)?;
                for way in ["eval(", "new Function", "document.write", "importScripts"] {
                    ensure!(!text.contains(way), "{}: {way}", path.display());
                }
                scripts += 1;
            }
        }
    }
    // index.html, sw.js, two of the page and three of its worker.
    ensure!(scripts >= 7, "only {scripts} scripts were read");
    Ok(())
}
