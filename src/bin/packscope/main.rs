//! The command line: the same engine as the page, for files that lie where the page cannot reach them.
//!
//! Exit code 0 with an answer, 2 with a message about what was given.

mod compare;

use clap::{Args, Parser, Subcommand, ValueEnum};
use packscope::api::{Prepared, Report, Settings};
use packscope::bounds::BoundKind;
use packscope::cost::Overhead;
use packscope::error::{Error, Result};
use packscope::histogram::Overlong;
use packscope::ingest::{Column, Counts, Format, Ingested, Options, Reader};
use packscope::packing::{Algorithm, Depth, Packed, STEPS, Step};
use packscope::words::{count, efficiency, factor, gap, percent, seconds};
use serde_json::{Map, Value, json};
use std::io::{Read, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;

/// How much of your model training is padding, and the packing that cures it.
#[derive(Parser)]
#[command(version, about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Statistics of the lengths in a file.
    Describe(Describe),
    /// Pack the lengths in a file and report the figures.
    Pack(Pack),
    /// All algorithms side by side at the same settings.
    Compare(compare::Compare),
}

#[derive(Args)]
struct Input {
    /// The file; `-` for standard input.
    file: PathBuf,
    /// How the file is laid out: table (CSV, TSV …), numbers, json, json-lines; detected when left out.
    #[arg(long)]
    input_format: Option<Format>,
    /// Column or field of the length: its name, its number from 1, or a path such as `a.b`.
    #[arg(long)]
    length_column: Option<String>,
    /// Column or field of the count; empty for none.
    #[arg(long)]
    count_column: Option<String>,
    /// Whether the first row names the columns; detected when left out.
    #[arg(long)]
    header: Option<bool>,
}

#[derive(Args)]
struct Describe {
    #[command(flatten)]
    input: Input,
    /// Maximum sequence length for the padding share; the longest item when left out.
    #[arg(long)]
    limit: Option<u32>,
    #[arg(long, default_value = "text")]
    format: Output,
}

/// What every packing is asked for.
#[derive(Args)]
struct Rows {
    /// Maximum sequence length: slots in a row.
    #[arg(long)]
    limit: u32,
    /// Items in a row at most: 1, 2, 3, … or `unlimited`.
    #[arg(long, default_value = "unlimited")]
    depth: Depth,
    /// Items above the limit: truncate, drop, split, reject.
    #[arg(long, default_value = "truncate")]
    overlong: Overlong,
    /// Items begin at multiples of this many tokens.
    #[arg(long, default_value_t = 1)]
    align: u32,
    /// Cost of keeping packed items apart: `ipu` (measured), `free`, or a share such as 0.05.
    #[arg(long, default_value = "ipu")]
    overhead: Overhead,
    /// Seconds that `optimal` may take for its plan and proof; about one, counted in steps, when left out.
    #[arg(long, value_parser = positive)]
    time_budget: Option<f64>,
}

fn positive(text: &str) -> std::result::Result<f64, String> {
    match text.parse() {
        Ok(seconds) if seconds > 0.0 => Ok(seconds),
        _ => Err("expected seconds above 0, such as 10 or 0.5".to_owned()),
    }
}

impl Rows {
    fn settings(&self) -> Settings {
        Settings {
            limit: self.limit,
            depth: self.depth,
            overlong: self.overlong,
            align: self.align,
            overhead: self.overhead,
            ..Settings::default()
        }
    }

    /// Packs within the time budget; returns the seconds taken, too.
    fn pack(&self, prepared: &Prepared, settings: &Settings, listed: u32) -> Result<(Packed, f64)> {
        let start = clock();
        let late = || self.time_budget.is_some_and(|budget| start.elapsed().as_secs_f64() > budget);
        let mut ask = |step| match step {
            Step::Found { .. } if late() => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        };
        let steps = if self.time_budget.is_some() { u64::MAX } else { STEPS };
        let packed = prepared.pack(settings, listed, steps, &mut ask)?;
        Ok((packed, start.elapsed().as_secs_f64()))
    }
}

