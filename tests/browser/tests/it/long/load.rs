//! The page under load: changes that come faster than answers, large data, thousands of questions.
#![allow(
    clippy::disallowed_methods,
    reason = "the measurement has a clock; the engine's ban is not its own"
)]

use anyhow::{Context, Result, bail, ensure};
use packscope::api::{self, batch, tuple};
use packscope::histogram::Histogram;
use packscope::packing::go_on;
use packscope_browser_tests::Page;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Runs before the page: notes in `window.seen`, whenever the page says that it is current, the settings on screen with
/// the figures on screen, and in `window.wrong` those that once had others. A control shows what a hand does to it before
/// the page has heard of it: a moment counts once all is drawn.
const WATCH: &str = r#"
    window.seen = new Map();
    window.wrong = [];
    window.looks = 0;
    const value = id => document.getElementById(id)?.value;
    // What the list names may still be on its way: what is shown says how much it is.
    const sizes = { '67,349': 'glue_sst2', '8,551': 'glue_cola', '32,901': 'ogbg_molhiv' };
    const data = () => sizes[document.querySelector('[data-description]')?.textContent.split(' ')[0]];
    const look = () => {
        if (document.documentElement.dataset.due?.includes('drawing')) return;
        const main = document.querySelector('main');
        if (main?.dataset.state !== 'current' || main.dataset.view === 'learn') return;
        const chosen = name => main.querySelector(`[name=${name}]:checked`)?.value;
        const settings = {
            view: main.dataset.view, data: data(), limit: value('limit'), nodes: value('nodes'),
            edges: value('edges'), depth: document.getElementById('depth')?.getAttribute('aria-valuetext'),
            overlong: value('overlong'), algorithm: value('algorithm') ?? chosen('algorithm'), heuristic: chosen('heuristic') ?? 'nodes',
            sampler: chosen('sampler'),
            batch: document.getElementById('batch')?.getAttribute('aria-valuetext')?.replaceAll(',', '').match(/[0-9]+/)?.[0],
        };
        const figures = {};
        for (const name of ['items', 'packs', 'batches', 'slots', 'max_depth', 'waste_tokens']) {
            figures[name] = Number(main.querySelector(`[data-figure=${name}]`)?.dataset.value ?? NaN);
        }
        const [key, said] = [JSON.stringify(settings), JSON.stringify(figures)];
        if ((window.seen.get(key) ?? said) !== said && settings.algorithm !== 'optimal') window.wrong.push([key, said]);
        window.seen.set(key, said);
        window.looks++;
    };
    const frame = () => { look(); requestAnimationFrame(frame); };
    requestAnimationFrame(frame);
"#;

/// What a hand can do, and what it does: so many things, by chance, some at once and some before the answer is there.
const HAND: &str = r#"
    let bits = arguments[2];
    const below = n => { bits = (Math.imul(bits, 1664525) + 1013904223) >>> 0; return Math.floor(bits / 2 ** 32 * n); };
    const of = (...all) => all[below(all.length)];
    const set = (id, to) => {
        const field = document.getElementById(id);
        if (!field || (field.options && ![...field.options].some(option => option.value === to))) return;
        field.value = to;
        field.dispatchEvent(new Event(field.tagName === 'SELECT' ? 'change' : 'input', { bubbles: true }));
    };
    const tick = id => document.getElementById(id)?.click();
    const view = name => [...document.querySelectorAll('nav button')].find(tab => tab.textContent === name)?.click();
    const hands = {
        limit: () => set('limit', 30 + below(37)),
        depth: () => set('depth', below(9)),
        algorithm: () => set('algorithm', of('lpfhp', 'spfhp', 'average-target', 'greedy', 'best-fit-decreasing', 'sort', 'none', 'nnlshp')),
        overlong: () => set('overlong', of('truncate', 'drop', 'split')),
        data: () => set('data', of('glue_sst2', 'glue_cola')),
        nodes: () => set('nodes', 180 + below(60)),
        edges: () => set('edges', 400 + below(100)),
        graphs: () => tick('algorithm-' + of('best-fit', 'first-fit', 'best-fit-published', 'nodes-only', 'none')),
        heuristic: () => tick('heuristic-' + of('product', 'sum', 'nodes', 'edges')),
        sampler: () => tick('sampler-' + of('random', 'sorted', 'length-grouped', 'bucket-by-length', 'token-budget', 'bucket', 'packed')),
        batch: () => set('batch', 16 + below(64)),
        view: () => view(of('Sequences', 'Graphs', 'Batches', 'Learn', 'Sequences')),
    };
    // Now and then the hand waits to see what it did, where figures are to be seen.
    const rest = async () => {
        const until = performance.now() + 20000;
        const before = document.querySelector('main')?.dataset.view === 'learn' ? NaN : window.looks;
        while (window.looks === before && performance.now() < until) await new Promise(next => setTimeout(next, 20));
    };
    const [names, times] = arguments;
    for (let i = 0; i < times; i++) {
        hands[of(...names)]();
        const pause = of(0, 0, 1, 4, 15, 40, 90, null);
        if ((pause === null || i % 8 === 7) && window.looks !== undefined) await rest();
        else await new Promise(next => setTimeout(next, pause ?? 90));
    }
