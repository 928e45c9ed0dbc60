//! What a visitor waits for, with real input events. Not a test: `cargo xtask bench` runs it and records
//! the lines that begin with BENCH.

#![allow(
    clippy::disallowed_methods,
    reason = "it measures; the engine's ban on clocks is not its own"
)]

use crate::tasks::{self, Way::OfVisitors};
use anyhow::Result;
use fantoccini::Locator;
use fantoccini::key::Key;
use packscope_browser_tests::{Page, SAMPLERS};
use std::time::Duration;

/// Runs before the page: notes when the answer is first on screen, and how long after each input the
/// figures that follow from it are painted.
const WATCH: &str = r#"
    const painted = then => requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => then(performance.now());
        channel.port2.postMessage(0);
    });
    window.steps = [];
    let since = null;
    addEventListener('input', e => { since = e.timeStamp; }, true);
    new MutationObserver(() => {
        const main = document.querySelector('main');
        if (!main || main.dataset.state !== 'current') return;
        if (window.ready === undefined) { window.ready = null; painted(at => { window.ready = at; }); }
        if (since !== null) { const from = since; since = null; painted(at => window.steps.push(at - from)); }
    }).observe(document, { subtree: true, childList: true, attributes: true });
"#;

fn quantile(sorted: &[f64], share: f64) -> f64 {
    sorted[((sorted.len() - 1) as f64 * share).round() as usize]
}

fn say(name: &str, mut values: Vec<f64>) {
    values.sort_by(f64::total_cmp);
    let [p50, p95, max] = [0.5, 0.95, 1.0].map(|share| quantile(&values, share));
    println!(
        "BENCH {name} n={} p50={p50:.1} p95={p95:.1} max={max:.1} ms",
        values.len()
    );
}

async fn numbers(page: &Page, script: &str) -> Result<Vec<f64>> {
    let values = page.eval(script).await?;
    Ok(values
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|v| v.as_f64())
        .collect())
}

/// A page as visitors have it, which searches by itself.
async fn as_it_is() -> Result<Page> {
    Page::blank(1440).await?.searching().as_it_is().await
}

/// Scrolls through the page and back to its top: all of it is loaded, and what is out of view is not laid out.
async fn read_through(page: &Page) -> Result<()> {
    let scroll = "(async () => {
        for (let y = 0; y < document.body.scrollHeight; y += innerHeight / 2) {
            scrollTo(0, y);
            await new Promise(next => setTimeout(next, 100));
        }
        scrollTo(0, 0);
    })()";
    page.eval(scroll).await?;
    page.gone("[data-far]").await
}

/// Long enough for a frame that follows a change to be painted.
const PAINTED: Duration = Duration::from_millis(300);

#[tokio::test]
#[ignore = "a measurement, not a test"]
async fn opening() -> Result<()> {
    let page = as_it_is().await?;
    page.before_each_load(WATCH).await?;
    let mut times = Vec::new();
    for _ in 0..15 {
        page.go("").await?;
        tokio::time::sleep(PAINTED).await;
        times.extend(page.eval("window.ready").await?.as_f64());
    }
    say("time to interactive", times);
    page.close().await
}

/// The moment at which the title of a chapter was painted.
const READABLE: &str = "new MutationObserver((_, o) => {
    if (document.querySelector('article h1')) {
        o.disconnect();
        requestAnimationFrame(() => setTimeout(() => window.readable = performance.now()));
    }
}).observe(document, { childList: true, subtree: true });";

/// A link to the first chapter, followed: until it can be read.
#[tokio::test]
#[ignore = "a measurement, not a test"]
async fn opening_a_chapter() -> Result<()> {
    let page = Page::open_searching("view=learn&chapter=rectangle", 1440).await?;
    page.before_each_load(READABLE).await?;
    let mut times = Vec::new();
    for _ in 0..15 {
        page.go("view=learn&chapter=rectangle").await?;
        tokio::time::sleep(PAINTED).await;
        times.extend(page.eval("window.readable").await?.as_f64());
    }
    say("link to the first chapter until it can be read", times);
    page.close().await
}

