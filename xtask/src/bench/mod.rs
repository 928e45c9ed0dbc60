//! Timings and sizes, recorded in `benches/RESULTS.md`: ours, natively and in Chromium, beside the published code, all
//! in one run, because only ratios within a run are meaningful.

mod peers;
mod reading;

use crate::{browser, page, sections, size};
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::Range;
use xshell::{Shell, cmd};

const FILE: &str = "benches/RESULTS.md";

/// Measures everything and writes the file. `references` are clones of graphcore/examples and, if given, of
/// amrnag/TokenDrop-BucketSampler, whose Python needs numpy; `PYTHON` names the interpreter.
pub fn record(sh: &Shell, references: &[String]) -> Result<()> {
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned());
    page::dist(sh)?;
    let native = cmd!(
        sh,
        "cargo run --quiet --release --package packscope-benches"
    )
    .read()?;
    let wasm = browser::wasm_bench(sh, &[])?;
    let published = match references {
        [] => String::new(),
        clones => cmd!(
            sh,
            "{python} benches/reference.py static/datasets {clones...}"
        )
        .read()?,
    };
    // One after the other: two measurements at a time would take each other's cores and memory.
    let folder = sh.create_temp_dir()?;
    let others = peers::measure(sh, folder.path())?;
    let read = reading::measure(sh, folder.path())?;
    // The page reads the same files of 100 MB as the other programs, which `reading::measure` has
    // just written.
    sh.set_var("PACKSCOPE_BIG", folder.path());
    let waits = browser::timings(sh)?;
    let mut text = format!("# Results\n\n{}\n", about(sh));
    packing(&mut text, &native, &wasm, &published)?;
    peers::table(&mut text, &others)?;
    optima(&mut text, &native, &wasm)?;
    budgets(&mut text, &native, &wasm)?;
    graphs(&mut text, &native, &wasm, &published)?;
    batches(&mut text, &native, &wasm, &published)?;
    // From the file as it is: all else in it is written anew.
    text.push_str(&kept(&sh.read_file(FILE).unwrap_or_default()));
    speedup(&mut text, &native, &wasm)?;
    ranks(&mut text, &native, &wasm)?;
    waiting(&mut text, &waits)?;
    reading::table(&mut text, &read, &waits, &versions(sh)?)?;
    download(&mut text, sh)?;
    sh.write_file(FILE, &text)
        .with_context(|| format!("cannot write {FILE}"))?;
    print!("{text}");
    Ok(())
}

/// Measures the page alone, and replaces its section: `cargo xtask bench page`.
pub fn of_page(sh: &Shell) -> Result<()> {
    page::dist(sh)?;
    let waits = browser::timings(sh)?;
    let mut text = sh.read_file(FILE)?;
    let (mut waited, mut downloaded) = (String::new(), String::new());
    waiting(&mut waited, &waits)?;
    download(&mut downloaded, sh)?;
    replace(&mut text, "Waiting", &waited)?;
    replace(&mut text, "Download", &downloaded)?;
    print!("{text}");
    sh.write_file(FILE, &text)
        .with_context(|| format!("cannot write {FILE}"))
}

/// Measures ranks alone, and replaces their section: `cargo xtask bench ranks`.
pub fn of_ranks(sh: &Shell) -> Result<()> {
    let native = cmd!(
        sh,
        "cargo run --quiet --release --package packscope-benches -- ranks"
    )
    .read()?;
    let wasm = browser::wasm_bench(sh, &["ranks"])?;
    let (mut text, mut new) = (sh.read_file(FILE)?, String::new());
    ranks(&mut new, &native, &wasm)?;
    replace(&mut text, "Ranks", &new)?;
    print!("{new}");
    sh.write_file(FILE, &text)
        .with_context(|| format!("cannot write {FILE}"))
}

fn replace(text: &mut String, title: &str, new: &str) -> Result<()> {
    let range = section(text, title).with_context(|| format!("{FILE} has no section {title}"))?;
    // The range begins with the end of the line before the title.
    text.replace_range(range.start + 1..range.end, new);
    Ok(())
}