"#;

/// What was on screen while the page said that it was current.
#[derive(Debug)]
struct Moment {
    settings: Value,
    figures: Value,
}

impl Moment {
    fn text(&self, name: &str) -> &str {
        self.settings[name].as_str().unwrap_or_default()
    }

    fn number(&self, name: &str) -> Result<u32> {
        Ok(self.text(name).parse()?)
    }
}

/// The page with what it was watched doing.
async fn watched(hash: &str) -> Result<Page> {
    let page = Page::open_after(&[WATCH], hash).await?;
    Ok(page)
}

async fn hand(page: &Page, hands: &[&str], times: u32, seed: u32) -> Result<()> {
    page.execute(
        &format!("return (async () => {{ {HAND} }})()"),
        vec![json!(hands), json!(times), json!(seed)],
    )
    .await?;
    Ok(())
}

/// All that was seen, once the page has come to rest; the same settings always had the same figures.
async fn seen(page: &Page) -> Result<Vec<Moment>> {
    page.settled().await?;
    let wrong = page.eval("window.wrong").await?;
    ensure!(
        wrong == json!([]),
        "the same settings with other figures: {wrong}"
    );
    let seen = page
        .eval("[...window.seen].map(pair => pair.map(JSON.parse))")
        .await?;
    let moment = |pair: &Value| Moment {
        settings: pair[0].clone(),
        figures: pair[1].clone(),
    };
    Ok(seen.as_array().into_iter().flatten().map(moment).collect())
}

/// The figures of an address that is opened anew are those that are on screen.
async fn same_when_opened_anew(page: &Page) -> Result<()> {
    let figures = "['packs', 'items', 'slots', 'strategies', 'efficiency', 'efficiency_harmonic', 'batches', 'padding_share', 'waste_tokens']
        .map(name => document.querySelector(`main [data-figure=${name}]`)?.dataset.value ?? null)";
    page.settled().await?;
    let before = page.eval(figures).await?;
    // The address follows when the hand rests.
    let hash: String = serde_json::from_value(page.steady("location.hash.slice(1)").await?)?;
    page.go(&hash).await?;
    ensure!(page.eval(figures).await? == before, "{hash}: {before}");
    Ok(())
}

/// What the engine says to the settings that were on screen.
#[derive(Default)]
struct Expected {
    lengths: BTreeMap<String, Histogram<1>>,
    graphs: BTreeMap<String, Histogram<2>>,
}

impl Expected {
    fn new(lengths: &[&str], graphs: &[&str]) -> Result<Self> {
        fn of<const K: usize>(names: &[&str]) -> Result<BTreeMap<String, Histogram<K>>> {
            let read = |name: &&str| {
                let path = format!(
                    "{}/../../static/datasets/{name}.csv",
                    env!("CARGO_MANIFEST_DIR")
                );
                let histogram = Histogram::from_built_in(&std::fs::read_to_string(path)?);
                Ok((
                    (*name).to_owned(),
                    histogram.with_context(|| (*name).to_owned())?,
                ))
            };
            names.iter().map(read).collect()
        }
        Ok(Self {
            lengths: of(lengths)?,
            graphs: of(graphs)?,
        })
    }

