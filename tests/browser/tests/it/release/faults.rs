//! Workers that end, fall silent, or never come: the visitor is told in words, what is on screen stays, and it goes on.

use anyhow::{Context, Result};
use fantoccini::key::Key;
use packscope_browser_tests::{ASKED, Fault, Host, Page, UNKEPT, dist, keys};
use std::path::Path;

/// Runs before the page: keeps all workers, and refuses to make any where `window.forbidden` says so.
const WORKERS: &str = r"
    window.workers = [];
    const Made = Worker;
    window.Worker = function (...how) {
        if (window.forbidden) throw new DOMException('not here', 'SecurityError');
        const worker = new Made(...how);
        window.workers.push(worker);
        return worker;
    };";

/// Runs before the page: `window.late` milliseconds pass in no time, also for those who wait.
const IMPATIENT: &str = r"
    window.late = 0;
    const now = performance.now.bind(performance), later = setTimeout;
    performance.now = () => now() + window.late;
    window.setTimeout = (act, rest, ...more) => {
        if (rest <= 4000) return later(act, rest, ...more);
        const due = performance.now() + rest;
        const look = setInterval(() => {
            if (performance.now() < due) return;
            clearInterval(look);
            act(...more);
        }, 100);
        return look;
    };";

/// A worker that is ready and ends as soon as it is asked.
const ENDS: &str = "postMessage(new Uint8Array([0])); onmessage = () => { throw new WebAssembly.RuntimeError('unreachable'); };";
/// One that is ready and says no more.
const SILENT: &str = "postMessage(new Uint8Array([0]));";

/// Words of what is told.
const ENDED: &str = "The computation ended before its time";
const MISSING: &str = "What computes could not be loaded";
const NOTHING: &str = "No answer for 20 seconds.";

async fn page_of(host: &Host) -> Result<Page> {
    let page = Page::blank_of(host).await?;
    for script in [UNKEPT, WORKERS, IMPATIENT] {
        page.before_each_load(script).await?;
    }
    Ok(page)
}

/// How often something lost is told of.
async fn told(page: &Page) -> Result<u64> {
    let said = "document.querySelectorAll('[data-notice=lost]').length";
    page.eval(said).await?.as_u64().context("no number")
}

/// Waits until the page has its data, and has asked about them.
async fn asked(page: &Page) -> Result<()> {
    page.text("8,551 sequences").await?;
    page.shown("html[data-due~=asked]").await
}

/// Whether there is a button that asks once more.
async fn offered(page: &Page, words: &str) -> Result<()> {
    let there =
        format!("[...document.querySelectorAll('button')].some(b => b.textContent === '{words}')");
    page.holds(&there).await
}

/// Presses the button that asks once more, unless the page has found out by itself that all is well again: with any answer,
/// of whatever worker, it looks what it lacks, and words that change while the pointer is on its way are no button any more.
async fn again(page: &Page, words: &str) -> Result<()> {
    pressed_until(
        page,
        words,
        "document.querySelector('main[data-state=current]')",
    )
    .await?;
    well(page).await
}

/// Presses a button of what is told as often as it is offered, until there is this and nothing more to tell: several workers
/// may fall silent, and the page finds out about one after the other.
async fn pressed_until(page: &Page, words: &str, there: &str) -> Result<()> {
    let pressed = format!(
        "(() => {{
            const told = document.querySelector('[data-notice=lost]');
            [...(told?.querySelectorAll('button') ?? [])].find(b => b.textContent === '{words}')?.click();
            return !told && {there} !== null;
        }})()"
    );
    page.holds(&pressed).await
}

/// All is well.
async fn well(page: &Page) -> Result<()> {
    page.settled().await?;
    page.gone("[data-notice=lost]").await
}