#[tokio::test]
#[ignore = "a measurement, not a test"]
async fn slider() -> Result<()> {
    let page = as_it_is().await?;
    page.before_each_load(WATCH).await?;
    for (name, hash) in [
        ("wikipedia", ""),
        ("squad", "data=squad_1_1_bert_384"),
        ("sharegpt", "data=sharegpt_8k_llama2"),
    ] {
        page.go(hash).await?;
        read_through(&page).await?;
        page.compared().await?;
        page.eval("window.steps.length = 0").await?;
        for (control, key, steps) in [
            ("limit", Key::Left, 150),
            ("depth", Key::Left, 8),
            ("depth", Key::Right, 8),
        ] {
            let control = page.find(Locator::Id(control)).await?;
            for _ in 0..steps {
                control.send_keys(&char::from(key).to_string()).await?;
            }
        }
        page.settled().await?;
        say(
            &format!("slider step to painted figures, {name}"),
            numbers(&page, "window.steps").await?,
        );
    }
    page.close().await
}

/// Assumptions of Speed-up: nothing is packed, all estimates follow. Numbers are typed a key at a time.
#[tokio::test]
#[ignore = "a measurement, not a test"]
async fn assumptions() -> Result<()> {
    let page = as_it_is().await?;
    page.before_each_load(WATCH).await?;
    for (name, hash) in [
        ("wikipedia", ""),
        ("batches", "view=batches&sampler=bucket&data=glue_sst2"),
        ("graphs", "view=graphs"),
    ] {
        page.go(hash).await?;
        read_through(&page).await?;
        page.shown("#speedup[data-state=current]").await?;
        tokio::time::sleep(Duration::from_secs(8)).await;
        page.eval("window.steps.length = 0").await?;
        let control = page.find(Locator::Id("cost-accelerators")).await?;
        for (key, steps) in [
            (Key::Right, 9),
            (Key::Left, 12),
            (Key::Right, 12),
            (Key::Left, 12),
        ] {
            for _ in 0..steps {
                control.send_keys(&char::from(key).to_string()).await?;
                tokio::time::sleep(Duration::from_millis(60)).await;
            }
        }
        say(
            &format!("cost slider step to painted estimates, {name}"),
            numbers(&page, "window.steps").await?,
        );
    }
    page.close().await
}

/// The same in the view of graphs, where each step is waited for: some take longer than a key is held.
#[tokio::test]
#[ignore = "a measurement, not a test"]
async fn slider_of_graphs() -> Result<()> {
    let page = as_it_is().await?;
    page.before_each_load(WATCH).await?;
    for data in ["ogbg_molhiv", "like_ogbg_ppa"] {
        page.go(&format!(
            "view=graphs&data={data}&algorithm=best-fit&heuristic=nodes"
        ))
        .await?;
        read_through(&page).await?;
        page.of_row("best-fit-published/edges", "packs").await?;
        page.eval("window.steps.length = 0").await?;
        for (control, key) in [
            ("nodes", Key::Right),
            ("edges", Key::Right),
            ("nodes", Key::Left),
        ] {
            let control = page.find(Locator::Id(control)).await?;
            for _ in 0..30 {
                control.send_keys(&char::from(key).to_string()).await?;
                page.settled().await?;
            }
        }
        tokio::time::sleep(PAINTED).await;
        say(
            &format!("limit step to painted figures, {data}"),
            numbers(&page, "window.steps").await?,
        );
    }
    page.close().await
}

/// Runs before the page: when the proof, and the first and the last points of a sweep were painted, since the
/// page was opened or the last click.
const MOMENTS: &str = r#"
    window.moments = {};
    let from = 0;
    addEventListener('click', e => { from = e.timeStamp; window.moments = {}; }, true);
    const note = (moments, name) => {
        if (name in moments) return;
        moments[name] = null;
        requestAnimationFrame(() => {
            const channel = new MessageChannel();
            channel.port1.onmessage = () => { moments[name] = performance.now() - from; };
            channel.port2.postMessage(0);
        });
    };
    new MutationObserver(() => {
        const sweep = document.querySelector('[data-sweep]'), gap = document.querySelector('[data-figure=gap]');
        if (gap && gap.dataset.value === '0') note(window.moments, 'proven');
        if (sweep && sweep.dataset.points !== '0') note(window.moments, 'first');
        if (sweep && sweep.dataset.sweep === 'over') note(window.moments, 'over');
    }).observe(document, { subtree: true, childList: true, attributes: true });
"#;