    /// Whether the figures of a moment are those of its settings.
    fn check(&self, moment: &Moment) -> Result<()> {
        let figures = match moment.text("view") {
            "sequences" => self.packed(moment)?,
            "graphs" => self.packed_graphs(moment)?,
            "batches" => self.batched(moment)?,
            view => bail!("{view}"),
        };
        // The search for the optimum may still have been going on.
        let best = moment.text("algorithm") == "optimal";
        for (name, expected) in figures {
            let shown = moment.figures[name].as_u64();
            if best && (name == "max_depth" || name == "packs" && shown > Some(expected)) {
                continue;
            }
            ensure!(
                shown == Some(expected),
                "{name} {shown:?} instead of {expected}: {moment:?}"
            );
        }
        Ok(())
    }

    fn packed(&self, moment: &Moment) -> Result<Vec<(&'static str, u64)>> {
        let settings = api::Settings {
            limit: moment.number("limit")?,
            depth: moment.text("depth").parse()?,
            algorithm: moment.text("algorithm").parse()?,
            overlong: moment.text("overlong").parse()?,
            ..api::Settings::default()
        };
        let h = self
            .lengths
            .get(moment.text("data"))
            .context("other data")?;
        let f = api::run_on(h, &settings, 0, &mut go_on)?.figures;
        let waste = f.waste_tokens[0];
        Ok(vec![
            ("items", f.items),
            ("packs", f.packs),
            ("max_depth", f.max_depth),
            ("waste_tokens", waste),
        ])
    }

    fn packed_graphs(&self, moment: &Moment) -> Result<Vec<(&'static str, u64)>> {
        let settings = tuple::Settings {
            limits: vec![moment.number("nodes")?, moment.number("edges")?],
            depth: moment.text("depth").parse()?,
            algorithm: moment.text("algorithm").parse()?,
            heuristic: moment.text("heuristic").parse()?,
            overlong: moment.text("overlong").parse()?,
            ..tuple::Settings::default()
        };
        let h = self.graphs.get(moment.text("data")).context("other data")?;
        let f = tuple::run_on(h, &settings, 0, &mut go_on)?.figures;
        Ok(vec![
            ("items", f.items),
            ("packs", f.packs),
            ("max_depth", f.max_depth),
        ])
    }

    fn batched(&self, moment: &Moment) -> Result<Vec<(&'static str, u64)>> {
        let settings = batch::Settings {
            limit: moment.number("limit")?,
            overlong: moment.text("overlong").parse()?,
            sampler: moment.text("sampler").parse()?,
            batch: moment.number("batch")?,
            epochs: 1,
            ..batch::Settings::default()
        };
        let h = self
            .lengths
            .get(moment.text("data"))
            .context("other data")?;
        let prepared = batch::PreparedBatches::new(&h.with_zero(), false, &settings)?;
        let epoch = prepared.epoch_of(&settings, 0, &mut go_on)?;
        Ok(vec![("batches", epoch.batches)])
    }
}

/// A hundred changes, then the figures of every moment at which the page said that they were current.
async fn hundred(hash: &str, hands: &[&str], expected: &Expected) -> Result<()> {
    let page = watched(hash).await?;
    page.settled().await?;
    hand(&page, hands, 100, 7).await?;
    let seen = seen(&page).await?;
    ensure!(seen.len() > 5, "{seen:?}");
    for moment in &seen {
        expected.check(moment)?;
    }
    same_when_opened_anew(&page).await?;
    page.close().await
}

const SST2: &str = "data=glue_sst2&limit=66&depth=3&algorithm=lpfhp";

#[tokio::test]
async fn a_hundred_quick_changes_of_sequences() -> Result<()> {
    let expected = Expected::new(&["glue_sst2", "glue_cola"], &[])?;
    hundred(
        SST2,
        &["limit", "limit", "depth", "algorithm", "overlong", "data"],
        &expected,
    )
    .await
}

