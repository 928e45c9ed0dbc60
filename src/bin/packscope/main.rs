//! The command line: the same engine as the page, for files that lie where the page cannot reach them.
//!
//! Exit code 0 with an answer, 2 with a message about what was given.

mod batch;
mod compare;
mod export;
mod files;
mod input;
mod options;
mod pack;
mod sizes;
mod speedup;
mod sweep;
mod table;
mod tokens;

use clap::{Args, Parser, Subcommand, ValueEnum};
use input::{Input, about};
use packscope::api::Settings;
use packscope::api::fields::{graphs, sequences};
use packscope::cost::Overhead;
use packscope::error::{Error, Result};
use packscope::histogram::Overlong;
use packscope::packing::tuple::Heuristic;
use packscope::packing::{Depth, Progress, STEPS, Step};
use packscope::words::{count, percent};
use serde_json::{Value, json};
use std::io::Write;
use std::ops::ControlFlow;
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
    /// Pack the lengths (or the sizes of graphs, with --limits) in a file and report the figures.
    Pack(pack::Pack),
    /// All algorithms side by side at the same settings.
    Compare(compare::Compare),
    /// Which limits to choose: try many and show the best, the smallest, and those worth considering.
    Sweep(sweep::Sweep),
    /// Batches by length-aware samplers: one epoch by epoch, or all side by side.
    Batch(batch::Batch),
    /// What packing saves on accelerators, estimated: time by method, waiting, memory, money, energy, the optimiser.
    Speedup(speedup::Speedup),
    /// A plan, its figures, or lines to paste into a training.
    Export(export::Export),
    /// Which pack each item of a file goes into.
    Assign(export::Assign),
    /// Exact token lengths of texts, counted with the tokenizer of a model.
    Tokens(tokens::Tokens),
}

#[derive(Args)]
struct Describe {
    #[command(flatten)]
    input: Input,
    /// Maximum sequence length for the padding share; the longest item when left out.
    #[arg(long)]
    limit: Option<u32>,
    /// Components of a size: 2 for nodes and edges; as many as there are size columns or limits when left out.
    #[arg(long, value_parser = clap::value_parser!(u8).range(1..=3))]
    components: Option<u8>,
    /// One limit for each component, for the padding share; the largest sizes when left out.
    #[arg(long, conflicts_with = "limit")]
    limits: Option<sizes::Limits>,
    #[arg(long, default_value = "text")]
    format: Output,
}

/// What every packing is asked for.
#[derive(Args)]
struct Rows {
    #[command(flatten)]
    room: Room,
    #[arg(long, help = options::both(&sequences::DEPTH, &graphs::DEPTH))]
    depth: Option<Depth>,
    #[arg(long, help = options::both(&sequences::OVERLONG, &graphs::OVERLONG))]
    overlong: Option<Overlong>,
    #[arg(long, help = options::of(&sequences::ALIGN), default_value_t = 1, conflicts_with = "limits")]
    align: u32,
    #[arg(long, help = options::both(&sequences::OVERHEAD, &graphs::OVERHEAD))]
    overhead: Option<Overhead>,
    #[arg(long, help = options::of_graphs(&graphs::HEURISTIC), conflicts_with = "limit")]
    heuristic: Option<Heuristic>,
    /// Seconds that `optimal` may take for its plan and proof; about one, counted in steps, when left out.
    #[arg(long, value_parser = positive)]
    time_budget: Option<f64>,
}

/// One limit or several.
#[derive(Args)]
#[group(required = true, multiple = false)]
struct Room {
    #[arg(long, help = options::of(&sequences::LIMIT))]
    limit: Option<u32>,
    /// One limit for each component, such as 222,502 for nodes and edges; `free` for a component without one.
    #[arg(long)]
    limits: Option<sizes::Limits>,
}

fn positive(text: &str) -> std::result::Result<f64, String> {
    match text.parse() {
        Ok(seconds) if seconds > 0.0 => Ok(seconds),
        _ => Err("expected seconds above 0, such as 10 or 0.5".to_owned()),
    }
}

impl Rows {
    /// The settings for one component.
    fn settings(&self) -> Settings {
        let default = Settings::default();
        Settings {
            limit: self.room.limit.unwrap_or(default.limit),
            depth: self.depth.unwrap_or(default.depth),
            overlong: self.overlong.unwrap_or(default.overlong),
            align: self.align,
            overhead: self.overhead.unwrap_or(default.overhead),
            ..default
        }
    }

    /// Packs within the time budget; returns the seconds taken, too.
    fn timed<T>(&self, pack: impl FnOnce(u64, &mut Progress) -> Result<T>) -> Result<(T, f64)> {
        let start = clock();
        let late = || self.time_budget.is_some_and(|budget| start.elapsed().as_secs_f64() > budget);
        let mut ask = |step| match step {
            Step::Found { .. } if late() => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        };
        let steps = if self.time_budget.is_some() { u64::MAX } else { STEPS };
        let packed = pack(steps, &mut ask)?;
        Ok((packed, start.elapsed().as_secs_f64()))
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum Output {
    Text,
    Json,
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Describe(describe) => run_describe(&describe),
        Command::Pack(pack) => pack::run(&pack),
        Command::Compare(compare) => compare::run(&compare),
        Command::Sweep(sweep) => sweep::run(&sweep),
        Command::Batch(batch) => batch::run(&batch),
        Command::Speedup(speedup) => speedup::run(&speedup),
        Command::Export(export) => export::run(&export),
        Command::Assign(assign) => export::run_assign(&assign),
        Command::Tokens(tokens) => tokens::run(&tokens),
    };
    match done {
        // What comes in pieces was written as it came.
        Ok(text) if text.is_empty() => ExitCode::SUCCESS,
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

fn run_describe(describe: &Describe) -> Result<String> {
    if let Some(text) = sizes::describe(describe) {
        return text;
    }
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

#[allow(clippy::disallowed_methods, reason = "a shell measures; the engine has no clock")]
fn clock() -> std::time::Instant {
    std::time::Instant::now()
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}