/// Returns the sections that are written by hand: tests compare them with what they are about.
fn kept(before: &str) -> String {
    let titles = [
        "Estimates against measurements",
        "Ranks: published gains",
        "Training libraries",
    ];
    let ranges = titles
        .into_iter()
        .filter_map(|title| section(before, title));
    ranges
        .map(|range| format!("{}\n", &before[range.start + 1..range.end]))
        .collect()
}

/// Returns the range of a section, from the end of the line before its title.
fn section(text: &str, title: &str) -> Option<Range<usize>> {
    // With the ends of line around it: a title may be the beginning of another.
    let from = text.find(&format!("\n## {title}\n"))?;
    let end = text[from + 1..]
        .find("\n## ")
        .map_or(text.len(), |end| from + 1 + end);
    Some(from..end)
}

fn about(sh: &Shell) -> String {
    let rustc = cmd!(sh, "rustc --version")
        .quiet()
        .read()
        .unwrap_or_default();
    // Only Linux has this file; elsewhere the table says that the machine is unknown.
    let cpu = sh.read_file("/proc/cpuinfo").unwrap_or_default();
    let cpu = cpu
        .lines()
        .find_map(|l| l.strip_prefix("model name"))
        .unwrap_or(": unknown")
        .to_owned();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let cpu = cpu.trim_start_matches([' ', '\t', ':']);
    format!(
        "Written by `cargo xtask bench PATH BATCHES`, where PATH is a clone of https://github.com/graphcore/examples\n\
         and BATCHES one of https://github.com/amrnag/TokenDrop-BucketSampler.\n\
         Compare ratios within this run, not times with those of another machine.\n\n\
         Machine: {cpu}, {cores} cores, no graphics processor; {rustc}; headless Chromium.\n"
    )
}

/// Parses `BENCH algorithm depth milliseconds`: (algorithm, depth) → milliseconds.
fn times(out: &str) -> BTreeMap<(&str, &str), f64> {
    out.lines()
        .filter_map(|line| {
            let mut words = line.split_once("BENCH ")?.1.split_whitespace();
            // Lines of other kinds, such as those of cargo, have no such words and are passed over.
            Some(((words.next()?, words.next()?), words.next()?.parse().ok()?))
        })
        .collect()
}

fn packing(text: &mut String, native: &str, wasm: &str, published: &str) -> Result<()> {
    let (native, wasm, published) = (times(native), times(wasm), times(published));
    writeln!(
        text,
        "## Packing Wikipedia (16,279,552 sequences, limit 512)\n"
    )?;
    writeln!(
        text,
        "Medians, milliseconds, from the histogram to the recounted plan. Published: the Python of"
    )?;
    writeln!(
        text,
        "Krell et al. 2022, unmodified, which does not recount.\n"
    )?;
    writeln!(
        text,
        "| algorithm | depth | native | wasm | wasm ÷ native | published | published ÷ native |"
    )?;
    writeln!(text, "|---|---|---:|---:|---:|---:|---:|")?;
    for ((algorithm, depth), ms) in &native {
        let key = (*algorithm, *depth);
        let show =
            |x: Option<f64>, digits: usize| x.map_or("–".to_owned(), |x| format!("{x:.digits$}"));
        let (in_wasm, theirs) = (wasm.get(&key).copied(), published.get(&key).copied());
        writeln!(
            text,
            "| {algorithm} | {depth} | {ms:.3} | {} | {} | {} | {} |",
            show(in_wasm, 3),
            show(in_wasm.map(|w| w / ms), 2),
            show(theirs, 1),
            show(theirs.map(|t| t / ms), 0),
        )?;
    }
    Ok(writeln!(text)?)
}

/// A line `OPTIMUM set limit depth first median packs bound`.
struct Optimum<'a> {
    name: String,
    depth: &'a str,
    first: f64,
    median: f64,
    packs: u64,
    bound: u64,
}