#[tokio::test]
async fn a_worker_that_ends_on_every_question_is_told_of_once_and_asked_no_more() -> Result<()> {
    let host = Host::new(dist())?;
    host.spoil("worker- start.js", Fault::Instead(ENDS.into()))?;
    let page = page_of(&host).await?;
    page.visit("data=glue_cola&algorithm=greedy&room=compare")
        .await?;
    page.text(ENDED).await?;
    page.shown("main[data-state=stopped][aria-busy=false]")
        .await?;
    // Settings can still be changed; what fails again says no more.
    page.press("depth", &keys(Key::Home, 1)).await?;
    page.press("depth", &keys(Key::Right, 2)).await?;
    page.address("depth=3").await?;
    // No worker is made on and on.
    page.steady("window.workers.length").await?;
    assert_eq!(told(&page).await?, 1);
    offered(&page, "Try again").await?;
    host.heal()?;
    again(&page, "Try again").await?;
    page.compared().await?;
    assert_eq!(
        page.figure("packs").await?,
        page.of("greedy", "packs").await?
    );
    page.leave().await
}

#[tokio::test]
async fn a_worker_that_ends_twice_is_replaced_with_the_next_question() -> Result<()> {
    let host = Host::new(dist())?;
    let page = page_of(&host).await?;
    page.go("data=glue_cola&algorithm=greedy&room=compare")
        .await?;
    page.compared().await?;
    let packs = page.figure("packs").await?;
    host.spoil("worker- start.js", Fault::Instead(ENDS.into()))?;
    page.eval(
        "window.workers.forEach(worker => worker.dispatchEvent(new ErrorEvent('error', {})))",
    )
    .await?;
    page.press("depth", &keys(Key::Home, 1)).await?;
    page.text(ENDED).await?;
    // What was on screen stays.
    assert_eq!(page.figure("packs").await?, packs);
    page.press("depth", &keys(Key::Right, 1)).await?;
    page.address("depth=2").await?;
    assert_eq!(told(&page).await?, 1);
    host.heal()?;
    page.press("depth", &keys(Key::End, 1)).await?;
    page.compared().await?;
    page.settled().await?;
    assert_eq!(page.figure("packs").await?, packs);
    page.leave().await
}

#[tokio::test]
async fn a_mistake_of_ours_is_called_one() -> Result<()> {
    let host = Host::new(dist())?;
    let ends = ENDS.replace(
        "RuntimeError('unreachable')",
        "RuntimeError('panicked at src')",
    );
    host.spoil("worker- start.js", Fault::Instead(ends.into()))?;
    let page = page_of(&host).await?;
    page.visit("data=glue_cola").await?;
    page.text("The computation failed by a mistake of this page.")
        .await?;
    // Several workers fail, each in its own time; one that fails after the press is told of once more.
    page.rests().await?;
    page.click("Close").await?;
    page.gone("[data-notice=lost]").await?;
    page.leave().await
}

#[tokio::test]
async fn a_worker_that_falls_silent_is_told_of_and_started_again() -> Result<()> {
    let host = Host::new(dist())?;
    let page = page_of(&host).await?;
    page.before_each_load(ASKED).await?;
    page.go("data=glue_cola").await?;
    // With any answer, of whatever worker, the page looks what it lacks, and replaces one that keeps it waiting.
    page.rests().await?;
    // Ended by the browser, which tells nobody.
    page.eval("window.workers.forEach(worker => worker.terminate())")
        .await?;
    page.press("depth", &keys(Key::Home, 1)).await?;
    page.address("depth=1").await?;
    page.eval("window.late = 30000").await?;
    page.text(NOTHING).await?;
    offered(&page, "Start it again").await?;
    again(&page, "Start it again").await?;
    assert_eq!(page.figure("packs").await?, page.figure("items").await?);
    page.leave().await
}

#[tokio::test]
async fn a_worker_that_says_nothing_at_first_may_speak_later() -> Result<()> {
    let host = Host::new(dist())?;
    host.spoil("worker- start.js", Fault::Instead(SILENT.into()))?;
    let page = page_of(&host).await?;
    page.visit("data=glue_cola").await?;
    asked(&page).await?;
    page.eval("window.late = 30000").await?;
    page.text(NOTHING).await?;
    // As one that was busy does: it says that it is ready, which is no answer, and then that it is at work.
    let says = "window.workers.forEach(worker => worker.dispatchEvent(
        new MessageEvent('message', { data: new Uint8Array([1, 0, 1, 2]) })))";
    page.eval(says).await?;
    page.gone("[data-notice=lost]").await?;
    page.eval("window.late = 60000").await?;
    page.text(NOTHING).await?;
    pressed_until(&page, "Close", "document.body").await?;
    page.leave().await
}

