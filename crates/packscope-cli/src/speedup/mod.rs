//! `packscope speedup`: the time of an epoch on accelerators, by method. Everything it prints is an estimate.

mod assumed;
mod list;
mod text;

use crate::args::{Rows, TableOutput};
use crate::input::Input;
use crate::limits::{Limits, limits_to_json};
use crate::options;
use crate::packing::{Choice, PrintableProblem, depth_in_words};
use crate::shell::pretty;
use crate::sizes::read_sizes;
pub use assumed::{Set, SpeedupAssumptions, parse as assumption};

use clap::Args;
use packscope::api::speedup::{Report, Settings, SpeedupRequest};
use packscope::api::{self, Sequences, TupleItems, fields, tuple};
use packscope::cost::presets::{Preset, overhead_of};
use packscope::cost::{Overhead, Workload, largest_batch};
use packscope::error::{Error, Result};
use packscope::ingest::Account;
use packscope::packing::Progress;
use serde_json::{Value, json};

/// Rows of a batch by default, if they fit.
const USUAL_BATCH: u32 = 64;
const FITS: &str = ": the largest batch that fits the memory";
const FITS_NONE: &str = ": not one row fits the memory, so no such machine takes these times";
const FITS_SHARDED: &str = ": the largest batch that fits the memory, with weights shared out (sharded), for else none fits";

#[derive(Args)]
// `--list` takes neither file nor limit.
#[command(mut_arg("files", |file| file.required(false).required_unless_present("list")))]
#[command(mut_group("Room", |room| room.required(false)))]
#[command(mut_arg("time_budget", |budget| budget.help("Seconds after which `optimal` stops with what it has; it takes \
    about one at most, counted in steps")))]
pub struct Speedup {
    #[command(flatten)]
    input: Option<Input>,
    #[command(flatten)]
    rows: Rows,
    #[arg(long, help = options::describe_both(&fields::sequences::ALGORITHM, &fields::graphs::ALGORITHM))]
    algorithm: Option<String>,
    /// Order of arrival, for greedy, and of the simulation of waiting.
    #[arg(long, default_value_t = 0, conflicts_with = "limits")]
    seed: u64,
    /// Rows of an accelerator in a batch: sequences, packs, graphs [default: 64, or as many as fit its memory, with weights
    /// shared out where one alone does not].
    #[arg(long)]
    batch: Option<u32>,
    #[command(flatten)]
    assumed: AssumedArgs,
    /// Print the models and accelerators that are known, with their sources, and every assumption with its unit, range
    /// and present value; takes no file.
    #[arg(long)]
    list: bool,
    #[arg(long, default_value = "text")]
    format: TableOutput,
}

/// Assumptions of the estimates.
#[derive(Args)]
pub struct AssumedArgs {
    /// The model that is trained: a transformer, or with --limits a graph neural network; --list has the names, and says which
    /// is taken when left out.
    #[arg(long)]
    pub model: Option<String>,
    /// The accelerator that it is trained on, by the names of --list; one on which masking was measured brings that as --overhead.
    #[arg(long)]
    pub accelerator: Option<String>,
    /// Numbers of accelerators to compare, 1 to 4,096; what is printed for one of them is for the first [default:
    /// 8,1,64,512].
    #[arg(long, value_delimiter = ',', value_name = "LIST")]
    pub accelerators: Vec<u32>,
    /// Price of an accelerator for an hour, in any currency.
    #[arg(long, allow_negative_numbers = true)]
    pub price: Option<f64>,
    /// Another value of any assumption, in the unit that --list shows, such as peak=312 or causal=yes; may be given
    /// often.
    #[arg(long, value_name = "ID=VALUE", value_parser = assumed::parse)]
    pub set: Vec<Set>,
}

impl Speedup {
    fn choice(&self) -> Choice<'_> {
        let algorithm = self.algorithm.as_deref();
        Choice {
            rows: &self.rows,
            algorithm,
            seed: self.seed,
            batch: self.batch.unwrap_or(USUAL_BATCH),
        }
    }

    /// Returns the rows of a batch, and a remark on them if they were not given. Shards the weights if no row fits
    /// otherwise.
    fn batch(&self, assumed: &mut SpeedupAssumptions, slots: u32) -> (u32, &'static str) {
        let a = &mut assumed.assumptions;
        let workload = match assumed.graphs {
            true => Workload::Gnn(a.gnn),
            false => Workload::Transformer(a.transformer),
        };
        match (
            self.batch,
            largest_batch(&workload, a, slots, 1..=USUAL_BATCH),
        ) {
            (Some(given), _) => (given, ""),
            (None, None) => (1, FITS_NONE),
            (None, Some(batch)) if batch.shards => {
                // The estimates that follow must share the weights as well.
                a.training.sharded = true;
                (batch.rows, FITS_SHARDED)
            }
            (None, Some(batch)) if batch.rows < USUAL_BATCH => (batch.rows, FITS),
            (None, Some(_)) => (USUAL_BATCH, ""),
        }
    }
}

