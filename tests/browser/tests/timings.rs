//! What a visitor waits for, with real input events. Not a test: `cargo xtask bench` runs it and records
//! the lines that begin with BENCH.

use anyhow::Result;
use fantoccini::Locator;
use fantoccini::key::Key;
use packscope_browser_tests::Page;

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
    println!("BENCH {name} n={} p50={p50:.1} p95={p95:.1} max={max:.1} ms", values.len());
}

#[tokio::test]
#[ignore = "a measurement, not a test"]
async fn opening() -> Result<()> {
    let page = Page::open("", 1440).await?;
    page.before_each_load(WATCH).await?;
    let mut times = Vec::new();
    for _ in 0..15 {
        page.go("").await?;
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        times.extend(page.eval("window.ready").await?.as_f64());
    }
    say("time to interactive", times);
    page.close().await
}

#[tokio::test]
#[ignore = "a measurement, not a test"]
async fn slider() -> Result<()> {
    let page = Page::open("", 1440).await?;
    page.before_each_load(WATCH).await?;
    for (name, hash) in
        [("wikipedia", ""), ("squad", "data=squad_1_1_bert_384"), ("sharegpt", "data=sharegpt_8k_llama2")]
    {
        page.go(hash).await?;
        page.compared().await?;
        page.eval("window.steps.length = 0").await?;
        for (control, key, steps) in
            [("limit", Key::Left, 150), ("depth", Key::Left, 8), ("depth", Key::Right, 8)]
        {
            let control = page.client.find(Locator::Id(control)).await?;
            for _ in 0..steps {
                control.send_keys(&char::from(key).to_string()).await?;
            }
        }
        page.settled().await?;
        let steps = page.eval("window.steps").await?;
        say(
            &format!("slider step to painted figures, {name}"),
            steps.as_array().into_iter().flatten().filter_map(|s| s.as_f64()).collect(),
        );
    }
    page.close().await
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
    let page = Page::open("", 1440).await?;
    page.before_each_load(CLICKS).await?;
    page.go("data=sharegpt_8k_llama2&limit=8192&depth=3&algorithm=lpfhp").await?;
    page.compared().await?;
    tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    for _ in 0..10 {
        page.click("log").await?;
        page.click("linear").await?;
    }
    let clicks = page.eval("window.clicks").await?;
    let times = clicks.as_array().into_iter().flatten().filter_map(|c| c.as_f64()).collect();
    say("click to painted frame during a search", times);
    page.close().await
}