#[tokio::test]
async fn a_worker_that_never_starts_is_told_of_and_tried_again() -> Result<()> {
    let host = Host::new(dist())?;
    let page = page_of(&host).await?;
    for (words, fault) in [
        ("worker- start.js", Fault::Gone),
        ("worker- worker.js", Fault::Gone),
        ("worker- worker_bg.wasm", Fault::Gone),
        ("worker- worker_bg.wasm", Fault::Cut),
    ] {
        host.spoil(words, fault)?;
        page.visit("data=glue_cola").await?;
        page.text(MISSING).await.context(words)?;
        offered(&page, "Try again").await?;
        host.heal()?;
        again(&page, "Try again").await?;
    }
    // Nothing comes, and nothing is said.
    host.spoil("worker- start.js", Fault::Instead(Vec::new()))?;
    page.visit("data=glue_cola").await?;
    asked(&page).await?;
    page.eval("window.late = 30000").await?;
    page.text(NOTHING).await?;
    offered(&page, "Start it again").await?;
    host.heal()?;
    again(&page, "Start it again").await?;
    page.before_each_load("window.forbidden = true;").await?;
    page.visit("data=glue_cola").await?;
    page.text(MISSING).await?;
    offered(&page, "Try again").await?;
    page.eval("window.forbidden = false").await?;
    again(&page, "Try again").await?;
    page.leave().await
}

#[tokio::test]
async fn a_part_of_the_worker_that_does_not_come_is_tried_again() -> Result<()> {
    let host = Host::new(dist())?;
    let page = page_of(&host).await?;
    page.go("data=glue_cola&algorithm=lpfhp").await?;
    host.spoil("worker- split_", Fault::Gone)?;
    host.spoil("worker- chunk_", Fault::Gone)?;
    page.visit("view=graphs&data=tu_mutag").await?;
    page.text(MISSING).await?;
    offered(&page, "Try again").await?;
    host.heal()?;
    again(&page, "Try again").await?;
    assert!(page.component("efficiency", 0).await? > 0.5);
    page.leave().await
}

#[tokio::test]
async fn readers_that_do_not_come_leave_what_is_shown_and_are_tried_again() -> Result<()> {
    let host = Host::new(dist())?;
    let page = page_of(&host).await?;
    page.go("data=glue_cola").await?;
    host.spoil("worker- split_reader", Fault::Gone)?;
    page.drop_file("mine.csv", "3\n5\n8\n").await?;
    page.text("mine.csv: What reads files could not be loaded")
        .await?;
    assert_eq!(page.figure("items").await?, 8551.0);
    host.heal()?;
    page.click("Try again").await?;
    page.text("3 sequences, 3–8 tokens").await?;
    well(&page).await?;
    // The same of those that come later.
    let odd = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/odd/parquet-snappy.parquet");
    let parquet = std::fs::read(odd)?;
    host.spoil("worker- split_columns", Fault::Gone)?;
    page.drop_files(&[("some.parquet", &parquet)]).await?;
    page.text("some.parquet: What reads files could not be loaded")
        .await?;
    assert_eq!(page.setting("limit").await?, 8.0);
    host.heal()?;
    page.click("Try again").await?;
    page.gone("[data-notice=lost]").await?;
    page.text("some.parquet").await?;
    well(&page).await?;
    let items = page.figure("items").await?;
    host.spoil("worker- split_texts", Fault::Gone)?;
    let tokenizer = include_str!("../../../../data/tokens/wordpiece.json");
    page.drop_file("tokenizer.json", tokenizer).await?;
    page.text("What reads files could not be loaded").await?;
    assert_eq!(page.figure("items").await?, items);
    host.heal()?;
    page.drop_file("tokenizer.json", tokenizer).await?;
    page.drop_file(
        "verses.txt",
        include_str!("../../../../data/tokens/verses.txt"),
    )
    .await?;
    page.shown("[data-figure=preview_tokens]").await?;
    page.click("Count tokens").await?;
    page.shown("[data-figure=counted_tokens]").await?;
    page.leave().await
}