pub fn run(command: &Speedup) -> Result<String> {
    let limits = command.rows.room.limits.as_ref();
    let mut assumed = SpeedupAssumptions::new(&command.assumed, limits.is_some(), command.list)?;
    let input = match &command.input {
        Some(input) if !command.list => input,
        _ => return Ok(list::print(command.format, &assumed)),
    };
    let slots = command
        .rows
        .room
        .limit
        .or(limits.and_then(|limits| limits.0.first().copied()));
    // Before the requests: it may change the assumptions that they hold.
    let batch = command.batch(&mut assumed, slots.unwrap_or(1));
    let asked = match (limits, command.rows.room.limit) {
        (Some(limits), _) => graphs(command, input, limits, batch, &assumed)?,
        (None, Some(_)) => sequences(command, input, batch, &assumed)?,
        (None, None) => {
            return Err(Error::Input {
                place: "--limit".to_owned(),
                message: "not given; expected the maximum sequence length, such as --limit 512, or for graphs --limits \
                          NODES,EDGES"
                    .to_owned(),
            });
        }
    };
    // The engine counts steps itself here; `timed` only has the time and the stop.
    let run = |_, ask: &mut Progress| packscope::api::run(&asked.request, ask);
    let (report, _) = command.rows.timed(run)?;
    Ok(match command.format {
        TableOutput::Json => pretty(&to_json(&report, &asked, &assumed)),
        format => text::print(format, &report, &asked, &assumed),
    })
}

struct DescribedRequest {
    request: SpeedupRequest,
    /// The packing in words: limit, depth, algorithm.
    packing: String,
    settings: Value,
    overhead: Overhead,
    /// Rows of a batch, and a remark on them.
    batch: (u32, &'static str),
    /// The names of the items, and of the unit of the first component.
    items: [&'static str; 2],
    read: Account,
}

/// Returns the given overhead; else the one measured on the accelerator; else the default.
fn overhead(command: &Speedup, assumed: &SpeedupAssumptions, set: Overhead) -> Overhead {
    // Masking was measured on few accelerators; an overhead that was given stays.
    let measured =
        overhead_of(assumed.accelerator().id).filter(|_| !command.rows.given.has("overhead"));
    measured.unwrap_or(set)
}

fn sequences(
    command: &Speedup,
    input: &Input,
    batch: (u32, &'static str),
    assumed: &SpeedupAssumptions,
) -> Result<DescribedRequest> {
    let packing = <Sequences as PrintableProblem>::settings(&command.choice())?;
    let packing = api::Settings {
        overhead: overhead(command, assumed, packing.overhead),
        ..packing
    };
    let settings = settings(batch.0, packing.clone(), assumed)?;
    let data = input.read()?;
    let counts = data.histogram.lengths();
    Ok(DescribedRequest {
        packing: format!(
            "limit {}, depth {}, packed by {}",
            packing.limit,
            depth_in_words(packing.algorithm, packing.depth),
            packing.algorithm
        ),
        settings: json!(packing),
        overhead: packing.overhead,
        batch,
        items: ["sequence", "token"],
        request: SpeedupRequest::Sequences(counts, settings),
        read: data.description.account(),
    })
}

fn graphs(
    command: &Speedup,
    input: &Input,
    limits: &Limits,
    batch: (u32, &'static str),
    assumed: &SpeedupAssumptions,
) -> Result<DescribedRequest> {
    if limits.0.len() != 2 {
        return Err(Error::Input {
            place: "--limits".to_owned(),
            message: format!(
                "{} given; expected two, of nodes and edges, such as 222,502",
                limits.0.len()
            ),
        });
    }
    let packing = <TupleItems<2> as PrintableProblem>::settings(&command.choice())?;
    let overhead = overhead(command, assumed, packing.overhead);
    let packing = tuple::Settings {
        overhead,
        ..packing
    };
    let settings = settings(batch.0, packing.clone(), assumed)?;
    // Estimates know nodes and edges, not attention.
    input.uncomputed()?;
    let sizes = read_sizes::<2>(input)?;
    // `FREE` is a number in the settings, and null in JSON.
    let mut names = json!(packing);
    names["limits"] = limits_to_json(&limits.0);
    Ok(DescribedRequest {
        packing: format!(
            "limits {limits}, depth {}, packed by {}",
            packing.depth, packing.algorithm
        ),
        settings: names,
        overhead,
        batch,
        items: ["graph", "node"],
        request: SpeedupRequest::Graphs(sizes.histogram.entries().to_vec(), settings),
        read: sizes.read,
    })
}

fn settings<P>(batch: u32, packing: P, assumed: &SpeedupAssumptions) -> Result<Settings<P>> {
    if batch == 0 {
        return Err(Error::ZeroBatch);
    }
    let (assumptions, accelerators) = (assumed.assumptions, assumed.accelerators.clone());
    Ok(Settings {
        packing,
        batch,
        assumptions,
        accelerators,
    })
}

/// Returns the report of the engine and its request in JSON.
fn to_json(report: &Report, asked: &DescribedRequest, assumed: &SpeedupAssumptions) -> Value {
    let mut all = json!(report);
    all["packing"] = asked.settings.clone();
    all["batch"] = json!(asked.batch.0);
    all["read"] = json!(asked.read);
    all["model"] = assumed.model();
    all["accelerator"] = preset_to_json(assumed.accelerator());
    all
}

fn preset_to_json<T>(preset: &Preset<T>) -> Value {
    json!({ "id": preset.id, "name": preset.name, "source": preset.source() })
}
