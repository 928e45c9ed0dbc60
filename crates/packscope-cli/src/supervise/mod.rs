//! `packscope supervise`: which tokens train, of a file that says which of them bear loss.

mod mix;
mod read;
mod text;

pub use read::{Supervision, of_input};
pub use text::of_description;

use crate::output::Output;
use crate::shell::{about, pretty};
use clap::{Args, ValueEnum};
use mix::{MixArgs, Mixed};
use packscope::advice::usual_limit;
use packscope::error::{Error, Result};
use packscope::histogram::Overlong;
use packscope::ingest::Format;
use packscope::metrics::ExpectedPadding;
use packscope::supervision::weights::{Epoch, Steps, of_epoch};
use packscope::supervision::{Composition, Curves, Truncation};
use serde::Serialize;
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub struct Supervise {
    /// The file: JSON Lines, JSON, a table, Parquet or Arrow with the lengths of prompts and responses; JSON Lines, Parquet or
    /// Arrow with `labels` or a mask for each token, as trainers prepare them; conversations, prompts and completions in texts, with --tokenizer. Also packed with gzip.
    /// Several files, or a folder of them, where all are Parquet or Arrow.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The maximum sequence length, tokens [default: the smallest power of two that holds 99 % of the sequences whole, or the
    /// longest one].
    #[arg(long, value_parser = crate::limits::parse_limit)]
    limit: Option<u32>,
    /// What is kept of longer sequences: `right` cuts the end off, `left` the beginning, `shared` a share of prompt and response
    /// of each turn, as LLaMA-Factory does.
    #[arg(long, default_value_t = Truncation::Right)]
    truncate: Truncation,
    /// Whose messages bear loss, with commas between them.
    #[arg(long, default_value = "assistant")]
    roles: packscope::tokens::Roles,
    /// The turns of these roles that bear loss: all of them, or the last alone.
    #[arg(long, default_value = "all")]
    turns: Turns,
    /// Where a turn ends without {% generation %}: with all that the template has `written` for it, as LLaMA-Factory has it, or with its end
    /// `token`, as axolotl has it.
    #[arg(long, default_value = "written")]
    turn_end: TurnEnd,
    /// The tokenizer.json of a fast tokenizer of Hugging Face, for texts.
    #[arg(long)]
    tokenizer: Option<PathBuf>,
    /// A template of Jinja for conversations, in place of that beside the tokenizer.
    #[arg(long, requires = "tokenizer")]
    chat_template: Option<PathBuf>,
    /// The field that names where a sequence is from; `source`, `dataset`, `subset` and the like are found; `none` for none.
    #[arg(long, value_name = "FIELD")]
    by: Option<String>,
    #[command(flatten)]
    mix: MixArgs,
    #[command(flatten)]
    steps: StepArgs,
    /// Only so many records from the beginning.
    #[arg(long)]
    sample: Option<u64>,
    /// Goes on where more than one record in twenty cannot be read.
    #[arg(long)]
    allow_skipped: bool,
    /// How the file is laid out: table, json, json-lines; by its name or detected when left out.
    #[arg(long)]
    input_format: Option<Format>,
    /// Whether the first row of a table names the columns; detected when left out.
    #[arg(long)]
    header: Option<bool>,
    /// What is printed: figures as text or JSON, or `spans`, a line of JSON for each record that was read, with its tokens and the
    /// spans of those that bear loss.
    #[arg(long, default_value = "text")]
    format: SuperviseFormat,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum SuperviseFormat {
    Text,
    Json,
    Spans,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Turns {
    All,
    Last,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum TurnEnd {
    Written,
    Token,
}

/// The steps whose weights are shown.
#[derive(Args)]
pub struct StepArgs {
    /// Rows of a micro-batch.
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..))]
    batch: u32,
    /// Micro-batches of a rank in a step.
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..))]
    accumulation: u32,
    /// Ranks that train side by side.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    ranks: u32,
    /// The order of the sequences in the epoch: random, or as in the file.
    #[arg(long, default_value = "random")]
    order: Order,
    /// The seed of the order.
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Order {
    Random,
    File,
}

impl StepArgs {
    fn steps(&self, packed: Option<u32>) -> Steps {
        Steps {
            rows: self.batch,
            accumulation: self.accumulation,
            ranks: self.ranks,
            packed,
            seed: (self.order == Order::Random).then_some(self.seed),
        }
    }
}

/// All figures of a file.
struct Answer {
    supervision: Supervision,
    limit: u32,
    rows: u32,
    /// What is computed, in random batches padded to their longest.
    computed: Composition,
    /// Weights of sequences a row, and of packed rows; none where nothing trains.
    weights: Option<Weighted>,
    /// Whether the weights are those of all sequences, and not of a sample.
    whole: bool,
    mixed: Option<Mixed>,
}

/// The weights of an epoch of single sequences, and of packed rows.
#[derive(Serialize)]
struct Weighted {
    unpacked: Epoch,
    packed: Epoch,
}