#[tokio::test]
#[ignore = "a measurement, not a test"]
async fn opening_graphs_to_the_proven_optimum() -> Result<()> {
    let page = Page::open_searching("", 1440).await?;
    page.before_each_load(MOMENTS).await?;
    let mut times = Vec::new();
    for _ in 0..10 {
        page.go("view=graphs&data=ogbg_molhiv&nodes=222&edges=502&depth=256&algorithm=optimal")
            .await?;
        page.text("That is proven: no plan needs fewer").await?;
        tokio::time::sleep(PAINTED).await;
        times.extend(numbers(&page, "[window.moments.proven]").await?);
    }
    say("opening graphs to the proven optimum", times);
    page.close().await
}

/// 40 × 60 limits, best fit by nodes, on all lanes.
#[tokio::test]
#[ignore = "a measurement, not a test"]
async fn sweep() -> Result<()> {
    let page = Page::open_searching("", 1440).await?;
    page.before_each_load(MOMENTS).await?;
    let hash =
        "view=graphs&data=ogbg_molhiv&nodes=222&edges=502&algorithm=best-fit&heuristic=nodes";
    let mut times = [const { Vec::new() }; 3];
    for _ in 0..3 {
        page.go(&format!(
            "{hash}&sweep-nodes=222:456:6&sweep-edges=502:974:8"
        ))
        .await?;
        // The first starts by itself, while the rest of the page is still at work.
        page.text("2,400 of 2,400 pairs").await?;
        page.shown("[data-sweep=over]").await?;
        page.of_row("search", "packs").await?;
        page.click("Start").await?;
        page.shown("[data-sweep=running]").await?;
        page.shown("[data-sweep=over]").await?;
        tokio::time::sleep(PAINTED).await;
        times[0].extend(numbers(&page, "[window.moments.first]").await?);
        times[1].extend(numbers(&page, "[window.moments.over]").await?);
        for _ in 0..3 {
            page.click("Start").await?;
            page.shown("[data-sweep=running]:not([data-points='0'])")
                .await?;
            page.click("Cancel (Esc)").await?;
            tokio::time::sleep(PAINTED).await;
            times[2].extend(numbers(&page, "[window.moments.over]").await?);
        }
    }
    let [first, last, stopped] = times;
    say(
        "sweep of 2,400 limits, start to first points painted",
        first,
    );
    say("sweep of 2,400 limits, start to last points painted", last);
    say("sweep of 2,400 limits, cancel to stopped", stopped);
    page.close().await
}

/// What people come for, from a page that rests to the thing itself. A driver presses: people need time to read, too.
#[tokio::test]
#[ignore = "a measurement, not a test"]
async fn tasks_of_visitors() -> Result<()> {
    let names = [
        "50,000 own lengths, file to lines for TRL on the clipboard",
        "graph limits for 95 % of both, opening page to the plan's file",
        "own data with the recommended packing, file to link on the clipboard",
        "that link, opened anew, to its figures",
    ];
    let mut all = names.map(|_| Vec::new());
    for _ in 0..5 {
        let (trl, graphs) = (
            tasks::lengths_for_trl(OfVisitors).await?,
            tasks::limits_for_95_percent(OfVisitors).await?,
        );
        let [shared, reopened] = tasks::shared_and_reopened(OfVisitors).await?;
        all.iter_mut()
            .zip([trl, graphs, shared, reopened])
            .for_each(|(all, taken)| all.push(taken));
    }
    for (name, taken) in names.into_iter().zip(all) {
        let actions = taken.iter().map(|taken| taken.actions).max().unwrap_or(0);
        say(
            &format!("{name} ({actions} actions)"),
            taken.iter().map(|taken| taken.milliseconds).collect(),
        );
    }
    Ok(())
}

/// How long a click waits for its frame while a search for an optimum runs beside the page.
const CLICKS: &str = r#"
    window.clicks = [];
    addEventListener('click', e => requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => window.clicks.push(performance.now() - e.timeStamp);
        channel.port2.postMessage(0);
    }), true);
"#;

#[tokio::test]
#[ignore = "a measurement, not a test"]
async fn clicks_during_a_search() -> Result<()> {
    let page = Page::open_searching("", 1440).await?;
    page.before_each_load(CLICKS).await?;
    page.go("data=sharegpt_8k_llama2&limit=8192&depth=3&algorithm=lpfhp")
        .await?;
    page.compared().await?;
    tokio::time::sleep(Duration::from_millis(500)).await;
    for _ in 0..10 {
        page.click("log").await?;
        page.click("linear").await?;
    }
    say(
        "click to painted frame during a search",
        numbers(&page, "window.clicks").await?,
    );
    page.close().await
}