#[tokio::test]
async fn a_hundred_quick_changes_of_graphs() -> Result<()> {
    let expected = Expected::new(&[], &["ogbg_molhiv"])?;
    let hash =
        "view=graphs&data=ogbg_molhiv&nodes=222&edges=502&algorithm=best-fit&heuristic=nodes";
    hundred(
        hash,
        &["nodes", "edges", "depth", "graphs", "heuristic"],
        &expected,
    )
    .await
}

#[tokio::test]
async fn a_hundred_quick_changes_of_batches() -> Result<()> {
    let expected = Expected::new(&["glue_sst2", "glue_cola"], &[])?;
    let hands = ["limit", "batch", "batch", "sampler", "overlong", "data"];
    hundred(
        &format!("view=batches&sampler=bucket&{SST2}"),
        &hands,
        &expected,
    )
    .await
}

#[tokio::test]
async fn a_hundred_quick_changes_of_everything() -> Result<()> {
    let expected = Expected::new(&["glue_sst2", "glue_cola"], &["ogbg_molhiv"])?;
    let hands = [
        "view",
        "limit",
        "depth",
        "algorithm",
        "data",
        "nodes",
        "heuristic",
        "sampler",
        "batch",
    ];
    hundred(&format!("{SST2}&room=all"), &hands, &expected).await
}

/// There and back before the answer is there: what was current stays, and is not overtaken by what was left.
#[tokio::test]
async fn what_is_left_again_at_once_does_not_come_back() -> Result<()> {
    let page = watched(&format!("{SST2}&room=compare")).await?;
    let packs = page.figure("packs").await?;
    let away = "(async () => {
        const field = document.getElementById('limit');
        for (const to of [40, 66, 50, 66]) {
            field.value = to;
            field.dispatchEvent(new Event('input', { bubbles: true }));
            await new Promise(next => setTimeout(next, 0));
        }
        await new Promise(next => setTimeout(next, 500));
    })()";
    page.eval(away).await?;
    page.compared().await?;
    ensure!((page.setting("limit").await?, page.figure("packs").await?) == (66.0, packs));
    page.close().await
}

/// Runs before the page: answers of workers are kept in `window.kept` so long as that is a list.
const KEPT: &str = "const { set } = Object.getOwnPropertyDescriptor(Worker.prototype, 'onmessage');
    Object.defineProperty(Worker.prototype, 'onmessage', { set(hear) {
        set.call(this, hear && (event => window.kept ? window.kept.push(() => hear(event)) : hear(event)));
    } });";

/// There and back between two drawings, with an answer to what was left long before in between: it replaces the one on
/// screen, which is asked for again.
#[tokio::test]
async fn an_answer_that_comes_between_there_and_back_is_not_the_last() -> Result<()> {
    let page = Page::blank(1440).await?;
    page.before_each_load(KEPT).await?;
    let batches = format!("view=batches&sampler=bucket&{SST2}");
    for (hash, field, [there, away], figure) in [
        (SST2, "limit", [66, 40], "packs"),
        (
            "view=graphs&data=tu_mutag&nodes=28&edges=66&algorithm=best-fit",
            "nodes",
            [28, 40],
            "packs",
        ),
        (&batches, "limit", [66, 40], "padding_share"),
    ] {
        page.go(&format!("{hash}&room=compare")).await?;
        page.known().await?;
        let before = page.figure(figure).await?;
        let set = format!(
            "window.set = to => {{
                const field = document.getElementById('{field}');
                field.value = to;
                field.dispatchEvent(new Event('input', {{ bubbles: true }}));
            }};"
        );
        page.execute(
            &format!("{set} window.kept = []; window.set({away});"),
            vec![],
        )
        .await?;
        page.holds("window.kept.length > 0").await?;
        page.eval(&format!("window.set({there})")).await?;
        page.settled().await?;
        let between = "const [there, away] = arguments, kept = window.kept;
            window.kept = undefined;
            window.set(away + 1);
            kept.forEach(hear => hear());
            window.set(there);";
        page.execute(between, vec![json!(there), json!(away)])
            .await?;
        page.compared().await.with_context(|| hash.to_owned())?;
        ensure!(page.figure(figure).await? == before, "{hash}");
    }
    page.close().await
}