/// A program whose memory cannot grow by more than these pages of 64 kB.
fn limited(wasm: &[u8], pages: u64) -> Result<Vec<u8>> {
    let mut out = wasm[..8].to_vec();
    let mut at = 8;
    while at < wasm.len() {
        let (kind, mut body) = (wasm[at], at + 1);
        let size = usize::try_from(number(wasm, &mut body)?)?;
        let end = body + size;
        let mut section = wasm[body..end].to_vec();
        // One memory, with a least size and no greatest.
        if kind == 5 && section.starts_with(&[1, 0]) {
            let mut least = 2;
            let most = number(&section, &mut least)? + pages;
            section[1] = 1;
            section.extend(leb(most));
        }
        out.push(kind);
        out.extend(leb(section.len() as u64));
        out.extend(section);
        at = end;
    }
    anyhow::ensure!(out.len() > wasm.len(), "there is no such memory");
    Ok(out)
}

fn number(bytes: &[u8], at: &mut usize) -> Result<u64> {
    let (mut value, mut shift) = (0, 0);
    loop {
        let byte = *bytes.get(*at).context("cut short")?;
        *at += 1;
        value |= u64::from(byte & 127) << shift;
        shift += 7;
        if byte < 128 {
            return Ok(value);
        }
    }
}

fn leb(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value > 127 {
        bytes.push((value & 127) as u8 | 128);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}

/// The program of workers, as it was built.
fn program() -> Result<Vec<u8>> {
    let folders = std::fs::read_dir(dist())?.filter_map(|entry| Some(entry.ok()?.path()));
    let file = |folder: std::path::PathBuf| folder.join("worker_bg.wasm");
    let found = folders
        .map(file)
        .find(|file| file.is_file())
        .context("no such worker")?;
    Ok(std::fs::read(found)?)
}

/// What starts a worker, without a look at what it starts.
const UNCHECKED: &str = "import init from './worker.js'; await init();";

#[tokio::test]
async fn a_file_that_takes_more_memory_than_there_is_changes_nothing() -> Result<()> {
    let host = Host::new(dist())?;
    let page = page_of(&host).await?;
    page.go("data=glue_cola").await?;
    host.spoil("worker- start.js", Fault::Instead(UNCHECKED.into()))?;
    host.spoil("worker_bg.wasm", Fault::Instead(limited(&program()?, 8)?))?;
    let drop = "(() => {
        const lines = Array.from({ length: 600000 }, (_, i) => `${i + 1}\n`), data = new DataTransfer();
        data.items.add(new File(lines, 'large.csv'));
        const how = { dataTransfer: data, bubbles: true, cancelable: true };
        document.querySelector('main').dispatchEvent(new DragEvent('drop', how));
    })()";
    page.eval(drop).await?;
    page.text(
        "large.csv: Reading ended before its time, most likely because the file takes more memory",
    )
    .await?;
    assert!(!page.is_waiting().await?);
    assert_eq!(page.figure("items").await?, 8551.0);
    host.heal()?;
    page.drop_file("small.csv", "3\n5\n8\n").await?;
    page.text("3 sequences, 3–8 tokens").await?;
    well(&page).await?;
    page.leave().await
}

#[tokio::test]
async fn settings_that_take_more_memory_than_there_is_leave_what_is_shown() -> Result<()> {
    let host = Host::new(dist())?;
    host.spoil("worker- start.js", Fault::Instead(UNCHECKED.into()))?;
    host.spoil("worker_bg.wasm", Fault::Instead(limited(&program()?, 2)?))?;
    let page = page_of(&host).await?;
    page.visit("").await?;
    page.text(ENDED).await?;
    host.heal()?;
    page.press("depth", &keys(Key::Home, 1)).await?;
    page.settled().await?;
    page.leave().await
}