#[derive(Args)]
struct Pack {
    #[command(flatten)]
    input: Input,
    #[command(flatten)]
    rows: Rows,
    /// optimal, average-target, lpfhp, nnlshp, best-fit-decreasing, first-fit-decreasing, spfhp, greedy, none,
    /// sort.
    #[arg(long, default_value = "lpfhp")]
    algorithm: Algorithm,
    /// Order of arrival, for greedy.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Rows in a batch, for sort.
    #[arg(long, default_value_t = 64)]
    batch: u32,
    #[arg(long, default_value = "text")]
    format: Output,
    /// Write the plan to this file: {"limits":[…],"strategies":[{"sizes":[…],"count":n},…]}.
    #[arg(long)]
    plan: Option<PathBuf>,
    /// Write the proof of a bound by the linear relaxation (of `optimal`) to this file:
    /// {"limit":n,"depth":"3","worths":[[length,worth],…],"most":n,"packs":n}. No pack is worth more than `most`.
    #[arg(long)]
    certificate: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Output {
    Text,
    Json,
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Describe(describe) => run_describe(&describe),
        Command::Pack(pack) => run_pack(&pack),
        Command::Compare(compare) => compare::run(&compare),
    };
    match done {
        Ok(text) => {
            // A closed pipe (`| head`) is no error of ours.
            let _ = writeln!(std::io::stdout(), "{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("packscope: {error}");
            ExitCode::from(2)
        }
    }
}

/// An error about a file or stream.
fn about(place: &std::path::Path, error: &std::io::Error) -> Error {
    Error::Input { place: place.display().to_string(), message: error.to_string() }
}

impl Input {
    fn read(&self) -> Result<Ingested> {
        let mut from: Box<dyn Read> = match self.file.to_str() {
            Some("-") => Box::new(std::io::stdin()),
            _ => Box::new(std::fs::File::open(&self.file).map_err(|e| about(&self.file, &e))?),
        };
        let counts = |column: &str| match column {
            "" => Counts::One,
            column => Counts::Column(column.into()),
        };
        let mut reader = Reader::new(Options {
            format: self.input_format,
            delimiter: None,
            header: self.header,
            sizes: self.length_column.as_deref().map(Column::from).into_iter().collect(),
            count: self.count_column.as_deref().map(counts),
        });
        let mut buffer = vec![0; 1 << 20];
        // Whatever is wrong with the contents, the file is named.
        let in_file = |error| match error {
            Error::Input { place, message } => {
                Error::Input { place: format!("{}, {place}", self.file.display()), message }
            }
            other => other,
        };
        loop {
            match from.read(&mut buffer).map_err(|e| about(&self.file, &e))? {
                0 => break,
                n => reader.push(&buffer[..n]).map_err(in_file)?,
            }
        }
        let read = reader.finish().map_err(in_file)?;
        self.warn(&read);
        Ok(read)
    }