/// Keys that come before the page is drawn again: what is typed last is what stands in the field.
#[tokio::test]
async fn a_field_that_is_emptied_quickly_keeps_what_is_typed() -> Result<()> {
    let page = Page::open(SST2, 1440).await?;
    let typed = "(async texts => {
        const field = document.querySelector('[aria-label=\"Maximum length, tokens\"]');
        const shown = [];
        for (const together of texts) {
            for (const text of together) {
                field.value = text;
                field.dispatchEvent(new InputEvent('input', { bubbles: true }));
            }
            await new Promise(next => setTimeout(next, 150));
            shown.push(field.value);
        }
        return shown;
    })";
    let texts = json!([
        ["6", ""],
        ["5"],
        ["", "4"],
        ["40", "4", ""],
        [""],
        ["3", "30"],
        ["", "5", "55", "5"],
        ["51"]
    ]);
    let shown = page.eval(&format!("{typed}({texts})")).await?;
    ensure!(
        shown == json!(["", "5", "4", "", "", "30", "5", "51"]),
        "{shown}"
    );
    page.settled().await?;
    ensure!(page.setting("limit").await? == 51.0);
    page.close().await
}

/// Runs before the page: keeps a copy of every question to a worker, and the address of the first worker.
const QUESTIONS: &str = "window.asked = [];
    const { postMessage } = Worker.prototype, Real = Worker;
    Worker.prototype.postMessage = function (message, ...rest) {
        window.asked.push((message[0] ?? message).slice());
        return postMessage.call(this, message, ...rest);
    };
    window.Worker = class extends Real {
        constructor(url, options) {
            super(url, options);
            window.first ??= String(new URL(url, location));
        }
    };";

/// Asks a worker of its own the questions that the page has asked, so many times, and says how large its memory is after
/// a tenth of them and after all. A module of ours takes hold of the memory, then starts the worker as the page does.
const ASK: &str = r#"
    const source = `const { instantiateStreaming, instantiate } = WebAssembly;
        const keep = made => { self.kept ??= (made.instance ?? made).exports.memory; return made; };
        WebAssembly.instantiateStreaming = (...all) => instantiateStreaming.apply(WebAssembly, all).then(keep);
        WebAssembly.instantiate = (...all) => instantiate.apply(WebAssembly, all).then(keep);
        addEventListener('message', event => {
            if (event.data !== 'size') return;
            event.stopImmediatePropagation();
            postMessage(self.kept.buffer.byteLength);
        });
        await import(${JSON.stringify(window.first)});`;
    const worker = new Worker(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })), { type: 'module' });
    let hear;
    worker.onmessage = event => hear(event.data);
    worker.onerror = event => hear(event.message ?? 'failed');
    const reply = until => new Promise(found => { hear = said => { if (until(said)) found(said); }; });
    const size = async () => { const told = reply(said => typeof said === 'number'); worker.postMessage('size'); return told; };
    await reply(said => said[0] === 0);
    const [data, report] = [window.asked.filter(ask => ask[0] === 0), window.asked.filter(ask => String(ask.slice(0, 5)) === "1,1,0,0,0")];
    const sizes = [];
    for (let i = 0; i < arguments[0]; i++) {
        if (i % 500 === 0) worker.postMessage([data[i / 500 % data.length]]);
        // All but signs of progress is the answer: answers (2) from the first on (0), one of them (1), that is none of the
        // engine's errors (0), about sequences (0), a report (0).
        const said = reply(said => said[0] !== 1);
        worker.postMessage([report[i % report.length]]);
        const kind = String((await said).slice(0, 6));
        if (kind !== "2,0,1,0,0,0") throw new Error(`answer ${i} is of kind ${kind}`);
        if (i + 1 === arguments[0] / 10 || i + 1 === arguments[0]) sizes.push(await size());
    }
    worker.terminate();
    return [report.length, ...sizes];
"#;