const BATCHES: &str = "view=batches&sampler=bucket&limit=128&data=glue_sst2";

/// Milliseconds that the workers took for each sampler.
async fn samplers(page: &Page) -> Result<Vec<f64>> {
    page.compared().await?;
    let mut times = Vec::new();
    for row in SAMPLERS {
        times.push(page.of_row(row, "seconds").await? * 1e3);
    }
    Ok(times)
}

/// All samplers, three epochs: with another seed the workers, which are warm by then, do all again.
#[tokio::test]
#[ignore = "a measurement, not a test"]
async fn batches_of_all_samplers() -> Result<()> {
    let page = Page::open_searching(BATCHES, 1440).await?;
    samplers(&page).await?;
    let mut times = [const { Vec::new() }; SAMPLERS.len()];
    let mut sums = Vec::new();
    for _ in 0..10 {
        page.click("reshuffle").await?;
        let all = samplers(&page).await?;
        sums.push(all.iter().sum());
        times
            .iter_mut()
            .zip(all)
            .for_each(|(times, time)| times.push(time));
    }
    SAMPLERS
        .iter()
        .zip(times)
        .for_each(|(row, times)| say(&format!("batches of sst2, 3 epochs, {row}"), times));
    say("batches of sst2, 3 epochs, all samplers", sums);
    page.close().await
}

/// 16 million sequences, three epochs. Two workers are at it at a time.
#[tokio::test]
#[ignore = "a measurement, not a test"]
async fn batches_of_wikipedia() -> Result<()> {
    let page = Page::open_searching(
        "view=batches&sampler=bucket&data=wikipedia_bert_512&limit=512",
        1440,
    )
    .await?;
    samplers(&page).await?;
    let mut times = [const { Vec::new() }; SAMPLERS.len()];
    for _ in 0..3 {
        page.click("reshuffle").await?;
        let all = samplers(&page).await?;
        times
            .iter_mut()
            .zip(all)
            .for_each(|(times, time)| times.push(time));
    }
    SAMPLERS
        .iter()
        .zip(times)
        .for_each(|(row, times)| say(&format!("batches of wikipedia, 3 epochs, {row}"), times));
    page.close().await
}

/// Runs before the page: how long after a click the figures of the sampler that was chosen are painted.
const CHOICES: &str = r#"
    window.steps = [];
    let since = null;
    addEventListener('change', e => { since = e.timeStamp; }, true);
    new MutationObserver(() => {
        const main = document.querySelector('main');
        if (since === null || !main || main.dataset.state !== 'current') return;
        const from = since;
        since = null;
        requestAnimationFrame(() => {
            const channel = new MessageChannel();
            channel.port1.onmessage = () => window.steps.push(performance.now() - from);
            channel.port2.postMessage(0);
        });
    }).observe(document, { subtree: true, childList: true, attributes: true });
"#;

/// From the choice of a sampler to its figures: its batches are made again, to be drawn.
#[tokio::test]
#[ignore = "a measurement, not a test"]
async fn choosing_a_sampler() -> Result<()> {
    let page = Page::open_searching("", 1440).await?;
    page.before_each_load(CHOICES).await?;
    page.go(BATCHES).await?;
    for _ in 0..3 {
        page.click("reshuffle").await?;
        page.compared().await?;
        for sampler in [
            "sorted",
            "length-grouped",
            "bucket-by-length",
            "token-budget",
            "packed",
            "bucket",
        ] {
            page.tick(&format!("sampler-{sampler}")).await?;
            page.compared().await?;
            tokio::time::sleep(PAINTED).await;
        }
    }
    say(
        "sampler chosen to painted figures, sst2",
        numbers(&page, "window.steps").await?,
    );
    page.close().await
}

/// Runs before the page: how long after Esc nothing is waited for any more.
const ESCAPES: &str = r#"
    window.steps = [];
    let since = null;
    addEventListener('keydown', e => { if (e.key === 'Escape') since = e.timeStamp; }, true);
    new MutationObserver(() => {
        if (since === null || document.querySelector('[data-notice=waiting]')) return;
        window.steps.push(performance.now() - since);
        since = null;
    }).observe(document, { subtree: true, childList: true });
"#;