fn optimum(line: &str) -> Option<Optimum<'_>> {
    let words: Vec<&str> = line.split_once("OPTIMUM ")?.1.split_whitespace().collect();
    let [set, limit, depth, first, median, packs, bound] = words[..] else {
        return None;
    };
    Some(Optimum {
        name: format!("{set} at {limit}"),
        depth,
        first: first.parse().ok()?,
        median: median.parse().ok()?,
        packs: packs.parse().ok()?,
        bound: bound.parse().ok()?,
    })
}

fn optima(text: &mut String, native: &str, wasm: &str) -> Result<()> {
    writeln!(text, "## Optima, with proof\n")?;
    writeln!(
        text,
        "Milliseconds from the histogram to the recounted plan and its bound: the first time, while the"
    )?;
    writeln!(
        text,
        "browser still compiles, and the median of five. A search may take 10 s, for Wikipedia at depths 4, 8"
    )?;
    writeln!(
        text,
        "and 16 it may take 2 s. Packs and gap are those of the browser.\n"
    )?;
    writeln!(
        text,
        "| data | depth | packs | gap | native | wasm, first | wasm | wasm ÷ native |"
    )?;
    writeln!(text, "|---|---|---:|---:|---:|---:|---:|---:|")?;
    let mut at_depth_3 = Vec::new();
    for (n, w) in native
        .lines()
        .filter_map(optimum)
        .zip(wasm.lines().filter_map(optimum))
    {
        if w.depth == "3" {
            at_depth_3.push(w.median);
        }
        // Both programs list the same cases in the same order, so lines are paired by place.
        let (packs, gap, ratio) = (w.packs, w.packs - w.bound, w.median / n.median);
        writeln!(
            text,
            "| {} | {} | {packs} | {gap} | {:.1} | {:.1} | {:.1} | {ratio:.2} |",
            w.name, w.depth, n.median, w.first, w.median
        )?;
    }
    at_depth_3.sort_by(f64::total_cmp);
    if let Some(median) = at_depth_3.get(at_depth_3.len() / 2) {
        writeln!(
            text,
            "\nMedian over all sets at depth 3, in the browser: {median:.1} ms.\n"
        )?;
    }
    Ok(())
}

/// Writes the table of seconds taken against seconds allowed: `BUDGETS p50 p95 most`.
fn budgets(text: &mut String, native: &str, wasm: &str) -> Result<()> {
    writeln!(text, "## Budgets of the search for the optimum\n")?;
    writeln!(
        text,
        "Seconds taken ÷ seconds asked for, of 200 cases: built-in, random and hostile data of up to 100,000"
    )?;
    writeln!(
        text,
        "sizes, one to three limits, 0.2, 1 and 5 seconds (`benches/src/budgets.rs`).\n"
    )?;
    writeln!(text, "| | p50 | p95 | most |\n|---|---:|---:|---:|")?;
    for (name, out) in [("native", native), ("Chromium", wasm)] {
        for ([], [half, most, all]) in lines::<0, 3>(out, "BUDGETS ") {
            writeln!(text, "| {name} | {half:.2} | {most:.2} | {all:.2} |")?;
        }
    }
    Ok(writeln!(text)?)
}