    /// What was left out goes to standard error; the figures on standard output stay clean.
    fn warn(&self, read: &Ingested) {
        for note in &read.description.notes {
            eprintln!("{}: {note}", self.file.display());
        }
        for problem in &read.description.problems {
            eprintln!("{}, {problem}; skipped", self.file.display());
        }
        let unseen = read.description.skipped - read.description.problems.len() as u64;
        if unseen > 0 {
            eprintln!("{}: {} more skipped", self.file.display(), count(unseen));
        }
    }
}

fn run_describe(describe: &Describe) -> Result<String> {
    let read = describe.input.read()?;
    if describe.limit == Some(0) {
        return Err(Error::ZeroLimit);
    }
    let s = read.histogram.summary(describe.limit.unwrap_or(read.histogram.max()[0]));
    if let Output::Json = describe.format {
        return Ok(pretty(&json!({ "summary": s, "read": read.description })));
    }
    let quantile =
        |(share, length): &(f64, u32)| format!("{:.0} % ≤ {}", share * 100.0, count(u64::from(*length)));
    let quantiles: Vec<String> = s.quantiles.iter().map(quantile).collect();
    let lines = [
        format!("read as      {}", read.description.format.name()),
        format!("holds        {}", read.description.sentence()),
        format!("sequences    {}", count(s.items)),
        format!("tokens       {}", count(s.total_tokens)),
        format!("lengths      {} to {}, {} distinct, mean {:.1}", s.min, s.max, count(s.distinct), s.mean),
        format!("quantiles    {}", quantiles.join(", ")),
        format!("at {:<9} {} padding with one sequence a row", s.limit, percent(s.padding_share)),
        format!("over         {} sequences are longer than {}", count(s.overlong_items), s.limit),
    ];
    Ok(lines.join("\n"))
}

fn run_pack(pack: &Pack) -> Result<String> {
    let histogram = pack.input.read()?.histogram;
    let (algorithm, seed, batch) = (pack.algorithm, pack.seed, pack.batch);
    let settings = Settings { algorithm, seed, batch, ..pack.rows.settings() };
    // Item-by-item algorithms make millions of shapes; all are kept only if they are asked for.
    let listed = if pack.plan.is_some() { u32::MAX } else { 65_536 };
    let prepared = Prepared::new(&histogram, &settings)?;
    let (packed, taken) = pack.rows.pack(&prepared, &settings, listed)?;
    if let Some(file) = &pack.certificate {
        write_certificate(&packed, &settings, file)?;
    }
    let report = prepared.report(&settings, packed, listed);
    if let Some(file) = &pack.plan {
        write_plan(&report, file).map_err(|e| about(file, &e))?;
    }
    Ok(match pack.format {
        Output::Json => pretty(&to_json(&report, taken)),
        Output::Text => to_text(&report, taken),
    })
}

#[allow(clippy::disallowed_methods, reason = "a shell measures; the engine has no clock")]
fn clock() -> std::time::Instant {
    std::time::Instant::now()
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}

/// Settings and figures in one object, under the names of the report.
fn to_json(report: &Report, taken: f64) -> Value {
    let mut all = Map::new();
    for part in [json!(report.settings), json!(report.figures)] {
        if let Value::Object(fields) = part {
            all.extend(fields.into_iter().map(|(name, value)| match name.as_str() {
                // The report's `overhead` is the share that was applied; the setting is the model of it.
                "overhead" if value.is_string() => ("overhead_model".to_owned(), value),
                _ => (name, value),
            }));
        }
    }
    all.insert("limits".to_owned(), json!([report.settings.limit]));
    all.insert("overlong_items".to_owned(), json!(report.overlong_items));
    all.insert("seconds".to_owned(), json!(taken));
    Value::Object(all)
}

fn to_text(report: &Report, taken: f64) -> String {
    let (f, s) = (&report.figures, &report.settings);
    let bound = match (f.lower_bound, f.gap) {
        (Some(bound), Some(share)) => {
            format!("{} ({}, gap {})", count(bound), f.bound_kind.map_or("", BoundKind::name), gap(share))
        }
        _ => "– (rows are not of equal length)".to_owned(),
    };
    let speedup = match (f.realised_speedup, f.overhead) {
        (Some(speedup), Some(overhead)) => {
            format!("{} after {} overhead", factor(speedup), percent(overhead))
        }
        _ => "–".to_owned(),
    };
    let shapes = f.strategies.map_or_else(|| "too many to list".to_owned(), count);
    let before = percent(f.baseline_padding_share());
    let lines = [
        format!("algorithm    {}, limit {}, depth {}", s.algorithm, s.limit, s.depth),
        format!("packs        {} (from {} sequences)", count(f.packs), count(f.items)),
        format!("padding      {} (before: {before})", percent(f.padding_share())),
        format!("efficiency   {}", efficiency(f.efficiency[0])),
        format!("factor       {}", factor(f.packing_factor)),
        format!("speed-up     {speedup}"),
        format!("bound        {bound}"),
        format!("strategies   {shapes}, deepest {}", count(f.max_depth)),
        format!(
            "waste        {} tokens of {} overlong sequences",
            count(f.waste_tokens[0]),
            count(report.overlong_items)
        ),
        format!("time         {}", seconds(taken)),
    ];
    let published = f.published_packs.map(|packs| {
        format!("published    {} packs with the published repair, which adds sequences", count(packs))
    });
    lines.into_iter().chain(published).collect::<Vec<_>>().join("\n")
}

fn write_certificate(packed: &Packed, settings: &Settings, file: &std::path::Path) -> Result<()> {
    let Some(certificate) = &packed.certificate else {
        eprintln!("{}: not written; only a bound by the linear relaxation has a certificate", file.display());
        return Ok(());
    };
    let proof = json!({
        "limit": settings.limit,
        "depth": settings.depth,
        "worths": certificate.worths.iter().map(|([length], worth)| (length, worth)).collect::<Vec<_>>(),
        "most": certificate.most,
        "packs": certificate.packs,
    });
    std::fs::write(file, format!("{proof}\n")).map_err(|e| about(file, &e))
}

fn write_plan(report: &Report, file: &std::path::Path) -> std::io::Result<()> {
    let mut out = std::io::BufWriter::new(std::fs::File::create(file)?);
    write!(out, r#"{{"limits":[{}],"strategies":["#, report.settings.limit)?;
    for (i, shape) in report.strategies.iter().enumerate() {
        let comma = if i == 0 { "" } else { "," };
        let sizes = shape.runs.iter().flat_map(|&(length, n)| std::iter::repeat_n(length, n as usize));
        let sizes: Vec<String> = sizes.map(|l| l.to_string()).collect();
        write!(out, "{comma}\n{{\"sizes\":[{}],\"count\":{}}}", sizes.join(","), shape.count)?;
    }
    writeln!(out, "\n]}}")?;
    out.flush()
}