#[tokio::test]
#[ignore = "a measurement, not a test"]
async fn cancelling_batches() -> Result<()> {
    let page = Page::open_searching("", 1440).await?;
    page.before_each_load(ESCAPES).await?;
    page.go("view=batches&sampler=random&data=wikipedia_bert_512&limit=512&epochs=1")
        .await?;
    page.fill("Epochs, of training", "60").await?;
    for _ in 0..5 {
        page.shown("[data-notice=waiting]").await?;
        page.key(&char::from(Key::Escape).to_string()).await?;
        page.gone("[data-notice=waiting]").await?;
        page.click("reshuffle").await?;
    }
    say(
        "batches of wikipedia, cancel to stopped",
        numbers(&page, "window.steps").await?,
    );
    page.close().await
}

/// Runs before the page: the longest time between two frames, in `window.longest`.
const FRAMES: &str = "window.longest = 0;
    let last = performance.now();
    const frame = now => { window.longest = Math.max(window.longest, now - last); last = now; requestAnimationFrame(frame); };
    requestAnimationFrame(frame);";

/// The most memory that a process which draws pages or works for them has taken, in megabytes; only where there is `/proc`.
fn peak() -> f64 {
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let renderers = processes.filter(|process| {
        let command = std::fs::read(process.path().join("cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&command).contains("--type=renderer")
    });
    let most = renderers.filter_map(|process| {
        let status = std::fs::read_to_string(process.path().join("status")).ok()?;
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix("VmHWM:"))?
            .to_owned();
        line.split_whitespace().next()?.parse::<f64>().ok()
    });
    most.fold(0.0, f64::max) / 1024.0
}

/// Opens a file, and waits until something is on the page; says how fast that was, and how long a frame took meanwhile.
async fn read(
    page: &Page,
    what: &str,
    file: &std::path::Path,
    before: Option<&str>,
    after: &str,
) -> Result<()> {
    let size = std::fs::metadata(file)?.len() as f64 / 1e6;
    let begin = std::time::Instant::now();
    page.find(Locator::Css("#file"))
        .await?
        .send_keys(&file.display().to_string())
        .await?;
    let mut begin = begin;
    if let Some(words) = before {
        page.text(words).await?;
        tokio::time::sleep(PAINTED).await;
        page.eval("window.longest = 0").await?;
        begin = std::time::Instant::now();
        page.click(words).await?;
    } else {
        page.eval("window.longest = 0").await?;
    }
    while !page.has(after).await? {
        tokio::time::sleep(Duration::from_millis(50)).await;
        if begin.elapsed() > Duration::from_secs(300) {
            anyhow::bail!("{what} takes too long");
        }
    }
    let seconds = begin.elapsed().as_secs_f64();
    let longest = page
        .eval("window.longest")
        .await?
        .as_f64()
        .unwrap_or_default();
    println!(
        "BENCH reading {what}: {seconds:.2} s, {:.1} MB/s, longest frame {longest:.0} ms, peak {:.0} MB",
        size / seconds,
        peak()
    );
    Ok(())
}

/// 100 MB of lengths, and 100 MB of texts in tokens. `PACKSCOPE_BIG` names the folder that `benches/reading.py` made.
#[tokio::test]
#[ignore = "a measurement, not a test"]
async fn reading() -> Result<()> {
    let Some(folder) = std::env::var_os("PACKSCOPE_BIG").map(std::path::PathBuf::from) else {
        return Ok(());
    };
    let page = Page::open_searching("", 1440).await?;
    page.before_each_load(FRAMES).await?;
    page.go("").await?;
    let own = "[data-description]";
    page.shown(own).await?;
    let records = "main[data-state=current] [data-figure=items]:not([data-value='16279552'])";
    read(
        &page,
        "lengths.csv",
        &folder.join("lengths.csv"),
        None,
        records,
    )
    .await?;
    let tokens = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/tokens");
    for name in ["wordpiece", "byte-bpe", "unigram"] {
        page.go("").await?;
        let tokenizer = tokens.join(format!("{name}.json")).canonicalize()?;
        page.find(Locator::Css("#file"))
            .await?
            .send_keys(&tokenizer.display().to_string())
            .await?;
        page.text("special token").await?;
        let what = format!("texts.jsonl with {name}");
        read(
            &page,
            &what,
            &folder.join("texts.jsonl"),
            Some("Count tokens"),
            records,
        )
        .await?;
    }
    page.client.close().await?;
    Ok(())
}