/// Returns the lines with a tag: `W` words that identify each, and `N` numbers.
fn lines<'o, const W: usize, const N: usize>(
    out: &'o str,
    tag: &str,
) -> Vec<([&'o str; W], [f64; N])> {
    out.lines()
        .filter_map(|line| {
            let words: Vec<&str> = line.split_once(tag)?.1.split_whitespace().collect();
            let numbers: Vec<f64> = words
                .get(W..)?
                .iter()
                // A line may end with words, which are no numbers: they are left out, and the count
                // `N` is checked below.
                .filter_map(|w| w.parse().ok())
                .collect();
            Some((words[..W].try_into().ok()?, numbers.try_into().ok()?))
        })
        .collect()
}

/// Parses `GRAPHS set limits depth algorithm first median packs bound` into words and numbers.
fn graph_lines(out: &str) -> Vec<([&str; 4], [f64; 4])> {
    lines(out, "GRAPHS ")
}

fn graphs(text: &mut String, native: &str, wasm: &str, published: &str) -> Result<()> {
    let (native, wasm, published) = (
        graph_lines(native),
        graph_lines(wasm),
        graph_lines(published),
    );
    writeln!(text, "## Graphs: packs under two limits\n")?;
    writeln!(
        text,
        "Milliseconds as above; heuristics by nodes. 2,400 limits: one evaluation each, 222 to 444 nodes by 502 to"
    )?;
    writeln!(
        text,
        "1,004 edges, in one thread. Published: the Python of Krell et al. 2022 (*Tuple Packing*), unmodified.\n"
    )?;
    writeln!(
        text,
        "| data | limits | graphs | algorithm | packs | gap | native | wasm, first | wasm | wasm ÷ native | published |"
    )?;
    writeln!(text, "|---|---|---|---|---:|---:|---:|---:|---:|---:|---:|")?;
    for ((what, [_, ms, ..]), (_, [first, in_wasm, packs, bound])) in native.iter().zip(&wasm) {
        let [set, limits, depth, algorithm] = what;
        let theirs = published.iter().find(|(other, _)| other == what);
        let theirs = theirs.map_or("–".to_owned(), |(_, [_, ms, ..])| format!("{ms:.0}"));
        writeln!(
            text,
            "| {} | {limits} | {depth} | {algorithm} | {packs} | {} | {ms:.3} | {first:.2} | {in_wasm:.3} | {:.2} | {theirs} |",
            set.replace('~', " "),
            packs - bound,
            in_wasm / ms
        )?;
    }
    Ok(writeln!(text)?)
}

/// Parses `BATCHES set limit epochs sampler median batches` into words, the median and the batches.
fn batch_lines(out: &str) -> Vec<([&str; 4], [f64; 2])> {
    lines(out, "BATCHES ")
}

fn batches(text: &mut String, native: &str, wasm: &str, published: &str) -> Result<()> {
    let (native, wasm, published) = (
        batch_lines(native),
        batch_lines(wasm),
        batch_lines(published),
    );
    writeln!(text, "## Batches\n")?;
    writeln!(
        text,
        "Medians, milliseconds, from the histogram to the figures of all epochs: batches of 64, BatchCap 64, 128, 256."
    )?;
    writeln!(
        text,
        "SST-2 has 67,349 sequences, Wikipedia 16,279,552. Published: `create_buckets` and"
    )?;
    writeln!(
        text,
        "`bucket_sequences` of Nagarajan, Raghunathan 2023, which do not add up what they give.\n"
    )?;
    writeln!(
        text,
        "| data | limit | epochs | sampler | batches | native | wasm | wasm ÷ native | published | published ÷ native |"
    )?;
    writeln!(text, "|---|---|---:|---|---:|---:|---:|---:|---:|---:|")?;
    for ((what, [ms, batches]), (_, [in_wasm, _])) in native.iter().zip(&wasm) {
        let [set, limit, epochs, sampler] = what;
        let theirs = published
            .iter()
            .find(|(other, _)| other == what)
            .map(|(_, [ms, _])| ms);
        let show = |x: Option<f64>| x.map_or("–".to_owned(), |x| format!("{x:.0}"));
        writeln!(
            text,
            "| {set} | {limit} | {epochs} | {sampler} | {batches} | {ms:.3} | {in_wasm:.3} | {:.2} | {} | {} |",
            in_wasm / ms,
            show(theirs.copied()),
            show(theirs.map(|t| t / ms)),
        )?;
    }
    Ok(writeln!(text)?)
}

/// Parses `SPEEDUP set limit what median`: words → the median.
fn speedup_lines(out: &str) -> BTreeMap<[&str; 3], f64> {
    lines(out, "SPEEDUP ")
        .into_iter()
        .map(|(what, [median])| (what, median))
        .collect()
}

fn speedup(text: &mut String, native: &str, wasm: &str) -> Result<()> {
    let (native, wasm) = (speedup_lines(native), speedup_lines(wasm));
    writeln!(text, "## Speed-up\n")?;
    writeln!(
        text,
        "Medians, milliseconds, BERT large on A100, 64 rows an accelerator. Pricing is all that a slider of an assumption"
    )?;
    writeln!(
        text,
        "asks for: every method with its bill and memory, at one number of accelerators and at 13. Counting follows new"
    )?;
    writeln!(
        text,
        "packs. Waiting is one curve over 1 to 4,096 accelerators, asked of a worker.\n"
    )?;
    writeln!(
        text,
        "| data | limit | what | native | wasm | wasm ÷ native |"
    )?;
    writeln!(text, "|---|---|---|---:|---:|---:|")?;
    for ([set, limit, what], ms) in &native {
        let in_wasm = wasm.get(&[*set, *limit, *what]);
        let show =
            |x: Option<f64>, digits: usize| x.map_or("–".to_owned(), |x| format!("{x:.digits$}"));
        writeln!(
            text,
            "| {set} | {limit} | {what} | {ms:.4} | {} | {} |",
            show(in_wasm.copied(), 4),
            show(in_wasm.map(|w| w / ms), 2),
        )?;
    }
    Ok(writeln!(text)?)
}

/// Writes the table of `RANKS what ranks median`.
fn ranks(text: &mut String, native: &str, wasm: &str) -> Result<()> {
    writeln!(text, "## Ranks\n")?;
    writeln!(
        text,
        "Milliseconds, the work of a model on Mooncake's lengths: a million sequences dealt to 1,024 ranks, once; medians of"
    )?;
    writeln!(
        text,
        "the report that a slider asks for, and of the table of every way to deal.\n"
    )?;
    writeln!(
        text,
        "| what | ranks | native | wasm | wasm ÷ native |\n|---|---:|---:|---:|---:|"
    )?;
    let wasm = lines::<2, 1>(wasm, "RANKS ");
    for (([what, ranks], [ms]), (_, [in_wasm])) in lines::<2, 1>(native, "RANKS ").iter().zip(&wasm)
    {
        let (what, ratio) = (what.replace('~', " "), in_wasm / ms);
        writeln!(
            text,
            "| {what} | {ranks} | {ms:.1} | {in_wasm:.1} | {ratio:.2} |"
        )?;
    }
    Ok(writeln!(text)?)
}

fn waiting(text: &mut String, waits: &str) -> Result<()> {
    writeln!(text, "## Waiting\n")?;
    writeln!(
        text,
        "The built page from a local static server. Slider steps are real key presses, one after the"
    )?;
    writeln!(
        text,
        "other, from the input event to the frame that shows the new figures, in a page that was scrolled through and back:"
    )?;
    writeln!(
        text,
        "what is out of view is not laid out, as it is for visitors.\n\n```text"
    )?;
    for line in said(waits).filter(|line| !line.starts_with(reading::PAGE)) {
        writeln!(text, "{line}")?;
    }
    Ok(writeln!(text, "```\n")?)
}

/// Returns the output of the measuring tests.
fn said(waits: &str) -> impl Iterator<Item = &str> {
    waits
        .lines()
        .filter_map(|line| Some(line.split_once("BENCH ")?.1))
}

fn versions(sh: &Shell) -> Result<String> {
    // From the same Python that has run the measurements.
    let python = crate::peers::with_peers(sh)?;
    let code = "import pandas, polars, tokenizers as t; print(f'pandas {pandas.__version__}, polars {polars.__version__}, tokenizers {t.__version__}')";
    Ok(cmd!(sh, "{python} -c {code}").quiet().read()?)
}

/// Writes the download sizes, together and by file, and the contents of the programs.
fn download(text: &mut String, sh: &Shell) -> Result<()> {
    let sizes = size::sizes(sh)?;
    let loads = size::loads(sh, &sizes)?;
    writeln!(
        text,
        "## Download\n\nUntil the answer stands, by the whole opening, and by each part that is\n\
         loaded when it is opened or comes near the window; shared files count for each.\n\n```text\n{}```\n",
        size::table(&sizes, &loads)?
    )?;
    writeln!(
        text,
        "What the programs are made of, kilobytes, as compiled and before wasm-opt, which takes off a quarter. Code that was put\n\
         into its caller counts for the crate of the caller.\n\n{}",
        sections::table(sh)?
    )?;
    Ok(())
}