#[tokio::test]
async fn ten_thousand_questions_do_not_grow_a_worker() -> Result<()> {
    let page = Page::blank(1440).await?;
    page.devtools("Page.setBypassCSP", json!({ "enabled": true }))
        .await?;
    page.before_each_load(QUESTIONS).await?;
    // What goes item by item is left to a worker.
    page.go(&SST2.replace("lpfhp", "greedy")).await?;
    hand(&page, &["limit", "limit", "depth", "data"], 60, 3).await?;
    page.settled().await?;
    let script = format!("return (async (...arguments) => {{ {ASK} }})(...arguments)");
    let sizes = page.execute(&script, vec![json!(10_000)]).await?;
    let sizes: Vec<u64> = serde_json::from_value(sizes)?;
    let [questions, early, late] = sizes[..] else {
        bail!("{sizes:?}")
    };
    println!(
        "BENCH memory of a worker after 1,000 and 10,000 of {questions} questions: {early} and {late} bytes"
    );
    ensure!(questions > 10 && early > 0 && early == late, "{sizes:?}");
    page.leave().await
}

/// What the page holds, after all that nobody holds has been let go: nodes, listeners, bytes of JavaScript.
async fn held(page: &Page) -> Result<[f64; 3]> {
    page.devtools("HeapProfiler.collectGarbage", json!({}))
        .await?;
    let metrics = page.devtools("Performance.getMetrics", json!({})).await?;
    let metric = |name: &str| {
        let found = metrics["metrics"]
            .as_array()
            .into_iter()
            .flatten()
            .find(|m| m["name"] == name);
        found
            .and_then(|m| m["value"].as_f64())
            .with_context(|| name.to_owned())
    };
    Ok([
        metric("Nodes")?,
        metric("JSEventListeners")?,
        metric("JSHeapUsedSize")?,
    ])
}

/// Opens a view and waits until it is current, by scripts alone: elements that the driver is given, it holds.
async fn open(page: &Page, view: &str) -> Result<()> {
    page.eval(&format!(
        "[...document.querySelectorAll('nav button')].find(tab => tab.textContent === '{view}').click()"
    ))
    .await?;
    page.holds("document.querySelector('main[data-state=current]') !== null")
        .await
}

/// Every view is opened and worked in, over and over: the page holds what it held after the first time.
#[tokio::test]
async fn hundreds_of_changes_leave_nothing_behind_in_the_page() -> Result<()> {
    let page = Page::open(&format!("{SST2}&room=all"), 1440).await?;
    page.devtools("Performance.enable", json!({})).await?;
    let hands = [
        "limit",
        "depth",
        "algorithm",
        "nodes",
        "sampler",
        "batch",
        "data",
        "view",
    ];
    let mut before = [f64::MAX; 3];
    for round in 0..4 {
        for view in ["Graphs", "Batches", "Learn", "Sequences"] {
            open(&page, view).await?;
        }
        hand(&page, &hands, 80, round).await?;
        open(&page, "Sequences").await?;
        // What follows by itself has come.
        page.rests().await?;
        let now = held(&page).await?;
        println!(
            "BENCH nodes, listeners and bytes of JavaScript after {} changes: {now:?}",
            (round + 1) * 80
        );
        for (now, before) in now.iter().zip(before) {
            ensure!(
                round < 2 || *now < before * 1.1 + 500.0,
                "{now} after {before}"
            );
        }
        if round == 1 {
            before = now;
        }
    }
    page.close().await
}

/// Drops a file that is made in the page of one piece, over and over.
async fn drop_tiles(page: &Page, name: &str, piece: &str, times: u64) -> Result<()> {
    make_tiles(page, name, piece, times).await?;
    drop_made(page).await
}

/// Makes the file, which takes the page a while: it is no part of what is timed.
async fn make_tiles(page: &Page, name: &str, piece: &str, times: u64) -> Result<()> {
    let script = "const [name, piece, times] = arguments;
        window.made = new File(Array(times).fill(new Blob([piece])), name);";
    page.execute(script, vec![json!(name), json!(piece), json!(times)])
        .await?;
    Ok(())
}

/// Drops the file that was made.
async fn drop_made(page: &Page) -> Result<()> {
    let script = "const data = new DataTransfer();
        data.items.add(window.made);
        document.querySelector('main').dispatchEvent(
            new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));";
    page.execute(script, vec![]).await?;
    Ok(())
}

/// Lengths 1 to 50,000, a line each: 288,894 bytes.
fn tile() -> String {
    (1..=50_000).map(|length| format!("{length}\n")).collect()
}