pub fn run(command: &Supervise) -> Result<String> {
    if command.format == SuperviseFormat::Spans {
        return write_spans(command);
    }
    let supervision = read::read(command, &mut |_, _| Ok(()))?;
    let limit = command
        .limit
        .unwrap_or_else(|| usual_limit(&supervision.lengths));
    let items = supervision.sample.at_limit(limit, command.truncate);
    let weights = |packed| of_epoch(&items, &command.steps.steps(packed));
    let weights = match (weights(None), weights(Some(limit))) {
        (Ok(unpacked), Ok(packed)) => Some(Weighted { unpacked, packed }),
        (Err(Error::Empty), _) | (_, Err(Error::Empty)) => None,
        (Err(error), _) | (_, Err(error)) => return Err(error),
    };
    let answer = Answer {
        computed: computed(&supervision, limit, command.steps.batch)?,
        whole: supervision.sample.is_whole(),
        mixed: command.mix.mixed(&supervision.sources, limit)?,
        rows: command.steps.batch,
        limit,
        weights,
        supervision,
    };
    Ok(match command.format {
        SuperviseFormat::Json => pretty(&to_json(&answer)),
        SuperviseFormat::Text | SuperviseFormat::Spans => text::text(&answer),
    })
}

/// Returns the slots of an epoch of random batches of so many rows, by what is in them.
fn computed(of: &Supervision, limit: u32, rows: u32) -> Result<Composition> {
    let cut = of.lengths.fit([limit], Overlong::Truncate)?.histogram;
    let slots = ExpectedPadding::random(&cut, rows).slots;
    Ok(of.curves.composition(slots, limit, Overlong::Truncate))
}

/// Writes the tokens of each record, and the spans of those that bear loss, while they are read.
fn write_spans(command: &Supervise) -> Result<String> {
    let mut out = Output::open(None)?;
    read::read(command, &mut |tokens, spans| {
        let spans: Vec<[u32; 2]> = spans.iter().map(|span| [span.start, span.end]).collect();
        let line = json!({ "tokens": tokens, "spans": spans });
        writeln!(out, "{line}").map_err(|error| about(Path::new("standard output"), &error))
    })?;
    out.finish()?;
    Ok(String::new())
}

impl Supervision {
    /// Returns the figures that other commands add to theirs.
    pub fn json(&self, limit: u32) -> serde_json::Value {
        json!({
            "labels": self.labels.to_string(),
            "supervised": self.curves.supervised(),
            "unsupervised": self.curves.unsupervised(),
            "truncation": self.curves.truncation(),
            "at": AtLimit::new(&self.curves, limit),
        })
    }
}

/// Returns the limits of the table: powers of two up to the longest sequence, and the one that is asked for.
fn limits(curves: &Curves, limit: u32) -> Vec<u32> {
    let powers = (6..=31).map(|power| 1u32 << power);
    let mut limits: Vec<u32> = powers.take_while(|at| *at / 2 < curves.longest()).collect();
    // Short limits that lose nearly all say little.
    let is_low = |at: &u32| curves.kept(*at) * 20 < curves.supervised();
    limits.retain(|at| !is_low(at));
    limits.push(limit);
    limits.sort_unstable();
    limits.dedup();
    limits
}

/// The figures of one limit.
#[derive(Serialize)]
struct AtLimit {
    limit: u32,
    tokens_lost_share: f64,
    supervised_lost_share: f64,
    untrained: u64,
    untrained_share: f64,
}

impl AtLimit {
    fn new(curves: &Curves, limit: u32) -> Self {
        Self {
            limit,
            tokens_lost_share: curves.tokens_lost_share(limit, Overlong::Truncate),
            supervised_lost_share: curves.lost_share(limit, Overlong::Truncate),
            untrained: curves.untrained(limit),
            untrained_share: curves.untrained_share(limit),
        }
    }
}

fn to_json(answer: &Answer) -> serde_json::Value {
    let Supervision {
        curves,
        labels,
        sources,
        read,
        ..
    } = &answer.supervision;
    let at = |limit| AtLimit::new(curves, limit);
    let all: Vec<AtLimit> = limits(curves, answer.limit).into_iter().map(at).collect();
    let by = sources.iter().map(|(name, of)| {
        json!({
            "source": name, "sequences": of.items(), "tokens": of.tokens(), "supervised": of.supervised(),
            "at": AtLimit::new(of, answer.limit),
        })
    });
    json!({
        "read": read,
        "labels": labels.to_string(),
        "truncation": curves.truncation(),
        "sequences": curves.items(),
        "tokens": curves.tokens(),
        "supervised": curves.supervised(),
        "unsupervised": curves.unsupervised(),
        "limit": answer.limit,
        "at": at(answer.limit),
        "limits": all,
        "computed": answer.computed,
        "weights": answer.weights,
        "weights_of_all": answer.whole,
        "sources": by.collect::<Vec<_>>(),
        "mix": answer.mixed,
    })
}