/// A quarter of a gigabyte: memory is that of the sizes, so that a gigabyte is no different.
#[tokio::test]
async fn a_large_file_is_read_as_a_stream() -> Result<()> {
    let page = Page::open(SST2, 1440).await?;
    drop_tiles(&page, "lengths.txt", &tile(), 900).await?;
    page.shown("main[data-state=current] [data-figure=items][data-value='45000000']")
        .await?;
    page.text("45,000,000 sequences, 1–50,000 tokens").await?;
    page.close().await
}

/// A hundred thousand sizes: every part of the page has something to show or says why not.
#[tokio::test]
async fn a_hundred_thousand_sizes_are_shown() -> Result<()> {
    let page = Page::open(&format!("{SST2}&room=all"), 1440).await?;
    // Without any pattern: what repeats itself travels in a few characters.
    let mut random = 7u32;
    let mut count = || {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        1 + random % 1009
    };
    let counts: Vec<u32> = (0..100_000).map(|_| count()).collect();
    let sizes: String = counts
        .iter()
        .enumerate()
        .map(|(i, n)| format!("{},{n}\n", i + 1))
        .collect();
    drop_tiles(&page, "many.csv", &format!("length,count\n{sizes}"), 1).await?;
    let items: u32 = counts.iter().sum();
    page.shown(&format!(
        "main[data-state=current] [data-figure=items][data-value='{items}']"
    ))
    .await?;
    page.of_row("lpfhp", "packs").await?;
    page.click("Share").await?;
    page.text("Your data are too large to travel").await?;
    page.close().await
}

/// Runs before the page: the longest time between two frames, in `window.longest`.
const FRAMES: &str = "window.longest = 0;
    let last = performance.now();
    const frame = now => { window.longest = Math.max(window.longest, now - last); last = now; requestAnimationFrame(frame); };
    requestAnimationFrame(frame);";

/// A gigabyte, and a million sizes: how long it takes, and how long a frame takes meanwhile.
#[tokio::test]
#[ignore = "a measurement, not a test"]
async fn a_gigabyte_and_a_million_sizes_measured() -> Result<()> {
    let page = Page::blank(1440).await?.as_it_is().await?;
    page.before_each_load(FRAMES).await?;
    let sizes: String = (0..1_000_000)
        .map(|i| format!("{},{}\n", i + 1, 1 + i % 7))
        .collect();
    let sizes = format!("length,count\n{sizes}");
    for (name, piece, times, items) in [
        ("lengths.txt", tile(), 3462, 173_100_000),
        ("million.csv", sizes, 1, 3_999_997),
    ] {
        page.go(SST2).await?;
        make_tiles(&page, name, &piece, times).await?;
        tokio::time::sleep(std::time::Duration::from_secs(2)).await;
        page.eval("window.longest = 0").await?;
        let (bytes, start) = (
            piece.len() as f64 * times as f64 / 1e6,
            std::time::Instant::now(),
        );
        drop_made(&page).await?;
        let shown = format!("[data-figure=items][data-value='{items}']");
        while !page.has(&shown).await? && start.elapsed().as_secs() < 300 {
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "BENCH {name}: {bytes:.0} MB in {seconds:.1} s, {:.0} MB/s, longest frame {} ms, largest renderer {:.0} MB",
            bytes / seconds,
            page.eval("window.longest").await?,
            peak()
        );
        tokio::time::sleep(std::time::Duration::from_secs(20)).await;
        println!(
            "BENCH {name}: longest frame after 20 s {} ms, {:.0} MB",
            page.eval("window.longest").await?,
            peak()
        );
    }
    page.leave().await
}

/// The most memory that a process which draws pages or works for them has taken, in megabytes; only where there is `/proc`.
fn peak() -> f64 {
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let of = |process: std::fs::DirEntry| {
        let command = std::fs::read(process.path().join("cmdline")).ok()?;
        String::from_utf8_lossy(&command)
            .contains("--type=renderer")
            .then_some(())?;
        let status = std::fs::read_to_string(process.path().join("status")).ok()?;
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix("VmHWM:"))?
            .to_owned();
        line.split_whitespace().next()?.parse::<f64>().ok()
    };
    processes.filter_map(of).fold(0.0, f64::max) / 1024.0
}
